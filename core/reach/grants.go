package reach

import (
	"context"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// RealExpiry returns when a grant really ends: until when its spender can move the token, or
// have it moved, while the token's owner does nothing. That can be later than the grant's
// own expiration. An operator, for example, can approve himself without an expiry while he
// is operator. The result is an
// expiration that is never if the spender can still move the token after
// the grant has expired, and otherwise the grant's own expiration, which is also the result
// for the offer of a role and for an expired grant.
//
// RealExpiry asks [Ask]'s search whether the token can be transferred in the block of the
// expiry, by the built-in rules. An operator grant is tried on the token that it names, or
// on the first token of its owner if it names none.
func RealExpiry(ctx context.Context, v *chain.View, g cw721.Grant) (cw721.Expiration, error) {
	movesToken := g.Kind == cw721.GrantApproval || g.Kind == cw721.GrantOperator
	isExpired := g.Expires.Expired(v.Clock.Block())
	if !movesToken || isExpired || g.Spender == g.Owner {
		return g.Expires, nil
	}
	end, err := v.Clock.ToExpiry(g.Expires, 0)
	if err != nil { // it never expires, or the clock cannot get so far
		return g.Expires, nil
	}
	if g.Kind == cw721.GrantOperator && g.Token == "" {
		g.Token, err = v.FirstToken(g.Owner)
		if err != nil {
			return g.Expires, err
		}
	}

	transfer, _ := cw721.ActionNamed("transfer")
	q := Question{
		Action:     transfer,
		Token:      g.Token,
		After:      new(end.Block()),
		Unmoved:    true,
		onlySender: g.Spender,
	}
	s, err := prepare(ctx, v, q)
	if cw721.AsError(err) != nil {
		return g.Expires, nil // the token does not exist, or its owner has none
	}
	if err != nil {
		return g.Expires, err
	}
	s.compiled = false
	if err := s.run(); err != nil {
		return g.Expires, err
	}
	if s.answer.Verdict == Way {
		return cw721.Expiration{}, nil // never
	}
	return g.Expires, nil
}
