package cw721

import "ephemera/core/wire"

// EventAttribute is one key and value of what a message reports.
type EventAttribute struct {
	Key   string `wire:"key"`
	Value string `wire:"value"`
}

// Response is what the contract answers to a message that it carried out.
type Response struct {
	Attributes []EventAttribute `wire:"attributes"`
	Messages   []OutMsg         `wire:"messages"`
}

// OutMsg is a message that the contract asks the chain to deliver: exactly one
// of the three is set.
type OutMsg struct {
	Wasm *WasmExecute
	Bank *BankSend
	// Other is any other message as JSON, of a compiled contract.
	Other []byte
}

// WasmExecute calls another contract (send_nft, spec §5).
type WasmExecute struct {
	Contract Address `wire:"contract_addr"`
	Msg      Binary  `wire:"msg"`
	Funds    []Coin  `wire:"funds"`
}

// BankSend pays coins to an account (withdraw_funds, spec §5.3).
type BankSend struct {
	To     Address `wire:"to_address"`
	Amount []Coin  `wire:"amount"`
}

// Coin is an amount of one denomination, in its smallest unit. It is the chain's
// type and not the contract's, and passes over members that it does not know.
type Coin struct {
	_ struct{} `wire:"lenient"`

	Denom  string  `wire:"denom"`
	Amount Uint128 `wire:"amount"`
}

// AppendWire writes the message as the chain takes it.
func (m OutMsg) AppendWire(dst []byte) []byte {
	if m.Other != nil {
		return append(dst, m.Other...)
	}
	if m.Wasm != nil {
		dst = append(dst, `{"wasm":{"execute":`...)
		dst = wire.Append(dst, *m.Wasm)
	} else {
		dst = append(dst, `{"bank":{"send":`...)
		dst = wire.Append(dst, *m.Bank)
	}
	return append(dst, "}}"...)
}

// receiveNft is the body that send_nft delivers.
type receiveNft struct {
	Sender  Address `wire:"sender"`
	TokenID string  `wire:"token_id"`
	Msg     Binary  `wire:"msg"`
}

// report adds attributes in pairs of key and value.
func (x *exec) report(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		x.response.Attributes = append(x.response.Attributes, EventAttribute{pairs[i], pairs[i+1]})
	}
}

// act begins a response the way most messages do.
func (x *exec) act(action string, pairs ...string) {
	x.report(append([]string{"action", action, "sender", string(x.sender)}, pairs...)...)
}
