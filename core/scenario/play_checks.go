package scenario

import (
	"cmp"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// CheckState says what one check of a contract's decision found: whether the sender has the
// grant or role that the check is about, and how near the current block is to its expiry.
type CheckState string

// The states of a check. The last block and the first expired block are counted from the
// expiry of the grant, which is a height or a time. For a time, every block is taken to
// last the clock's seconds per block.
const (
	CheckPasses       CheckState = "passes"              // also in the next block
	CheckLastBlock    CheckState = "last block"          // passes, but not in the next block
	CheckFirstExpired CheckState = "first expired block" // would have passed in the block before
	CheckLongExpired  CheckState = "long expired"        // would not have passed there either
	CheckAbsent       CheckState = "absent"              // the sender has no such grant or role
)

// CheckStates has all states, in the order of the columns of a table.
var CheckStates = []CheckState{
	CheckPasses,
	CheckLastBlock,
	CheckFirstExpired,
	CheckLongExpired,
	CheckAbsent,
}

// CheckResult is a check that the contract made to decide about the message of a step.
type CheckResult struct {
	Rule  cw721.Rule
	State CheckState
	Axis  cw721.Axis // of the grant's expiry; [cw721.Never] also for a check of no grant
}

// Checks returns the checks of the decision about the step's message, in their order. It
// returns none for a step without a decision.
func (p PlayedStep) Checks() (results []CheckResult, err error) {
	if p.Decision == nil {
		return nil, nil
	}
	clock, err := chain.Read(p.chain, func(view *chain.View) (chain.Clock, error) { return view.Clock, nil })
	if err != nil {
		return nil, err
	}

	for _, check := range p.Decision.Checks {
		// By default, a grant never expires.
		expires := *cmp.Or(check.Expires, &cw721.Expiration{})

		// A grant to the sender that has expired does not pass, but it is not absent.
		state := CheckAbsent
		hasGrant := check.Holder != nil && *check.Holder == p.Decision.Actor
		if hasGrant || check.Passed {
			state = stateOfGrant(expires, clock)
		}
		results = append(results, CheckResult{Rule: check.Rule, State: state, Axis: expires.Axis})
	}
	return results, nil
}

// stateOfGrant returns the state of a check that found a grant to the sender.
func stateOfGrant(expires cw721.Expiration, clock chain.Clock) CheckState {
	// Both points are heights, or both are times in nanoseconds.
	clockPoint, expiryPoint, canExpire := expires.NowAndEnd(clock.Block())
	if !canExpire {
		return CheckPasses
	}
	oneBlock := uint64(1) // in the unit of the points
	if expires.Axis == cw721.AtTime {
		oneBlock = clock.SecondsPerBlock * uint64(time.Second)
	}

	switch {
	case clockPoint < expiryPoint && expiryPoint-clockPoint > oneBlock:
		return CheckPasses
	case clockPoint < expiryPoint: // the next block reaches the end
		return CheckLastBlock
	case clockPoint-expiryPoint < oneBlock: // the block before had not reached it
		return CheckFirstExpired
	}
	return CheckLongExpired
}
