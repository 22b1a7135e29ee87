package explain_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

func why(w *World, who, action, token string) explain.Explanation {
	w.T.Helper()
	a, known := cw721.ActionNamed(action)
	if !known {
		w.T.Fatalf("no action is named %q", action)
	}
	var why explain.Explanation
	w.View(func(v *chain.View) { why = Must(explain.Why(v, Address(who), a, token))(w.T) })
	return why
}

func (y whyText) has(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(string(y), text) {
			t.Errorf("%q is not said in:\n%s", text, y)
		}
	}
}

type whyText string

func text(w explain.Explanation) whyText {
	var b strings.Builder
	for _, r := range w.Rules {
		b.WriteString(r.Text + "\n")
	}
	b.WriteString(w.Verdict + "\n" + w.Counterfactual.Text)
	return whyText(b.String())
}

// The contract of the tests of package wasm accepts send_nft from anyone and stops at
// transfer_nft.
func TestTheAnswerOfTheCompiledContractIsTheVerdictWhereTheRulesSayOtherwise(t *testing.T) {
	// given
	w := New(t)
	w.Mint("ape", "alice")
	code := Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	Must(w.C.Migrate(chain.Module{File: "contract.wasm", Code: code}, Address("creator"), []byte(`{"count":{}}`)))(t)

	// when
	refused := why(w, "alice", "transfer", "ape")
	accepted := why(w, "bob", "send", "ape")
	both := why(w, "alice", "send", "ape")

	// then
	if refused.Decision.Allowed || !accepted.Decision.Allowed || both.Decision.Overruled {
		t.Errorf("the verdicts are %q, %q, %q", refused.Verdict, accepted.Verdict, both.Verdict)
	}
	text(refused).has(t, "alice may not transfer ape: “", "the compiled contract, which runs here, refuses it, while the rules of v0.19.0 allow it")
	text(accepted).has(t, "bob may send ape to a contract", "lets it happen, while the rules of v0.19.0 refuse it")
	w.View(func(v *chain.View) {
		access := Must(explain.AccessTo(v, Address("alice"), "ape"))(t)
		if slices.Contains(access.Actions, "transfer") {
			t.Errorf("access says %+v", access)
		}
	})
}

func TestWhyReadsTheRulesOutInTheirOrderWithWhatWasCompared(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")
	w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	text(why(w, "bob", "transfer", "ape")).has(t,
		"alice owns the token, not bob\nbob has an approval; height 100 < 110: live\nbob may transfer ape\nthe approval expires at height 110 (in 10 blocks)")
	Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	text(why(w, "bob", "transfer", "ape")).has(t,
		"bob has an approval; height 110 ≥ 110: expired\nbob is not an operator of alice\nbob may not transfer ape: “Caller is not the contract's current owner”\nalice approves bob again: the old approval expired at height 110")
	text(why(w, "bob", "approve", "ape")).has(t, "alice makes bob an operator; an approval for one token does not permit approving others")
	text(why(w, "bob", "mint", "")).has(t, "creator holds the minter role, not bob", "creator offers the minter role to bob, who accepts it")
	w.Do("creator", `{"update_minter_ownership":"renounce_ownership"}`)
	text(why(w, "bob", "mint", "")).has(t, "nobody holds the minter role any more: it was renounced", "nothing can: the minter role was renounced")
}

func TestWhatTakesARightAwayIsSaidOfEveryRight(t *testing.T) {
	const height, time = `{"at_height":%d}`, `{"at_time":"%d"}`
	for _, c := range []struct{ approval, operator, flip string }{
		{"null", "", "alice revokes the approval for bob"},
		{"", "null", "alice revokes bob as operator"},
		{"", fmt.Sprintf(height, 110), "the operator grant expires at height 110 (in 10 blocks)"},
		{fmt.Sprintf(height, 110), fmt.Sprintf(height, 120), "the operator grant, the later of two grants, expires at height 120 (in 20 blocks)"},
		{fmt.Sprintf(height, 120), fmt.Sprintf(height, 110), "the approval, the later of two grants, expires at height 120 (in 20 blocks)"},
		{fmt.Sprintf(height, 110), fmt.Sprintf(time, uint64(2000e9)), "both grants must go: the approval expires at height 110 (in 10 blocks), and the operator grant expires at 1970-01-01 00:33:20 UTC (in 16m 40s); a transfer by alice takes both away"},
		{fmt.Sprintf(height, 110), "null", "both grants must go: the approval expires at height 110 (in 10 blocks), and alice revokes bob as operator; a transfer by alice takes both away"},
	} {
		w := New(t)
		w.Mint("ape", "alice")
		if c.approval != "" {
			w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":%s}}`, c.approval)
		}
		if c.operator != "" {
			w.Do("alice", `{"approve_all":{"operator":"$bob","expires":%s}}`, c.operator)
		}
		Same(t, "what takes it away", c.flip, why(w, "bob", "transfer", "ape").Counterfactual.Text)
	}
}

func TestWhyOfAnOfferSaysToWhomAndUntilWhen(t *testing.T) {
	w := New(t)
	text(why(w, "bob", "accept-minter", "")).has(t, "the role is offered to nobody", "There isn't a pending", "creator offers the minter role to bob")
	w.Do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob"}}}`)
	text(why(w, "bob", "accept-minter", "")).has(t, "the role is offered to bob, and the offer never expires", "bob may accept the minter role", "the role is offered to someone else")
	text(why(w, "carol", "accept-minter", "")).has(t, "the role is offered to bob, not to carol", "creator offers the minter role to carol")
	w.Do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":110}}}}`)
	text(why(w, "bob", "accept-minter", "")).has(t, "the role is offered to bob; height 100 < 110: live", "the offer expires at height 110 (in 10 blocks)")
	w.Do("creator", `{"update_creator_ownership":"renounce_ownership"}`)
	text(why(w, "bob", "accept-creator", "")).has(t, "nothing can: the creator role was renounced")
}

