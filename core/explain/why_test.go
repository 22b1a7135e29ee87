package explain_test

import (
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

// explainAction explains why an account may or may not do an action now.
func explainAction(w *World, who, actionName, token string) explain.Explanation {
	w.T.Helper()
	action, isKnown := cw721.ActionNamed(actionName)
	if !isKnown {
		w.T.Fatalf("no action is named %q", actionName)
	}
	var explanation explain.Explanation
	w.View(func(v *chain.View) { explanation = Must(explain.Why(v, Address(who), action, token))(w.T) })
	return explanation
}

// checkExplanation fails unless each of the texts is in an explanation: a line for each
// rule, the verdict, and the change that would reverse it.
func checkExplanation(t *testing.T, explanation explain.Explanation, texts ...string) {
	t.Helper()
	var lines []string
	for _, rule := range explanation.Rules {
		lines = append(lines, rule.Text)
	}
	lines = append(lines, explanation.Verdict, explanation.Change.Text)

	all := strings.Join(lines, "\n")
	for _, text := range texts {
		if !strings.Contains(all, text) {
			t.Errorf("%q is not in the explanation:\n%s", text, all)
		}
	}
}

// The contract in the test data of package wasm accepts send_nft from anyone and fails at
// transfer_nft.
func TestTheVerdictIsThatOfTheCompiledContractWhereTheRulesDiffer(t *testing.T) {
	// given
	w := New(t)
	w.Mint("ape", "alice")
	code := Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	Must(w.C.Migrate(chain.Module{File: "contract.wasm", Code: code}, Address("creator"), []byte(`{"count":{}}`)))(t)

	// when
	onlyRulesAllow := explainAction(w, "alice", "transfer", "ape")
	onlyContractAllows := explainAction(w, "bob", "send", "ape")
	bothAllow := explainAction(w, "alice", "send", "ape")

	// then
	checkExplanation(t, onlyRulesAllow,
		"alice may not transfer ape: “",
		"the compiled contract, which runs here, refuses it, while the rules of v0.19.0 allow it")
	checkExplanation(t, onlyContractAllows,
		"bob may send ape to a contract",
		"allows it, while the rules of v0.19.0 refuse it")
	Same(t, "the decision of the contract alone to refuse", false, onlyRulesAllow.Decision.Allowed)
	Same(t, "the decision of the contract alone to allow", true, onlyContractAllows.Decision.Allowed)
	Same(t, "whether a common decision is overruled", false, bothAllow.Decision.Overruled)
	w.View(func(v *chain.View) {
		access := Must(explain.AccessTo(v, Address("alice"), "ape"))(t)
		if slices.Contains(access.Actions, "transfer") {
			t.Errorf("access says %+v", access)
		}
	})
}

func TestAnExplanationListsTheRulesInOrderWithWhatWasCompared(t *testing.T) {
	w := worldWithGrants(t, `{"at_height":110}`, "")
	checkExplanation(t, explainAction(w, "bob", "transfer", "ape"), strings.Join([]string{
		"alice owns the token, not bob",
		"bob has an approval; height 100 < 110: live",
		"bob may transfer ape",
		"the approval expires at height 110 (in 10 blocks)",
	}, "\n"))

	Must(w.C.Advance(chain.ClockStep{ToNext: true}))(t)
	checkExplanation(t, explainAction(w, "bob", "transfer", "ape"), strings.Join([]string{
		"bob has an approval; height 110 ≥ 110: expired",
		"bob is not an operator of alice",
		"bob may not transfer ape: “Caller is not the contract's current owner”",
		"alice approves bob again: the old approval expired at height 110",
	}, "\n"))
	checkExplanation(t, explainAction(w, "bob", "approve", "ape"),
		"alice makes bob an operator; an approval for one token does not permit approving others")
	checkExplanation(t, explainAction(w, "bob", "mint", ""),
		"creator holds the minter role, not bob",
		"creator offers the minter role to bob, who accepts it")

	w.Do("creator", `{"update_minter_ownership":"renounce_ownership"}`)
	checkExplanation(t, explainAction(w, "bob", "mint", ""),
		"nobody holds the minter role any more: it was renounced",
		"nothing can: the minter role was renounced")
}

func TestTheChangeThatEndsAPermissionIsDescribed(t *testing.T) {
	const (
		height110 = `{"at_height":110}`
		height120 = `{"at_height":120}`
		time2000s = `{"at_time":"2000000000000"}`
	)
	for _, c := range []struct{ approval, operator, want string }{
		{
			approval: "null",
			want:     "alice revokes the approval for bob",
		}, {
			operator: "null",
			want:     "alice revokes bob as operator",
		}, {
			operator: height110,
			want:     "the operator grant expires at height 110 (in 10 blocks)",
		}, {
			approval: height110,
			operator: height120,
			want:     "the operator grant, the later of two grants, expires at height 120 (in 20 blocks)",
		}, {
			approval: height120,
			operator: height110,
			want:     "the approval, the later of two grants, expires at height 120 (in 20 blocks)",
		}, {
			approval: height110,
			operator: time2000s,
			want:     "both grants must go: the approval expires at height 110 (in 10 blocks), and the operator grant expires at 1970-01-01 00:33:20 UTC (in 16m 40s); a transfer by alice removes both",
		}, {
			approval: height110,
			operator: "null",
			want:     "both grants must go: the approval expires at height 110 (in 10 blocks), and alice revokes bob as operator; a transfer by alice removes both",
		},
	} {
		w := worldWithGrants(t, c.approval, c.operator)
		Same(t, "the change", c.want, explainAction(w, "bob", "transfer", "ape").Change.Text)
	}
}

func TestTheExplanationOfAnOfferNamesItsSpenderAndExpiry(t *testing.T) {
	w := New(t)
	checkExplanation(t, explainAction(w, "bob", "accept-minter", ""),
		"the role is offered to nobody",
		"There isn't a pending",
		"creator offers the minter role to bob")

	w.Do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob"}}}`)
	checkExplanation(t, explainAction(w, "bob", "accept-minter", ""),
		"the role is offered to bob, and the offer never expires",
		"bob may accept the minter role",
		"the role is offered to someone else")
	checkExplanation(t, explainAction(w, "carol", "accept-minter", ""),
		"the role is offered to bob, not to carol",
		"creator offers the minter role to carol")

	w.Do("creator", `{"update_minter_ownership":{"transfer_ownership":{"new_owner":"$bob","expiry":{"at_height":110}}}}`)
	checkExplanation(t, explainAction(w, "bob", "accept-minter", ""),
		"the role is offered to bob; height 100 < 110: live",
		"the offer expires at height 110 (in 10 blocks)")

	w.Do("creator", `{"update_creator_ownership":"renounce_ownership"}`)
	checkExplanation(t, explainAction(w, "bob", "accept-creator", ""),
		"nothing can: the creator role was renounced")
}

// Each draw of rapid is a whole history of a collection, so that the tests of this package
// draw fewer than rapid does by itself.
func init() {
	if err := flag.Set("rapid.checks", strconv.Itoa(30*kvtest.Times())); err != nil {
		panic(err)
	}
}

// In every state, an explanation has the verdict that executing the message has, and its
// counterfactual reverses that verdict.
func TestExplanationsAgreeWithExecuteAndTheirCounterfactualsReverseThem(t *testing.T) {
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
				checkAgainstExecute(w, action, who, w.Token())
			}
		}
		for _, who := range People {
			checkAccess(w, who, w.Token())
		}
	})
}

