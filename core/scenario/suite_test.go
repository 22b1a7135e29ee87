package scenario_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

// update plays a YAML file and writes the answers of the run into it.
func update(t *testing.T, text string) ([]byte, error) {
	t.Helper()
	u := scenario.Updates{}
	chaintest.Must(run("x.yaml", text, scenario.Options{Open: chaintest.InMemory, OnStep: u.AddAnswerOf}))(t)
	return u.Apply("x.yaml", []byte(text))
}

// withUpdates plays a YAML file and returns it with the answers of the run.
func withUpdates(t *testing.T, text string) string {
	t.Helper()
	return string(chaintest.Must(update(t, text))(t))
}

const beginning = `# A file by hand.
accounts: {alice: , bob: }
steps:
  - as: alice
    instantiate: {name: N, symbol: S}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
`

func TestAnUpdateReplacesOnlyTheExpectations(t *testing.T) {
	for name, c := range map[string]struct{ step, want string }{
		"a whole answer in several lines": {`
  # Who owns it?
  - query: {owner_of: {token_id: "1"}}
    expect:
      ok:
        # It was bob's.
        owner: $bob
        approvals: []
    note: the end

  # Nothing follows.
`, `
  # Who owns it?
  - query: {owner_of: {token_id: "1"}}
    expect: {ok: {owner: $alice, approvals: []}}
    # It was bob's.
    note: the end

  # Nothing follows.
`},
		"a part of the answer, with a comment": {`
  - query: {all_nft_info: {token_id: "1"}}
    expect: {has: {access: {owner: $bob}}} # not "#alice"
`, `
  - query: {all_nft_info: {token_id: "1"}}
    expect: {has: {access: {owner: $alice}}} # not "#alice"
`},
		"a member in the step's first line": {`
  - expect: error
    query: {num_tokens: {}}
`, `
  - expect: {ok: {count: 1}}
    query: {num_tokens: {}}
`},
		"only the members that were given": {`
  - as: alice
    execute: {burn: {token_id: "1"}}
    expect: {ok: {messages: [x]}}
`, `
  - as: alice
    execute: {burn: {token_id: "1"}}
    expect: {ok: {messages: []}}
`},
		"nothing expected": {`
  - as: bob
    execute:
      burn:
        token_id: "1"
`, `
  - as: bob
    execute:
      burn:
        token_id: "1"
    expect: {error: {kind: contract, text: "Caller is not the contract's current owner"}}
`},
		"all as it was": {`
  - {query: {num_tokens: {}}, expect: {ok: {count: 1}}}
`, `
  - {query: {num_tokens: {}}, expect: {ok: {count: 1}}}
`},
	} {
		got := withUpdates(t, beginning+c.step)
		if diff := cmp.Diff(beginning+c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if again := withUpdates(t, got); again != got {
			t.Errorf("%s: it changes once more", name)
		}
	}
}

func TestAnUpdateFailsForAStepInBraces(t *testing.T) {
	_, err := update(t, beginning+"  - {query: {num_tokens: {}}, expect: error}\n")
	var wrong *scenario.Error
	if !errors.As(err, &wrong) || wrong.Line != 8 || !strings.Contains(wrong.Text, "in braces") {
		t.Errorf("got %v", err)
	}
}

func TestInvariantsAreComparedAfterEveryStepOnceThereIsACollection(t *testing.T) {
	const header = `accounts: {alice: }
invariants:
  - query: {num_tokens: {}}
    expect: {ok: {count: 0}}
steps:
  - note: nothing is there yet
  - as: alice
    instantiate: {name: N, symbol: S}
`
	res, err := play("x.yaml", header)
	if err != nil || !res.OK() {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = play("x.yaml", header+`  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
    expect: ok
`)
	if err != nil || res.FailedSteps != 1 || res.Mismatches[0].Line != 9 || !strings.HasPrefix(res.Mismatches[0].Subject, "invariant 1") {
		t.Errorf("%+v, %v", res, err)
	}
	if e := errorOf(t, "x.yaml", "invariants: [{as: a, execute: {}}]\n"); !strings.Contains(e.Text, "invariant 1: expected query and expect, or nobody") {
		t.Errorf("got %v", e)
	}
}

func TestOnlyYAMLHasExpirationsAndMomentsInWords(t *testing.T) {
	res, err := play("x.yaml", `start: "2026-01-01"
`+beginning+`  - as: alice
    execute: {approve: {spender: $bob, token_id: "1", expires: "+10"}}
  - as: alice
    execute: {approve_all: {operator: $bob, expires: "+90m"}}
  - as: alice
    execute: {update_minter_ownership: {transfer_ownership: {new_owner: $bob, expiry: h1110}}}
  - query: {approval: {token_id: "1", spender: $bob}}
    expect: {has: {approval: {expires: {at_height: 11}}}}
  - query: {operator: {owner: $alice, operator: $bob}}
    expect: {has: {approval: {expires: {at_time: "1767231000000000000"}}}}
  - query: {get_minter_ownership: {}}
    expect: {has: {pending_expiry: {at_height: 1110}}}
  - at: "+10"
  - at: "2026-01-01T01:30:00Z"
    query: {all_operators: {owner: $alice}}
    expect: {has: {operators: []}}
  - advance: "+24h"
  - advance: h20000
    as: alice
    execute: {approve: {spender: $bob, token_id: "1", expires: "+10"}}
  - query: {approval: {token_id: "1", spender: $bob}}
    expect: {has: {approval: {expires: {at_height: 20010}}}}
  - nobody: {can: burn, token: "1", as: bob, after: "+10", depth: 1}
`)
	if err != nil || !res.OK() {
		t.Errorf("%+v, %v", res, err)
	}
	if e := errorOf(t, "x.jsonl", opening+`{"at":"+10"}`); !strings.Contains(e.Text, "expected") {
		t.Errorf("got %v", e)
	}
	res, err = play("x.jsonl", opening+`{"as":"alice","execute":{"approve":{"spender":"$bob","token_id":"1","expires":"+10"}},"expect":{"error":{"kind":"parse"}}}`)
	if err != nil || !res.OK() {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestAScenarioCanBeginWithADump(t *testing.T) {
	from, asked := newCollection(t).C, ""
	const text = "import: state.json\nstart: {height: 77}\nsteps:\n  - query: {num_tokens: {}}\n    expect: {ok: {count: 0}}\n"
	res, err := run("x.yaml", text, scenario.Options{Open: chaintest.InMemory, Import: func(c *chain.Chain, g chain.Genesis, name string) error {
		asked = name
		return from.View(func(v *chain.View) error { return c.Import(g, v.Records(), nil) })
	}})
	if err != nil || !res.OK() || asked != "state.json" {
		t.Errorf("%q: %+v, %v", asked, res, err)
	}
	if e := errorOf(t, "x.yaml", "import: state.json\n"); !strings.Contains(e.Text, "a dump cannot be read here") {
		t.Errorf("got %v", e)
	}
}

func TestARecordingOfAnImportNamesTheDump(t *testing.T) {
	to := importedCopyOf(newCollection(t))
	chaintest.Must(to.C.Advance(chain.ClockStep{Blocks: 3}))(t)
	to.Refused("alice", `{"burn":{"token_id":"1"}}`)
	text, node, err := recordPart(to, scenario.YAML, scenario.HistoryPart{})
	if err != nil || node != 1 || !strings.Contains(text, "\nimport: x.state.json\n") || !strings.Contains(text, `advance: "+3"`) {
		t.Errorf("the import is node %d, %v\n%s", node, err, text)
	}
}

func TestAnInvariantThatNobodyCanDoSomethingHoldsAfterEveryStep(t *testing.T) {
	const beginning = `accounts: {alice: , bob: }
invariants: [{nobody: {can: transfer, token: "1", as: bob, depth: 1}}]
steps:
  - as: alice
    instantiate: {name: Apes, symbol: APE}
`
	const mint = `  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
`
	res, err := play("x.yaml", beginning+mint)
	if err != nil || !res.OK() {
		t.Errorf("before bob is approved: %+v, %v", res, err)
	}

	res, err = play("x.yaml", beginning+mint+`  - as: alice
    execute: {approve: {spender: $bob, token_id: "1"}}
`)
	if err != nil || res.FailedSteps != 1 || res.Mismatches[0].Step != 3 || !strings.HasPrefix(res.Mismatches[0].Subject, "invariant 1, nobody") {
		t.Errorf("after bob is approved: %+v, %v", res, err)
	}

	if e := errorOf(t, "x.yaml", beginning); !strings.Contains(e.Text, "invariant 1 is about a token that no step creates") {
		t.Errorf("without the token: %v", e)
	}
}
