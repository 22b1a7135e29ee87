package scenario_test

import (
	"context"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/scenario"
)

// rowsStory approves bob until height 11, and has a value of each kind: rules, moments,
// names, messages and expectations.
const rowsStory = `name: Expiry
rules: $rules
accounts: {alice: , bob: , carol: }
rows:
  last block: {rules: v0.22.0, when: "+9", who: bob, message: {burn: {token_id: "1"}}, answer: ok, revoked: null}
  first block after it: {rules: standard, when: "+10", who: bob, message: {burn: {token_id: "1"}}, answer: {error: {kind: contract}}, revoked: null}
  revoked: {rules: standard, when: h5, who: carol, message: {transfer_nft: {recipient: $bob, token_id: "1"}}, answer: error, revoked: {revoke: {spender: $bob, token_id: "1"}}}
steps:
  - as: alice
    instantiate: {name: Apes, symbol: APE}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
  - as: alice
    execute: {approve: {spender: $bob, token_id: "1", expires: "+10"}}
  - as: alice
    execute: $revoked
  - advance: $when
    as: $who
    execute: $message
    expect: $answer
`

// playRow plays one row of a scenario in YAML.
func playRow(t *testing.T, text string, row int) (scenario.Result, error) {
	t.Helper()
	reader, err := scenario.Open("x.yaml", strings.NewReader(text))
	chaintest.OK(t, err)
	chaintest.OK(t, reader.StartRow(row))
	return scenario.Run(context.Background(), reader, scenario.Options{Open: chaintest.InMemory})
}

func TestAStoryIsPlayedWithTheValuesOfEachRow(t *testing.T) {
	for row, want := range []scenario.Result{
		{Name: "Expiry, last block", Rules: "v0.22.0", Steps: 4},
		{Name: "Expiry, first block after it", Rules: "standard", Steps: 4},
		{Name: "Expiry, revoked", Rules: "standard", Steps: 5},
	} {
		got, err := playRow(t, rowsStory, row)
		if err != nil || !got.OK() || got.Name != want.Name || got.Rules != want.Rules || got.Steps != want.Steps {
			t.Errorf("row %d: got %+v, %v", row, got, err)
		}
	}

	wrong := strings.Replace(rowsStory, "answer: ok", "answer: error", 1)
	if got, err := playRow(t, wrong, 0); err != nil || got.Failed != 1 {
		t.Errorf("a wrong expectation in a row: got %+v, %v", got, err)
	}
}

func TestAMistakeInRowsIsAnErrorAndNeverGreen(t *testing.T) {
	for mistake, c := range map[string]struct{ old, new, want string }{
		"a row lacks a value":       {old: "who: carol, ", new: "", want: "it lacks who"},
		"a row has one value more":  {old: "who: carol,", new: "who: carol, whom: bob,", want: "expected the same values"},
		"a value is never used":     {old: "as: $who", new: "as: bob", want: "no step has the value $who"},
		"a value is an account too": {old: "carol: }", new: "carol: , who: }", want: "names both a value and an account"},
	} {
		text := strings.Replace(rowsStory, c.old, c.new, 1)
		reader, err := scenario.Open("x.yaml", strings.NewReader(text))
		if err == nil {
			chaintest.OK(t, reader.StartRow(0))
			_, err = scenario.Run(context.Background(), reader, scenario.Options{Open: chaintest.InMemory})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", mistake, err)
		}
	}
}

func TestAScenarioWithRowsIsNotPlayedWithoutARow(t *testing.T) {
	if e := errorOf(t, "x.yaml", rowsStory); !strings.Contains(e.Text, "only ephemera run plays a scenario with rows") {
		t.Errorf("got %v", e)
	}
}