// checkAccess fails unless the access of an account to a token agrees with the explanations
// of all actions on the token.
func checkAccess(w *Walker, who, token string) {
	w.View(func(v *chain.View) {
		access, accessErr := explain.AccessTo(v, Address(who), token)
		hasReason := false
		names := []string{"transfer", "burn", "approve"}
		if w.Rules.HasAdditionalMinters() {
			names = append(names, "mint")
		}
		for _, name := range names {
			action, _ := cw721.ActionNamed(name)
			explanation, err := explain.Why(v, Address(who), action, token)
			if (err != nil) != (accessErr != nil) {
				w.R.Fatalf("%s %s: AccessTo fails with %v, Why with %v", who, name, accessErr, err)
			}
			if err != nil {
				return
			}

			isAllowed := explanation.Decision.Allowed
			if slices.Contains(access.Actions, name) != isAllowed {
				w.R.Fatalf("%s %s: access to %v, explained by %q", who, name, access.Actions, explanation.Verdict)
			}
			_, isDecided := explanation.DecidingRule()
			hasReason = hasReason || isDecided
		}
		if hasReason == (access.Reason == explain.NoPermission) {
			w.R.Fatalf("%s: access because of %q", who, access.Reason)
		}
	})
}

// checkAgainstExecute explains an action, and fails unless executing its message has the
// explained outcome and the counterfactual would reverse it. A refusal without a decision is
// one for other reasons than permissions.
func checkAgainstExecute(w *Walker, action cw721.Action, who, token string) {
	msg := action.Message(token, Address(who))
	var explanation explain.Explanation
	var err error
	w.View(func(v *chain.View) { explanation, err = explain.Why(v, Address(who), action, token) })
	refusal := Must(w.C.Preview(Address(who), cw721.Encode(msg)))(w.R).Refusal
	if err != nil {
		if refusal == nil || refusal.Decision != nil {
			w.R.Fatalf("%s %s: Why fails with %v, executing gives %v", who, action.Name, err, refusal)
		}
		return
	}

	isPermitted := refusal == nil || refusal.Decision == nil
	if explanation.Decision.Allowed != isPermitted {
		w.R.Fatalf("%s %s: explained as %q, executing gives %v", who, action.Name, explanation.Verdict, refusal)
	}
	checkCounterfactual(w, explanation, who, msg)
}

