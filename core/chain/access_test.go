package chain_test

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

func TestRightsThatCameAndWentAreToldApart(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	access := func(who string) (a explain.Access) {
		w.view(func(v *chain.View) { a = must(explain.AccessTo(v, address(who), "ape"))(t) })
		return a
	}
	none := access("bob")
	same(t, "what bob may at first", 0, len(none.Rights()))
	w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	spender := access("bob")
	same(t, "what a spender may", []string{"transfer", "burn"}, spender.Rights())
	same(t, "by what", cw721.RuleApproval, spender.By)
	same(t, "until when", cw721.UntilHeight(110), *spender.Until)
	w.do("alice", `{"approve_all":{"operator":"$bob"}}`)
	operator := access("bob")
	gained, lost := operator.Since(spender)
	same(t, "what came", []string{"approve"}, gained)
	same(t, "what went", 0, len(lost))
	gained, lost = none.Since(operator)
	same(t, "what came with nothing", 0, len(gained))
	same(t, "what went with everything", []string{"transfer", "burn", "approve"}, lost)
}

func TestWhoeverHoldsARightOverATokenIsListedEndedOrNot(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":101}}}`)
	w.do("alice", `{"approve_all":{"operator":"$carol"}}`)
	must(w.c.Advance(chain.Step{Blocks: 5}))(t)
	w.view(func(v *chain.View) {
		same(t, "the holders", []cw721.Address{address("alice"), address("bob"), address("carol")}, must(explain.Holders(v, "ape"))(t))
		same(t, "those of no token", 0, len(must(explain.Holders(v, "none"))(t)))
	})
}

func TestTheReasonOfARightNamesEveryRightThatDecides(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	because := func(who string) (text string) {
		w.view(func(v *chain.View) { text = must(explain.AccessTo(v, address(who), "ape"))(t).Because })
		return text
	}
	same(t, "why alice", "owner", because("alice"))
	same(t, "why bob at first", "no right", because("bob"))
	w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	same(t, "why a spender", "approval until height 110", because("bob"))
	w.do("alice", `{"approve_all":{"operator":"$bob","expires":{"at_height":120}}}`)
	same(t, "why one with two rights", "approval until height 110, operator until height 120", because("bob"))
	must(w.c.Advance(chain.Step{ToNext: true}))(t)
	same(t, "why an operator whose approval is over", "operator until height 120", because("bob"))
	must(w.c.Advance(chain.Step{ToNext: true}))(t)
	same(t, "why one whose rights are over", "approval ended at height 110, operator ended at height 120", because("bob"))
	w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob"}}`)
	same(t, "why a spender who may approve no more", "approval without end, operator ended at height 120", because("bob"))
	w.do("alice", `{"revoke_all":{"operator":"$bob"}}`)
	w.do("alice", `{"approve_all":{"operator":"$carol","expires":{"at_time":"2000000000000"}}}`)
	same(t, "why until a time", "operator until 1970-01-01 00:33:20 UTC", because("carol"))
	w.view(func(v *chain.View) {
		same(t, "why of no token", "no such token", must(explain.AccessTo(v, address("alice"), "none"))(t).Because)
	})
}
