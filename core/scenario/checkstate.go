package scenario

import (
	"cmp"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// CheckState says what a check of a decision found, and how far the block is from the
// expiry of the grant.
type CheckState string

// The states. The blocks before and after the current one are those at the pace of the
// clock, so that both axes have a last and a first block.
const (
	CheckPasses       CheckState = "passes"
	CheckLastBlock    CheckState = "last block"          // passes, but not in the next block
	CheckFirstExpired CheckState = "first expired block" // would have passed in the block before
	CheckLongExpired  CheckState = "long expired"
	CheckAbsent       CheckState = "absent" // the sender has no such grant or role
)

// CheckStates are all states, in the order of a table.
var CheckStates = []CheckState{CheckPasses, CheckLastBlock, CheckFirstExpired, CheckLongExpired, CheckAbsent}

// CheckResult is a check that the contract made to decide about the message of a step.
type CheckResult struct {
	Rule  cw721.Rule
	State CheckState
	// Axis is the axis of the grant's expiry. It is [cw721.Never] if there is no expiry.
	Axis cw721.Axis
}

// Checks returns the checks of the decision about the step's message, in their order. It
// returns none for a step without a decision.
func (p PlayedStep) Checks() (results []CheckResult, err error) {
	if p.Decision == nil {
		return nil, nil
	}
	clock, err := chain.Read(p.chain, func(v *chain.View) (chain.Clock, error) { return v.Clock, nil })
	for _, check := range p.Decision.Checks {
		expires := *cmp.Or(check.Expires, &cw721.Expiration{})
		isSender := check.Holder != nil && *check.Holder == p.Decision.Actor
		result := CheckResult{Rule: check.Rule, Axis: expires.Axis, State: CheckAbsent}
		if isSender || check.Passed {
			result.State = stateOfGrant(expires, clock)
		}
		results = append(results, result)
	}
	return results, err
}

// stateOfGrant returns the state of a check that found a grant to the sender.
func stateOfGrant(expires cw721.Expiration, clock chain.Clock) CheckState {
	oneBlock := uint64(1) // on the axis of the expiry
	if expires.Axis == cw721.AtTime {
		oneBlock = clock.SecondsPerBlock * uint64(time.Second)
	}

	now, end, canExpire := expires.NowAndEnd(clock.Block())
	switch {
	case !canExpire || now < end && end-now > oneBlock:
		return CheckPasses
	case now < end:
		return CheckLastBlock
	case now-end < oneBlock:
		return CheckFirstExpired
	}
	return CheckLongExpired
}
