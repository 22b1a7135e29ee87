package reach

import (
	"context"

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
	s := endOf(g)
	if g.Kind == cw721.GrantOperator && g.Token == "" {
		for t, err := range v.Tokens(g.Owner, cw721.Walk{}) {
			if err != nil {
				return g.Expires, err
			}
			s.Token = t.ID
			break
		}
	}
	_, exists, err := v.Token(s.Token)
	movable := g.Kind == cw721.GrantApproval || g.Kind == cw721.GrantOperator
	if err != nil || !exists || !movable || g.Spender == g.Owner || g.Expires.Expired(v.Clock.Block()) {
		return g.Expires, err
	}
	if err := s.prepare(ctx, v); err != nil {
		return g.Expires, err
	}
	return s.end(ctx)
}

func endOf(g cw721.Grant) *search {
	transfer, _ := cw721.ActionNamed("transfer")
	return &search{
		Question: Question{Action: transfer, Token: g.Token, Unmoved: true, Passive: []cw721.Address{g.Owner}},
		grant:    &g,
	}
}

// end searches for the last moment at which the token can be moved.
func (s *search) end(ctx context.Context) (cw721.Expiration, error) {
	err := s.run(ctx, nil)
	switch {
	case err != nil, s.last < 0:
		return s.grant.Expires, err
	case s.last == len(s.moments)-1:
		return cw721.Expiration{}, nil
	}
	return s.moments[s.last+1].expires, nil
}

// heldBy tells what lets somebody do something with a token, from the decisions
// that the contract makes: on a transfer, and on an approval, where another
// approval does not help.
func heldBy(v *chain.View, who cw721.Address, token string) (all []party, err error) {
	for _, msg := range []cw721.ExecuteMsg{
		&cw721.TransferNft{Recipient: who, TokenID: token},
		&cw721.Approve{Spender: who, TokenID: token},
	} {
		d, err := v.Decide(who, msg)
		if err != nil {
			return nil, err
		}
		for _, c := range d.Checks {
			if c.Passed && c.Expires != nil {
				all = append(all, party{who: who, expires: *c.Expires})
			}
		}
	}
	return all, nil
}
