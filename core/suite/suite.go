// Package suite judges a test suite, which is a set of scenarios: which wrong contracts the
// suite notices, and which rules of the contract it exercises. It plays scenarios that hold
// with the true contract. The package must not know files, lessons or screens.
package suite

import (
	"context"
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
	Mutant mutant.Mutant
	// Killer is the first step that holds with the true contract and not with the mutant. It
	// is nil if there is none: then the mutant survives.
	Killer *Place
}

// Place is a step of a suite.
type Place struct {
	File string
	Line int // from 1; 0 for a step that was not read from a file
	Step int // from 1
}

// Try plays the stories with each mutant, several at a time. A mutant plays the stories of
// its rule sets one after the other until a step does not hold. Try returns a trial of each
// mutant that one of the stories has the rules for, in their order. It fails if ctx is
// cancelled or a store fails.
func Try(ctx context.Context, stories []Story, mutants []mutant.Mutant) ([]Trial, error) {
	var trials []Trial
	for _, m := range mutants {
		if slices.ContainsFunc(stories, func(s Story) bool { return m.ExistsIn(s.Rules) }) {
			trials = append(trials, Trial{Mutant: m})
		}
	}

	errs := make([]error, len(trials))
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i := range trials {
		free <- struct{}{}
		group.Go(func() {
			errs[i] = trials[i].play(ctx, stories)
			<-free
		})
	}
	group.Wait()
	return trials, errors.Join(errs...)
}

// play plays the stories with the mutant until a step does not hold.
func (t *Trial) play(ctx context.Context, stories []Story) error {
	for i := range stories {
		if !t.Mutant.ExistsIn(stories[i].Rules) {
			continue
		}
		place, err := stories[i].firstFailure(ctx, t.Mutant)
		if err != nil || place != nil {
			t.Killer = place
			return err
		}
	}
	return nil
}

// firstFailure plays a story with a mutant and returns the first step that does not hold, or
// nil. A step that cannot be played, such as a question about a token that is missing, does
// not hold either.
func (s *Story) firstFailure(ctx context.Context, m mutant.Mutant) (*Place, error) {
	result, err := scenario.Run(ctx, s.NewReader(s.File), scenario.Options{
		Open:     openerOf(m),
		Import:   s.Import,
		FailFast: true,
	})
	if mistake, ok := errors.AsType[*scenario.Error](err); ok {
		return &Place{File: s.File, Line: mistake.Line, Step: mistake.Step}, nil
	}
	if err != nil || result.OK() {
		return nil, err
	}
	failure := result.Mismatches[0]
	return &Place{File: s.File, Line: failure.Line, Step: failure.Step}, nil
}

// openerOf returns a function that opens an empty chain in memory with a mutant.
func openerOf(m mutant.Mutant) func() (*chain.Chain, error) {
	return func() (*chain.Chain, error) {
		return chain.OpenWith(kv.NewMemory(), chain.Options{
			Mutate: func(truth cw721.Contract) chain.Code { return m.Wrap(truth) },
		})
	}
}
