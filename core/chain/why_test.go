package chain_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
)

func (w *world) why(who, action, token string) explain.Explanation {
	w.t.Helper()
	a, known := cw721.ActionNamed(action)
	if !known {
		w.t.Fatalf("no action is named %q", action)
	}
	var why explain.Explanation
	w.view(func(v *chain.View) { why = must(explain.Why(v, address(who), a, token))(w.t) })
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

func TestWhyReadsTheRulesOutInTheirOrderWithWhatWasCompared(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	text(w.why("bob", "transfer", "ape")).has(t,
		"alice owns the token, not bob\nbob has an approval; height 100 < 110: live\nbob may transfer ape\nthe approval is over at height 110 (in 10 blocks)")
	must(w.c.Advance(chain.Step{ToNext: true}))(t)
	text(w.why("bob", "transfer", "ape")).has(t,
		"bob has an approval; height 110 ≥ 110: over\nbob is not an operator of alice\nbob may not transfer ape: “Caller is not the contract's current owner”\nalice approves bob again: the old approval was over at height 110")
	text(w.why("bob", "approve", "ape")).has(t, "alice makes bob an operator; an approval for one token does not give the right to approve others")
	text(w.why("bob", "mint", "")).has(t, "creator holds the minter role, not bob", "creator offers the minter role to bob, who accepts it")
	w.do("creator", `{"update_minter_ownership":"renounce_ownership"}`)
	text(w.why("bob", "mint", "")).has(t, "nobody holds the minter role any more: it was renounced", "nothing can: the minter role was renounced")
}

func TestWhatTakesARightAwayIsSaidOfEveryRight(t *testing.T) {
	const height, time = `{"at_height":%d}`, `{"at_time":"%d"}`
	for _, c := range []struct{ approval, operator, flip string }{
		{"null", "", "alice revokes the approval for bob"},
		{"", "null", "alice revokes bob as operator"},
		{"", fmt.Sprintf(height, 110), "the operator grant is over at height 110 (in 10 blocks)"},
		{fmt.Sprintf(height, 110), fmt.Sprintf(height, 120), "the operator grant, the later of two rights, is over at height 120 (in 20 blocks)"},
		{fmt.Sprintf(height, 120), fmt.Sprintf(height, 110), "the approval, the later of two rights, is over at height 120 (in 20 blocks)"},
		{fmt.Sprintf(height, 110), fmt.Sprintf(time, uint64(2000e9)), "both rights must go: the approval is over at height 110 (in 10 blocks), and the operator grant is over at 1970-01-01 00:33:20 UTC (in 16m 40s)"},
		{fmt.Sprintf(height, 110), "null", "both rights must go: the approval is over at height 110 (in 10 blocks), and alice revokes bob as operator"},
	} {
		w := newWorld(t)
		w.mint("ape", "alice")
		if c.approval != "" {
			w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":%s}}`, c.approval)
		}
		if c.operator != "" {
			w.do("alice", `{"approve_all":{"operator":"$bob","expires":%s}}`, c.operator)
		}
		same(t, "what takes it away", c.flip, w.why("bob", "transfer", "ape").Counterfactual.Text)
	}
}

func TestWhyOfAnOfferSaysToWhomAndUntilWhen(t *testing.T) {
	w := newWorld(t)
	text(w.why("bob", "accept-minter", "")).has(t, "the role is offered to nobody", "There isn't a pending", "creator offers the minter role to bob")
	w.do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob"}}}`)
	text(w.why("bob", "accept-minter", "")).has(t, "the role is offered to bob, without an end", "bob may accept the minter role", "the role is offered to someone else")
	text(w.why("carol", "accept-minter", "")).has(t, "the role is offered to bob, not to carol", "creator offers the minter role to carol")
	w.do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":110}}}}`)
	text(w.why("bob", "accept-minter", "")).has(t, "the role is offered to bob; height 100 < 110: live", "the offer is over at height 110 (in 10 blocks)")
	w.do("creator", `{"update_creator_ownership":"renounce_ownership"}`)
	text(w.why("bob", "accept-creator", "")).has(t, "nothing can: the creator role was renounced")
}

func TestWhyOfATokenThatIsNotThereIsNotFound(t *testing.T) {
	w := newWorld(t)
	transfer, _ := cw721.ActionNamed("transfer")
	w.view(func(v *chain.View) {
		_, err := explain.Why(v, address("bob"), transfer, "none")
		if e := cw721.AsError(err); e == nil || e.Kind != cw721.KindNotFound {
			t.Errorf("why of no token gave %v", err)
		}
	})
}

// In every state: why says no exactly when execute's refusal is a verdict about
// rights, and the change that it names turns the verdict around.
func TestWhyAndExecuteNeverDisagreeAndEveryCounterfactualFlips(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := newWalker(r, kv.NewMemory(), nil)
		for range rapid.IntRange(0, 30).Draw(r, "steps") {
			if rapid.IntRange(0, 4).Draw(r, "clock") == 0 {
				w.advance(r)
			} else {
				w.execute(r)
			}
		}
		for _, action := range cw721.Actions() {
			for _, who := range people {
				w.agrees(action, who, w.token())
			}
		}
		for _, who := range people {
			w.reasons(who, w.token())
		}
	})
}

