// Package demo is the collection that a person meets first: made up, in memory,
// and full of grants that are about to expire. demo.yaml, a scenario, makes it.
package demo

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/scenario"
)

//go:embed demo.yaml
var scenarioYAML []byte

// Actor is the name of the account that sends messages until the user chooses another one.
const Actor = "alice"

// Open fills the empty chain that openChain returns with the demo collection, which is the same
// each time and which the user cannot undo. It fails if the scenario does not play as it is
// written, which a test rules out, and then closes the chain.
func Open(openChain func() (*chain.Chain, error)) (*chain.Chain, error) {
	demoChain, err := openChain()
	if err != nil {
		return nil, err
	}

	playErr := playScenario(demoChain)
	sealErr := demoChain.Seal() // undo stops there
	if err := errors.Join(playErr, sealErr); err != nil {
		return nil, errors.Join(err, demoChain.Close())
	}
	return demoChain, nil
}

func playScenario(demoChain *chain.Chain) error {
	reader, err := scenario.Open("demo.yaml", bytes.NewReader(scenarioYAML))
	if err != nil {
		return err
	}
	result, err := scenario.Run(context.Background(), reader, scenario.Options{Chain: demoChain})
	switch {
	case err != nil:
		return err
	case !result.OK():
		return fmt.Errorf("the demo does not play: %s", result.Mismatches[0])
	}
	return nil
}
