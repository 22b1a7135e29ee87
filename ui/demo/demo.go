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

// story is the scenario of the demo: the messages and clock moves that fill it, as YAML.
//
//go:embed demo.yaml
var story []byte

// Actor is the name of the account as which messages are sent at first.
const Actor = "alice"

// Open fills the empty chain that open returns with the demo collection, which is
// the same each time. Undo cannot go back behind the demo. Open fails if the store
// does, or if the scenario does not play as it is written, which a test rules out.
// It closes the chain if it fails.
func Open(open func() (*chain.Chain, error)) (*chain.Chain, error) {
	c, err := open()
	if err != nil {
		return nil, err
	}
	if err := errors.Join(play(c), c.Seal()); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// play runs the scenario of the demo on a chain. It fails if an expectation of the
// scenario does not hold.
func play(c *chain.Chain) error {
	r, err := scenario.Open("demo.yaml", bytes.NewReader(story))
	if err != nil {
		return err
	}
	res, err := scenario.Run(context.Background(), r, scenario.Options{Chain: c})
	switch {
	case err != nil:
		return err
	case !res.OK():
		return fmt.Errorf("the demo does not play: %s", res.Mismatches[0])
	}
	return nil
}
