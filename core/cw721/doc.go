// Package cw721 is the contract: one CW721 collection, versions 0.19 and 0.22 of
// the public contract, message by message and byte for byte. What distinguishes
// the versions is one table, in rules.go.
//
// A [Contract] is three functions over a store, as on a chain:
//
//   - [Contract.Instantiate] creates the collection,
//   - [Contract.Execute] changes it for a sender,
//   - [Contract.Query] answers about it.
//
// Each runs against a [kv] store and an [Env], which holds the block: there is
// no other notion of time here. What the store holds is what a chain's node
// would hold under the contract's address, so that state can be carried
// between the two.
//
// Rights are decided in one place, permission.go. Execute asks it for a
// verdict; anything that wants to explain, preview or list rights asks it for
// the same [Decision]. A refusal is always an [*Error]; any other error is
// trouble with the store.
//
// The package must never know of a disk, a clock, a terminal, the names that
// people give to accounts, or what happened before: those are chain's.
//
// "spec §n" in comments names the section of the CW721 reference that a rule
// was taken from: messages and the order of their checks in §4 to §9, queries in
// §11, error texts in §12, storage in §1. The reference is not in this
// repository, so a comment says the rule itself as well. What decides in doubt
// are the answers of the real contracts in testdata/conformance and
// testdata/conformance-2, which cw721test plays.
package cw721
