// Package mutant has wrong CW721 contracts. Each mutant differs from the contract
// of package cw721 in one rule, and behaves there as a misconception expects. A test
// suite that passes with a mutant does not notice the difference.
//
// A mutant wraps the contract: it changes the block, the sender or the message
// before the contract runs, and the records or the answer afterwards. The package
// must not know scenarios, lessons or screens.
package mutant

import (
	"fmt"
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Mutant is a contract that is wrong in one rule. The zero Mutant is the contract as
// it is.
type Mutant struct {
	Name   string      // identifies it on the command line and in files, such as "inclusive-end"
	Belief string      // the wrong rule as the end of a sentence that begins with "believes that"
	Rules  cw721.Rules // the only rule set in which it exists; "" for all

	// The functions below make the mutant wrong. Those that it does not need are nil.

	// currentBlock returns the block that the mutant takes for the current one when it checks
	// whether a grant has expired.
	currentBlock      func(cw721.Block) cw721.Block
	beforeInstantiate func(*cw721.InstantiateMsg) // changes a copy of the message
	// beforeExecute can replace the sender and the message of a call, or change stored records,
	// before the true contract executes the message.
	beforeExecute hook
	// afterExecute can change stored records and the response after the true contract has
	// executed the message. It is not called for a refused message.
	afterExecute hook
	// record stores what the mutant must remember about a message that was executed. The true
	// contract has no such records.
	record      hook
	beforeQuery func(kv.Reader, cw721.QueryMsg) error // changes a copy of the message
}

// All returns the mutants in the order in which they are listed to users.
func All() []Mutant { return slices.Clone(mutants) }

// ExistsIn reports whether the mutant exists in a rule set, which is a version of the
// contract such as v0.22.0.
func (m Mutant) ExistsIn(rules cw721.Rules) bool { return m.Rules == "" || m.Rules == rules }

// Dormant returns a mutant that behaves as the true contract, but stores what m must
// remember, such as who gave which approval. A scenario can be played with the dormant
// mutant up to the step that matters, and with m from there on.
func (m Mutant) Dormant() Mutant { return Mutant{record: m.record} }

// Find returns the mutant with a name, such as "inclusive-end". If there is none, it fails
// with an error that lists every name.
func Find(name string) (Mutant, error) {
	var names []string
	for _, mutant := range mutants {
		if mutant.Name == name {
			return mutant, nil
		}
		names = append(names, mutant.Name)
	}
	return Mutant{}, fmt.Errorf(
		"no mutant is named %q, expected one of %s",
		name, strings.Join(names, ", "))
}

// mutants has every mutant, in the order in which they are listed.
var mutants = slices.Concat(
	expiryMutants,
	approvalMutants,
	operatorMutants,
	tokenMutants,
	roleMutants,
	queryMutants,
)
