// Package demo is the collection that a person meets first: made up, in memory,
// and full of grants that are about to expire.
//
// It is a scenario like any other, played once and then sealed, so that undo
// stays within what the person did. The package knows scenarios. It must never
// know what a chain is stored in: whoever opens the demo hands the chain in.
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

// scenarioYAML is the scenario of the demo as YAML. It has the messages and clock moves
// that create the demo collection and its history.
//
//go:embed demo.yaml
var scenarioYAML []byte

// Actor is the name of the account that sends messages until the user chooses another one.
const Actor = "alice"

// Open fills the empty chain that openChain returns with the demo collection. The
// collection is the same each time. The user cannot undo what the demo did. Open fails if
// the store fails, or if the scenario does not play as it is written, which a test rules
// out. If it fails, it closes the chain.
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

// playScenario runs the scenario of the demo on a chain. It fails if a step has another
// outcome than the scenario expects.
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
