package mutant

import (
	"time"

	"ephemera/core/cw721"
)

// previousBlock makes every grant work for one block more.
func previousBlock(b cw721.Block) cw721.Block {
	return cw721.Block{
		Height: max(b.Height, 1) - 1,
		Time:   max(b.Time, 1) - 1,
	}
}

// timeInSeconds makes an expiry in nanoseconds lie far ahead.
func timeInSeconds(b cw721.Block) cw721.Block {
	b.Time /= cw721.Time(time.Second)
	return b
}

// withoutHeight makes every expiry at a height lie ahead.
func withoutHeight(b cw721.Block) cw721.Block {
	b.Height = 0
	return b
}

// expireInADay gives a grant without an expiry one of a day.
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

// expireOfferInNextBlock gives an offer without an expiry one that is the next block.
func expireOfferInNextBlock(x *call) error {
	setOfferExpiry(x, cw721.UntilHeight(x.env.Block.Height+1))
	return nil
}

// setOfferExpiry sets the expiry of a message that offers a role without one. It
// leaves other messages as they are.
func setOfferExpiry(x *call, end cw721.Expiration) {
	offerWithEnd := func(action cw721.OwnershipAction) cw721.OwnershipAction {
		if action.Transfer == nil || action.Transfer.Expiry != nil {
			return action
		}
		return cw721.Offer(action.Transfer.NewOwner, &end)
	}
	switch msg := x.msg.(type) {
	case *cw721.UpdateOwnership:
		x.msg = &cw721.UpdateMinterOwnership{OwnershipAction: offerWithEnd(msg.OwnershipAction)}
	case *cw721.UpdateMinterOwnership:
		x.msg = &cw721.UpdateMinterOwnership{OwnershipAction: offerWithEnd(msg.OwnershipAction)}
	case *cw721.UpdateCreatorOwnership:
		x.msg = &cw721.UpdateCreatorOwnership{OwnershipAction: offerWithEnd(msg.OwnershipAction)}
	}
}

// revokeIfExpiryPassed replaces a grant whose expiry has passed by its revocation.
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
