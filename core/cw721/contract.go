package cw721

import (
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Flavour names a variant of the contract by the form of the extension of its tokens,
// which is metadata or nothing (spec §1).
type Flavour string

// The two flavours: what the extension of a token, its metadata, can hold.
const (
	FlavourOnchain Flavour = "metadata-onchain" // [Metadata]; the default
	FlavourBase    Flavour = "base"             // no metadata: null, or an object without members
)

// IsKnown reports whether f is one of the two flavours.
func (f Flavour) IsKnown() bool { return f == FlavourOnchain || f == FlavourBase }

// Contract is the code of a collection. It holds no state: every method works on
// the store that it is given.
type Contract struct {
	Rules   Rules
	Flavour Flavour
	// Prefix is the chain's bech32 prefix; addresses with another one are refused.
	Prefix string
}

// codeName returns the name of the contract's code that the record contract_info has.
func (c Contract) codeName() string { return "crates.io:cw721-" + string(c.Flavour) }

// checkAddress validates an address. A refusal is an [*Error] of kind address that
// names the message's member, field.
func (c Contract) checkAddress(a Address, field string) error {
	if err := ValidateAddress(c.Prefix, a); err != nil {
		return AsError(err).withField(field)
	}
	return nil
}

// checkOptionalAddress is [Contract.checkAddress] for a member that can be absent: nil is
// valid.
func (c Contract) checkOptionalAddress(a *Address, field string) error {
	if a == nil {
		return nil
	}
	return c.checkAddress(*a, field)
}

// RunExecute executes a decoded message. It fails with an [*Error] if the contract
// refuses the message. After a failure the response has at most the decision, and the
// caller must discard the transaction, because RunExecute may have written to t.
func (c Contract) RunExecute(t kv.Txn, env Env, info Info, msg ExecuteMsg) (Response, error) {
	x := c.newExecution(t, env, info)
	decision, err := msg.decide(&x.call)
	if err != nil {
		return Response{}, err
	}
	x.response.Decision = decision
	if !decision.Allowed {
		return x.response, decision.Refusal
	}

	if err := msg.execute(x); err != nil {
		return Response{Decision: decision}, err
	}
	return x.response, nil
}

// RunQuery answers a decoded query with compact JSON.
func (c Contract) RunQuery(r kv.Reader, env Env, msg QueryMsg) ([]byte, error) {
	answer, err := msg.answer(&call{Contract: c, reader: r, env: env})
	if err != nil {
		return nil, err
	}
	return wire.EncodeWithout(c.ruleSet().absentNames, answer), nil
}

// call is one call of the contract: the sender of a message, the block in which it runs,
// and the store with the contract's records. A query has no sender.
type call struct {
	Contract
	reader kv.Reader
	env    Env
	sender Address

	// loadedToken is the token that loadToken read last, nil if it has read none.
	loadedToken   *Token
	loadedTokenID string
}

// execution is a call that may write records, for an instantiate or execute message.
type execution struct {
	call
	writer kv.Writer
	// response collects what the message does. Its Decision allowed the message.
	response Response
}

// newExecution returns the execution of a message that reads from t and writes to it.
func (c Contract) newExecution(t kv.Txn, env Env, info Info) *execution {
	return &execution{
		call:   call{Contract: c, reader: t, env: env, sender: info.Sender},
		writer: t,
	}
}
