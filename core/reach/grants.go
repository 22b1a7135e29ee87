package reach

import (
	"context"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// RealEnd tells until when a grant lets a token be moved if the token's owner
// does nothing: by the spender, or by whoever he can hand it to. An operator
// approves himself and outlives his grant. It is the expiration after which
// nobody of these can, [cw721.Never] where somebody always can, and the grant's
// own where nothing outlasts that, as for a role offer. An operator grant is
// tried on the token that it names, or else on the first one of its owner.
func RealEnd(ctx context.Context, v *chain.View, g cw721.Grant) (cw721.Expiration, error) {
	if g.Kind == cw721.GrantOperator && g.Token == "" {
		for t, err := range v.Tokens(g.Owner, cw721.Walk{}) {
			if err != nil {
				return g.Expires, err
			}
			g.Token = t.ID
			break
		}
	}
	_, exists, err := v.Token(g.Token)
	movable := g.Kind == cw721.GrantApproval || g.Kind == cw721.GrantOperator
	if err != nil || !exists || !movable || g.Spender == g.Owner || g.Expires.Expired(v.Clock.Block()) {
		return g.Expires, err
	}
	transfer, _ := cw721.ActionNamed("transfer")
	q := Question{Action: transfer, Token: g.Token, Unmoved: true, Passive: []cw721.Address{g.Owner}}
	s, err := prepare(ctx, v, q, g.Spender)
	if err != nil {
		return g.Expires, err
	}
	return s.end(g)
}

// end looks for the last moment at which the token can be moved, by the built-in
// rules.
func (s *search) end(g cw721.Grant) (cw721.Expiration, error) {
	var end cw721.Expiration
	for first, m := range slices.Backward(s.moments) {
		one := *s
		one.first, one.compiled = first, false
		if err := one.run(); err != nil {
			return g.Expires, err
		}
		if one.answer.Verdict == Way {
			return end, nil
		}
		end = m.expires
	}
	return g.Expires, nil
}
