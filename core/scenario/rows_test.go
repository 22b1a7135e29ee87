package scenario_test

import (
	"context"
	"fmt"
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

// rowsInLines is rowsStory in JSON Lines.
const rowsInLines = `
{"name":"Expiry","rules":"$rules","accounts":{"alice":null,"bob":null,"carol":null},"rows":{"last block":{"rules":"v0.22.0","when":{"blocks":9},"who":"bob","message":{"burn":{"token_id":"1"}},"answer":"ok","revoked":null},"first block after it":{"rules":"standard","when":{"blocks":10},"who":"bob","message":{"burn":{"token_id":"1"}},"answer":{"error":{"kind":"contract"}},"revoked":null},"revoked":{"rules":"standard","when":{"blocks":4},"who":"carol","message":{"transfer_nft":{"recipient":"$bob","token_id":"1"}},"answer":"error","revoked":{"revoke":{"spender":"$bob","token_id":"1"}}}}}

{"as":"alice","instantiate":{"name":"Apes","symbol":"APE"}}
{"as":"alice","execute":{"mint":{"token_id":"1","owner":"$alice"}}}
{"as":"alice","execute":{"approve":{"token_id":"1","spender":"$bob","expires":{"at_height":11}}}}
{"as":"alice","execute":"$revoked"}
{"advance":"$when","as":"$who","execute":"$message","expect":"$answer"}
`

// playRow plays one row of a scenario.
func playRow(t *testing.T, file, text string, row int) (scenario.Result, error) {
	t.Helper()
	reader, err := scenario.Open(file, strings.NewReader(text))
	chaintest.OK(t, err)
	chaintest.OK(t, reader.RewindToRow(row))
	return scenario.Run(context.Background(), reader, scenario.Options{Open: chaintest.InMemory})
}

func TestAStoryIsPlayedWithTheValuesOfEachRow(t *testing.T) {
	for file, text := range map[string]string{"x.yaml": rowsStory, "x.jsonl": rowsInLines} {
		for row, want := range []scenario.Result{
			{Name: "Expiry, last block", Rules: "v0.22.0", Steps: 4},
			{Name: "Expiry, first block after it", Rules: "standard", Steps: 4},
			{Name: "Expiry, revoked", Rules: "standard", Steps: 5},
		} {
			got, err := playRow(t, file, text, row)
			if err != nil || !got.OK() || got.Name != want.Name || got.Rules != want.Rules || got.Steps != want.Steps {
				t.Errorf("%s, row %d: got %+v, %v", file, row, got, err)
			}
		}

		wrong := strings.NewReplacer("answer: ok", "answer: error", `"answer":"ok"`, `"answer":"error"`).Replace(text)
		got, err := playRow(t, file, wrong, 0)
		if err != nil || got.FailedSteps != 1 {
			t.Errorf("%s: a wrong expectation in a row: got %+v, %v", file, got, err)
		}
	}
}

func TestTheReaderOfARowReadsEveryStepWithItsLine(t *testing.T) {
	for file, text := range map[string]string{"x.yaml": rowsStory, "x.jsonl": rowsInLines} {
		reader := chaintest.Must(scenario.Open(file, strings.NewReader(text)))(t)
		for _, row := range []int{2, 0, 2} {
			chaintest.OK(t, reader.RewindToRow(row))
			s := chaintest.Must(reader.ReadAll())(t)
			last := s.Steps[len(s.Steps)-1]
			from := strings.Split(text, "\n")[last.Line-1]
			if s.Header.Rows != nil || !strings.Contains(from, "$when") {
				t.Errorf("%s, row %d: the last step is of line %d, %s", file, row, last.Line, from)
			}
		}
	}
}

func TestAMistakeInRowsIsAnErrorAndNeverGreen(t *testing.T) {
	for mistake, c := range map[string]struct{ old, new, want string }{
		"a row lacks a value":       {old: "who: carol, ", new: "", want: "it lacks who"},
		"a row has one value more":  {old: "who: carol,", new: "who: carol, whom: bob,", want: "expected the same values"},
		"a value is never used":     {old: "as: $who", new: "as: bob", want: "no step has the value $who"},
		"a value is an account too": {old: "carol: }", new: "carol: , who: }", want: "names both a value and an account"},
		"a value names itself":      {old: "who: bob", new: "who: $who", want: "does a value name itself?"},
		"no row has a value":        {old: "  last block: {rules", new: "  5: 6\n  last block: {rules", want: "rows.5: expected named values, got a number"},
		"a value is given twice":    {old: "who: bob,", new: "who: bob, who: bob,", want: "rows.last block.who: it is given twice"},
	} {
		text := strings.Replace(rowsStory, c.old, c.new, 1)
		reader, err := scenario.Open("x.yaml", strings.NewReader(text))
		if err == nil {
			chaintest.OK(t, reader.RewindToRow(0))
			_, err = scenario.Run(context.Background(), reader, scenario.Options{Open: chaintest.InMemory})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", mistake, err)
		}
	}
}

func TestAValueCanBeWithinAValue(t *testing.T) {
	text := strings.Replace(rowsStory, `message: {burn: {token_id: "1"}}, answer: ok`, `message: {transfer_nft: {recipient: $bob, token_id: $id}}, answer: ok, id: "1"`, 1)
	text = strings.ReplaceAll(text, "rules: standard,", `rules: standard, id: "1",`)
	if got, err := playRow(t, "x.yaml", text, 0); err != nil || !got.OK() {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestAScenarioWithRowsIsNotPlayedWithoutARow(t *testing.T) {
	for file, text := range map[string]string{"x.yaml": rowsStory, "x.jsonl": rowsInLines} {
		if e := errorOf(t, file, text); !strings.Contains(e.Text, "only ephemera run plays a scenario with rows") {
			t.Errorf("%s: got %v", file, e)
		}
	}
}

// The limit on what a scenario becomes as JSON is for each row, not for all together.
func TestManyRowsAreNotTakenForAnAliasThatContainsItself(t *testing.T) {
	var text strings.Builder
	text.WriteString("name: Many\nabout: " + strings.Repeat("many words ", 30_000) + "\nrows:\n")
	for i := range 100 {
		fmt.Fprintf(&text, "  r%d: {id: %q}\n", i, fmt.Sprint(i))
	}
	text.WriteString("accounts: {alice: }\nsteps:\n  - {as: alice, instantiate: {name: $id, symbol: A}}\n")
	reader := chaintest.Must(scenario.Open("many.yaml", strings.NewReader(text.String())))(t)
	for row := range 100 {
		err := reader.RewindToRow(row)
		if err == nil {
			_, err = reader.Next()
		}
		if err != nil {
			t.Fatalf("row %d: %v", row, err)
		}
	}
}
