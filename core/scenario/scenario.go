// Package scenario is a story about one collection, written down: who does what
// in which block, and what the contract is expected to answer. A lesson, a test
// and a demo are the same kind of file.
//
// People write .yaml, machines write .jsonl or .jsonl.gz; both hold the same
// members. A file has a [Header], which says what chain it plays on, and then
// one [ClockStep] after the other: in YAML under "steps", in JSON Lines one a line.
// scenario.schema.json describes them for editors.
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
// [Open] reads a file step by step, [Run] plays it and compares every answer,
// [Record] turns what happened on a chain into a file that plays the same.
//
// Messages are kept as they are written, byte for byte from JSON, so that
// numbers and times of 64 bits stay exact and a message can be wrong on
// purpose. The package must never know of a screen, a lesson's progress, a
// directory or a kind of store: whoever starts a run hands the chain in.
package scenario

import (
	_ "embed"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Header says what a scenario is about and what chain it plays on. Zero values
// take the defaults of [chain.Genesis].
type Header struct {
	Name  string      `wire:"name"`
	About string      `wire:"about"`
	Rules cw721.Rules `wire:"rules"`
	// Flavour is what a token's extension is.
	Flavour cw721.Flavour `wire:"flavour"`
	// Prefix is the bech32 prefix of addresses. Where it is not given it is
	// that of the first address in the header.
	Prefix string `wire:"prefix"`
	// Self is the contract's address.
	Self cw721.Address `wire:"self"`
	// Accounts are the names that the steps use, in the order of the file.
	Accounts Accounts `wire:"accounts"`
	// Contracts say what is at an address when a token is sent there.
	Contracts Contracts `wire:"contracts"`
	// Start is the block in which the story begins.
	Start At `wire:"start"`
	// Import is the name of a dump that the collection begins with, seen from the
	// file; empty where the story creates it.
	Import string `wire:"import" want:"the name of a file in a string"`
	// Invariants are queries whose answers are compared after every step, once
	// there is a collection.
	Invariants Invariants `wire:"invariants"`
	// Undelivered tells to record outgoing messages without delivering them:
	// "deliver: false".
	Undelivered Undelivered `wire:"deliver"`
}

// Accounts are names for addresses, in the order of the file.
type Accounts []Account

// Account is a name for an address. Without an address it gets the one that
// its name stands for.
type Account struct {
	Name    string
	Address cw721.Address
}

// Contracts are what is at some addresses, in the order of the file.
type Contracts []Contract

// Contract says how a named address takes tokens that are sent to it.
type Contract struct {
	Name     string
	Receiver chain.Receiver
}

// Invariants are queries with an expectation.
type Invariants []Step

// Undelivered is whether outgoing messages are recorded without being delivered.
type Undelivered bool

// At is a block, or one of its two axes.
type At struct {
	Height *cw721.Height `wire:"height"`
	Time   *cw721.Time   `wire:"time"`

	ahead *Advance // set while reading a moment that counts from the clock
}

// Scenario is a whole file in memory, for those that are short.
type Scenario struct {
	Header
	Steps []Step
}

// impliedPrefix gives the prefix that the header says or implies; "" for neither.
func (h Header) impliedPrefix() string {
	if h.Prefix != "" {
		return h.Prefix
	}
	all := []cw721.Address{h.Self}
	for _, a := range h.Accounts {
		all = append(all, a.Address)
	}
	for _, a := range all {
		if p, ok := cw721.PrefixOf(a); ok {
			return p
		}
	}
	return ""
}

// Genesis gives the chain that the scenario begins on. It fails where a name
// or an address cannot be one.
func (h Header) Genesis() (chain.Genesis, error) {
	g := chain.Genesis{Config: h.config()}
	if h.Start.Height != nil {
		g.Clock.Height = *h.Start.Height
	}
	if h.Start.Time != nil {
		g.Clock.Time = *h.Start.Time
	}
	g.Accounts = h.chainAccounts()
	if g.Prefix == "" {
		return g, nil // the accounts get their addresses with the dump's prefix
	}
	if _, err := chain.AddressFor(g.Prefix, "", cw721.AccountBytes); err != nil {
		return g, err
	}
	for i, a := range g.Accounts {
		var err error
		if g.Accounts[i], err = a.Addressed(g.Prefix); err != nil {
			return g, err
		}
	}
	return g, nil
}

// config is what the header says of the chain, defaults filled in.
func (h Header) config() chain.Config {
	c := chain.Config{
		Rules: h.Rules, Flavour: h.Flavour, Prefix: h.impliedPrefix(), Self: h.Self,
		Record: bool(h.Undelivered), About: h.Name,
	}
	if h.Import != "" {
		return c // what is not said follows the dump
	}
	return c.WithDefaults()
}

// chainAccounts joins the accounts and what is at their addresses.
func (h Header) chainAccounts() []chain.Account {
	var all []chain.Account
	for _, a := range h.Accounts {
		all = append(all, chain.Account{Name: a.Name, Address: a.Address})
	}
	for _, c := range h.Contracts {
		i := slices.IndexFunc(all, func(a chain.Account) bool { return a.Name == c.Name })
		if i < 0 {
			i, all = len(all), append(all, chain.Account{Name: c.Name})
		}
		all[i].Receiver = c.Receiver
	}
	return all
}

// Schema is a JSON Schema of scenario files, for editors that complete and
// check what is typed.
//
//go:embed scenario.schema.json
var Schema []byte
