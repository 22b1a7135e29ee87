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

// Env is the chain around a call.
type Env struct {
	Height  uint64            // the height of the block
	Time    uint64            // the time of the block, in nanoseconds since 1970
	ChainID string            // the name of the chain, such as "osmosis-1"
	Self    string            // the contract's address
	Creator string            // the account that instantiated the contract; contracts can query it
	Debug   func(line string) // called with each line that the contract logs; can be nil
	// StorageBytes counts the bytes that all calls of a transaction pass to the storage. If it
	// is nil, the call has a count of its own.
	StorageBytes *int
}

// Response is the answer of a contract to a message that it accepted, without the events and
// data.
type Response struct {
	Messages   []SubMessage `json:"messages"`   // what the contract asks the chain to deliver
	Attributes []Attribute  `json:"attributes"` // what the message did
}

// SubMessage is a message that the contract asks the chain to deliver.
type SubMessage struct {
	ID      uint64         `json:"id"`       // comes back with the [Reply]
	Msg     jsontext.Value `json:"msg"`      // in the chain's form, such as {"wasm":{"execute":{…}}}
	Payload []byte         `json:"payload"`  // comes back with the Reply, too
	ReplyOn string         `json:"reply_on"` // "always", "success", "error" or "never"
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
