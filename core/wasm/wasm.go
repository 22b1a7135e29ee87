// Package wasm runs a compiled CosmWasm contract as a chain's VM does.
//
// A contract is a WebAssembly module that speaks JSON with its host through
// regions of its memory, and that reaches its storage, addresses and other
// contracts through functions that the host gives it (interface version 8,
// which is CosmWasm 1.0 and later). A [Contract] runs such a module over any
// store of package kv: what comes in and goes out is JSON as the chain and the
// contract write it.
//
// Every call begins in the same state of the contract's memory, as on a chain,
// where no call can see what another left. See [Contract.Execute] for what can
// go wrong.
//
// The package must never know what a message means, which block it is and who
// acts: that is said to it with each call.
package wasm

import "github.com/go-json-experiment/json/jsontext"

// Env is what a call is told about the chain around it.
type Env struct {
	Height  uint64
	Time    uint64 // nanoseconds since 1970
	ChainID string
	Self    string // the contract's address
	Creator string // who instantiated it; contracts can query it
	// Debug is called with each line that the contract logs; it can be nil.
	Debug func(line string)
	// Held counts the bytes that a transaction has handed over to the storage. All
	// calls of the transaction share it; nil counts for one call.
	Held *int
}

// Response is what a contract answers to a message that it carried out.
type Response struct {
	Messages   []SubMessage `json:"messages"`
	Attributes []Attribute  `json:"attributes"`
	Events     []Event      `json:"events"`
	Data       []byte       `json:"data"`
}

// SubMessage is a message that the contract asks the chain to deliver.
type SubMessage struct {
	ID  uint64         `json:"id"`
	Msg jsontext.Value `json:"msg"` // {"wasm":{"execute":{…}}}, {"bank":…}
	// Payload comes back with the reply.
	Payload []byte `json:"payload"`
	// ReplyOn says when the contract wants a [Reply]: "always", "success",
	// "error" or "never".
	ReplyOn string `json:"reply_on"`
}

// Attribute is one key and value of what a message reports.
type Attribute struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Event is a group of attributes under a type of the contract's choice.
type Event struct {
	Type       string      `json:"type"`
	Attributes []Attribute `json:"attributes"`
}

// Reply tells a contract how a message that it sent went.
type Reply struct {
	ID      uint64      `json:"id"`
	Payload []byte      `json:"payload"`
	GasUsed uint64      `json:"gas_used"`
	Result  ReplyResult `json:"result"`
}

// ReplyResult has one of both.
type ReplyResult struct {
	Ok    *ReplyOk `json:"ok,omitempty"`
	Error string   `json:"error,omitempty"`
}

// ReplyOk is what the message did.
type ReplyOk struct {
	Events       []Event          `json:"events"`
	Data         []byte           `json:"data,omitempty"`
	MsgResponses []jsontext.Value `json:"msg_responses"`
}
