package reach

import (
	"context"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// RealEnd tells until when a grant lets the token be moved if its owner does
// nothing: by the spender, or by whoever he can hand it to. It is the
// expiration at which the last of that is over, [cw721.Never] where it never
// is, and the grant's own where nothing outlasts that. token is what an
// operator grant is tried on, one of its owner's. A role offer has no token:
// its end is its own.
func RealEnd(ctx context.Context, v *chain.View, g cw721.Grant, token string) (cw721.Expiration, error) {
	if g.Kind != cw721.GrantApproval && g.Kind != cw721.GrantOperator || g.Spender == g.Owner || g.Expires.Expired(v.Clock.Block()) {
		return g.Expires, nil
	}
	return realEnd(g, token).end(ctx, v)
}

func realEnd(g cw721.Grant, token string) *search {
	transfer, _ := cw721.ActionNamed("transfer")
	return &search{
		Question: Question{Action: transfer, Token: token, Unmoved: true, Passive: []cw721.Address{g.Owner}},
		grant:    &g,
	}
}

// end searches for the last moment at which the token can be moved.
func (s *search) end(ctx context.Context, v *chain.View) (end cw721.Expiration, err error) {
	if s.only, err = heldBy(v, s.grant.Spender, s.Token); err != nil {
		return end, err
	}
	if _, err = newSearch(v, s); err == nil {
		err = s.run(ctx, nil)
	}
	switch {
	case err != nil, s.last == len(s.moments)-1:
		return cw721.Expiration{}, err
	case s.last < 0:
		return s.grant.Expires, nil
	}
	return s.moments[s.last+1].expires, nil
}

// heldBy tells what lets somebody do something with a token, from the decisions
// that the contract would make: what lets him transfer, and what lets him
// approve, which an approval does not.
func heldBy(v *chain.View, who cw721.Address, token string) (all []party, err error) {
	all = []party{{who: who}}
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
				all = append(all, party{who, *c.Expires})
			}
		}
	}
	return all, nil
}
