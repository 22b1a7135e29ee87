package cw721

import (
	"ephemera/core/kv"
	"ephemera/core/wire"
)

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

// Reading is what there is to tell of a message besides what it means.
type Reading struct {
	// Named tells whether a "$name" was replaced, so that the text as typed and
	// the message as sent are not the same.
	Named bool
	// Ignored are the members that the contract passes over.
	Ignored []Ignored
}

func (c Contract) decode(what string, raw []byte, names Names, into any) (read Reading, err error) {
	rules := c.rules()
	o := wire.Options{Names: names, Context: c.Flavour, Without: rules.without}
	if rules.ignoresUnknown {
		o.Ignored = new([]wire.Ignored)
	}
	if read.Named, err = wire.DecodeWith(o, raw, into); o.Ignored != nil {
		for _, m := range *o.Ignored {
			read.Ignored = append(read.Ignored, Ignored{m, c.Rules})
		}
	}
	if err != nil {
		err = parseError(what, err)
	}
	return read, err
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
	return wire.EncodeWithout(c.rules().without, answer), nil
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
