package explain

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// ErrNoExpiry is what every [*NoExpiryError] is.
var ErrNoExpiry = errors.New("there is no expiry to probe")

// NoExpiryError says why there is no expiry at which an answer would change.
type NoExpiryError struct{ Text string }

func (e *NoExpiryError) Error() string { return e.Text }

// Is makes it an [ErrNoExpiry].
func (e *NoExpiryError) Is(target error) bool { return target == ErrNoExpiry }

// ProbeRow is one message at one block.
type ProbeRow struct {
	// Offset is the distance from the expiry: -1, 0 or +1 block or nanosecond.
	Offset  int
	Block   cw721.Block
	Receipt chain.Receipt
	// By says in words which rule lets the message pass; "" where none does.
	By string
}

// SameOnBothSides tells that an expiry changes nothing: the message passes on both sides,
// as another grant carries on.
func SameOnBothSides(rows []ProbeRow) bool {
	for _, r := range rows {
		if r.Receipt.Refusal != nil {
			return false
		}
	}
	return len(rows) > 0
}

// Probe runs a message right before the sender's grant expires, when it does, and
// right after it, each time from the state of the view, and leaves nothing
// behind. The other axis of the block stays where it is, so that only one thing
// differs. end is the expiry to probe, and nil the one that decides, which is given
// with the rows. It fails with a [*NoExpiryError] where there is none; a refusal is
// in its row.
func Probe(v *chain.View, sender cw721.Address, msg []byte, end *cw721.Expiration) (rows []ProbeRow, at cw721.Expiration, err error) {
	if end == nil {
		if end, err = decisiveEnd(v, sender, msg); err != nil {
			return nil, at, err
		}
	}
	if end.Axis == cw721.Never {
		return nil, at, &NoExpiryError{"this grant never expires, so there is no boundary to probe"}
	}
	for _, offset := range []int{-1, 0, +1} {
		value := end.Value + uint64(offset)
		if offset < 0 && end.Value == 0 || offset > 0 && value == 0 {
			continue // past the edge of all heights and times
		}
		block := v.Clock.Block()
		if end.Axis == cw721.AtHeight {
			block.Height = cw721.Height(value)
		} else {
			block.Time = cw721.Time(value)
		}
		then := v.InBlock(block)
		row := ProbeRow{Offset: offset, Block: block, By: letBy(then, sender, msg)}
		if row.Receipt, err = then.Preview(sender, msg); err != nil {
			return nil, at, err
		}
		rows = append(rows, row)
	}
	return rows, *end, nil
}

// decisiveEnd finds the expiry at which the answer to a message changes: of the
// grant that lets it pass, the last of several, or else of the one that expired
// last. An expiry beyond which another grant carries on is none.
func decisiveEnd(v *chain.View, sender cw721.Address, raw []byte) (end *cw721.Expiration, err error) {
	d, err := decideRaw(v, sender, raw)
	if err != nil {
		return nil, err
	}
	ends := d.Checks
	if d.Allowed {
		passed := d.GrantingCheck()
		if passed.Expires == nil {
			return nil, &NoExpiryError{fmt.Sprintf("%s needs no grant that expires: %s", v.DisplayName(sender), checkText(v, d, passed))}
		}
		ends = liveGrants(v, d, passed)
	}
	for _, check := range ends {
		switch {
		case check.Expires == nil:
		case check.Expires.Axis == cw721.Never:
			return nil, &NoExpiryError{fmt.Sprintf("no expiry changes the answer: %s", checkText(v, d, check))}
		case end == nil || estimate(v.Clock, *end) <= estimate(v.Clock, *check.Expires):
			end = check.Expires
		}
	}
	if end == nil {
		return nil, &NoExpiryError{fmt.Sprintf("%s has no grant here that could expire, so there is no boundary to probe", v.DisplayName(sender))}
	}
	return end, nil
}

// estimate is the block time of an expiry, a height at the pace of the clock.
func estimate(c chain.Clock, e cw721.Expiration) cw721.Time {
	if e.Axis == cw721.AtHeight {
		return c.At(cw721.Height(e.Value))
	}
	return cw721.Time(e.Value)
}

// decideRaw decides about a message as it was written.
func decideRaw(v *chain.View, sender cw721.Address, raw []byte) (*cw721.Decision, error) {
	msg, err := v.DecodeExecute(raw)
	if err != nil {
		return nil, err
	}
	return v.Decide(sender, msg)
}

// letBy tells what lets a message pass in the block of the view; "" for one
// that is refused, or never decided about.
func letBy(v *chain.View, sender cw721.Address, raw []byte) string {
	d, err := decideRaw(v, sender, raw)
	if err != nil || !d.Allowed {
		return ""
	}
	return checkText(v, d, d.GrantingCheck())
}
