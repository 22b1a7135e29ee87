package cw721

import (
	"cmp"
	"slices"
)

// Action is something that an account may or may not be allowed to do, such as
// transferring a token. [Contract.Decide] answers for the action's message.
type Action struct {
	// Name is the action's name for people, such as "transfer" or "offer-minter".
	Name string
	// NeedsToken is set if the answer depends on a token.
	NeedsToken bool
	newMessage func(token string, account Address) ExecuteMsg
}

// Message returns an execute message for the action, with its required members
// set. account fills the address that the message needs, such as a recipient.
func (a Action) Message(token string, account Address) ExecuteMsg {
	return a.newMessage(token, account)
}

// AllActions returns the actions whose permission depends on the sender, those on
// tokens first.
func AllActions() []Action { return actions }

// Actions returns the actions that exist under a rule set, in the order of
// [AllActions].
func (r Rules) Actions() []Action {
	rules := r.ruleSet()
	return slices.DeleteFunc(slices.Clone(actions), func(a Action) bool {
		return !rules.has(MessageName(a.Message("", "")))
	})
}

// actions are all actions, those on tokens first. The messages hold example values where
// the sender's permission does not depend on the value: a mint of token "new", the
// description "changed", the trading time 0.
var actions = []Action{
	{
		Name:       "transfer",
		NeedsToken: true,
		newMessage: func(token string, account Address) ExecuteMsg {
			return &TransferNft{Recipient: account, TokenID: token}
		},
	},
	{
		Name:       "send",
		NeedsToken: true,
		newMessage: func(token string, account Address) ExecuteMsg {
			return &SendNft{Contract: account, TokenID: token}
		},
	},
	{
		Name:       "burn",
		NeedsToken: true,
		newMessage: func(token string, _ Address) ExecuteMsg {
			return &Burn{TokenID: token}
		},
	},
	{
		Name:       "approve",
		NeedsToken: true,
		newMessage: func(token string, account Address) ExecuteMsg {
			return &Approve{Spender: account, TokenID: token}
		},
	},
	{
		Name:       "revoke",
		NeedsToken: true,
		newMessage: func(token string, account Address) ExecuteMsg {
			return &Revoke{Spender: account, TokenID: token}
		},
	},
	{
		Name:       "update-token",
		NeedsToken: true,
		newMessage: func(token string, _ Address) ExecuteMsg {
			return &UpdateNftInfo{TokenID: token}
		},
	},
	{
		Name: "mint",
		newMessage: func(token string, account Address) ExecuteMsg {
			return &Mint{TokenID: cmp.Or(token, "new"), Owner: account}
		},
	},
	{
		Name: "add-minter",
		newMessage: func(_ string, account Address) ExecuteMsg {
			return &AddMinter{Minter: account}
		},
	},
	{
		Name: "remove-minter",
		newMessage: func(_ string, account Address) ExecuteMsg {
			return &RemoveMinter{Minter: account}
		},
	},
	{
		Name: "update-collection",
		newMessage: func(string, Address) ExecuteMsg {
			return updateExtension(CollectionExtensionMsg{Description: new("changed")})
		},
	},
	{
		Name: "update-royalty",
		newMessage: func(_ string, account Address) ExecuteMsg {
			return updateExtension(CollectionExtensionMsg{RoyaltyInfo: &RoyaltyInfo{PaymentAddress: account}})
		},
	},
	{
		Name: "update-trading-time",
		newMessage: func(string, Address) ExecuteMsg {
			return updateExtension(CollectionExtensionMsg{StartTradingTime: new(Time)})
		},
	},
	{
		Name: "set-withdraw-address",
		newMessage: func(_ string, account Address) ExecuteMsg {
			return &SetWithdrawAddress{Address: account}
		},
	},
	{
		Name: "offer-minter",
		newMessage: func(_ string, account Address) ExecuteMsg {
			return &UpdateMinterOwnership{OwnershipAction: Offer(account, nil)}
		},
	},
	{
		Name: "accept-minter",
		newMessage: func(string, Address) ExecuteMsg {
			return &UpdateMinterOwnership{OwnershipAction: Accept}
		},
	},
	{
		Name: "offer-creator",
		newMessage: func(_ string, account Address) ExecuteMsg {
			return &UpdateCreatorOwnership{OwnershipAction: Offer(account, nil)}
		},
	},
	{
		Name: "accept-creator",
		newMessage: func(string, Address) ExecuteMsg {
			return &UpdateCreatorOwnership{OwnershipAction: Accept}
		},
	},
}

// updateExtension returns a message that changes the given parts of the collection's
// extension: description, image, link, royalty and trading time.
func updateExtension(extension CollectionExtensionMsg) ExecuteMsg {
	return &UpdateCollectionInfo{CollectionInfoMsg{Extension: &extension}}
}

// ActionNamed returns the action of a name; ok is false if there is none.
func ActionNamed(name string) (action Action, ok bool) {
	i := slices.IndexFunc(actions, func(a Action) bool { return a.Name == name })
	if i < 0 {
		return Action{}, false
	}
	return actions[i], true
}
