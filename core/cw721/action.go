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

var actions = []Action{
	{"transfer", true, func(token string, account Address) ExecuteMsg {
		return &TransferNft{Recipient: account, TokenID: token}
	}},
	{"send", true, func(token string, account Address) ExecuteMsg {
		return &SendNft{Contract: account, TokenID: token}
	}},
	{"burn", true, func(token string, _ Address) ExecuteMsg {
		return &Burn{TokenID: token}
	}},
	{"approve", true, func(token string, account Address) ExecuteMsg {
		return &Approve{Spender: account, TokenID: token}
	}},
	{"revoke", true, func(token string, account Address) ExecuteMsg {
		return &Revoke{Spender: account, TokenID: token}
	}},
	{"update-token", true, func(token string, _ Address) ExecuteMsg {
		return &UpdateNftInfo{TokenID: token}
	}},
	{"mint", false, func(token string, account Address) ExecuteMsg {
		return &Mint{TokenID: cmp.Or(token, "new"), Owner: account}
	}},
	{"add-minter", false, func(_ string, account Address) ExecuteMsg {
		return &AddMinter{Minter: account}
	}},
	{"remove-minter", false, func(_ string, account Address) ExecuteMsg {
		return &RemoveMinter{Minter: account}
	}},
	{"update-collection", false, func(string, Address) ExecuteMsg {
		return updateExtension(CollectionExtensionMsg{Description: new("changed")})
	}},
	{"update-royalty", false, func(_ string, account Address) ExecuteMsg {
		return updateExtension(CollectionExtensionMsg{RoyaltyInfo: &RoyaltyInfo{PaymentAddress: account}})
	}},
	{"update-trading-time", false, func(string, Address) ExecuteMsg {
		return updateExtension(CollectionExtensionMsg{StartTradingTime: new(Time)})
	}},
	{"set-withdraw-address", false, func(_ string, account Address) ExecuteMsg {
		return &SetWithdrawAddress{Address: account}
	}},
	{"offer-minter", false, func(_ string, account Address) ExecuteMsg {
		return &UpdateMinterOwnership{Offer(account, nil)}
	}},
	{"accept-minter", false, func(string, Address) ExecuteMsg {
		return &UpdateMinterOwnership{Accept}
	}},
	{"offer-creator", false, func(_ string, account Address) ExecuteMsg {
		return &UpdateCreatorOwnership{Offer(account, nil)}
	}},
	{"accept-creator", false, func(string, Address) ExecuteMsg {
		return &UpdateCreatorOwnership{Accept}
	}},
}

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
