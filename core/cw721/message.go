package cw721

import (
	"ephemera/core/wire"
)

// InstantiateMsg creates a collection (spec §4).
type InstantiateMsg struct {
	Name            string                  `wire:"name"`
	Symbol          string                  `wire:"symbol"`
	Extension       *CollectionExtensionMsg `wire:"collection_info_extension"`
	Minter          *Address                `wire:"minter"`
	Creator         *Address                `wire:"creator"`
	WithdrawAddress *Address                `wire:"withdraw_address"`
}

// ExecuteMsg is one of the messages that change a collection. The types that
// implement it are all in this package; [Rules.ExecuteNames] lists them.
type ExecuteMsg interface {
	// execute carries the message out, once decide has allowed it.
	execute(x *execution) error
	// decide tells whether the sender may, and why. It fails with an [*Error]
	// when the question cannot be asked, as for a token that is not there.
	decide(c *call) (*Decision, error)
}

// The execute messages on tokens (spec §5).
type (
	// TransferNft gives a token to another owner.
	TransferNft struct {
		Recipient Address `wire:"recipient"`
		TokenID   string  `wire:"token_id"`
	}
	// SendNft gives a token to a contract and tells it so.
	SendNft struct {
		Contract Address `wire:"contract"`
		TokenID  string  `wire:"token_id"`
		Msg      Binary  `wire:"msg"`
	}
	// Approve lets a spender move one token.
	Approve struct {
		Spender Address     `wire:"spender"`
		TokenID string      `wire:"token_id"`
		Expires *Expiration `wire:"expires"`
	}
	// Revoke takes an approval back.
	Revoke struct {
		Spender Address `wire:"spender"`
		TokenID string  `wire:"token_id"`
	}
	// ApproveAll lets an operator act on all tokens of the sender.
	ApproveAll struct {
		Operator Address     `wire:"operator"`
		Expires  *Expiration `wire:"expires"`
	}
	// RevokeAll takes an operator's right back.
	RevokeAll struct {
		Operator Address `wire:"operator"`
	}
	// Burn deletes a token.
	Burn struct {
		TokenID string `wire:"token_id"`
	}
	// Mint makes a token (spec §5.1).
	Mint struct {
		TokenID   string    `wire:"token_id"`
		Owner     Address   `wire:"owner"`
		TokenURI  *string   `wire:"token_uri"`
		Extension Extension `wire:"extension,optional"`
	}
	// UpdateNftInfo changes a token's URI and extension (spec §5.2).
	UpdateNftInfo struct {
		TokenID   string    `wire:"token_id"`
		TokenURI  *string   `wire:"token_uri"`
		Extension Extension `wire:"extension,optional"`
	}
)

// The execute messages on the collection and its roles (spec §5.3, §6, §7).
type (
	// UpdateCollectionInfo changes what is given of the collection.
	UpdateCollectionInfo struct {
		CollectionInfo CollectionInfoMsg `wire:"collection_info"`
	}
	// CollectionInfoMsg is what update_collection_info can change.
	CollectionInfoMsg struct {
		Name      *string                 `wire:"name"`
		Symbol    *string                 `wire:"symbol"`
		Extension *CollectionExtensionMsg `wire:"extension"`
	}
	// UpdateMinterOwnership offers, accepts or renounces the minter role.
	UpdateMinterOwnership struct{ OwnershipAction }
	// UpdateCreatorOwnership does the same with the creator role.
	UpdateCreatorOwnership struct{ OwnershipAction }
	// UpdateOwnership is the deprecated name of [UpdateMinterOwnership].
	UpdateOwnership struct{ UpdateMinterOwnership }
	// AddMinter lets another account mint (spec §14).
	AddMinter struct {
		Minter Address `wire:"minter"`
	}
	// RemoveMinter takes that back.
	RemoveMinter struct {
		Minter Address `wire:"minter"`
	}
	// SetWithdrawAddress says where withdraw_funds pays to.
	SetWithdrawAddress struct {
		Address Address `wire:"address"`
	}
	// RemoveWithdrawAddress forgets it.
	RemoveWithdrawAddress struct{}
	// WithdrawFunds pays coins of the contract to the withdraw address.
	WithdrawFunds struct {
		Amount Coin `wire:"amount"`
	}
	// UpdateExtension does nothing, in this contract.
	UpdateExtension struct {
		Msg Empty `wire:"msg"`
	}
)

