package reach

import (
	"context"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// RealExpiry tells until when a grant lets a token be moved if the token's owner
// does nothing: by the spender, or by whoever he can hand it to. It is
// [cw721.Never] where he can still do so when the grant has expired: for that he
// needs another grant, and by an operator's he approves himself and outlives them all.
// Else it is the grant's own expiration, as for a role offer. An operator grant is
// tried on the token that it names, or else on the first one of its owner, by the
// built-in rules.
func RealExpiry(ctx context.Context, v *chain.View, g cw721.Grant) (end cw721.Expiration, err error) {
	if g.Kind == cw721.GrantOperator && g.Token == "" {
		if g.Token, err = v.FirstToken(g.Owner); err != nil {
			return g.Expires, err
		}
	}
	movable := g.Kind == cw721.GrantApproval || g.Kind == cw721.GrantOperator
	to, err := v.Clock.ToExpiry(g.Expires, 0)
	if err != nil || !movable || g.Spender == g.Owner || g.Expires.Expired(v.Clock.Block()) {
		return g.Expires, nil
	}
	transfer, _ := cw721.ActionNamed("transfer")
	q := Question{Action: transfer, Token: g.Token, After: new(to.Block()), Unmoved: true, alone: g.Spender}
	s, err := prepare(ctx, v, q)
	if cw721.AsError(err) != nil {
		return g.Expires, nil // there is no token
	}
	if err == nil {
		s.compiled = false
		err = s.run()
	}
	if err != nil || s.answer.Verdict != Way {
		return g.Expires, err
	}
	return cw721.Expiration{}, nil
}
