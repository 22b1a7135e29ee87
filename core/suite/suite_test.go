package suite_test

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ephemera/core/chain/chaintest"
	"ephemera/core/cw721"
	"ephemera/core/kv/kvtest"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
	"ephemera/core/suite"
)

// storiesOf returns the story in a text, or one for each of its rows. They must hold with the
// true contract.
func storiesOf(t testing.TB, file, text string) (stories []suite.Story) {
	t.Helper()
	reader := chaintest.Must(scenario.Open(file, strings.NewReader(text)))(t)
	for row := range max(len(reader.Rows()), 1) {
		if len(reader.Rows()) > 0 {
			chaintest.OK(t, reader.RewindToRow(row))
		}
		s := chaintest.Must(reader.ReadAll())(t)
		result := chaintest.Must(scenario.Run(context.Background(), s.NewReader(file), scenario.Options{Open: chaintest.InMemory}))(t)
		for _, mismatch := range result.Mismatches {
			t.Fatal(mismatch)
		}
		stories = append(stories, suite.Story{Scenario: *s, File: file, Rules: result.Rules})
	}
	return stories
}

// storiesIn returns the stories in files that match a pattern.
func storiesIn(t testing.TB, pattern string) (stories []suite.Story) {
	t.Helper()
	for _, file := range chaintest.Must(filepath.Glob(pattern))(t) {
		text := chaintest.Must(os.ReadFile(file))(t)
		stories = append(stories, storiesOf(t, file, string(text))...)
	}
	return stories
}

// try tries all mutants and returns the names of those that are killed, and of the others.
func try(t *testing.T, stories ...suite.Story) (killed, survivors []string) {
	t.Helper()
	for _, trial := range chaintest.Must(suite.TryMutants(context.Background(), stories, mutant.All()))(t) {
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

func TestTwoStoriesKillEveryMutantAndSoDoesOneOfEightStepsWithRows(t *testing.T) {
	short := storiesIn(t, "testdata/one-story.yaml")
	for _, row := range short {
		if len(row.Steps) > 8 {
			t.Errorf("%s has %d steps", row.Name, len(row.Steps))
		}
	}
	for _, stories := range [][]suite.Story{short, storiesIn(t, "testdata/stories/*.yaml")} {
		killed, survivors := try(t, stories...)
		if len(killed) != len(mutant.All()) {
			t.Errorf("%d are killed, and these survive: %v", len(killed), survivors)
		}
	}
}

// killerOf returns the killer that a suite without a single kill is told for a mutant.
func killerOf(t *testing.T, m mutant.Mutant) string {
	t.Helper()
	noKills := suite.Story{Rules: m.Rules}
	noKills.Steps = []scenario.Step{{Kind: scenario.NoMessage, State: scenario.Storage{}}}
	trials := chaintest.Must(suite.TryMutants(context.Background(), []suite.Story{noKills}, []mutant.Mutant{m}))(t)
	return trials[0].KillingScenario
}

// scenarioOf reads a scenario in YAML.
func scenarioOf(t *testing.T, text string) scenario.Scenario {
	t.Helper()
	return *chaintest.Must(scenario.Load("killer.yaml", strings.NewReader(text)))(t)
}

var update = flag.Bool("update", false, "write the killers anew")

func TestTheKillersAreTheStoriesWithoutTheStepsThatAreNotNeeded(t *testing.T) {
	for i, m := range mutant.All() {
		if killer := scenarioOf(t, killerOf(t, m)); !*update && !kills(t, killer, m) {
			t.Errorf("the killer of %s does not kill it", m.Name)
		}
		if i%4 > 0 && kvtest.Times() == 1 && !*update {
			continue
		}
		stories := storiesIn(t, "testdata/short/"+m.Name+".yaml")
		if len(stories) == 0 {
			stories = storiesIn(t, "testdata/stories/"+string(cmp.Or(m.Rules, cw721.RulesStandard))+".yaml")
		}
		small := stories[0].Scenario
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

// kills reports whether a scenario holds with the true contract and not with a mutant.
func kills(t *testing.T, s scenario.Scenario, m mutant.Mutant) bool {
	t.Helper()
	result, err := scenario.Run(context.Background(), s.NewReader("x"), scenario.Options{Open: chaintest.InMemory})
	if err != nil || !result.OK() {
		return false
	}
	stories := []suite.Story{{Scenario: s, File: "x", Rules: result.Rules}}
	trials := chaintest.Must(suite.TryMutants(context.Background(), stories, []mutant.Mutant{m}))(t)
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

func TestTrialsAreInTheOrderOfTheMutantsAndEndWithTheContext(t *testing.T) {
	stories := storiesIn(t, "testdata/public-operators.yaml")
	var want, got []string
	for _, m := range slices.Backward(mutant.All()) {
		if m.ExistsIn(stories[0].Rules) {
			want = append(want, m.Name)
		}
	}
	mutants := mutant.All()
	slices.Reverse(mutants)
	for _, trial := range chaintest.Must(suite.TryMutants(context.Background(), stories, mutants))(t) {
		got = append(got, trial.Mutant)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the trials are of %v, expected %v", got, want)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := suite.TryMutants(ctx, stories, mutants); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: got %v", err)
	}
}

func TestThePublicTestOfOperatorsDoesNotNoticeThatAGrantWorksOneBlockTooLong(t *testing.T) {
	killed, survivors := try(t, storiesIn(t, "testdata/public-operators.yaml")...)
	if !slices.Contains(survivors, "inclusive-end") || len(killed) != 5 {
		t.Errorf("it kills %v", killed)
	}
}
