package cw721

import (
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Flavour names one of two variants of the contract. They differ in what the extension of a
// token can hold (spec §1).
type Flavour string

// The two flavours. The comments say what the extension of a token can hold.
const (
	FlavourOnchain Flavour = "metadata-onchain" // [Metadata]; the default
	FlavourBase    Flavour = "base"             // no metadata: null, or an object without members
)

// IsKnown reports whether f is one of the two flavours.
func (f Flavour) IsKnown() bool { return f == FlavourOnchain || f == FlavourBase }

// Contract is the code of a collection. It holds no records: every method works on the
// store that it is given.
type Contract struct {
	Rules   Rules   // names the version of the contract that this one behaves like
	Flavour Flavour // says what the extension of a token can hold
	// Prefix is the chain's bech32 prefix, such as "cosmos". Addresses with another one are
	// refused.
	Prefix string
}

func (c Contract) checkAddress(address Address, field string) error {
	if err := ValidateAddress(c.Prefix, address); err != nil {
		return AsError(err).withField(field)
	}
	return nil
}

// checkOptionalAddress is [Contract.checkAddress] for a member that can be nil.
func (c Contract) checkOptionalAddress(address *Address, field string) error {
	if address == nil {
		return nil
	}
	return c.checkAddress(*address, field)
}

// RunExecute executes a decoded message. It fails with an [*Error] if the contract refuses
// the message. After a failure, the response has only the decision, if there was one, and
// the caller must discard what was written to txn.
func (c Contract) RunExecute(txn kv.Txn, env Env, info Info, msg ExecuteMsg) (Response, error) {
	exec := c.newExecution(txn, env, info)
	decision, err := exec.decide(msg)
	if err != nil {
		return Response{}, err
	}
	exec.response.Decision = decision
	if !decision.Allowed {
		return exec.response, decision.Refusal
	}

	if err := msg.execute(exec); err != nil {
		return Response{Decision: decision}, err
	}
	return exec.response, nil
}

// RunQuery answers a decoded query with compact JSON.
func (c Contract) RunQuery(reader kv.Reader, env Env, msg QueryMsg) ([]byte, error) {
	query := &call{Contract: c, reader: reader, env: env}
	answer, err := msg.answer(query)
	if token := query.loadedToken; token != nil {
		if refusal := c.ruleSet().refusalOf(token, msg); refusal != nil {
			return nil, refusal
		}
	}
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

	loadedToken   *Token // that loadToken read last; nil for none
	loadedTokenID string // the id of that token
}

// execution is a call that may write records, for an instantiate or execute message.
type execution struct {
	call
	writer   kv.Writer
	response Response // collects what the message does; its Decision allowed the message
}

func (c Contract) newExecution(txn kv.Txn, env Env, info Info) *execution {
	return &execution{
		call:   call{Contract: c, reader: txn, env: env, sender: info.Sender},
		writer: txn,
	}
}
