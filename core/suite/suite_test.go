package suite_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
	"ephemera/core/suite"
)

// story returns a story of the standard rules, which must hold with the true contract.
func story(t testing.TB, file, text string) suite.Story {
	t.Helper()
	s := *chaintest.Must(scenario.Load(file, strings.NewReader(text)))(t)
	result := chaintest.Must(scenario.Run(context.Background(), s.NewReader(file), scenario.Options{Open: chaintest.InMemory}))(t)
	for _, mismatch := range result.Mismatches {
		t.Fatal(mismatch)
	}
	return suite.Story{Scenario: s, File: file, Rules: result.Rules}
}

// storiesIn returns the stories in files that match a pattern.
func storiesIn(t testing.TB, pattern string) (stories []suite.Story) {
	t.Helper()
	for _, file := range chaintest.Must(filepath.Glob(pattern))(t) {
		stories = append(stories, story(t, file, string(chaintest.Must(os.ReadFile(file))(t))))
	}
	return stories
}

// try tries all mutants and returns the names of those that are killed, and of the others.
func try(t *testing.T, stories ...suite.Story) (killed, survivors []string) {
	t.Helper()
	for _, trial := range chaintest.Must(suite.Try(context.Background(), stories, mutant.All()))(t) {
		if trial.KilledBy == nil {
			survivors = append(survivors, trial.Mutant)
			continue
		}
		killed = append(killed, trial.Mutant)
		t.Logf("%s: %+v", trial.Mutant, *trial.KilledBy)
	}
	t.Logf("%d killed, %d survive: %v", len(killed), len(survivors), survivors)
	return killed, survivors
}

func TestTwoStoriesKillEveryMutant(t *testing.T) {
	killed, survivors := try(t, storiesIn(t, "testdata/stories/*.yaml")...)
	if len(survivors) > 0 || len(killed) != len(mutant.All()) {
		t.Errorf("%d are killed, and these survive: %v", len(killed), survivors)
	}
}

// killerOf returns the killer that a suite without a single kill is told for a mutant.
func killerOf(t *testing.T, m mutant.Mutant) string {
	t.Helper()
	noKills := suite.Story{Rules: m.Rules}
	noKills.Steps = []scenario.Step{{Kind: scenario.NoMessage, State: scenario.Storage{}}}
	trials := chaintest.Must(suite.Try(context.Background(), []suite.Story{noKills}, []mutant.Mutant{m}))(t)
	return trials[0].Killer
}

func TestAStoryOfEightStepsWithRowsKillsEveryMutant(t *testing.T) {
	const file = "testdata/one-story.yaml"
	text := chaintest.Must(os.ReadFile(file))(t)
	reader := chaintest.Must(scenario.Open(file, bytes.NewReader(text)))(t)
	var stories []suite.Story
	for row := range reader.Rows() {
		chaintest.OK(t, reader.StartRow(row))
		played := suite.Story{Scenario: scenario.Scenario{Header: reader.Header}, File: file}
		result := chaintest.Must(scenario.Run(context.Background(), reader, scenario.Options{
			Open:   chaintest.InMemory,
			OnStep: func(p scenario.PlayedStep) { played.Steps = append(played.Steps, *p.Step) },
		}))(t)
		if !result.OK() || len(played.Steps) > 8 {
			t.Errorf("%s has %d steps: %v", result.Name, len(played.Steps), result.Mismatches)
		}
		played.Rules = result.Rules
		stories = append(stories, played)
	}

	killed, survivors := try(t, stories...)
	if len(killed) != len(mutant.All()) {
		t.Errorf("%d are killed, and these survive: %v", len(killed), survivors)
	}
}

var update = flag.Bool("update", false, "write the killers anew")

func TestTheKillersAreTheStoriesWithoutTheStepsThatAreNotNeeded(t *testing.T) {
	for _, m := range mutant.All() {
		name := string(cmp.Or(m.Rules, cw721.RulesStandard))
		small := storiesIn(t, "testdata/stories/"+name+".yaml")[0].Scenario
		isKiller := func(candidate *scenario.Scenario) (bool, error) { return kills(t, *candidate, m), nil }
		small = chaintest.Must(scenario.Shrink(small, isKiller))(t)
		small.Name = "Kills " + m.Name
		var text strings.Builder
		chaintest.OK(t, small.Write(&text, scenario.YAML))

		if *update {
			chaintest.OK(t, os.WriteFile("killers/"+m.Name+".yaml", []byte(text.String()), 0o644))
		} else if killer := killerOf(t, m); killer != text.String() {
			t.Errorf("the killer of %s is\n%s\nexpected\n%s", m.Name, killer, &text)
		}
	}
}

func TestAKillerKillsAndNoStepOfItCanBeDropped(t *testing.T) {
	for _, m := range mutant.All() {
		text := killerOf(t, m)
		killer := *chaintest.Must(scenario.Load("x.yaml", strings.NewReader(text)))(t)
		if !kills(t, killer, m) {
			t.Errorf("the killer of %s does not kill it", m.Name)
		}
		for i := range killer.Steps {
			fewer := killer
			fewer.Steps = slices.Delete(slices.Clone(killer.Steps), i, i+1)
			if kills(t, fewer, m) {
				t.Errorf("%s is killed without step %d of %d", m.Name, i+1, len(killer.Steps))
			}
		}
	}
}

// kills reports whether a scenario holds with the true contract and not with a mutant.
func kills(t *testing.T, s scenario.Scenario, m mutant.Mutant) bool {
	t.Helper()
	result, err := scenario.Run(context.Background(), s.NewReader("x"), scenario.Options{Open: chaintest.InMemory})
	if err != nil || !result.OK() {
		return false
	}
	stories := []suite.Story{{Scenario: s, File: "x", Rules: result.Rules}}
	trials := chaintest.Must(suite.Try(context.Background(), stories, []mutant.Mutant{m}))(t)
	return trials[0].KilledBy != nil
}

func TestAMutantOfOtherRulesIsNotTried(t *testing.T) {
	killed, survivors := try(t, storiesIn(t, "testdata/stories/standard.yaml")...)
	if slices.Contains(killed, "anyone-adds-minters") || slices.Contains(survivors, "anyone-adds-minters") {
		t.Error("a mutant of v0.22.0 is tried with the standard rules")
	}
	if len(killed)+len(survivors) != len(mutant.All())-1 {
		t.Errorf("%d are killed and %d survive, expected the mutants of the standard rules", len(killed), len(survivors))
	}
}

func TestThePublicTestOfOperatorsDoesNotNoticeThatAGrantWorksOneBlockTooLong(t *testing.T) {
	killed, survivors := try(t, storiesIn(t, "testdata/public-operators.yaml")...)
	if !slices.Contains(survivors, "inclusive-end") || len(killed) != 5 {
		t.Errorf("it kills %v", killed)
	}
}