// reasons holds what the matrix says in brief to what why says at length.
func (w *walker) reasons(who, token string) {
	w.view(func(v *chain.View) {
		access := must(explain.AccessTo(v, address(who), token))(w.r)
		decided := false
		for _, name := range []string{"transfer", "burn", "approve"} {
			action, _ := cw721.ActionNamed(name)
			why, err := explain.Why(v, address(who), action, token)
			if (err != nil) != access.Missing {
				w.r.Fatalf("%s %s: the matrix says %q, why fails with %v", who, name, access.Because, err)
			}
			if err != nil {
				return
			}
			if slices.Contains(access.Rights(), name) != why.Decision.Allowed {
				w.r.Fatalf("%s %s: the matrix says %v, why says %q", who, name, access.Rights(), why.Verdict)
			}
			for _, r := range why.Rules {
				word := ""
				switch c := r.Check; {
				case c.Passed && c.Expires != nil && c.Expires.Axis == cw721.Never:
					word = string(c.Rule) + " without end"
				case c.Passed && c.Expires != nil:
					word = string(c.Rule) + " until " + chain.End(*c.Expires)
				case c.Passed:
					word = string(c.Rule)
				case c.Expires != nil && !why.Decision.Allowed:
					word = string(c.Rule) + " ended at " + chain.End(*c.Expires)
				}
				decided = decided || word != ""
				if !strings.Contains(access.Because, word) {
					w.r.Fatalf("%s %s: the matrix says %q, and not %q, as why does: %q", who, name, access.Because, word, r.Text)
				}
			}
		}
		if decided == (access.Because == explain.NoRight) {
			w.r.Fatalf("%s: the matrix says %q", who, access.Because)
		}
	})
}

func (w *walker) agrees(action cw721.Action, who, token string) {
	msg := action.Message(token, address(who))
	var why explain.Explanation
	var whyErr error
	w.view(func(v *chain.View) { why, whyErr = explain.Why(v, address(who), action, token) })
	receipt := must(w.c.Preview(address(who), cw721.Encode(msg)))(w.r)
	if whyErr != nil {
		if receipt.Refusal == nil || receipt.Refusal.Decision != nil {
			w.r.Fatalf("%s %s: why fails with %v, execute says %v", who, action.Name, whyErr, receipt.Refusal)
		}
		return
	}
	verdict := receipt.Refusal == nil || receipt.Refusal.Decision == nil
	if why.Decision.Allowed != verdict {
		w.r.Fatalf("%s %s: why says %v, execute says %v", who, action.Name, why.Decision.Allowed, receipt.Refusal)
	}
	w.flips(why, who, msg)
}

// flips tries the change out where nothing is kept: the message that does it
// and then the question, or the question at the block that does it.
func (w *walker) flips(why explain.Explanation, who string, msg cw721.ExecuteMsg) {
	ask := func(v *chain.View) {
		d := must(v.Decide(address(who), msg))(w.r)
		if d.Allowed == why.Decision.Allowed {
			w.r.Fatalf("%q does not flip %q", why.Counterfactual.Text, why.Verdict)
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
		ok(w.r, w.c.ViewIn(block, func(v *chain.View) error { ask(v); return nil }))
	case why.Counterfactual.Message != nil:
		r := must(w.c.Execute(why.Counterfactual.By, cw721.Encode(why.Counterfactual.Message)))(w.r)
		ok(w.r, r.Err())
		w.view(ask)
		must(w.c.Undo(1))(w.r)
	}
}

func TestAProbeShowsTheLastBlockAndTheFirstWithout(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	w.do("alice", `{"approve":{"token_id":"ape","spender":"$bob","expires":{"at_height":110}}}`)
	before := w.everything()
	rows, end, err := w.probe("bob", `{"transfer_nft":{"token_id":"ape","recipient":"$carol"}}`, nil)
	ok(t, err)
	same(t, "the end", cw721.UntilHeight(110), end)
	var got []bool
	for _, row := range rows {
		got = append(got, row.Receipt.Refusal == nil)
	}
	same(t, "what is carried out at 109, 110 and 111", []bool{true, false, false}, got)
	same(t, "what is stored after a probe", before, w.everything())
}

func TestAProbeOfWhatNeverEndsSaysSo(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	for _, who := range []string{"alice", "bob"} {
		_, _, err := w.probe(who, `{"burn":{"token_id":"ape"}}`, nil)
		if !errors.Is(err, explain.ErrNoEnd) {
			t.Errorf("a probe of %s gave %v", who, err)
		}
	}
}

func TestAProbeAtTheEdgesOfHeightsLeavesOutWhatIsNotThere(t *testing.T) {
	w := newWorld(t)
	w.mint("ape", "alice")
	end := cw721.UntilHeight(^cw721.Height(0))
	rows, _, err := w.probe("alice", `{"burn":{"token_id":"ape"}}`, &end)
	ok(t, err)
	same(t, "how many rows there are at the last height", 2, len(rows))
}
