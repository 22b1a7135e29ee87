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
	Height  uint64 // the height of the block
	Time    uint64 // the time of the block, in nanoseconds since 1970
	ChainID string // the name of the chain, such as "osmosis-1"
	Self    string // the contract's address
	Creator string // the account that instantiated the contract; contracts can query it
	// Debug is called with each line that the contract logs. It can be nil.
	Debug func(line string)
	// StorageBytes counts the bytes that the contract has passed to the storage in a
	// transaction. All calls of the transaction share it. If it is nil, the call has a count
	// of its own.
	StorageBytes *int
}

// Response is the answer of a contract to a message that it accepted. The contract's answer
// also has events and data, which are not read.
type Response struct {
	Messages []SubMessage `json:"messages"` // what the contract asks the chain to deliver
	// Attributes describe what the message did.
	Attributes []Attribute `json:"attributes"`
}

// SubMessage is a message that the contract asks the chain to deliver.
type SubMessage struct {
	// ID is the contract's number for the message. It comes back with the [Reply].
	ID uint64 `json:"id"`
	// Msg is the message in the chain's form, such as {"wasm":{"execute":{…}}}.
	Msg     jsontext.Value `json:"msg"`
	Payload []byte         `json:"payload"` // data of the contract that also comes back with the reply
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
	ID      uint64 // the ID of the [SubMessage]
	Payload []byte // the Payload of the SubMessage
	Refusal string // why the message was refused; "" if it was accepted
}
