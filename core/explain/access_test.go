package explain_test

import (
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

func TestAnAccountMayDoWhatItsStrongestPermissionAllows(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")

	accessOfBob := func() (access explain.Access) {
		w.View(func(v *chain.View) { access = Must(explain.AccessTo(v, Address("bob"), "ape"))(t) })
		return access
	}
	Same(t, "what bob may at first", 0, len(accessOfBob().Actions))

	w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	spender := accessOfBob()
	Same(t, "what a spender may", []string{"transfer", "burn"}, spender.Actions)
	Same(t, "by which rule", cw721.RuleApproval, spender.Rule)
	Same(t, "until when", cw721.UntilHeight(110), *spender.Until)

	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	Same(t, "what an operator may", []string{"transfer", "burn", "approve"}, accessOfBob().Actions)
}

func TestHoldersIncludesExpiredGrantsAndListsEachAccountOnce(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")
	w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":101}}}`)
	w.Do("alice", `{"approve_all":{"operator":"$bob"}}`)
	w.Do("alice", `{"approve_all":{"operator":"$carol"}}`)
	Must(w.C.Advance(chain.ClockStep{Blocks: 5}))(t)
	w.View(func(v *chain.View) {
		Same(t, "the holders", []cw721.Address{Address("alice"), Address("bob"), Address("carol")}, Must(explain.Holders(v, "ape"))(t))
		Same(t, "the number of holders of no token", 0, len(Must(explain.Holders(v, "none"))(t)))
	})
}

func TestTheReasonForAnAccessNamesEveryPermissionThatDecides(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")

	because := func(who string) (text string) {
		w.View(func(v *chain.View) { text = Must(explain.AccessTo(v, Address(who), "ape"))(t).Reason })
		return text
	}
	Same(t, "the owner", "owner", because("alice"))
	Same(t, "bob without a grant", "no permission", because("bob"))

	w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	Same(t, "bob as spender", "approval until height 110", because("bob"))

	w.Do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":120}}}`)
	Same(t, "bob as spender and operator", "approval until height 110, operator until height 120", because("bob"))

	Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "bob as operator with an expired approval", "operator until height 120", because("bob"))

	Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	Same(t, "bob with two expired grants", "approval expired at height 110, operator expired at height 120", because("bob"))

	w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob"}}`)
	Same(t, "bob as spender with an expired operator grant", "approval without expiry, operator expired at height 120", because("bob"))

	w.Do("alice", `{"revoke_all":{"operator":"$bob"}}`)
	w.Do("alice", `{"approve_all":{"operator":"$carol","expires":{"at_time":"2000000000000"}}}`)
	Same(t, "carol as operator until a time", "operator until 1970-01-01 00:33:20 UTC", because("carol"))

	w.View(func(v *chain.View) {
		_, err := explain.AccessTo(v, Address("alice"), "none")
		Same(t, "the kind of failure for no token", cw721.KindNotFound, cw721.AsError(err).Kind)
	})
}
