package mutant

import (
	"time"

	"ephemera/core/cw721"
)

// previousBlock returns the block one height and one nanosecond before b, or 0 for what is
// 0 already. A mutant that compares expiries with it lets every grant work in the block
// that its expiry names, which is one block too long.
func previousBlock(b cw721.Block) cw721.Block {
	return cw721.Block{
		Height: max(b.Height, 1) - 1,
		Time:   max(b.Time, 1) - 1,
	}
}

// timeInSeconds converts the block's time from nanoseconds to seconds, as if expiries
// (at_time) were in seconds. An expiry in nanoseconds, as the true contract has it, then
// lies far ahead.
func timeInSeconds(b cw721.Block) cw721.Block {
	b.Time /= cw721.Time(time.Second)
	return b
}

// withoutHeight sets the block's height to 0, so that no expiry at a height is ever
// reached.
func withoutHeight(b cw721.Block) cw721.Block {
	b.Height = 0
	return b
}

// expireInADay runs before a message that gives a grant: an approval, an operator or the
// offer of a role. If the message sets no expiry, so that the grant would never expire, it
// sets one a day after the current block.
func expireInADay(x *call) error {
	end := cw721.UntilTime(x.env.Block.Time + cw721.Time(24*time.Hour))
	switch msg := x.msg.(type) {
	case *cw721.Approve:
		if msg.Expires == nil {
			x.msg = &cw721.Approve{Spender: msg.Spender, TokenID: msg.TokenID, Expires: &end}
		}
	case *cw721.ApproveAll:
		if msg.Expires == nil {
			x.msg = &cw721.ApproveAll{Operator: msg.Operator, Expires: &end}
		}
	default:
		setOfferExpiry(x, end)
	}
	return nil
}

// expireOfferInNextBlock is the mistake of a mutant in which offers lapse at once. It runs
// before a message that offers a role (minter or creator). If the message sets no expiry, it
// sets the next height, so that nobody can accept in time.
func expireOfferInNextBlock(x *call) error {
	setOfferExpiry(x, cw721.UntilHeight(x.env.Block.Height+1))
	return nil
}

// setOfferExpiry sets the expiry of a message that offers a role and sets no expiry. It
// leaves other messages as they are. It never changes the message itself, which belongs
// to the sender: it replaces x.msg by a new one.
func setOfferExpiry(x *call, end cw721.Expiration) {
	offerWithEnd := func(action cw721.OwnershipAction) cw721.OwnershipAction {
		if action.Transfer == nil || action.Transfer.Expiry != nil {
			return action
		}
		return cw721.Offer(action.Transfer.NewOwner, &end)
	}
	switch msg := x.msg.(type) {
	case *cw721.UpdateOwnership: // the older name of update_minter_ownership
		x.msg = &cw721.UpdateMinterOwnership{OwnershipAction: offerWithEnd(msg.OwnershipAction)}
	case *cw721.UpdateMinterOwnership:
		x.msg = &cw721.UpdateMinterOwnership{OwnershipAction: offerWithEnd(msg.OwnershipAction)}
	case *cw721.UpdateCreatorOwnership:
		x.msg = &cw721.UpdateCreatorOwnership{OwnershipAction: offerWithEnd(msg.OwnershipAction)}
	}
}

// revokeIfExpiryPassed runs before a message that approves a spender or names an operator.
// If the expiry in the message has passed, it replaces the message by the one that revokes
// the grant. The true contract refuses such a message.
func revokeIfExpiryPassed(x *call) error {
	hasPassed := func(e *cw721.Expiration) bool { return e != nil && e.Expired(x.env.Block) }
	switch msg := x.msg.(type) {
	case *cw721.Approve:
		if hasPassed(msg.Expires) {
			x.msg = &cw721.Revoke{Spender: msg.Spender, TokenID: msg.TokenID}
		}
	case *cw721.ApproveAll:
		if hasPassed(msg.Expires) {
			x.msg = &cw721.RevokeAll{Operator: msg.Operator}
		}
	}
	return nil
}
