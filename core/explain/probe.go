package explain

import (
	"math"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// NoExpiryError reports that there is no expiry at which the outcome of a message changes.
type NoExpiryError struct {
	Text string // the reason in a sentence
}

// Error returns the text.
func (e *NoExpiryError) Error() string { return e.Text }

// ProbeRow is the outcome of one message in one block.
type ProbeRow struct {
	// Offset is the distance of Block from the expiry: -1, 0 or +1. It counts blocks if the
	// expiry is a height, and nanoseconds if it is a time.
	Offset  int
	Block   cw721.Block
	Receipt chain.Receipt // what the message did in that block, or why it was refused
	// AllowedBy describes the rule that allows the message; empty if none does, or if a
	// compiled contract decides otherwise than the rules.
	AllowedBy string
}

// SameAnswerText explains the rows of a probe if [SameOnBothSides] returns true for them.
const SameAnswerText = "The answer is the same on both sides: another grant carries on beyond this expiry."

// SameOnBothSides reports whether the contract allows the message before the expiry and also
// after it. Then another grant permits the message, too. It is false if there are no rows.
func SameOnBothSides(rows []ProbeRow) bool {
	for _, row := range rows {
		if row.Receipt.Refusal != nil {
			return false
		}
	}
	return len(rows) > 0
}

// Probe tries a message just before an expiry, at that expiry, and just after it, each time
// from the state of the view. One unit is a block if the expiry is a height, and a nanosecond
// if it is a time. The other value of the block is that of the view. A block that cannot
// exist, such as one before height 0, has no row.
//
// If expires is nil, Probe finds the expiry at which the outcome of the message changes. It
// fails with a [*NoExpiryError] if there is none, and with a [*cw721.Error] if the message
// cannot be decided.
func Probe(
	view *chain.View,
	sender cw721.Address,
	msg []byte,
	expires *cw721.Expiration,
) ([]ProbeRow, cw721.Expiration, error) {
	if expires == nil {
		foundExpiry, err := findDecisiveExpiry(view, sender, msg)
		if err != nil {
			return nil, cw721.Expiration{}, err
		}
		expires = foundExpiry
	}
	if expires.Axis == cw721.Never {
		err := &NoExpiryError{Text: "this grant never expires, so there is no boundary to probe"}
		return nil, cw721.Expiration{}, err
	}

	var rows []ProbeRow
	for _, offset := range []int{-1, 0, +1} {
		block, exists := blockNearExpiry(view.Clock.Block(), *expires, offset)
		if !exists {
			continue
		}
		blockView := view.InBlock(block)
		receipt, err := blockView.Preview(sender, msg)
		if err != nil {
			return nil, cw721.Expiration{}, err
		}
		row := ProbeRow{Offset: offset, Block: block, Receipt: receipt}
		decision, err := decideJSON(blockView, sender, msg)
		if err == nil && decision.Allowed && !decision.Overruled {
			row.AllowedBy = explainer{Decision: decision, view: blockView}.checkText(decision.GrantingCheck())
		}
		rows = append(rows, row)
	}
	return rows, *expires, nil
}

// blockNearExpiry moves only the height or only the time of a block, to offset units after an
// expiry. exists is false if that is below 0 or too large.
func blockNearExpiry(
	block cw721.Block,
	expires cw721.Expiration,
	offset int,
) (moved cw721.Block, exists bool) {
	if offset < 0 && expires.Value == 0 || offset > 0 && expires.Value == math.MaxUint64 {
		return block, false
	}

	moved = block
	value := expires.Value + uint64(offset)
	switch expires.Axis {
	case cw721.AtHeight:
		moved.Height = cw721.Height(value)
	case cw721.AtTime:
		moved.Time = cw721.Time(value)
	}
	return moved, true
}

// findDecisiveExpiry finds the expiry at which the outcome of a message changes: the latest of
// the grants that permit it, or that permitted a refused one before. It fails with a
// [*NoExpiryError] if there is none, or if the sender has another permission that never
// expires.
func findDecisiveExpiry(
	view *chain.View,
	sender cw721.Address,
	msg []byte,
) (latestExpiry *cw721.Expiration, err error) {
	decision, err := decideJSON(view, sender, msg)
	if err != nil {
		return nil, err
	}
	e := explainer{Decision: decision, view: view}

	checks := decision.Checks
	switch {
	case decision.Overruled:
		return nil, &NoExpiryError{Text: "the compiled contract decides this differently from the rules, so it is not known which expiry it checks"}
	case decision.Allowed:
		grantingCheck := decision.GrantingCheck()
		if grantingCheck.Expires == nil {
			text := e.fillPlaceholders("ACTOR needs no grant that expires: ") + e.checkText(grantingCheck)
			return nil, &NoExpiryError{Text: text}
		}
		checks = e.liveGrants(grantingCheck)
	}

	// The latest expiry decides: until then another grant permits the message.
	for _, check := range checks {
		if check.Expires == nil { // it found no grant
			continue
		}
		if check.Expires.Axis == cw721.Never {
			return nil, &NoExpiryError{Text: "no expiry changes the answer: " + e.checkText(check)}
		}
		expiryTime := estimatedTime(view.Clock, *check.Expires)
		if latestExpiry == nil || estimatedTime(view.Clock, *latestExpiry) <= expiryTime {
			latestExpiry = check.Expires
		}
	}
	if latestExpiry == nil {
		text := e.fillPlaceholders("ACTOR has no grant here that could expire, so there is no boundary to probe")
		return nil, &NoExpiryError{Text: text}
	}
	return latestExpiry, nil
}

// estimatedTime returns when a grant expires, as a time.
func estimatedTime(clock chain.Clock, expiration cw721.Expiration) cw721.Time {
	if expiration.Axis == cw721.AtHeight {
		return clock.EstimateTimeAt(cw721.Height(expiration.Value))
	}
	return cw721.Time(expiration.Value)
}

// decideJSON fails with a [*cw721.Error] if the message does not decode or cannot be decided.
func decideJSON(view *chain.View, sender cw721.Address, msgJSON []byte) (*cw721.Decision, error) {
	msg, err := view.DecodeExecute(msgJSON)
	if err != nil {
		return nil, err
	}
	return view.Decide(sender, msg)
}
