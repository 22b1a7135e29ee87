package scenario_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/kv/kvtest"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
)

// load reads a whole scenario.
func load(t testing.TB, name, text string) scenario.Scenario {
	t.Helper()
	return *chaintest.Must(scenario.Load(name, strings.NewReader(text)))(t)
}

// text returns a scenario as YAML.
func text(t testing.TB, s scenario.Scenario) string {
	t.Helper()
	var out bytes.Buffer
	chaintest.OK(t, s.Write(&out, scenario.YAML))
	return out.String()
}

// failingSuite is a scenario with a step that fails with a contract.
type failingSuite struct {
	name     string
	scenario scenario.Scenario
	options  scenario.Options
}

// failingLessons returns the lessons that fail with a mutant, with that mutant.
func failingLessons(t testing.TB) (suites []failingSuite) {
	t.Helper()
	files := chaintest.Must(filepath.Glob("../lesson/lessons/*.yaml"))(t)
	for _, file := range files {
		lesson := load(t, file, string(chaintest.Must(os.ReadFile(file))(t)))
		for _, m := range mutant.All() {
			o := scenario.Options{Open: chainOf(m)}
			result, err := scenario.Run(context.Background(), lesson.NewReader(file), o)
			if err == nil && !result.OK() {
				suites = append(suites, failingSuite{filepath.Base(file) + " with " + m.Name, lesson, o})
			}
		}
	}
	return suites
}

func TestAShrunkScenarioFailsInTheSameWayAndNoStepOfItCanBeDropped(t *testing.T) {
	suites := failingLessons(t)
	if len(suites) < 40 {
		t.Fatalf("%d suites fail, expected 40 or more", len(suites))
	}
	for i, suite := range suites {
		if i%8 > 0 && kvtest.Times() == 1 {
			continue
		}
		small, replays, err := scenario.ShrinkFailure(context.Background(), suite.scenario, suite.options)
		if err != nil {
			t.Errorf("%s: %v", suite.name, err)
			continue
		}
		t.Logf("%s: %d steps, shrunk %d, %d replays", suite.name, len(suite.scenario.Steps), len(small.Steps), replays)

		written := text(t, small)
		result, err := run("small.yaml", written, suite.options)
		if err != nil || result.FailedSteps != 1 || result.Mismatches[0].Step != len(small.Steps) {
			t.Errorf("%s: %v, %d failed\n%s", suite.name, err, result.FailedSteps, written)
		}
		checkNoStepCanBeDropped(t, suite, small)
	}
}

// checkNoStepCanBeDropped drops each step of a shrunk scenario but the last and reports if
// only the last step still fails, with the same answer and decision.
func checkNoStepCanBeDropped(t *testing.T, suite failingSuite, small scenario.Scenario) {
	t.Helper()
	failure := onlyLastFailure(t, suite, small)
	for i := range small.Steps[:len(small.Steps)-1] {
		fewer := small
		fewer.Steps = slices.Delete(slices.Clone(small.Steps), i, i+1)
		if onlyLastFailure(t, suite, fewer) == failure {
			t.Errorf("%s: step %d can be dropped from\n%s", suite.name, i+1, text(t, small))
		}
	}
}

// onlyLastFailure plays a scenario and returns the answer and the decision of the last step,
// if no other step fails.
func onlyLastFailure(t *testing.T, suite failingSuite, s scenario.Scenario) string {
	t.Helper()
	last := ""
	suite.options.OnStep = func(p scenario.PlayedStep) {
		if p.Mismatch != nil {
			last = fmt.Sprint(p.Mismatch.Got, chaintest.Must(p.Checks())(t))
		}
	}
	result, err := scenario.Run(context.Background(), s.NewReader("x"), suite.options)
	if err != nil || result.FailedSteps != 1 || result.Mismatches[0].Step != len(s.Steps) {
		return "other"
	}
	return last
}

func TestShrinkingKeepsTheDecisionAndShortensMomentsAndLists(t *testing.T) {
	const long = `name: Long
about: A story with much that does not matter
accounts: {alice: , bob: , carol: }
steps:
  - as: alice
    instantiate: {name: Apes, symbol: APE}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
  - as: alice
    execute: {mint: {token_id: "2", owner: $carol}}
  - as: alice
    execute: {approve: {spender: $bob, token_id: "1", expires: "+100"}}
    note: for a while
  - query: {num_tokens: {}}
    expect: {ok: {count: 2}}
  - advance: "+100"
  - as: bob
    execute: {transfer_nft: {recipient: $bob, token_id: "1"}}
    expect: ok
  - query: {num_tokens: {}}
    expect: {ok: {count: 2}}
`
	const want = `accounts: {alice: null, bob: null}
steps:
  - as: alice
    instantiate: {name: Apes, symbol: APE}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
  - as: alice
    execute: {approve: {spender: $bob, token_id: "1", expires: "+1"}}
  - advance: "+1"
  - as: bob
    execute: {transfer_nft: {recipient: $bob, token_id: "1"}}
    expect: ok
`
	small, _, err := scenario.ShrinkFailure(context.Background(), load(t, "long.yaml", long), scenario.Options{Open: chaintest.InMemory})
	if got := text(t, small); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestAScenarioThatHoldsCannotBeShrunk(t *testing.T) {
	_, _, err := scenario.ShrinkFailure(context.Background(), load(t, "hole.yaml", hole), scenario.Options{Open: chaintest.InMemory})
	if !errors.Is(err, scenario.ErrNoFailure) {
		t.Errorf("got %v", err)
	}
}
