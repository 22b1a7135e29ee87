// Package wasm runs a compiled CosmWasm contract as a chain's VM does.
//
// A contract is a WebAssembly module. It exchanges JSON with its host through regions of
// its memory, and reaches its storage, addresses and other contracts through functions of
// the host (interface version 8, which is CosmWasm 1.0 and later). A [Contract] runs such
// a module over any store of package kv. Messages and responses are JSON as the chain and
// the contract write it.
//
// Every call begins with the same memory of the contract, as on a chain, where no call
// sees what another one left. See [Contract.Execute] for what can go wrong.
//
// The package must never know what a message means. The block and the sender come with
// each call.
package wasm

import "github.com/go-json-experiment/json/jsontext"

// Env describes the chain around a call.
type Env struct {
	Height  uint64
	Time    uint64 // nanoseconds since 1970
	ChainID string
	Self    string // the contract's address
	Creator string // instantiated the contract; contracts can query it
	// Debug, which can be nil, is called with each line that the contract logs.
	Debug func(line string)
	// Held counts the bytes that a transaction has passed to the storage. All calls of
	// the transaction share it; nil counts one call alone.
	Held *int
}

// Response is the answer of a contract to a message that it accepted. Its events and its
// data are not read.
type Response struct {
	Messages   []SubMessage `json:"messages"`
	Attributes []Attribute  `json:"attributes"`
}

// SubMessage is a message that the contract asks the chain to deliver.
type SubMessage struct {
	ID  uint64         `json:"id"`
	Msg jsontext.Value `json:"msg"` // {"wasm":{"execute":{…}}}, {"bank":…}
	// Payload comes back with the reply.
	Payload []byte `json:"payload"`
	// ReplyOn is when the contract gets a [Reply]: "always", "success", "error" or
	// "never".
	ReplyOn string `json:"reply_on"`
}

// Attribute is a key and a value that a message reports.
type Attribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Reply reports to a contract what became of a message that it sent.
type Reply struct {
	ID      uint64 // of the [SubMessage]
	Payload []byte // of the SubMessage
	Refusal string // why the message was refused; "" if it was accepted
}
