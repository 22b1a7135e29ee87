package explain

import (
	"cmp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Access is what an account may do with a token in one moment.
type Access struct {
	Transfer bool `wire:"transfer"`
	Burn     bool `wire:"burn"`
	Approve  bool `wire:"approve"`
	// Mint tells whether it may mint, which is asked only under rules by which
	// others than the minter may.
	Mint bool `wire:"mint,optional"`
	// By is the rule that gives most of it, and Until when that permission expires;
	// nil where nothing is given or the permission is no grant.
	By    cw721.Rule        `wire:"rule,optional"`
	Until *cw721.Expiration `wire:"expires"`
	// Because says in a few words what decides: every rule that gives
	// something, and where something is refused the grants that have expired;
	// [NoPermission] where there are none.
	Because string `wire:"text"`
	// Missing tells that there is no such token then.
	Missing bool
}

// What [Access] says of those who never had a permission, and of no token.
const (
	NoPermission = "no permission"
	NoToken      = "no such token"
)

// accessActions are what Access asks, in its order.
var accessActions = []string{"transfer", "burn", "approve", mint}

const mint = "mint"

// answers are the fields in the order of accessActions.
func (a *Access) answers() []*bool { return []*bool{&a.Transfer, &a.Burn, &a.Approve, &a.Mint} }

// AccessTo asks the contract what an account may do with a token: each answer is
// the decision that execute would make, and that [Why] reads out at length.
func AccessTo(v *chain.View, who cw721.Address, token string) (a Access, err error) {
	var reasons []string
	for i, name := range accessActions {
		if name == mint && !v.Rules.HasAdditionalMinters() {
			continue
		}
		action, _ := cw721.ActionNamed(name)
		d, err := v.Decide(who, action.Message(token, who))
		if e := cw721.AsError(err); e != nil && e.Kind == cw721.KindNotFound {
			return Access{Missing: true, Because: NoToken}, nil
		}
		if err != nil {
			return a, err
		}
		decides := d.Checks
		if *a.answers()[i] = d.Allowed; d.Allowed {
			passed := d.Passed()
			decides = []cw721.Check{passed}
			if name != mint || a.By == "" {
				a.By, a.Until = passed.Rule, passed.Expires
			}
		}
		for _, c := range decides {
			if text := inBrief(c); text != "" && !slices.Contains(reasons, text) {
				reasons = append(reasons, text)
			}
		}
	}
	a.Because = cmp.Or(strings.Join(reasons, ", "), NoPermission)
	return a, nil
}

// Since tells which permissions came and which went, by the names of the actions.
func (a Access) Since(before Access) (gained, lost []string) {
	is, was := a.answers(), before.answers()
	for i, name := range accessActions {
		switch {
		case *is[i] && !*was[i]:
			gained = append(gained, name)
		case *was[i] && !*is[i]:
			lost = append(lost, name)
		}
	}
	return gained, lost
}

// Actions names what an account may do.
func (a Access) Actions() []string {
	all, _ := a.Since(Access{})
	return all
}

// Holders lists who may do something with a token: its owner, its spenders, the
// operators of its owner, expired or not, and the additional minters. There are
// none where there is no token.
func Holders(v *chain.View, token string) (all []cw721.Address, err error) {
	t, ok, err := v.Token(token)
	if err != nil || !ok {
		return nil, err
	}
	all = append(all, t.Owner)
	for g, err := range v.GrantsOver(token) {
		if err != nil {
			return nil, err
		}
		all = append(all, g.Spender)
	}
	minters, err := v.AdditionalMinters()
	return append(all, minters...), err
}
