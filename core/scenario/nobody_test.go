package scenario_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/core/whocan"
)

const hole = `name: A hole
accounts: {creator: , alice: , bob: , carol: }
steps:
  - as: creator
    instantiate: {name: Apes, symbol: APE}
    expect: ok
  - as: creator
    execute: {mint: {token_id: rose, owner: $alice}}
    expect: ok
  - as: alice
    execute: {approve_all: {operator: $bob, expires: {at_height: 100}}}
    expect: ok
`

func playHole(t *testing.T, text string) scenario.Result {
	t.Helper()
	return chaintest.Must(play("hole.yaml", text))(t)
}

// inHole returns a chain on which [hole] was played.
func inHole(t *testing.T) *chaintest.World {
	t.Helper()
	w := chaintest.Blank(t, chaintest.Memory(t))
	chaintest.Must(run("hole.yaml", hole, scenario.Options{Chain: w.C}))(t)
	return w
}

func TestANobodyStepPassesOnlyIfThereIsNoWay(t *testing.T) {
	for step, holds := range map[string]bool{
		`nobody: {can: transfer, token: rose}`:                                                           false,
		`nobody: {can: transfer, token: rose, passive: [alice, bob]}`:                                    true,
		`nobody: {can: transfer, token: rose, as: carol, after: {height: 200}, unmoved: true}`:           false,
		`nobody: {can: transfer, token: rose, as: carol, after: {height: 200}, unmoved: true, depth: 1}`: true,
		`nobody: {can: approve, token: rose, as: carol, unmoved: true}`:                                  true,
		`nobody: {can: mint, passive: []}`:                                                               true,
		`nobody: {can: mint, active: [creator]}`:                                                         false,
		`nobody: {can: transfer, token: rose, passive: [bob]}`:                                           true,
		`nobody: {can: transfer, token: rose, passive: [bob], active: [alice]}`:                          false,
		`nobody: {can: mint}`: true,
		`{at: {height: 150}, nobody: {can: transfer, token: rose, until: {time: "9000000000000"}}}`:        true,
		`{at: {height: 50}, nobody: {can: burn, token: rose, until: {height: 60, time: "9000000000000"}}}`: false,
	} {
		res := playHole(t, hole+"  - "+step+"\n")
		if res.OK() != holds || res.Steps != 4 {
			t.Errorf("%s: got %v", step, res.Mismatches)
		}
	}
}

func TestANobodyStepFailsAfterAnIncompleteSearchUnlessItNamesTheDepth(t *testing.T) {
	operators := hole
	for _, name := range []string{"one", "two"} {
		operators += "  - {as: alice, execute: {approve_all: {operator: " + string(chaintest.Address(name)) + "}}}\n"
	}
	for step, want := range map[string]string{
		`nobody: {can: approve, token: rose, as: carol, unmoved: true}`:           "ways of more than 4 messages were not tried; where that is enough, give the depth 4",
		`nobody: {can: approve, token: rose, as: carol, unmoved: true, depth: 4}`: "",
		`nobody: {can: approve, token: rose, as: carol, unmoved: true, depth: 5}`: "", // by any number
	} {
		res := playHole(t, operators+"  - "+step+"\n")
		if res.OK() != (want == "") || want != "" && !strings.HasSuffix(res.Mismatches[0].Got, want) {
			t.Errorf("%s: got %v", step, res.Mismatches)
		}
	}
}

func TestAFailedNobodyStepDescribesTheWay(t *testing.T) {
	res := playHole(t, hole+"  - nobody: {can: transfer, token: rose, as: carol, after: {height: 200}, unmoved: true}\n")
	if len(res.Mismatches) != 1 {
		t.Fatalf("got %v", res.Mismatches)
	}
	got := res.Mismatches[0].String()
	for _, want := range []string{
		"hole.yaml:13: step 4: nobody: the answer is not as expected", "expected  nobody", "carol can transfer rose at height 200",
		`at height 1 bob sends {"approve":{"spender":"$carol","token_id":"rose"}}, allowed: operator until height 100`, "; at height 200 carol sends",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
}

func TestASavedWayFailsUntilAStepBeforeClosesIt(t *testing.T) {
	w := inHole(t)
	var way scenario.Step
	w.View(func(v *chain.View) {
		transfer, _ := cw721.ActionNamed("transfer")
		after := cw721.Block{Height: 200, Time: v.Clock.EstimateTimeAt(200)}
		q := whocan.Question{Action: transfer, Token: "rose", After: &after, TokenMustStay: true}
		way = scenario.NobodyStep(v, q, chaintest.Must(whocan.Ask(context.Background(), v, q))(t), 0)
	})
	text, _, err := recordPart(w, scenario.YAML, scenario.HistoryPart{FinalSteps: []scenario.Step{way}})
	chaintest.OK(t, err)
	if res := playHole(t, text); res.FailedSteps != 1 || !strings.Contains(res.Mismatches[0].Got, "bob can transfer rose") {
		t.Errorf("the way was not found again: %v\n%s", res.Mismatches, text)
	}
	lines := strings.SplitAfter(text, "\n")
	last := len(lines)
	for !strings.HasPrefix(lines[last-1], "  - ") {
		last--
	}
	const revoke = `  - {as: alice, execute: {revoke_all: {operator: $bob}}}` + "\n"
	mended := strings.Join(lines[:last-1], "") + revoke + strings.Join(lines[last-1:], "")
	if res := playHole(t, mended); !res.OK() {
		t.Errorf("mended, it fails still: %v\n%s", res.Mismatches, mended)
	}
}

// The contract of the tests of package wasm traps at transfer_nft.
func TestAWayThatTheCompiledContractRefusesIsAMismatchOfItsOwn(t *testing.T) {
	c := inHole(t).C
	code := chaintest.Must(os.ReadFile("../wasm/testdata/contract.wasm"))(t)
	chaintest.Must(c.Migrate(chain.Module{File: "contract.wasm", Code: code}, chaintest.Address("creator"), []byte(`{"count":{}}`)))(t)
	const after = "name: After\nsteps:\n  - nobody: {can: transfer, token: rose, depth: 1}\n"
	res := chaintest.Must(run("hole.yaml", after, scenario.Options{Chain: c}))(t)
	if len(res.Mismatches) != 1 || !strings.Contains(res.Mismatches[0].String(), "it refuses message 1 of a way") {
		t.Errorf("got %v", res.Mismatches)
	}
}

func TestStepsOfAProbeBeginAtThePresentBlockAtTheEarliest(t *testing.T) {
	message := []byte(`{"transfer_nft":{"recipient":"$carol","token_id":"rose"}}`)
	w := inHole(t)
	chaintest.Must(w.C.Advance(chain.ClockStep{Blocks: 5}))(t)
	w.View(func(view *chain.View) {
		present := explain.ProbeRow{Block: view.Clock.Block()}
		steps, err := scenario.ProbeSteps(view, chaintest.Address("bob"), message, []explain.ProbeRow{present})
		if err != nil || len(steps) != 1 || steps[0].Sender != "bob" {
			t.Errorf("in the present block: got %+v, %v", steps, err)
		}

		for name, block := range map[string]cw721.Block{
			"an earlier height": {Height: view.Clock.Height - 1, Time: view.Clock.Time},
			"an earlier time":   {Height: view.Clock.Height, Time: view.Clock.Time - 1},
		} {
			var refused *scenario.RecordError
			_, err := scenario.ProbeSteps(view, chaintest.Address("bob"), message, []explain.ProbeRow{{Block: block}})
			if !errors.As(err, &refused) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	})
}
