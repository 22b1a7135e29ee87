package cw721

import (
	"reflect"
	"slices"

	"ephemera/core/wire"
)

// InstantiateMsg creates a collection (spec §4). The sender gets the roles for which the message
// names no other account.
type InstantiateMsg struct {
	Name            string                  `wire:"name"`
	Symbol          string                  `wire:"symbol"`
	Extension       *CollectionExtensionMsg `wire:"collection_info_extension"`
	Minter          *Address                `wire:"minter"`
	Creator         *Address                `wire:"creator"`
	WithdrawAddress *Address                `wire:"withdraw_address"`
}

// ExecuteMsg is a message that changes a collection. All of its implementations are
// in this package; [Rules.ExecuteNames] lists them.
type ExecuteMsg interface {
	// execute carries out the message after the decision has allowed it.
	execute(exec *execution) error
}

// The execute messages on tokens (spec §5).
type (
	// TransferNft gives a token to another owner.
	TransferNft struct {
		Recipient Address `wire:"recipient"`
		TokenID   string  `wire:"token_id"`
	}
	// SendNft gives a token to a contract and sends the contract a message.
	SendNft struct {
		Contract Address `wire:"contract"`
		TokenID  string  `wire:"token_id"`
		Msg      Binary  `wire:"msg"`
	}
	// Approve permits a spender to move one token.
	Approve struct {
		Spender Address     `wire:"spender"`
		TokenID string      `wire:"token_id"`
		Expires *Expiration `wire:"expires"`
	}
	// Revoke removes a spender's approval of one token.
	Revoke struct {
		Spender Address `wire:"spender"`
		TokenID string  `wire:"token_id"`
	}
	// ApproveAll permits an operator to act on all tokens of the sender.
	ApproveAll struct {
		Operator Address     `wire:"operator"`
		Expires  *Expiration `wire:"expires"`
	}
	// RevokeAll removes an operator of the sender.
	RevokeAll struct {
		Operator Address `wire:"operator"`
	}
	// Burn deletes a token.
	Burn struct {
		TokenID string `wire:"token_id"`
	}
	// Mint creates a token (spec §5.1).
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
	// UpdateCollectionInfo changes the given members of the collection.
	UpdateCollectionInfo struct {
		CollectionInfo CollectionInfoMsg `wire:"collection_info"`
	}
	// CollectionInfoMsg holds the new values of update_collection_info; nil is none.
	CollectionInfoMsg struct {
		Name      *string                 `wire:"name"`
		Symbol    *string                 `wire:"symbol"`
		Extension *CollectionExtensionMsg `wire:"extension"`
	}
	// UpdateMinterOwnership offers, accepts or renounces the minter role.
	UpdateMinterOwnership struct{ OwnershipAction }
	// UpdateCreatorOwnership offers, accepts or renounces the creator role.
	UpdateCreatorOwnership struct{ OwnershipAction }
	// UpdateOwnership is the deprecated name of [UpdateMinterOwnership].
	UpdateOwnership struct{ UpdateMinterOwnership }
	// AddMinter permits an account to mint besides the minter (spec §14).
	AddMinter struct {
		Minter Address `wire:"minter"`
	}
	// RemoveMinter removes an account that [AddMinter] added.
	RemoveMinter struct {
		Minter Address `wire:"minter"`
	}
	// SetWithdrawAddress sets the address that withdraw_funds pays to.
	SetWithdrawAddress struct {
		Address Address `wire:"address"`
	}
	// RemoveWithdrawAddress removes the address that withdraw_funds pays to.
	RemoveWithdrawAddress struct{}
	// WithdrawFunds pays coins of the contract to the withdraw address.
	WithdrawFunds struct {
		Amount Coin `wire:"amount"`
	}
	// UpdateExtension is for contracts that extend this one. It has no effect.
	UpdateExtension struct {
		Msg Empty `wire:"msg"`
	}
)

// OwnershipAction is an action on a role (spec §6).
type OwnershipAction struct {
	Name     string             // transfer_ownership, accept_ownership or renounce_ownership
	Transfer *TransferOwnership // the offer of transfer_ownership, nil for the other actions
}

// TransferOwnership offers a role to another account until the offer expires.
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

// Accept and Renounce are the ownership actions without members.
var (
	Accept   = OwnershipAction{Name: actionAccept}
	Renounce = OwnershipAction{Name: actionRenounce}
)

// Offer returns the action that offers a role to an account. A nil expiry never expires.
func Offer(account Address, expiry *Expiration) OwnershipAction {
	return OwnershipAction{
		Name:     actionTransfer,
		Transfer: &TransferOwnership{NewOwner: account, Expiry: expiry},
	}
}

// RoleMessage returns the message that acts on a role, [RuleMinter] or [RuleCreator].
func RoleMessage(role Rule, action OwnershipAction) ExecuteMsg {
	if role == RuleCreator {
		return &UpdateCreatorOwnership{OwnershipAction: action}
	}
	return &UpdateMinterOwnership{OwnershipAction: action}
}

// ownershipActions are the actions on a role. Only an offer is an object in JSON.
var ownershipActions = []wire.Variant{
	variantOf[TransferOwnership](actionTransfer),
	variantOf[stringOnlyAction](actionAccept),
	variantOf[stringOnlyAction](actionRenounce),
}

