package mutant

import (
	"time"

	"ephemera/core/cw721"
)

// expiryMutants are wrong about when a grant expires.
var expiryMutants = []Mutant{
	{
		Name:   "inclusive-end",
		Belief: "an approval still works in the block that its expiry names",
		currentBlock: func(block cw721.Block) cw721.Block { // the block before, but never below 0
			return cw721.Block{Height: max(block.Height, 1) - 1, Time: max(block.Time, 1) - 1}
		},
	},
	{
		Name:   "seconds",
		Belief: "at_time is in seconds",
		currentBlock: func(block cw721.Block) cw721.Block {
			// A true expiry, which is in nanoseconds, then lies far in the future.
			block.Time /= cw721.Time(time.Second)
			return block
		},
	},
	{
		Name:   "axis-height-never",
		Belief: "a grant with at_height never expires",
		currentBlock: func(block cw721.Block) cw721.Block {
			block.Height = 0
			return block
		},
	},
	{
		Name:          "default-day",
		Belief:        "an approval without an expiry lasts a day",
		beforeExecute: expireInADay,
	},
	{
		Name:          "past-approve-revokes",
		Belief:        "approving with an expiry that has passed revokes the grant",
		beforeExecute: revokeIfExpiryPassed,
	},
}

// expireInADay replaces a message that gives a grant without an expiry by one whose expiry is a
// day after the current block.
func expireInADay(call *call) error {
	expiry := cw721.UntilTime(call.env.Block.Time + cw721.Time(24*time.Hour))
	switch msg := call.msg.(type) {
	case *cw721.Approve:
		if msg.Expires == nil {
			call.msg = &cw721.Approve{Spender: msg.Spender, TokenID: msg.TokenID, Expires: &expiry}
		}
	case *cw721.ApproveAll:
		if msg.Expires == nil {
			call.msg = &cw721.ApproveAll{Operator: msg.Operator, Expires: &expiry}
		}
	default:
		setOfferExpiry(call, expiry)
	}
	return nil
}

// revokeIfExpiryPassed replaces a message that approves a spender or names an operator with a
// past expiry, which the true contract refuses, by the message that revokes the same grant.
func revokeIfExpiryPassed(call *call) error {
	hasPassed := func(e *cw721.Expiration) bool { return e != nil && e.HasExpired(call.env.Block) }
	switch msg := call.msg.(type) {
	case *cw721.Approve:
		if hasPassed(msg.Expires) {
			call.msg = &cw721.Revoke{Spender: msg.Spender, TokenID: msg.TokenID}
		}
	case *cw721.ApproveAll:
		if hasPassed(msg.Expires) {
			call.msg = &cw721.RevokeAll{Operator: msg.Operator}
		}
	}
	return nil
}

// setOfferExpiry sets the expiry of a message that offers a role, if the message has none. The
// message belongs to the sender, so it is replaced by a new one.
func setOfferExpiry(call *call, expiry cw721.Expiration) {
	offerWithExpiry := func(action cw721.OwnershipAction) cw721.OwnershipAction {
		if action.Transfer == nil || action.Transfer.Expiry != nil {
			return action
		}
		return cw721.Offer(action.Transfer.NewOwner, &expiry)
	}
	switch msg := call.msg.(type) {
	case *cw721.UpdateOwnership: // the older name of update_minter_ownership
		call.msg = &cw721.UpdateMinterOwnership{OwnershipAction: offerWithExpiry(msg.OwnershipAction)}
	case *cw721.UpdateMinterOwnership:
		call.msg = &cw721.UpdateMinterOwnership{OwnershipAction: offerWithExpiry(msg.OwnershipAction)}
	case *cw721.UpdateCreatorOwnership:
		call.msg = &cw721.UpdateCreatorOwnership{OwnershipAction: offerWithExpiry(msg.OwnershipAction)}
	}
}
