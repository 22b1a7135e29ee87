// Package cw721 is the contract of one CW721 collection. It behaves like versions
// 0.19 and 0.22 of the public contract, message by message and byte for byte. The
// table in rules.go holds the differences between the versions.
//
// A [Contract] is three functions over a store, as on a chain:
//
//   - [Contract.RunInstantiate] creates the collection,
//   - [Contract.RunExecute] changes it for a sender,
//   - [Contract.RunQuery] reads it.
//
// They take messages as Go values, which [Contract.DecodeInstantiate] and its like make
// from JSON.
//
// Each runs against a [kv] store and an [Env], whose block is the only clock. The
// store holds the same records as a chain's node does under the contract's address,
// so that state can be moved between the two.
//
// Permissions are decided in one place, permission.go. Execute uses the outcome of a
// [Decision]; code that explains, previews or lists permissions shows the same
// Decision. A refusal is always an [*Error]; any other error is a failure of the
// store.
//
// The package must not use disks, clocks, terminals, the names that people give to
// accounts, or the history of a collection.
//
// "spec §n" in comments is a section of a CW721 reference, which is not in this
// repository: messages and the order of their checks are in §4 to §9, queries in §11,
// error texts in §12, storage in §1. Every comment states the rule as well. In doubt,
// the answers of the public contracts in testdata/conformance and
// testdata/conformance-2 decide, which package cw721test plays.
package cw721
