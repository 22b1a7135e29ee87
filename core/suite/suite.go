// Package suite judges a test suite, which is a set of scenarios that hold with the true
// contract: which wrong contracts the suite notices (suite.go), and which rules of the contract
// it exercises (coverage.go). The package must not know files, lessons or screens.
package suite

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"runtime"
	"slices"
	"sync"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
)

// Story is a scenario of a test suite in memory. All its steps hold with the true contract.
type Story struct {
	scenario.Scenario
	File   string
	Rules  cw721.Rules       // of the collection
	Import scenario.Importer // reads the dump that the header names; see [scenario.Options]
}

// Trial says whether a suite notices one mutant.
type Trial struct {
	Mutant       string `wire:"mutant"`   // its name, such as "inclusive-end"
	MutantBelief string `wire:"believes"` // see [mutant.Mutant]
	// KilledBy is the first step that holds with the true contract and not with the mutant, or
	// nil if the mutant survives.
	KilledBy *Place `wire:"killed_by"`
	// KillingScenario is the [Killer] of a mutant that survives, to show what the suite lacks.
	KillingScenario string `wire:"killer,optional"`
}

// Place says where a step of a suite is.
type Place struct {
	File string `wire:"file"`
	Line uint64 `wire:"line,optional"` // from 1; 0 for a step that was not read from a file
	Step uint64 `wire:"step"`          // from 1
}

// killerFiles has a file NAME.yaml for each mutant. The tests write these files, by shrinking
// the scenarios in testdata/stories.
//
//go:embed killers/*.yaml
var killerFiles embed.FS

// TryMutants plays the stories with each mutant until a step does not hold, with as many mutants
// at the same time as there are processors. It leaves out the mutants that exist in no rule set
// of the stories. It fails if ctx is cancelled or a store fails.
func TryMutants(ctx context.Context, stories []Story, mutants []mutant.Mutant) ([]Trial, error) {
	mutants = slices.DeleteFunc(slices.Clone(mutants), func(m mutant.Mutant) bool {
		return !slices.ContainsFunc(stories, func(s Story) bool { return m.ExistsIn(s.Rules) })
	})
	trials := make([]Trial, len(mutants))
	errs := make([]error, len(mutants))

	// The channel has an item for each mutant that is being tried. While it is full, the next
	// mutant waits.
	runningTrials := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i, m := range mutants {
		runningTrials <- struct{}{}
		group.Go(func() {
			trials[i], errs[i] = tryMutant(ctx, stories, m)
			<-runningTrials
		})
	}
	group.Wait()
	return trials, cmp.Or(errs...)
}

// tryMutant leaves out stories with a rule set in which the mutant does not exist.
func tryMutant(ctx context.Context, stories []Story, m mutant.Mutant) (Trial, error) {
	trial := Trial{Mutant: m.Name, MutantBelief: m.Belief}
	for _, story := range stories {
		if !m.ExistsIn(story.Rules) {
			continue
		}
		var err error
		trial.KilledBy, err = story.firstFailure(ctx, m)
		if err != nil || trial.KilledBy != nil {
			return trial, err
		}
	}

	killer, err := Killer(m)
	trial.KillingScenario = string(killer)
	return trial, err
}

// Killer returns the shortest known scenario, in YAML, that holds with the true contract and
// not with the mutant. It fails for a mutant that is not one of [mutant.All].
func Killer(m mutant.Mutant) ([]byte, error) {
	return killerFiles.ReadFile("killers/" + m.Name + ".yaml")
}

// firstFailure plays a story with a mutant and returns the first step that does not hold, or
// nil. A step that cannot be played does not hold, such as a question about a token that the
// mutant did not create.
func (s *Story) firstFailure(ctx context.Context, m mutant.Mutant) (*Place, error) {
	result, err := scenario.Run(ctx, s.NewReader(s.File), scenario.Options{
		Open: func() (*chain.Chain, error) {
			return chain.OpenWith(kv.NewMemory(), chain.Options{
				Mutate: func(trueContract cw721.Contract) chain.Code { return m.Wrap(trueContract) },
			})
		},
		Import:   s.Import,
		FailFast: true,
	})
	if mistake, ok := errors.AsType[*scenario.Error](err); ok {
		return &Place{File: s.File, Line: uint64(mistake.Line), Step: uint64(mistake.Step)}, nil
	}
	if err != nil || result.OK() {
		return nil, err
	}
	failure := result.Mismatches[0]
	return &Place{File: s.File, Line: uint64(failure.Line), Step: uint64(failure.Step)}, nil
}
