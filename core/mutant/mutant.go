// Package mutant has wrong CW721 contracts. Each mutant differs from the contract
// of package cw721 in one rule, and behaves there as a misconception expects. A test
// suite that passes with a mutant does not notice the difference.
//
// A mutant wraps the contract: it changes the block, the sender or the message
// before the contract runs, and the records or the answer afterwards. The package
// must not know scenarios, lessons or screens.
//
// A new mutant is an entry in the list of the file about its subject, such as approvals.go,
// with a story in the test of this package and a killer in package suite.
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

	currentBlock      func(cw721.Block) cw721.Block // the block in which grants are checked
	beforeInstantiate func(*cw721.InstantiateMsg)   // changes a copy of the message
	beforeExecute     hook                          // can change the sender, the message and stored records
	// afterExecute can change stored records and the response. It is not called for a refused
	// message.
	afterExecute hook
	record       hook                                  // stores what the mutant must remember about an executed message
	beforeQuery  func(kv.Reader, cw721.QueryMsg) error // changes a copy of the message
}

// All returns the mutants in the order in which they are listed to users.
func All() []Mutant { return slices.Clone(mutants) }

// ExistsIn reports whether the mutant exists in a rule set, which is a version of the
// contract such as v0.22.0.
func (m Mutant) ExistsIn(rules cw721.Rules) bool { return m.Rules == "" || m.Rules == rules }

// Dormant returns a mutant that behaves as the true contract, but stores what m must remember,
// so that m can take over at a later message.
func (m Mutant) Dormant() Mutant { return Mutant{record: m.record} }

// Find returns the mutant with a name. If there is none, the error lists every name.
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
