package suite_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/core/suite"
)

// coverageOf plays scenarios and returns their coverage.
func coverageOf(t *testing.T, stories ...suite.Story) suite.Coverage {
	t.Helper()
	coverage := suite.Coverage{}
	for _, s := range stories {
		chaintest.Must(scenario.Run(context.Background(), s.NewReader(s.File), scenario.Options{
			Open:   chaintest.InMemory,
			OnStep: func(p scenario.PlayedStep) { chaintest.OK(t, coverage.Add(p)) },
		}))(t)
	}
	return coverage
}

// messages is the content of testdata/messages.yaml.
type messages struct {
	// Messages has messages by their names, and Grants has the message that gives the right
	// by a rule.
	Messages map[string][]string
	Grants   map[string]string
}

// storyOf returns a scenario in which a check of a rule is in a state. Its last step can
// fail.
func (m messages) storyOf(rules cw721.Rules, gap suite.Case, message string) string {
	text := fmt.Sprintf(`rules: %s
accounts: {alice: , bob: , dave: }
contracts: {market: accepts}
steps:
  - as: alice
    instantiate: {name: A, symbol: A}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
`, rules)

	grant, isGrant := m.Grants[string(gap.Rule)]
	sender := "bob"
	if !isGrant && gap.State == scenario.CheckPasses {
		sender = "alice"
	}
	advance := ""
	expiry := `"+1"`
	switch gap.State {
	case scenario.CheckPasses:
		expiry = "null"
	case scenario.CheckFirstExpired:
		advance = "    advance: \"+1\"\n"
	case scenario.CheckLongExpired:
		advance = "    advance: \"+5\"\n"
	}
	if isGrant && gap.State != scenario.CheckAbsent {
		grant = strings.NewReplacer("EXPIRY", expiry, "MESSAGE", gap.Message).Replace(grant)
		text += "  - as: alice\n    execute: " + grant + "\n"
	}
	return text + fmt.Sprintf("  - as: %s\n%s    execute: {%s: %s}\n    expect: ok\n", sender, advance, gap.Message, message)
}

func TestEveryGapOfTheCoverageCanBeFilled(t *testing.T) {
	var m messages
	chaintest.OK(t, yaml.Unmarshal(chaintest.Must(os.ReadFile("testdata/messages.yaml"))(t), &m))
	for _, rules := range cw721.AllRules() {
		for _, gap := range chaintest.Must(suite.Coverage{}.Cases([]cw721.Rules{rules}))(t) {
			isMet := false
			for _, message := range m.Messages[gap.Message] {
				s := chaintest.Must(scenario.Load("x.yaml", strings.NewReader(m.storyOf(rules, gap, message))))(t)
				coverage := coverageOf(t, suite.Story{Scenario: *s, File: "x.yaml"})
				isMet = isMet || coverage[gap] > 0
			}
			if !isMet {
				t.Errorf("%s: %+v: no step exercises it", rules, gap)
			}
		}
	}
}

func TestTheLastAndTheFirstExpiredBlockAreCountedOnBothAxes(t *testing.T) {
	const beginning = `accounts: {alice: , bob: }
start: {height: 100, time: "2026-01-01T00:00:00Z"}
steps:
  - as: alice
    instantiate: {name: A, symbol: A}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
  - as: alice
    execute: {approve: {token_id: "1", spender: $bob, expires: "%s"}}
  - advance: "%s"
    as: bob
    preview: {burn: {token_id: "1"}}
    expect: %s
`
	answers := map[scenario.CheckState]string{
		scenario.CheckPasses:       "ok",
		scenario.CheckLastBlock:    "ok",
		scenario.CheckFirstExpired: "error",
		scenario.CheckLongExpired:  "error",
	}
	for _, c := range []struct {
		expires, advance string
		want             scenario.CheckState
	}{
		{"+10", "+8", scenario.CheckPasses},
		{"+10", "+9", scenario.CheckLastBlock},
		{"+10", "+10", scenario.CheckFirstExpired},
		{"+10", "+11", scenario.CheckLongExpired},
		{"+10m", "+590s", scenario.CheckPasses},
		{"+10m", "+595s", scenario.CheckLastBlock},
		{"+10m", "+600s", scenario.CheckFirstExpired},
		{"+10m", "+605s", scenario.CheckLongExpired},
	} {
		text := fmt.Sprintf(beginning, c.expires, c.advance, answers[c.want])
		coverage := coverageOf(t, storiesOf(t, "x.yaml", text)...)
		if coverage[suite.Case{Message: "burn", Rule: cw721.RuleApproval, State: c.want}] != 1 {
			t.Errorf("expires %s, then %s: %v, expected %s", c.expires, c.advance, coverage, c.want)
		}
	}
}

func TestAMessageCountsForTheCoverageOnlyIfItsStepCanFail(t *testing.T) {
	const story = `accounts: {alice: , bob: }
steps:
  - as: alice
    instantiate: {name: A, symbol: A}
  - as: bob
    execute: {mint: {token_id: "1", owner: $bob}}
    expect: any
    %s
`
	refused := suite.Case{Message: "mint", Rule: cw721.RuleMinter, State: scenario.CheckAbsent}
	for member, want := range map[string]uint64{"note: nothing": 0, "state: []": 1} {
		s := chaintest.Must(scenario.Load("x.yaml", strings.NewReader(fmt.Sprintf(story, member))))(t)
		if got := coverageOf(t, suite.Story{Scenario: *s, File: "x.yaml"})[refused]; got != want {
			t.Errorf("%s: the refused mint counts %d times, want %d", member, got, want)
		}
	}
}
