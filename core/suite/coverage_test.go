package suite_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

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

// messagesByName has a message of each kind, or two if a member decides which rule permits it.
var messagesByName = map[string][]string{
	"transfer_nft":             {`{token_id: "1", recipient: $dave}`},
	"send_nft":                 {`{token_id: "1", contract: $market, msg: ""}`},
	"burn":                     {`{token_id: "1"}`},
	"approve":                  {`{token_id: "1", spender: $dave}`},
	"revoke":                   {`{token_id: "1", spender: $dave}`},
	"approve_all":              {`{operator: $dave}`},
	"revoke_all":               {`{operator: $dave}`},
	"mint":                     {`{token_id: "2", owner: $dave}`},
	"update_nft_info":          {`{token_id: "1", token_uri: "https://a.example/b"}`},
	"update_extension":         {`{msg: {}}`},
	"withdraw_funds":           {`{amount: {amount: "1", denom: atom}}`},
	"set_withdraw_address":     {`{address: $dave}`},
	"remove_withdraw_address":  {`{}`},
	"add_minter":               {`{minter: $dave}`},
	"remove_minter":            {`{minter: $dave}`},
	"update_collection_info":   {`{collection_info: {}}`, `{collection_info: {name: A}}`, `{collection_info: {extension: {start_trading_time: "1"}}}`},
	"update_minter_ownership":  {`accept_ownership`, `{transfer_ownership: {new_owner: $dave}}`},
	"update_creator_ownership": {`accept_ownership`, `{transfer_ownership: {new_owner: $dave}}`},
}

// grants are the messages by which alice, the owner and creator, gives bob the right by a
// rule. %s is the member for the expiry, which can be empty.
var grants = map[cw721.Rule]string{
	cw721.RuleApproval:         `{approve: {token_id: "1", spender: $bob%s}}`,
	cw721.RuleOperator:         `{approve_all: {operator: $bob%s}}`,
	cw721.RuleAdditionalMinter: `{add_minter: {minter: $bob%s}}`,
	cw721.RulePendingOwner:     `{NAME: {transfer_ownership: {new_owner: $bob%s}}}`,
}

// storyOf returns a scenario in which a check of a rule is in a state. Its last step expects
// nothing.
func storyOf(rules cw721.Rules, gap suite.Case, message string) string {
	text := fmt.Sprintf(`rules: %s
accounts: {alice: , bob: , dave: }
contracts: {market: accepts}
steps:
  - as: alice
    instantiate: {name: A, symbol: A}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
`, rules)

	sender := "bob"
	grant, isGrant := grants[gap.Rule]
	if !isGrant && gap.State == scenario.CheckPasses {
		sender = "alice"
	}
	advance := ""
	if isGrant && gap.State != scenario.CheckAbsent {
		member := "expires"
		if gap.Rule == cw721.RulePendingOwner {
			grant = strings.Replace(grant, "NAME", gap.Message, 1)
			member = "expiry"
		}
		expiry := fmt.Sprintf(`, %s: "+1"`, member)
		switch gap.State {
		case scenario.CheckPasses:
			expiry = ""
		case scenario.CheckFirstExpired:
			advance = "    advance: \"+1\"\n"
		case scenario.CheckLongExpired:
			advance = "    advance: \"+5\"\n"
		}
		text += fmt.Sprintf("  - as: alice\n    execute: "+grant+"\n", expiry)
	}
	return text + fmt.Sprintf("  - as: %s\n%s    execute: {%s: %s}\n    expect: any\n", sender, advance, gap.Message, message)
}

func TestEveryGapOfTheCoverageCanBeFilled(t *testing.T) {
	for _, rules := range cw721.AllRules() {
		for _, gap := range chaintest.Must(suite.Coverage{}.Cases([]cw721.Rules{rules}))(t) {
			isMet := false
			for _, message := range messagesByName[gap.Message] {
				s := chaintest.Must(scenario.Load("x.yaml", strings.NewReader(storyOf(rules, gap, message))))(t)
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
    expect: any
`
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
		coverage := coverageOf(t, story(t, "x.yaml", fmt.Sprintf(beginning, c.expires, c.advance)))
		if coverage[suite.Case{Message: "burn", Rule: cw721.RuleApproval, State: c.want}] != 1 {
			t.Errorf("expires %s, then %s: %v, expected %s", c.expires, c.advance, coverage, c.want)
		}
	}
}

func TestAStepMoreOfAnOperatorIsCountedInTheCoverage(t *testing.T) {
	const missing = `accounts: {alice: , bob: }
contracts: {market: accepts}
steps:
  - as: alice
    instantiate: {name: A, symbol: A}
  - as: alice
    execute: {mint: {token_id: "1", owner: $alice}}
  - as: alice
    execute: {mint: {token_id: "2", owner: $alice}}
  - as: alice
    execute: {approve_all: {operator: $bob}}
  - as: bob
    execute: {burn: {token_id: "1"}}
  - as: bob
    execute: {send_nft: {token_id: "2", contract: $market, msg: ""}}
`
	lessons := storiesIn(t, "../lesson/lessons/*.yaml")
	before := coverageOf(t, lessons...)
	after := coverageOf(t, append(lessons, story(t, "missing.yaml", missing))...)
	for _, message := range []string{"burn", "send_nft"} {
		byOperator := suite.Case{Message: message, Rule: cw721.RuleOperator, State: scenario.CheckPasses}
		if before[byOperator] != 1 || after[byOperator] != 2 {
			t.Errorf("%s by an operator: %d times before, %d after", message, before[byOperator], after[byOperator])
		}
	}
}
