package cw721

import (
	"slices"

	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Rules names a rule set: the deployed versions of the contract differ in a
// few rules, and some of those are mistakes (spec §0.2).
type Rules string

// The rule sets.
const (
	RulesStandard Rules = "standard" // the safe reading; the default
	RulesV019     Rules = "v0.19.0"  // as compiled: anyone may change royalties
	RulesV022     Rules = "v0.22.0"  // permissions and attributes of v0.22.0
)

// AllRules lists the rule sets, the default first.
func AllRules() []Rules { return []Rules{RulesStandard, RulesV019, RulesV022} }

// Known tells whether r is a rule set.
func (r Rules) Known() bool { return slices.Contains(AllRules(), r) }

// RoyaltyByAnyone tells whether anyone may change the royalty, the hole that
// v0.22.0 closed (spec §7).
func (r Rules) RoyaltyByAnyone() bool { return r == RulesV019 }

// ShareStep tells by how much one update may raise the royalty; ok is false
// when only the cap holds.
func (r Rules) ShareStep() (step Share, ok bool) { return maxShareStep, r.shareStep() }

func (r Rules) shareStep() bool        { return r != RulesStandard }
func (r Rules) spenderValidated() bool { return r != RulesV019 }
func (r Rules) version() string {
	if r == RulesV022 {
		return "0.22.0"
	}
	return "0.19.0"
}

// Flavour names what a token's extension is (spec §1).
type Flavour string

// The two flavours.
const (
	FlavourOnchain Flavour = "metadata-onchain" // nine metadata fields; the default
	FlavourBase    Flavour = "base"             // nothing, or an empty object
)

// Known tells whether f is a flavour.
func (f Flavour) Known() bool { return f == FlavourOnchain || f == FlavourBase }

// Contract is the code of a collection: it holds what never changes between
// calls and no state.
type Contract struct {
	Rules   Rules
	Flavour Flavour
	// Prefix is the chain's bech32 prefix: addresses with another are refused.
	Prefix string
}

func (c Contract) name() string { return "crates.io:cw721-" + string(c.Flavour) }

func (c Contract) address(a Address, field string) error {
	if _, err := addressBytes(c.Prefix, string(a)); err != nil {
		return err.at(field)
	}
	return nil
}

// Names looks up what "$name" stands for in a message; nil for messages that
// hold no names.
type Names = func(name string) (address string, ok bool)

func (c Contract) decode(what string, raw []byte, names Names, into any) (named bool, err error) {
	named, err = wire.DecodeWith(wire.Options{Names: names, Context: c.Flavour}, raw, into)
	if err != nil {
		return false, parseError(what, err)
	}
	return named, nil
}

// Instantiate creates the collection from an instantiate message (spec §4).
func (c Contract) Instantiate(t kv.Txn, env Env, info Info, raw []byte) (Response, error) {
	msg, _, err := c.DecodeInstantiate(raw, nil)
	if err != nil {
		return Response{}, err
	}
	return c.RunInstantiate(t, env, info, msg)
}

// Execute changes the collection by one execute message (spec §5 to §7).
func (c Contract) Execute(t kv.Txn, env Env, info Info, raw []byte) (Response, error) {
	msg, _, err := c.DecodeExecute(raw, nil)
	if err != nil {
		return Response{}, err
	}
	return c.Run(t, env, info, msg)
}

// Query answers one query message with compact JSON (spec §11).
func (c Contract) Query(r kv.Reader, env Env, raw []byte) ([]byte, error) {
	msg, _, err := c.DecodeQuery(raw, nil)
	if err != nil {
		return nil, err
	}
	return c.Answer(r, env, msg)
}

// Run executes a decoded message. The store may hold half of its writes when
// it fails: whoever owns the transaction discards them.
func (c Contract) Run(t kv.Txn, env Env, info Info, msg ExecuteMsg) (Response, error) {
	x := &exec{call: call{Contract: c, r: t, env: env, sender: info.Sender}, w: t}
	if err := msg.execute(x); err != nil {
		return Response{}, err
	}
	return x.response, nil
}

// Answer gives the answer to a decoded query.
func (c Contract) Answer(r kv.Reader, env Env, msg QueryMsg) ([]byte, error) {
	answer, err := msg.answer(&call{Contract: c, r: r, env: env})
	if err != nil {
		return nil, err
	}
	return wire.Encode(answer), nil
}

// call is one message on its way through the contract.
type call struct {
	Contract
	r      kv.Reader
	env    Env
	sender Address

	loaded   *Token // the token that the call is about, once loaded
	loadedID string
}

// exec is a call that may write.
type exec struct {
	call
	w        kv.Writer
	response Response
}
