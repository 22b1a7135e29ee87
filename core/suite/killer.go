package suite

import (
	"bytes"
	"context"
	"embed"

	"ephemera/core/mutant"
	"ephemera/core/scenario"
)

// killers has two scenarios that together kill every mutant. all.yaml is for every rule set;
// v0.22.0.yaml is for the mutants of that one.
//
//go:embed killers/*.yaml
var killers embed.FS

// Killer returns a short scenario that holds with the true contract and not with a mutant. No
// step of it can be dropped. It is a part of the scenarios in killers.
func Killer(ctx context.Context, m mutant.Mutant) (scenario.Scenario, error) {
	name := "killers/all.yaml"
	if m.Rules != "" {
		name = "killers/" + string(m.Rules) + ".yaml"
	}
	text, err := killers.ReadFile(name)
	if err != nil {
		return scenario.Scenario{}, err
	}
	whole, err := scenario.Load(name, bytes.NewReader(text))
	if err != nil {
		return scenario.Scenario{}, err
	}

	story := Story{Scenario: *whole, File: name}
	killed, err := story.firstFailure(ctx, m)
	if err != nil {
		return scenario.Scenario{}, err
	}
	story.Steps = story.Steps[:killed.Step]
	return scenario.Shrink(story.Scenario, func(candidate *scenario.Scenario) (bool, error) {
		story := Story{Scenario: *candidate, File: name}
		failure, err := story.firstFailure(ctx, mutant.Mutant{})
		if err != nil || failure != nil {
			return false, err
		}
		failure, err = story.firstFailure(ctx, m)
		return failure != nil, err
	})
}
