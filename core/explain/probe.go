package explain

import (
	"math"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// NoExpiryError reports that the outcome of a message changes at no expiry. Text says
// why, in a sentence.
type NoExpiryError struct{ Text string }

// Error returns the text.
func (e *NoExpiryError) Error() string { return e.Text }

// ProbeRow is the outcome of one message in one block.
type ProbeRow struct {
	// Offset is the distance from the expiry: -1, 0 or +1 block or nanosecond.
	Offset  int
	Block   cw721.Block
	Receipt chain.Receipt
	// By describes the rule that allows the message; empty if none does.
	By string
}

// SameAnswerText describes the rows of a probe if [SameOnBothSides].
const SameAnswerText = "The answer is the same on both sides: another grant carries on beyond this expiry."

// SameOnBothSides reports whether the message passes in every row, so that the expiry
// changes nothing: another grant permits the message too.
func SameOnBothSides(rows []ProbeRow) bool {
	for _, row := range rows {
		if row.Receipt.Refusal != nil {
			return false
		}
	}
	return len(rows) > 0
}

// Probe tries a message one block or nanosecond before an expiry, at the expiry, and
// one after it, each time from the state of the view. It changes nothing. If the expiry is
// a height, the block time stays that of the view, and the reverse. A row that would lie
// before 0 or beyond the largest value is left out.
//
// If end is nil, Probe finds the expiry that decides about the message. It returns the
// probed expiry with the rows. It fails with a [*NoExpiryError] if there is no expiry, and
// with a [*cw721.Error] if it must find the expiry and the message cannot be decided. A
// refusal of the tried message is in its row and is no error.
func Probe(v *chain.View, sender cw721.Address, msg []byte, end *cw721.Expiration) ([]ProbeRow, cw721.Expiration, error) {
	if end == nil {
		decisive, err := decisiveExpiry(v, sender, msg)
		if err != nil {
			return nil, cw721.Expiration{}, err
		}
		end = decisive
	}
	if end.Axis == cw721.Never {
		return nil, cw721.Expiration{}, &NoExpiryError{Text: "this grant never expires, so there is no boundary to probe"}
	}

	// Try one unit before the expiry, at the expiry, and one after it.
	var rows []ProbeRow
	for _, offset := range []int{-1, 0, +1} {
		isBeforeFirst := offset < 0 && end.Value == 0
		isBeyondLast := offset > 0 && end.Value == math.MaxUint64
		if isBeforeFirst || isBeyondLast {
			continue
		}

		block := v.Clock.Block()
		value := end.Value + uint64(offset)
		if end.Axis == cw721.AtHeight {
			block.Height = cw721.Height(value)
		} else {
			block.Time = cw721.Time(value)
		}

		// See the collection in that block, and preview the message there.
		blockView := v.InBlock(block)
		receipt, err := blockView.Preview(sender, msg)
		if err != nil {
			return nil, cw721.Expiration{}, err
		}
		rows = append(rows, ProbeRow{
			Offset:  offset,
			Block:   block,
			Receipt: receipt,
			By:      describeGrantingRule(blockView, sender, msg),
		})
	}
	return rows, *end, nil
}

// decisiveExpiry finds the expiry at which the outcome of a message changes. For an
// allowed message, that is the latest expiry of the grants that permit it; for a refused
// one, the latest of the grants that permitted it. It fails with a [*NoExpiryError] if
// there is no such expiry, or if the sender has another permission that never expires.
func decisiveExpiry(v *chain.View, sender cw721.Address, msg []byte) (last *cw721.Expiration, err error) {
	decision, err := decideRaw(v, sender, msg)
	if err != nil {
		return nil, err
	}
	e := explainer{Decision: decision, view: v}
	if decision.Overruled {
		return nil, &NoExpiryError{Text: "the compiled contract decides this differently from the rules, so it is not known which expiry it checks"}
	}

	// For an allowed message, the grants that permit it count. For a refused one, all that
	// were tried.
	checks := decision.Checks
	if decision.Allowed {
		granting := decision.GrantingCheck()
		if granting.Expires == nil {
			return nil, &NoExpiryError{Text: e.fill("ACTOR needs no grant that expires: ") + e.checkText(granting)}
		}
		checks = e.liveGrants(granting)
	}

	// The latest expiry decides: until then another grant permits the message.
	for _, check := range checks {
		switch {
		case check.Expires == nil:
		case check.Expires.Axis == cw721.Never:
			return nil, &NoExpiryError{Text: "no expiry changes the answer: " + e.checkText(check)}
		case last == nil || estimatedTime(v.Clock, *last) <= estimatedTime(v.Clock, *check.Expires):
			last = check.Expires
		}
	}
	if last == nil {
		return nil, &NoExpiryError{Text: e.fill("ACTOR has no grant here that could expire, so there is no boundary to probe")}
	}
	return last, nil
}

// estimatedTime returns the block time of an expiry. The time of a height is estimated
// at the pace of the clock.
func estimatedTime(clock chain.Clock, e cw721.Expiration) cw721.Time {
	if e.Axis == cw721.AtHeight {
		return clock.At(cw721.Height(e.Value))
	}
	return cw721.Time(e.Value)
}

// decideRaw returns the decision about a message in JSON. It fails with a
// [*cw721.Error] if the message does not decode or cannot be decided.
func decideRaw(v *chain.View, sender cw721.Address, raw []byte) (*cw721.Decision, error) {
	msg, err := v.DecodeExecute(raw)
	if err != nil {
		return nil, err
	}
	return v.Decide(sender, msg)
}

// describeGrantingRule describes the rule that allows a message in the block of the
// view. It returns an empty text for a message that is refused or does not decode.
func describeGrantingRule(v *chain.View, sender cw721.Address, raw []byte) string {
	decision, err := decideRaw(v, sender, raw)
	if err != nil || !decision.Allowed || decision.Overruled {
		return ""
	}
	return explainer{Decision: decision, view: v}.checkText(decision.GrantingCheck())
}
