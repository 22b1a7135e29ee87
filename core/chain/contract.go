package chain

import (
	"cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// Contract is the code that a chain runs: the built-in contract, which is package cw721, or a
// compiled one, which package wasm runs. Its methods fail with a [*cw721.Error] if the contract
// refuses the message. Any other error is trouble with the store or with the code.
type Contract interface {
	Instantiate(call) (Answer, error)
	Execute(call) (Answer, error)
	Query(reader kv.Reader, env cw721.Env, msg Message) ([]byte, error)

	// resolveNames returns the message in a JSON text, with addresses in place of "$names". It
	// fails with a [*wire.UnknownNameError]. It accepts a text that cannot be decoded, which
	// the other methods refuse.
	resolveNames(kind messageKind, text []byte, names cw721.NameLookup) (Message, error)
}

// call is one call of a [Contract] by a message.
type call struct {
	txn  kv.Txn // the contract's records
	env  cw721.Env
	info cw721.Info
	msg  Message
}

// Message is a message to a [Contract], as JSON and perhaps also decoded.
type Message struct {
	JSON []byte // the message as sent, with addresses in place of "$names"
	// IgnoredMembers are the members that the contract does not know and ignores.
	IgnoredMembers []cw721.IgnoredMember
	// decoded is the same message as a type of package cw721. It is nil if the message has
	// not been decoded.
	decoded any
}

// compiledContract is a [compiled] or a [comparedContract], which have more entry points than
// the built-in contract.
type compiledContract interface {
	Contract
	migrate(call) (Answer, error)
	reply(txn kv.Txn, env cw721.Env, r wasm.Reply) (Answer, error)
}

// Answer is the answer of a contract to a message that it executed.
type Answer struct {
	cw721.Response
	// submessages are the messages that a compiled contract sends, in the order of Messages,
	// with the outcomes about which the contract gets a reply. They are nil for the built-in
	// contract, which gets no replies.
	submessages []wasm.SubMessage
}

// Code executes decoded messages. It is a [cw721.Contract], or a mutant of it, which is the
// contract with one deliberate mistake.
type Code interface {
	RunInstantiate(
		txn kv.Txn,
		env cw721.Env,
		info cw721.Info,
		msg *cw721.InstantiateMsg,
	) (cw721.Response, error)
	RunExecute(
		txn kv.Txn,
		env cw721.Env,
		info cw721.Info,
		msg cw721.ExecuteMsg,
	) (cw721.Response, error)
	Decide(
		reader kv.Reader,
		env cw721.Env,
		info cw721.Info,
		msg cw721.ExecuteMsg,
	) (*cw721.Decision, error)
	RunQuery(reader kv.Reader, env cw721.Env, msg cw721.QueryMsg) ([]byte, error)
}

type messageKind uint8

// The kinds of message, by the entry point of the contract that they are for.
const (
	instantiateMessage messageKind = iota
	executeMessage
	queryMessage
)

// builtIn adapts the contract of package cw721 to the interface [Contract].
type builtIn struct {
	cw721.Contract           // decodes the messages
	code           Code      // executes them: the same contract, or a mutant of it
	meta           kv.Reader // the chain's own records
}

func (b builtIn) Instantiate(c call) (Answer, error) {
	decoded, err := decodeMessage(c.msg, b.DecodeInstantiate)
	if err != nil {
		return Answer{}, err
	}
	response, err := b.code.RunInstantiate(c.txn, c.env, c.info, decoded)
	return Answer{Response: response}, err
}

func (b builtIn) Execute(c call) (Answer, error) {
	decoded, err := decodeMessage(c.msg, b.DecodeExecute)
	if err != nil {
		return Answer{}, err
	}
	response, err := b.code.RunExecute(c.txn, c.env, c.info, decoded)
	return Answer{Response: response}, err
}

// Query takes the account that instantiated the contract, which two answers name, from the chain's
// records.
func (b builtIn) Query(reader kv.Reader, env cw721.Env, msg Message) ([]byte, error) {
	decoded, err := decodeMessage(msg, b.DecodeQuery)
	if err != nil {
		return nil, err
	}
	switch decoded.(type) {
	case *cw721.GetAllInfo, *cw721.GetConfig:
		env.Instantiator, _, err = instantiatorItem.Load(b.meta)
		if err != nil {
			return nil, err
		}
	}
	return b.code.RunQuery(reader, env, decoded)
}

// decodeMessage decodes the JSON unless the message has been decoded before.
func decodeMessage[M any](
	msg Message,
	decode func([]byte, cw721.NameLookup) (M, cw721.DecodeInfo, error),
) (M, error) {
	if decoded, isDecoded := msg.decoded.(M); isDecoded {
		return decoded, nil
	}
	decoded, _, err := decode(msg.JSON, nil)
	return decoded, err
}

// resolveNames replaces each "$name" where the message must have an address.
func (b builtIn) resolveNames(kind messageKind, text []byte, names cw721.NameLookup) (Message, error) {
	var (
		decoded any
		info    cw721.DecodeInfo
		err     error
	)
	switch kind {
	case instantiateMessage:
		decoded, info, err = b.DecodeInstantiate(text, names)
	case executeMessage:
		decoded, info, err = b.DecodeExecute(text, names)
	case queryMessage:
		decoded, info, err = b.DecodeQuery(text, names)
	}

	msg := Message{JSON: text, IgnoredMembers: info.IgnoredMembers}
	if cw721.AsError(err) != nil {
		return msg, nil // the contract refuses it
	}
	if err != nil {
		return msg, err
	}
	msg.decoded = decoded
	if info.HasNames {
		msg.JSON = cw721.Encode(decoded)
	}
	return msg, nil
}

// readMessage is [Contract.resolveNames] with the names of a book. It also fails with the store's
// errors.
func readMessage(contract Contract, kind messageKind, text []byte, book Book) (Message, error) {
	var storeErr error
	msg, err := contract.resolveNames(kind, text, book.nameLookup(&storeErr))
	return msg, cmp.Or(storeErr, err)
}
