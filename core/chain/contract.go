package chain

import (
	"bytes"
	"cmp"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wasm"
)

// Contract is the code that a chain runs: messages and answers in JSON, over a
// store. It is either the contract that is built in, which is package cw721, or
// a compiled one, which package wasm runs; what fails is a [*cw721.Error] where
// the contract refuses, and trouble otherwise.
type Contract interface {
	Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg []byte) (Answer, error)
	Execute(t kv.Txn, env cw721.Env, info cw721.Info, msg []byte) (Answer, error)
	Query(r kv.Reader, env cw721.Env, msg []byte) ([]byte, error)

	// read gives a message as it is sent, with addresses in the place of
	// "$names", and the members that the contract passes over. A message that
	// cannot be read is left as it is, for the contract to refuse.
	read(kind messageKind, msg []byte, names cw721.NameLookup) (sent []byte, ignored []cw721.IgnoredMember, err error)
}

// hosted is a compiled contract, compared with the built-in one or not.
type hosted interface {
	Contract
	migrate(t kv.Txn, env cw721.Env, info cw721.Info, msg []byte) (Answer, error)
	reply(t kv.Txn, env cw721.Env, r wasm.Reply) (Answer, error)
}

// Answer is what a contract answers to a message that it carried out.
type Answer struct {
	cw721.Response
	// submessages are what a compiled contract sends, in the order of Messages:
	// they say which of them it wants to hear of. The contract that is built in
	// wants to hear of none.
	submessages []wasm.SubMessage
}

type messageKind uint8

const (
	instantiateMessage messageKind = iota
	executeMessage
	queryMessage
)

// builtIn is package cw721 as a Contract.
type builtIn struct {
	cw721.Contract
	meta kv.Reader
}

func (b builtIn) Instantiate(t kv.Txn, env cw721.Env, info cw721.Info, msg []byte) (Answer, error) {
	r, err := b.Contract.Instantiate(t, env, info, msg)
	return Answer{Response: r}, err
}

func (b builtIn) Execute(t kv.Txn, env cw721.Env, info cw721.Info, msg []byte) (Answer, error) {
	r, err := b.Contract.Execute(t, env, info, msg)
	return Answer{Response: r}, err
}

func (b builtIn) Query(r kv.Reader, env cw721.Env, msg []byte) ([]byte, error) {
	q, _, err := b.DecodeQuery(msg, nil)
	if err != nil {
		return nil, err
	}
	switch q.(type) {
	case *cw721.GetAllInfo, *cw721.GetConfig: // no other query tells who it was
		if env.Instantiator, _, err = instantiatorItem.Load(b.meta); err != nil {
			return nil, err
		}
	}
	return b.RunQuery(r, env, q)
}

// read replaces a name where the type is an address.
func (b builtIn) read(kind messageKind, msg []byte, names cw721.NameLookup) ([]byte, []cw721.IgnoredMember, error) {
	var (
		decoded any
		read    cw721.DecodeInfo
		err     error
	)
	switch kind {
	case instantiateMessage:
		decoded, read, err = b.DecodeInstantiate(msg, names)
	case executeMessage:
		decoded, read, err = b.DecodeExecute(msg, names)
	case queryMessage:
		decoded, read, err = b.DecodeQuery(msg, names)
	}
	switch {
	case cw721.AsError(err) != nil:
		return msg, read.IgnoredMembers, nil
	case err != nil || !read.HasNames:
		return msg, read.IgnoredMembers, err
	}
	return cw721.Encode(decoded), read.IgnoredMembers, nil
}

// read gives a message as it is sent by the accounts' names. It fails for a name
// that nobody has ([*wire.UnknownNameError]), and as the store does.
func read(c Contract, kind messageKind, msg []byte, book Book) ([]byte, []cw721.IgnoredMember, error) {
	b, isBuiltIn := c.(builtIn)
	// Most messages hold no name, and are not read twice to find that out.
	if !bytes.ContainsAny(msg, `$\`) && !(isBuiltIn && b.Rules.IgnoresUnknownMembers()) {
		return msg, nil, nil
	}
	var fault error
	sent, ignored, err := c.read(kind, msg, book.lookup(&fault))
	return sent, ignored, cmp.Or(fault, err)
}
