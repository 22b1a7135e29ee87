package chain

import (
	"errors"

	"ephemera/core/cw721"
)

// ErrNoEnd says that what was probed never ends.
var ErrNoEnd = errors.New("what gives this right never ends, or there is no such right, so there is no boundary to probe")

// Probed is one message at one block.
type Probed struct {
	// Offset is the distance from the end: -1, 0 or +1 block or nanosecond.
	Offset  int
	Block   cw721.Block
	Receipt Receipt
}

// Probe runs a message right before the end of the sender's right, at it, and
// right after it, each time from the chain as it is now, and leaves nothing.
// The other axis of the block stays where it is, so that only one thing
// differs. end is the end to probe; nil takes the one that decides. It fails
// with [ErrNoEnd].
func (c *Chain) Probe(sender cw721.Address, msg []byte, end *cw721.Expiration) (rows []Probed, at cw721.Expiration, err error) {
	if end == nil {
		if end, err = c.decisiveEnd(sender, msg); err != nil {
			return nil, at, err
		}
	}
	if end.Axis == cw721.Never {
		return nil, at, ErrNoEnd
	}
	for _, offset := range []int{-1, 0, +1} {
		value := end.Value + uint64(offset)
		if offset < 0 && end.Value == 0 || offset > 0 && value == 0 {
			continue // past the edge of all heights and times
		}
		row := Probed{Offset: offset}
		err := c.trial(func(s *session) error {
			clock, err := loadMoment(s.meta)
			if err != nil {
				return err
			}
			if end.Axis == cw721.AtHeight {
				clock.Height = cw721.Height(value)
			} else {
				clock.Time = cw721.Time(value)
			}
			if err := momentItem.Save(s.meta, clock); err != nil {
				return err
			}
			row.Block = clock.Block()
			row.Receipt, err = s.execute(sender, msg)
			row.Receipt.Node, row.Receipt.Revision = 0, 0
			return err
		})
		if err != nil {
			return nil, at, err
		}
		rows = append(rows, row)
	}
	return rows, *end, nil
}

// decisiveEnd finds the end that the decision about a message hangs on: of the
// check that passes, or else of the last one that is over.
func (c *Chain) decisiveEnd(sender cw721.Address, raw []byte) (end *cw721.Expiration, err error) {
	err = c.View(func(v *View) error {
		book := addressBook{accounts: v.accounts()}
		msg, _, err := v.Contract().DecodeExecute(raw, book.lookup)
		if err = firstOf(book.fault, err); err != nil {
			return err
		}
		d, err := v.Decide(sender, msg)
		if err != nil {
			return err
		}
		for _, check := range d.Checks {
			if check.Expires != nil && check.Expires.Axis != cw721.Never {
				end = check.Expires
			}
		}
		if end == nil {
			return ErrNoEnd
		}
		return nil
	})
	return end, err
}
