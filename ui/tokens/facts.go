package tokens

import (
	"context"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/reach"
	"ephemera/ui/app"
)

// tokenFacts is what was read of a token.
type tokenFacts struct {
	token  chain.Token
	movers []mover
	more   bool // not everyone was asked about
	// outlived holds the spenders who, or whom they can hand the token to, can move
	// it after their approvals have expired; nil while nobody has looked.
	outlived map[cw721.Address]bool
}

// mover is an account with a grant, or an expired one, over the token.
type mover struct {
	who   cw721.Address
	may   [len(asked)]bool
	check cw721.Check // the rule that the first verdict hangs on
	none  bool        // no rule has anything to say about it
}

// asked are the actions that the contract is asked about.
var asked = [...]string{"transfer", "burn", "approve"}

// moversAsked bounds how many accounts are asked about.
const moversAsked = 50

// readToken reads a token and asks the contract, for everyone who has a say and
// for the actor, what they may do.
func readToken(v *chain.View, id string, actor cw721.Address) (*tokenFacts, error) {
	token, ok, err := v.Token(id)
	if err != nil || !ok {
		return nil, err
	}
	f := &tokenFacts{token: token}
	who, more, err := concerned(v, token)
	if err != nil {
		return nil, err
	}
	f.more = more
	for i, a := range append(who, actor) {
		if slices.Contains(who[:min(i, len(who))], a) {
			continue
		}
		m, err := ask(v, a, id)
		if err != nil {
			return nil, err
		}
		f.movers = append(f.movers, m)
	}
	return f, nil
}

// outlived finds which approvals of a token are outlived. That is a search for each
// that is live, so only for as many as are listed.
func outlived(v *chain.View, t chain.Token) (map[cw721.Address]bool, error) {
	all := map[cw721.Address]bool{}
	for _, a := range t.Approvals {
		if a.Expires.Expired(v.Clock.Block()) || len(all) == app.LongShown {
			continue
		}
		g := cw721.Grant{Kind: cw721.GrantApproval, Token: t.ID, Owner: t.Owner, Spender: a.Spender, Expires: a.Expires}
		really, err := reach.RealEnd(context.Background(), v, g)
		if err != nil {
			return nil, err
		}
		all[a.Spender] = really != a.Expires
	}
	return all, nil
}

// concerned are the accounts that have, or had, a say over a token; more tells
// that there are others.
func concerned(v *chain.View, t chain.Token) (who []cw721.Address, more bool, err error) {
	who = append(who, t.Owner)
	for _, a := range t.Approvals {
		if len(who) == moversAsked {
			return who, true, nil
		}
		who = append(who, a.Spender)
	}
	operators, more, err := app.First(v.OperatorsOf(t.Owner), moversAsked-len(who))
	for _, op := range operators {
		who = append(who, op.Spender)
	}
	return who, more, err
}

// ask asks the contract what an account may do with a token, and why.
func ask(v *chain.View, who cw721.Address, id string) (mover, error) {
	m := mover{who: who}
	for i, name := range asked {
		action, _ := cw721.ActionNamed(name)
		if i == 0 {
			why, err := explain.Why(v, who, action, id)
			if err != nil {
				return m, err
			}
			m.may[i] = why.Decision.Allowed
			hinge, ok := why.Hinge()
			m.check, m.none = hinge.Check, !ok
			continue
		}
		decision, err := v.Decide(who, action.Message(id, who))
		if err != nil {
			return m, err
		}
		m.may[i] = decision.Allowed
	}
	return m, nil
}