func TestWhyOfATokenThatIsNotThereIsNotFound(t *testing.T) {
	w := New(t)
	transfer, _ := cw721.ActionNamed("transfer")
	w.View(func(v *chain.View) {
		_, err := explain.Why(v, Address("bob"), transfer, "none")
		if e := cw721.AsError(err); e == nil || e.Kind != cw721.KindNotFound {
			t.Errorf("why of no token gave %v", err)
		}
	})
}

// In every state: why says no exactly when execute's refusal is a verdict about
// rights, and the change that it names turns the verdict around.
func TestWhyAndExecuteNeverDisagreeAndEveryCounterfactualFlips(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := NewWalker(r, kv.NewMemory(), nil)
		for range rapid.IntRange(0, 30).Draw(r, "steps") {
			if rapid.IntRange(0, 4).Draw(r, "clock") == 0 {
				w.Advance(r)
			} else {
				w.Execute(r)
			}
		}
		for _, action := range w.Rules.Actions() {
			for _, who := range People {
				agrees(w, action, who, w.Token())
			}
		}
		for _, who := range People {
			reasons(w, who, w.Token())
		}
	})
}

// reasons holds what AccessTo says in brief to what Why says at length.
func reasons(w *Walker, who, token string) {
	w.View(func(v *chain.View) {
		access, noAccess := explain.AccessTo(v, Address(who), token)
		decided := false
		names := []string{"transfer", "burn", "approve"}
		if w.Rules.HasAdditionalMinters() {
			names = append(names, "mint")
		}
		for _, name := range names {
			action, _ := cw721.ActionNamed(name)
			why, err := explain.Why(v, Address(who), action, token)
			if (err != nil) != (noAccess != nil) {
				w.R.Fatalf("%s %s: access fails with %v, why with %v", who, name, noAccess, err)
			}
			if err != nil {
				return
			}
			if slices.Contains(access.Actions, name) != why.Decision.Allowed {
				w.R.Fatalf("%s %s: access says %v, why says %q", who, name, access.Actions, why.Verdict)
			}
			decided = decided || why.Decision.Allowed || slices.ContainsFunc(why.Rules, func(r explain.RuleText) bool {
				return r.Check.Expires != nil
			})
		}
		if decided == (access.Because == explain.NoPermission) {
			w.R.Fatalf("%s: access says %q", who, access.Because)
		}
	})
}

func agrees(w *Walker, action cw721.Action, who, token string) {
	msg := action.Message(token, Address(who))
	var why explain.Explanation
	var whyErr error
	w.View(func(v *chain.View) { why, whyErr = explain.Why(v, Address(who), action, token) })
	receipt := Must(w.C.Preview(Address(who), cw721.Encode(msg)))(w.R)
	if whyErr != nil {
		if receipt.Refusal == nil || receipt.Refusal.Decision != nil {
			w.R.Fatalf("%s %s: why fails with %v, execute says %v", who, action.Name, whyErr, receipt.Refusal)
		}
		return
	}
	verdict := receipt.Refusal == nil || receipt.Refusal.Decision == nil
	if why.Decision.Allowed != verdict {
		w.R.Fatalf("%s %s: why says %v, execute says %v", who, action.Name, why.Decision.Allowed, receipt.Refusal)
	}
	flips(w, why, who, msg)
}

// flips tries the change out where nothing is kept: the message that does it
// and then the question, or the question at the block that does it.
func flips(w *Walker, why explain.Explanation, who string, msg cw721.ExecuteMsg) {
	ask := func(v *chain.View) {
		d := Must(v.Decide(Address(who), msg))(w.R)
		if d.Allowed == why.Decision.Allowed {
			w.R.Fatalf("%q does not flip %q", why.Counterfactual.Text, why.Verdict)
		}
	}
	switch {
	case why.Counterfactual.At != nil:
		block := why.Decision.Block
		if why.Counterfactual.At.Axis == cw721.AtHeight {
			block.Height = cw721.Height(why.Counterfactual.At.Value)
		} else {
			block.Time = cw721.Time(why.Counterfactual.At.Value)
		}
		OK(w.R, w.C.ViewAtMoment(chain.Moment{Block: block}, func(v *chain.View) error { ask(v); return nil }))
	case why.Counterfactual.Message != nil:
		r := Must(w.C.Execute(why.Counterfactual.By, cw721.Encode(why.Counterfactual.Message)))(w.R)
		OK(w.R, r.Err())
		w.View(ask)
		Must(w.C.Undo(1))(w.R)
	}
}

func TestAProbeShowsTheLastBlockAndTheFirstWithout(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")
	w.Do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	before := w.Everything()
	rows, end, err := probe(w, "bob", `{"transfer_nft":{"token_id":"ape","recipient":"$carol"}}`, nil)
	OK(t, err)
	Same(t, "the end", cw721.UntilHeight(110), end)
	var got []bool
	for _, row := range rows {
		got = append(got, row.Receipt.Refusal == nil)
	}
	Same(t, "what is carried out at 109, 110 and 111", []bool{true, false, false}, got)
	Same(t, "what is stored after a probe", before, w.Everything())
}

func TestAProbeAtTheEdgesOfHeightsLeavesOutWhatIsNotThere(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")
	end := cw721.UntilHeight(^cw721.Height(0))
	rows, _, err := probe(w, "alice", `{"burn":{"token_id":"ape"}}`, &end)
	OK(t, err)
	Same(t, "how many rows there are at the last height", 2, len(rows))
}
