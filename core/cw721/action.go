package cw721

import (
	"cmp"
	"slices"
)

// Action is something that an account may be allowed to do, such as transferring a token.
// [Contract.Decide], given its Message, tells whether an account is.
type Action struct {
	Name       string // for people, such as "transfer" or "offer-minter"
	Phrase     string // what follows "may", with TOKEN in place of the token's id
	NeedsToken bool   // the permission depends on a token

	// Message returns an execute message that does the action, with its required members set.
	// account is the account that the message names besides the sender, such as a recipient.
	// Members that do not matter for the sender's permission have example values, such as the
	// description "changed", or the token "new" for a mint if tokenID is "".
	Message func(tokenID string, account Address) ExecuteMsg
}

var knownActions = []Action{
	{"transfer", "transfer TOKEN", true, func(tokenID string, account Address) ExecuteMsg {
		return &TransferNft{Recipient: account, TokenID: tokenID}
	}},
	{"send", "send TOKEN to a contract", true, func(tokenID string, account Address) ExecuteMsg {
		return &SendNft{Contract: account, TokenID: tokenID}
	}},
	{"burn", "burn TOKEN", true, func(tokenID string, _ Address) ExecuteMsg {
		return &Burn{TokenID: tokenID}
	}},
	{"approve", "approve a spender for TOKEN", true, func(tokenID string, account Address) ExecuteMsg {
		return &Approve{Spender: account, TokenID: tokenID}
	}},
	{"revoke", "revoke an approval on TOKEN", true, func(tokenID string, account Address) ExecuteMsg {
		return &Revoke{Spender: account, TokenID: tokenID}
	}},
	{"update-token", "update TOKEN", true, func(tokenID string, _ Address) ExecuteMsg {
		return &UpdateNftInfo{TokenID: tokenID}
	}},
	{"mint", "mint", false, func(tokenID string, account Address) ExecuteMsg {
		return &Mint{TokenID: cmp.Or(tokenID, "new"), Owner: account}
	}},
	{"add-minter", "add additional minters", false, func(_ string, account Address) ExecuteMsg {
		return &AddMinter{Minter: account}
	}},
	{"remove-minter", "remove additional minters", false, func(_ string, account Address) ExecuteMsg {
		return &RemoveMinter{Minter: account}
	}},
	{"update-collection", "update the collection", false, func(_ string, _ Address) ExecuteMsg {
		return newExtensionUpdate(CollectionExtensionMsg{Description: new("changed")})
	}},
	{"update-royalty", "change the royalty", false, func(_ string, account Address) ExecuteMsg {
		return newExtensionUpdate(CollectionExtensionMsg{RoyaltyInfo: &RoyaltyInfo{PaymentAddress: account}})
	}},
	{"update-trading-time", "change the start of trading", false, func(_ string, _ Address) ExecuteMsg {
		return newExtensionUpdate(CollectionExtensionMsg{StartTradingTime: new(Time)})
	}},
	{"set-withdraw-address", "set the withdraw address", false, func(_ string, account Address) ExecuteMsg {
		return &SetWithdrawAddress{Address: account}
	}},
	{"offer-minter", "offer the minter role", false, func(_ string, account Address) ExecuteMsg {
		return RoleMessage(RuleMinter, Offer(account, nil))
	}},
	{"accept-minter", "accept the minter role", false, func(string, Address) ExecuteMsg {
		return RoleMessage(RuleMinter, Accept)
	}},
	{"offer-creator", "offer the creator role", false, func(_ string, account Address) ExecuteMsg {
		return RoleMessage(RuleCreator, Offer(account, nil))
	}},
	{"accept-creator", "accept the creator role", false, func(string, Address) ExecuteMsg {
		return RoleMessage(RuleCreator, Accept)
	}},
}

// OwnAction means becoming the owner of a token: somebody transfers it to the account. It is
// not in [AllActions], because nobody needs a permission to be given something.
var OwnAction = Action{"own", "own TOKEN", true, knownActions[0].Message}

// AllActions returns the actions whose permission depends on the sender, those on tokens first.
func AllActions() []Action { return knownActions }

// Actions returns those of [AllActions] that exist under a rule set.
func (r Rules) Actions() []Action {
	rules := r.ruleSet()
	return slices.DeleteFunc(slices.Clone(knownActions), func(action Action) bool {
		message := action.Message("", "") // only its type matters
		return !rules.has(MessageName(message))
	})
}

// ActionNamed returns the action of a name; ok is false if there is none.
func ActionNamed(name string) (action Action, ok bool) {
	for _, action := range knownActions {
		if action.Name == name {
			return action, true
		}
	}
	return Action{}, false
}

func newExtensionUpdate(extension CollectionExtensionMsg) ExecuteMsg {
	return &UpdateCollectionInfo{CollectionInfoMsg{Extension: &extension}}
}