// checkCounterfactual makes the change that an explanation names, and fails unless the
// contract then decides the opposite about the message. It undoes the change. It does
// nothing if the change is neither one expiry nor one message.
func checkCounterfactual(w *Walker, explanation explain.Explanation, who string, msg cw721.ExecuteMsg) {
	change := explanation.Change
	checkReversed := func(v *chain.View) error {
		decision := Must(v.Decide(Address(who), msg))(w.R)
		if decision.Allowed == explanation.Decision.Allowed {
			w.R.Fatalf("%q does not reverse %q", change.Text, explanation.Verdict)
		}
		return nil
	}

	switch {
	case change.ClockTarget != nil:
		block := explanation.Decision.Block
		if change.ClockTarget.Axis == cw721.AtHeight {
			block.Height = cw721.Height(change.ClockTarget.Value)
		} else {
			block.Time = cw721.Time(change.ClockTarget.Value)
		}
		OK(w.R, w.C.ViewAtMoment(chain.Moment{Block: block}, checkReversed))
	case change.Message != nil:
		receipt := Must(w.C.Execute(change.Sender, cw721.Encode(change.Message)))(w.R)
		OK(w.R, receipt.Err())
		OK(w.R, w.C.View(checkReversed))
		Must(w.C.Undo(1))(w.R)
	}
}

func TestAProbeShowsTheLastBlockAllowedAndTheFirstRefused(t *testing.T) {
	w := worldWithGrants(t, `{"at_height":110}`, "")
	before := w.Everything()
	rows, probed, err := probe(w, "bob", transferByBob, nil)
	OK(t, err)
	Same(t, "the probed expiry", cw721.UntilHeight(110), probed)

	var allowed []bool
	for _, row := range rows {
		allowed = append(allowed, row.Receipt.Refusal == nil)
	}
	Same(t, "whether the message is allowed at 109, 110 and 111", []bool{true, false, false}, allowed)
	Same(t, "what is stored after a probe", before, w.Everything())
}

func TestAProbeAtTheLastHeightLeavesOutTheHeightAfterIt(t *testing.T) {
	w := New(t)
	w.Mint("ape", "alice")
	end := cw721.UntilHeight(^cw721.Height(0))
	rows, _, err := probe(w, "alice", `{"burn":{"token_id":"ape"}}`, &end)
	OK(t, err)
	Same(t, "the number of rows", 2, len(rows))
}