// stringOnlyAction is the type of an ownership action that must be a bare string in JSON,
// such as "accept_ownership".
type stringOnlyAction struct{}

// DecodeWire always fails, for an object such as {"accept_ownership":{}}.
func (stringOnlyAction) DecodeWire(decoder *wire.Decoder) error {
	hint := `expected the word itself as a string, "accept_ownership" or "renounce_ownership"`
	return decoder.Fail("Invalid type", hint)
}

// DecodeWire reads an offer as an object, and the other actions as strings.
func (a *OwnershipAction) DecodeWire(decoder *wire.Decoder) error {
	if decoder.Kind() != '"' { // the kind of a string
		offer, err := decoder.ReadVariant("ownership action", ownershipActions)
		if err != nil {
			return err
		}
		*a = OwnershipAction{actionTransfer, offer.(*TransferOwnership)} // the others are refused as objects
		return nil
	}

	name, err := decoder.Text("an ownership action")
	if err != nil {
		return err
	}

	switch name {
	case actionAccept, actionRenounce:
		a.Name = name
		return nil
	case actionTransfer:
		return decoder.Fail("Invalid type", `expected {"transfer_ownership":{"new_owner":…}}`)
	}
	knownNames := []string{actionTransfer, actionAccept, actionRenounce}
	return decoder.FailUnknown("variant", name, knownNames, "")
}

// WireValue returns a string, or an object for an offer.
func (a OwnershipAction) WireValue() any {
	if a.Transfer == nil {
		return a.Name
	}
	return struct {
		Transfer *TransferOwnership `wire:"transfer_ownership"`
	}{a.Transfer}
}

// EventAttribute is one key and value of a [Response], such as "action" and "mint".
type EventAttribute struct {
	Key   string `wire:"key"`
	Value string `wire:"value"`
}

// Response is the outcome of an instantiate or execute message.
type Response struct {
	Attributes []EventAttribute `wire:"attributes"` // what the message did
	Messages   []OutMsg         `wire:"messages"`   // what the contract asks the chain to deliver
	// Decision is about an execute message. It is nil if that was refused before a decision.
	Decision *Decision
}

// OutMsg is a message that the contract asks the chain to deliver. Exactly one
// member is set.
type OutMsg struct {
	Wasm  *WasmExecute
	Bank  *BankSend
	Other []byte // the JSON of another kind, which only compiled contracts send
}

// WasmExecute executes a message on another contract (send_nft, spec §5).
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

// Coin is an amount of one denomination, in its smallest unit. It may have unknown members
// in JSON, because its type belongs to the chain and not to the contract.
type Coin struct {
	_ struct{} `wire:"lenient"`

	Denom  string  `wire:"denom"`
	Amount Uint128 `wire:"amount"`
}

// AppendWire appends the message as JSON in the chain's form, such as
// {"wasm":{"execute":{…}}}.
func (m OutMsg) AppendWire(dst []byte) []byte {
	if m.Other != nil {
		return append(dst, m.Other...)
	}

	if m.Wasm != nil {
		dst = wire.Append(append(dst, `{"wasm":{"execute":`...), m.Wasm)
	} else {
		dst = wire.Append(append(dst, `{"bank":{"send":`...), m.Bank)
	}
	return append(dst, "}}"...)
}

// receiveMsg is the execute message that the receiving contract of send_nft gets.
type receiveMsg struct {
	ReceiveNft receiveNft `wire:"receive_nft"`
}

// receiveNft informs a contract that it received a token by send_nft.
type receiveNft struct {
	Sender  Address `wire:"sender"` // maybe an operator of the token's owner
	TokenID string  `wire:"token_id"`
	Msg     Binary  `wire:"msg"`
}

func (e *execution) addAttributes(pairs ...string) {
	for pair := range slices.Chunk(pairs, 2) {
		e.response.Attributes = append(e.response.Attributes, EventAttribute{pair[0], pair[1]})
	}
}

// addActionAttributes appends "action" and "sender", and then the pairs.
func (e *execution) addActionAttributes(action string, pairs ...string) {
	e.addAttributes("action", action, "sender", string(e.sender))
	e.addAttributes(pairs...)
}

// Subject is what a message is about: a token, a permission for an account, or both.
type Subject struct {
	TokenID *string // nil if the message names no token, because "" is a valid id
	Spender Address // whose permission the message gives or revokes; "" for other messages
}

// SubjectOf returns what an execute message is about: nothing, for the collection or a role.
func SubjectOf(msg ExecuteMsg) Subject {
	subject := Subject{TokenID: TokenOf(msg)}
	switch msg.(type) {
	case *Approve, *Revoke, *ApproveAll, *RevokeAll:
		subject.Spender = AccountOf(msg)
	}
	return subject
}

// TokenOf returns a pointer to the member TokenID of an execute or query message; nil for none.
func TokenOf(msg any) *string {
	member := reflect.ValueOf(msg).Elem().FieldByName("TokenID")
	if !member.IsValid() {
		return nil
	}
	return member.Addr().Interface().(*string)
}

// AccountOf returns the account that an execute message names besides its sender, such as a
// recipient; "" for none. No message has more than one member of type [Address].
func AccountOf(msg ExecuteMsg) Address {
	for _, member := range reflect.ValueOf(msg).Elem().Fields() {
		if account, isAddress := member.Interface().(Address); isAddress {
			return account
		}
	}
	return ""
}
