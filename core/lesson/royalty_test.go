package lesson_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/scenario"
)

// The texts of lessons 14 and 16 and of challenge 8 say what each version does to a royalty.
func TestWhatTheLessonsSayAboutRoyaltiesHoldsUnderEveryVersion(t *testing.T) {
	withHole := []cw721.Rules{cw721.RulesV019, cw721.RulesV020, cw721.RulesV021}
	const story = `accounts: {creator: , mallory: , alice: }
steps:
  - as: creator
    instantiate: {name: N, symbol: S, collection_info_extension: {description: D, royalty_info: {payment_address: $creator, share: "0.06"}}}
`
	update := func(sender, share, expect string) string {
		return "  - as: " + sender + "\n    execute: {update_collection_info: {collection_info: {extension: {royalty_info: {payment_address: $" +
			sender + ", share: \"" + share + "\"}}}}}\n    expect: " + expect + "\n"
	}
	for _, rules := range cw721.AllRules() {
		tooLarge := `{error: "InvalidRoyalties: Share increase cannot be greater than 2%"}`
		if rules == cw721.RulesStandard {
			tooLarge = "ok"
		}
		anyone := "{error: Caller is not collection creator}"
		if slices.Contains(withHole, rules) {
			anyone = "ok"
		}
		text := "rules: " + string(rules) + "\n" + story +
			update("creator", "0.11", "{error: InvalidRoyalties}") +
			update("creator", "0.08", "ok") + // lesson 14.1
			update("creator", "0.10", "ok") + // 14.2
			update("creator", "0.07", "ok") +
			update("creator", "0.10", tooLarge) +
			update("creator", "0", "ok") +
			update("mallory", "0.02", anyone) // 16.1
		s := chaintest.Must(scenario.Load("royalty.yaml", strings.NewReader(text)))(t)
		result := chaintest.Must(scenario.Run(context.Background(), s.NewReader("royalty.yaml"), scenario.Options{Open: chaintest.InMemory}))(t)
		for _, mismatch := range result.Mismatches {
			t.Errorf("%s: %s", rules, mismatch)
		}
	}
}

func TestTheFirstTasksOfTheLessonAboutRoyaltiesPlayUnderEveryVersion(t *testing.T) {
	text := string(chaintest.Must(os.ReadFile("lessons/14-royalties.yaml"))(t))
	s := chaintest.Must(scenario.Load("14-royalties.yaml", strings.NewReader(text)))(t)
	notes := 0
	end := slices.IndexFunc(s.Steps, func(step scenario.Step) bool {
		if step.Note != "" {
			notes++
		}
		return notes == 3 // it begins the third task
	})
	s.Steps = s.Steps[:end]
	for _, rules := range cw721.AllRules() {
		s.Rules = rules
		result := chaintest.Must(scenario.Run(context.Background(), s.NewReader("14-royalties.yaml"), scenario.Options{Open: chaintest.InMemory}))(t)
		for _, mismatch := range result.Mismatches {
			t.Errorf("%s: %s", rules, mismatch)
		}
	}
}

func TestTheHoleOfChallengeEightIsInTheVersionsThatItNames(t *testing.T) {
	const story = `accounts: {mallory: , creator: }
steps:
  - as: creator
    instantiate: {name: N, symbol: S}
  - nobody: {can: update-royalty, as: mallory, passive: [creator]}
`
	for _, rules := range cw721.AllRules() {
		s := chaintest.Must(scenario.Load("c8.yaml", strings.NewReader("rules: "+string(rules)+"\n"+story)))(t)
		result := chaintest.Must(scenario.Run(context.Background(), s.NewReader("c8.yaml"), scenario.Options{Open: chaintest.InMemory}))(t)
		hasHole := rules == cw721.RulesV019 || rules == cw721.RulesV020 || rules == cw721.RulesV021
		if result.OK() == hasHole {
			t.Errorf("%s: nobody can is %v, want %v", rules, result.OK(), !hasHole)
		}
	}
}
