package cw721

import (
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Flavour names the form of a token's extension (spec §1).
type Flavour string

// The two flavours.
const (
	FlavourOnchain Flavour = "metadata-onchain" // [Metadata]; the default
	FlavourBase    Flavour = "base"             // nothing, or an empty object
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

// codeName returns the name that cw2 stores for the code.
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

// RunExecute executes a decoded message. A refusal is an [*Error]. If RunExecute
// fails, it may have written to t, and the caller must discard the transaction. Of the
// response only the decision is set then.
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

// call is the handling of one message: the contract, what the message reads from
// and who sent it.
type call struct {
	Contract
	reader kv.Reader
	env    Env
	sender Address

	// loadedToken is the token that the message names, nil until loadToken has
	// read it.
	loadedToken   *Token
	loadedTokenID string
}

// execution is a call that writes: an instantiate or an execute message.
type execution struct {
	call
	writer kv.Writer
	// response is what the message has brought about so far. Its decision allowed the
	// message.
	response Response
}

// newExecution returns an execution that reads from and writes to t.
func (c Contract) newExecution(t kv.Txn, env Env, info Info) *execution {
	return &execution{
		call:   call{Contract: c, reader: t, env: env, sender: info.Sender},
		writer: t,
	}
}
