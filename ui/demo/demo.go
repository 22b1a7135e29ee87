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

//go:embed demo.yaml
var story []byte

// Actor is the name of whom a person acts as at first.
const Actor = "alice"

// Open makes the demo on the empty chain that open gives. It is the same each
// time. It fails as the store does, and where the demo does not play as it is
// written, which a test keeps from happening; the chain is closed then.
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
