// Package suite judges a test suite, which is a set of scenarios: which wrong contracts the
// suite notices, and which rules of the contract it exercises. It plays scenarios that hold
// with the true contract. The package must not know files, lessons or screens.
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

// Story is a scenario of a suite in memory. Every step holds with the true contract.
type Story struct {
	scenario.Scenario
	File  string
	Rules cw721.Rules
	// Import reads the dump that the header names; see [scenario.Options].
	Import scenario.Importer
}

// Trial is what a suite does with one mutant.
type Trial struct {
	Mutant string `wire:"mutant"` // its name
	Belief string `wire:"believes"`
	// KilledBy is the first step that holds with the true contract and not with the mutant.
	// It is nil if there is none: then the mutant survives.
	KilledBy *Place `wire:"killed_by"`
	// Killer is a scenario in YAML that would kill a survivor: it holds with the true contract
	// and not with the mutant, and no step of it can be dropped.
	Killer string `wire:"killer,optional"`
}

// Place is a step of a suite.
type Place struct {
	File string `wire:"file"`
	Line uint64 `wire:"line,optional"` // from 1; 0 for a step that was not read from a file
	Step uint64 `wire:"step"`          // from 1
}

// killers has the killer of each mutant, under the mutant's name. The tests write them, by
// shrinking the scenarios in testdata/stories.
//
//go:embed killers/*.yaml
var killers embed.FS

// Try plays the stories with each mutant, as many mutants at a time as there are processors.
// A mutant plays the stories of its rule sets one after the other until a step does not hold.
// Try returns a trial of each mutant that one of the stories has the rules for, in the order
// of mutants. It fails if ctx is cancelled or a store fails.
func Try(ctx context.Context, stories []Story, mutants []mutant.Mutant) ([]Trial, error) {
	mutants = slices.DeleteFunc(slices.Clone(mutants), func(m mutant.Mutant) bool {
		return !slices.ContainsFunc(stories, func(s Story) bool { return m.ExistsIn(s.Rules) })
	})
	trials := make([]Trial, len(mutants))
	errs := make([]error, len(mutants))

	// A mutant waits until a processor is free.
	processors := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i, m := range mutants {
		processors <- struct{}{}
		group.Go(func() {
			trials[i], errs[i] = tryOne(ctx, stories, m)
			<-processors
		})
	}
	group.Wait()
	return trials, cmp.Or(errs...)
}

// tryOne plays the stories with a mutant until a step does not hold.
func tryOne(ctx context.Context, stories []Story, m mutant.Mutant) (Trial, error) {
	trial := Trial{Mutant: m.Name, Belief: m.Belief}
	for i := range stories {
		if !m.ExistsIn(stories[i].Rules) {
			continue
		}
		var err error
		trial.KilledBy, err = stories[i].firstFailure(ctx, m)
		if err != nil || trial.KilledBy != nil {
			return trial, err
		}
	}
	killer, err := Killer(m)
	trial.Killer = string(killer)
	return trial, err
}

// Killer returns a scenario in YAML that holds with the true contract and not with the mutant.
// It is the shortest that is known.
func Killer(m mutant.Mutant) ([]byte, error) { return killers.ReadFile("killers/" + m.Name + ".yaml") }

// firstFailure plays a story with a mutant and returns the first step that does not hold, or
// nil. A step that cannot be played, such as a question about a token that is missing, does
// not hold either.
func (s *Story) firstFailure(ctx context.Context, m mutant.Mutant) (*Place, error) {
	open := func() (*chain.Chain, error) {
		return chain.OpenWith(kv.NewMemory(), chain.Options{
			Mutate: func(truth cw721.Contract) chain.Code { return m.Wrap(truth) },
		})
	}
	result, err := scenario.Run(ctx, s.NewReader(s.File), scenario.Options{Open: open, Import: s.Import, FailFast: true})
	if mistake, ok := errors.AsType[*scenario.Error](err); ok {
		return &Place{File: s.File, Line: uint64(mistake.Line), Step: uint64(mistake.Step)}, nil
	}
	if err != nil || result.OK() {
		return nil, err
	}
	failure := result.Mismatches[0]
	return &Place{File: s.File, Line: uint64(failure.Line), Step: uint64(failure.Step)}, nil
}
