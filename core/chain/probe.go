package chain

import (
	"errors"
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// ErrNoEnd is what every [*NoEndError] is.
var ErrNoEnd = errors.New("there is no end to probe")

// NoEndError says why there is no end at which an answer would change.
type NoEndError struct{ Text string }

func (e *NoEndError) Error() string { return e.Text }

// Is makes it an [ErrNoEnd].
func (e *NoEndError) Is(target error) bool { return target == ErrNoEnd }

// Probed is one message at one block.
type Probed struct {
	// Offset is the distance from the end: -1, 0 or +1 block or nanosecond.
	Offset  int
	Block   cw721.Block
	Receipt Receipt
	// By says in words which rule lets the message pass; "" where none does.
	By string
}

// Steady tells that an end changes nothing: the message passes on both sides,
// as another right carries on.
func Steady(rows []Probed) bool {
	for _, r := range rows {
		if r.Receipt.Refusal != nil {
			return false
		}
	}
	return len(rows) > 0
}

// Probe runs a message right before the end of the sender's right, at it, and
// right after it, each time from one and the same state of the chain, and leaves
// nothing behind. The other axis of the block stays where it is, so that only
// one thing differs. end is the end to probe, and nil the one that decides,
// which is given with the rows. It fails with a [*NoEndError] where there is
// none; a refusal is in its row.
func (c *Chain) Probe(sender cw721.Address, msg []byte, end *cw721.Expiration) (rows []Probed, at cw721.Expiration, err error) {
	cfg, err := c.mustConfig()
	if err != nil {
		return nil, at, err
	}
	err = c.db.View(func(r kv.Reader) error {
		if end == nil {
			v, err := newView(r, cfg)
			if err != nil {
				return err
			}
			if end, err = v.decisiveEnd(sender, msg); err != nil {
				return err
			}
		}
		if end.Axis == cw721.Never {
			return &NoEndError{"this right never ends, so there is no boundary to probe"}
		}
		for _, offset := range []int{-1, 0, +1} {
			value := end.Value + uint64(offset)
			if offset < 0 && end.Value == 0 || offset > 0 && value == 0 {
				continue // past the edge of all heights and times
			}
			row, err := newSession(kv.NewOverlay(r), cfg).probe(sender, msg, cw721.Expiration{Axis: end.Axis, Value: value})
			if err != nil {
				return err
			}
			row.Offset = offset
			rows = append(rows, row)
		}
		return nil
	})
	if err != nil {
		return nil, at, err
	}
	return rows, *end, nil
}

// probe runs a message with the clock at a value of one axis.
func (s *session) probe(sender cw721.Address, msg []byte, at cw721.Expiration) (row Probed, err error) {
	clock, err := loadMoment(s.meta)
	if err != nil {
		return row, err
	}
	if at.Axis == cw721.AtHeight {
		clock.Height = cw721.Height(at.Value)
	} else {
		clock.Time = cw721.Time(at.Value)
	}
	if err := momentItem.Save(s.meta, clock); err != nil {
		return row, err
	}
	row.Block = clock.Block()
	v, err := newView(s.t, s.Config)
	if err != nil {
		return row, err
	}
	row.By = v.letBy(sender, msg)
	row.Receipt, err = s.execute(sender, msg)
	row.Receipt.Node, row.Receipt.Revision = 0, 0
	return row, err
}

// decisiveEnd finds the end at which the answer to a message changes: of the
// right that lets it pass, the last of several, or else of the one that was over
// last. An end beyond which another right carries on is none.
func (v *View) decisiveEnd(sender cw721.Address, raw []byte) (end *cw721.Expiration, err error) {
	d, err := v.decideRaw(sender, raw)
	if err != nil {
		return nil, err
	}
	ends := d.Checks
	if d.Allowed {
		passed := lastPassed(d)
		if passed.Expires == nil {
			return nil, &NoEndError{fmt.Sprintf("%s needs no right that ends: %s", v.Call(sender), v.ruleText(d, passed))}
		}
		ends = v.liveRights(d, passed)
	}
	for _, check := range ends {
		switch {
		case check.Expires == nil:
		case check.Expires.Axis == cw721.Never:
			return nil, &NoEndError{fmt.Sprintf("no end changes the answer: %s", v.ruleText(d, check))}
		case end == nil || v.Clock.estimate(*end) <= v.Clock.estimate(*check.Expires):
			end = check.Expires
		}
	}
	if end == nil {
		return nil, &NoEndError{fmt.Sprintf("%s has no right here that could end, so there is no boundary to probe", v.Call(sender))}
	}
	return end, nil
}

// estimate is the block time of an end, a height at the pace of the clock.
func (c Clock) estimate(e cw721.Expiration) cw721.Time {
	if e.Axis == cw721.AtHeight {
		return c.At(cw721.Height(e.Value))
	}
	return cw721.Time(e.Value)
}

// decideRaw decides about a message as it was written.
func (v *View) decideRaw(sender cw721.Address, raw []byte) (*cw721.Decision, error) {
	book := addressBook{accounts: v.accounts()}
	msg, _, err := v.Contract().DecodeExecute(raw, book.lookup)
	if err = firstOf(book.fault, err); err != nil {
		return nil, err
	}
	return v.Decide(sender, msg)
}

// letBy tells what lets a message pass in the block of the view; "" for one
// that is refused, or never decided about.
func (v *View) letBy(sender cw721.Address, raw []byte) string {
	d, err := v.decideRaw(sender, raw)
	if err != nil || !d.Allowed {
		return ""
	}
	return v.ruleText(d, lastPassed(d))
}
