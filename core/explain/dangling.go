package explain

import (
	"fmt"
	"iter"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// Danger tells what is surprising about a grant.
type Danger string

// The kinds of surprise.
const (
	DangerLostGiver   Danger = "lost giver"       // given by an operator who may not any more
	DangerReturned    Danger = "returned token"   // an operator of old reaches a token that came back
	DangerWaiting     Danger = "waiting operator" // an operator of an owner who has no token now
	DangerSelf        Danger = "to oneself"       // an approval of whoever has the permission anyway
	DangerUnit        Danger = "unlikely end"     // an expiry in the wrong unit, or beyond what anybody means
	DangerEndless     Danger = "endless operator" // an operator grant that never expires
	DangerLapsed      Danger = "lapsed offer"     // a role offer that has expired but still stands
	DangerRoyaltyHole Danger = "royalty"          // a royalty that was not set by the creator
)

// Finding is a grant, or an offer, that surprises people.
type Finding struct {
	Danger Danger
	// Grant is the one in question; zero for a royalty.
	Grant cw721.Grant
	// Token is the token that it reaches, where it is one.
	Token *string
	// Node is the message that brought it about; 0 where that is not known, as
	// after an import.
	Node history.ID
	// Text says it in one sentence.
	Text string
	// By is who can revoke it, and Cure the message by which they do; empty and nil
	// where nobody can, or no single message does.
	By     cw721.Address
	Remedy cw721.ExecuteMsg
}

// Dangling walks what is surprising about the grants of a collection. What
// stands in the expiry index comes first, then what only the history tells, so that
// whoever stops early has read little. It reads all grants and the whole way to
// the head: it is a report, not for every frame.
func Dangling(v *chain.View) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		more := true
		tell := func(found []Finding) bool {
			for _, f := range found {
				more = more && yield(f, nil)
			}
			return more
		}
		err := danglingGrants(v, tell)
		if err == nil && more {
			err = danglingHistory(v, tell)
		}
		if err != nil && more {
			yield(Finding{}, err)
		}
	}
}

// danglingGrants looks at each grant for itself, until tell wants no more.
func danglingGrants(v *chain.View, tell func([]Finding) bool) error {
	for e, err := range v.Grants(expiry.Index{}) {
		if err != nil {
			return err
		}
		found, err := oddities(v, e.Grant)
		if err != nil || !tell(found) {
			return err
		}
	}
	return nil
}

// oddities is what a grant alone shows.
func oddities(v *chain.View, g cw721.Grant) (found []Finding, err error) {
	add := func(d Danger, format string, args ...any) {
		f := Finding{Danger: d, Grant: g, Text: fmt.Sprintf(format, args...)}
		if g.Kind == cw721.GrantApproval {
			f.Token = &g.Token
		}
		f.By, f.Remedy = g.Owner, cureOf(g)
		found = append(found, f)
	}
	over, what := g.Expires.Expired(v.Clock.Block()), grantName(v, g)
	offer := g.Kind == cw721.GrantMinterOffer || g.Kind == cw721.GrantCreatorOffer
	if warning := UnitWarning(g.Expires, v.Clock); warning != "" {
		add(DangerUnit, "%s expires at %s: %s", what, human.Expiry(g.Expires), warning)
	}
	switch {
	case offer && over:
		add(DangerLapsed, "%s has expired (%s) and still stands there; nobody can accept it", what, expiryClause(g.Expires, v.Clock.Block()))
	case over || offer:
	case g.Owner == g.Spender:
		add(DangerSelf, "%s gives a permission that %s has anyway", what, v.DisplayName(g.Owner))
	case g.Kind == cw721.GrantOperator && g.Expires.Axis == cw721.Never:
		add(DangerEndless, "%s never expires, and covers every token that %s will ever own", what, v.DisplayName(g.Owner))
	}
	if g.Kind == cw721.GrantOperator && !over && g.Owner != g.Spender {
		n, err := v.Holdings(g.Owner)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			add(DangerWaiting, "%s is live although %s owns no token now: %s will reach the next one that comes", what, v.DisplayName(g.Owner), v.DisplayName(g.Spender))
		}
	}
	return found, nil
}

// cureOf is the message that takes a grant away; an offer can only be replaced.
func cureOf(g cw721.Grant) cw721.ExecuteMsg {
	switch g.Kind {
	case cw721.GrantApproval:
		return &cw721.Revoke{Spender: g.Spender, TokenID: g.Token}
	case cw721.GrantOperator:
		return &cw721.RevokeAll{Operator: g.Spender}
	}
	return nil
}
