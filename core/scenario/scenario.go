// Package scenario reads, plays and records scenarios. A scenario is a story about
// one collection: who sends which message in which block, and what the contract is
// expected to answer. Lessons, tests and the demo are scenarios.
//
// People write .yaml files. Machines write .jsonl and .jsonl.gz files. Both have the
// same members: a [Header], which describes the chain to play on, and then one [Step]
// after the other. In YAML the steps are the items of the member "steps". In JSON Lines
// each line after the header is a step. scenario.schema.json describes the members for
// editors.
//
//	name: Who may move a token
//	accounts: {alice: , bob: }
//	steps:
//	  - as: alice
//	    instantiate: {name: Apes, symbol: APE}
//	  - as: alice
//	    execute: {mint: {token_id: "1", owner: $alice}}
//	    expect: ok
//	  - as: bob
//	    execute: {transfer_nft: {recipient: $bob, token_id: "1"}}
//	    expect: {error: {kind: contract}}
//
// [Open] reads a file step by step. [Run] plays it and compares every answer. [Record]
// writes the history of a chain as a scenario that plays the same.
//
// Messages keep their spelling, byte for byte in JSON Lines. Numbers and times of 64
// bits stay exact, and a scenario can send a message that is wrong on purpose. The
// package does not depend on a screen, a lesson's progress, a directory or a kind of
// store: the caller of [Run] provides the chain.
//
// The files begin with what they do: format is the form of a file's values, read, write,
// play (with compare), record, shrink and update. A change usually needs these places:
//
//   - a member of a header or a step: a field with a tag in scenario.go or step.go, and
//     scenario.schema.json. A new type of value also needs a reader in format*.go.
//   - a kind of step: [Kind] in step.go, its members in checkMembers in format_step.go, what
//     it does in playStep in play_step.go.
//   - a kind of expectation: [Expect] in step.go, its form in format_step.go, when it holds
//     and how it is described in compare.go, and how an update writes it in update.go.
package scenario

import (
	_ "embed"
	"io"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Scenario is a whole scenario in memory.
type Scenario struct {
	Header
	Steps []Step
}

// Header describes a scenario and the chain that it is played on. A field that is zero has
// the default of [chain.Genesis].
type Header struct {
	Name      string        `wire:"name"`
	About     string        `wire:"about"`
	Rules     cw721.Rules   `wire:"rules"`
	Flavour   cw721.Flavour `wire:"flavour"` // the kind of a token's extension
	Prefix    string        `wire:"prefix"`  // of bech32 addresses; by default that of the header's first address
	Self      cw721.Address `wire:"self"`    // the contract's address
	Accounts  Accounts      `wire:"accounts"`
	Contracts Contracts     `wire:"contracts"` // how some of the accounts receive tokens
	Start     At            `wire:"start"`     // the block in which the scenario begins
	// Import is the path of a dump that the collection begins with, relative to the
	// scenario's file. It is empty if the steps create the collection.
	Import string `wire:"import" want:"the name of a file in a string"`
	// Invariants must hold after every step, once there is a collection.
	Invariants     Invariants     `wire:"invariants"`
	Undelivered    Undelivered    `wire:"deliver"`
	Misconceptions Misconceptions `wire:"misconceptions"`
	Rows           Rows           `wire:"rows"` // the scenario is played once with each
}

// Accounts are names for addresses, in the order of the file. An empty address is derived
// from the name.
type Accounts []chain.Account

// Contracts are named accounts, without addresses, with the way in which they receive tokens.
// They are in the order of the file.
type Contracts []chain.Account

// Invariants are queries with expected answers, and claims that nobody can do something.
type Invariants []Step

// Misconceptions are those that the questions of a lesson look for, in the order of the file.
type Misconceptions []Misconception

// Misconception is a wrong belief about the contract.
type Misconception struct {
	Name   string
	Belief string // the end of a sentence that begins with "believes that"
}

// Undelivered is true if the messages that the contract sends to other contracts are recorded
// but not delivered.
type Undelivered bool

// At is the block to which a step moves the clock. A height or time that is nil stays as it
// is.
type At struct {
	Height *cw721.Height `wire:"height"`
	Time   *cw721.Time   `wire:"time"`

	amount *Advance // set instead if a file has an amount in the place of a block, such as "+10"
}

// Genesis returns the first state of the scenario's chain. It fails for a wrong address and
// for a text that cannot be the name of an account. If the scenario begins with a dump,
// accounts without an address stay so, because the address prefix is in the dump.
func (h Header) Genesis() (chain.Genesis, error) {
	genesis := chain.Genesis{Config: h.config(), Accounts: h.chainAccounts()}
	if h.Start.Height != nil {
		genesis.Clock.Height = *h.Start.Height
	}
	if h.Start.Time != nil {
		genesis.Clock.Time = *h.Start.Time
	}
	if genesis.Prefix == "" { // only possible with a dump
		return genesis, nil
	}

	// Check the prefix by making an address with it, also if there are no accounts.
	if _, err := chain.AddressFor(genesis.Prefix, "", cw721.AccountBytes); err != nil {
		return genesis, err
	}
	for i, account := range genesis.Accounts {
		var err error
		if genesis.Accounts[i], err = account.WithAddress(genesis.Prefix); err != nil {
			return genesis, err
		}
	}
	return genesis, nil
}

// config returns the configuration of the scenario's chain. Fields that the header leaves out
// get defaults, unless a dump has them.
func (h Header) config() chain.Config {
	config := chain.Config{
		Rules:         h.Rules,
		Flavour:       h.Flavour,
		Prefix:        h.impliedPrefix(),
		Self:          h.Self,
		SkipsDelivery: bool(h.Undelivered),
		About:         h.Name,
	}
	if h.Import != "" {
		return config
	}
	return config.WithDefaults()
}

// impliedPrefix returns the prefix of the header, or that of its first address, or "".
func (h Header) impliedPrefix() string {
	if h.Prefix != "" {
		return h.Prefix
	}

	addresses := []cw721.Address{h.Self}
	for _, account := range h.Accounts {
		addresses = append(addresses, account.Address)
	}
	for _, address := range addresses {
		if prefix, ok := cw721.AddressPrefix(address); ok {
			return prefix
		}
	}
	return ""
}

// chainAccounts returns the accounts and contracts of the header, each account once.
func (h Header) chainAccounts() []chain.Account {
	accounts := slices.Clone([]chain.Account(h.Accounts))
	for _, contract := range h.Contracts {
		i := slices.IndexFunc(accounts, func(account chain.Account) bool {
			return account.Name == contract.Name
		})
		if i >= 0 {
			accounts[i].Receiver = contract.Receiver
			continue
		}
		accounts = append(accounts, contract)
	}
	return accounts
}

// NewReader returns a reader for the steps of the scenario. The reader fills no values of rows
// into the steps, so the header must have no rows.
func (s *Scenario) NewReader(file string) *Reader {
	return &Reader{Header: s.Header, File: file, steps: s.Steps}
}

// Write writes the scenario as the function [Write] does.
func (s *Scenario) Write(w io.Writer, f Format) error {
	return Write(w, f, s.Header, func(write func(Step) error) error {
		for _, step := range s.Steps {
			if err := write(step); err != nil {
				return err
			}
		}
		return nil
	})
}

// Schema is the JSON Schema of scenario files, for editors that complete and check
// what is typed.
//
//go:embed scenario.schema.json
var Schema []byte