// OwnershipAction is what happens to a role (spec §6). Transfer is set for an
// offer; otherwise Name is accept_ownership or renounce_ownership.
type OwnershipAction struct {
	Name     string
	Transfer *TransferOwnership
}

// TransferOwnership offers a role. The offer lapses at its expiry.
type TransferOwnership struct {
	NewOwner Address     `wire:"new_owner"`
	Expiry   *Expiration `wire:"expiry"`
}

// The names of the ownership actions.
const (
	actionTransfer = "transfer_ownership"
	actionAccept   = "accept_ownership"
	actionRenounce = "renounce_ownership"
)

// Accept and Renounce are the two actions without fields.
var (
	Accept   = OwnershipAction{Name: actionAccept}
	Renounce = OwnershipAction{Name: actionRenounce}
)

// Offer is the action that offers a role until expiry, nil for no end.
func Offer(to Address, expiry *Expiration) OwnershipAction {
	return OwnershipAction{actionTransfer, &TransferOwnership{to, expiry}}
}

var ownershipActions = []wire.Variant{
	{Name: actionTransfer, New: func() any { return new(TransferOwnership) }},
	{Name: actionAccept, New: func() any { return new(bareWord) }},
	{Name: actionRenounce, New: func() any { return new(bareWord) }},
}

// bareWord is a variant that must be written as a string, never as an object.
type bareWord struct{}

// DecodeWire always fails: it is only reached in the object form.
func (bareWord) DecodeWire(d *wire.Decoder) error {
	return d.Fail("Invalid type", `expected the word itself as a string, "accept_ownership" or "renounce_ownership"`)
}

// DecodeWire reads a bare word or an offer.
func (a *OwnershipAction) DecodeWire(d *wire.Decoder) error {
	if d.Kind() == '"' {
		s, err := d.Text("an ownership action")
		if err != nil {
			return err
		}
		switch s {
		case actionAccept, actionRenounce:
			a.Name = s
			return nil
		case actionTransfer:
			return d.Fail("Invalid type", `expected {"transfer_ownership":{"new_owner":…}}`)
		}
		return d.FailUnknown("variant", s, []string{actionTransfer, actionAccept, actionRenounce}, "")
	}
	v, err := d.OneOf("ownership action", ownershipActions)
	if err != nil {
		return err
	}
	a.Name, a.Transfer = actionTransfer, v.(*TransferOwnership)
	return nil
}

// WireValue is written as a bare word or an offer.
func (a OwnershipAction) WireValue() any {
	if a.Transfer == nil {
		return a.Name
	}
	return struct {
		Transfer *TransferOwnership `wire:"transfer_ownership"`
	}{a.Transfer}
}

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
	ToAddress Address `wire:"to_address"`
	Amount    []Coin  `wire:"amount"`
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

// receiveMsg is the message that send_nft delivers to the receiving contract.
type receiveMsg struct {
	ReceiveNft receiveNft `wire:"receive_nft"`
}

type receiveNft struct {
	// Sender is the account that sent the token, maybe an operator of its owner.
	Sender  Address `wire:"sender"`
	TokenID string  `wire:"token_id"`
	Msg     Binary  `wire:"msg"`
}

// addAttributes adds attributes in pairs of key and value.
func (x *execution) addAttributes(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		x.response.Attributes = append(x.response.Attributes, EventAttribute{pairs[i], pairs[i+1]})
	}
}

// addActionAttributes begins a response the way most messages do.
func (x *execution) addActionAttributes(action string, pairs ...string) {
	x.addAttributes(append([]string{"action", action, "sender", string(x.sender)}, pairs...)...)
}
