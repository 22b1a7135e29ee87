package tokens

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
)

// tokenFacts is what was read of a token.
type tokenFacts struct {
	token  chain.Token
	movers []mover
	more   bool // not everyone was asked about
	// approvals are as many of the token as were asked about, ends their real ends.
	approvals []cw721.Grant
	ends      app.RealEnds
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
	grants, more, err := app.TakeFirst(v.GrantsOver(id), moversAsked-1)
	if err != nil {
		return nil, err
	}
	f.more, f.approvals = more, grants[:min(len(grants), len(token.Approvals))] // they come first
	who := []cw721.Address{token.Owner}
	for _, g := range grants {
		who = append(who, g.Spender)
	}
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
			hinge, ok := why.DecidingRule()
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
