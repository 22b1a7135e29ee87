package cw721

import (
	"cmp"
	"slices"
)

// Action is something that a person may want to do, as a question: may they?
type Action struct {
	// Name is what people call it: "transfer", "offer-minter".
	Name string
	// NeedsToken tells that the question is about one token.
	NeedsToken bool
	message    func(token string, who Address) ExecuteMsg
}

// Message gives an execute message that asks the question; what else it holds
// has no bearing on the decision.
func (a Action) Message(token string, who Address) ExecuteMsg { return a.message(token, who) }

// AllActions lists the questions that depend on who asks, those on tokens first.
func AllActions() []Action { return actions }

// Actions lists the questions that there are under a rule set.
func (r Rules) Actions() []Action {
	return slices.DeleteFunc(slices.Clone(actions), func(a Action) bool { return !r.ruleSet().has(MessageName(a.message("", ""))) })
}

var actions = []Action{
	{"transfer", true, func(t string, who Address) ExecuteMsg { return &TransferNft{who, t} }},
	{"send", true, func(t string, who Address) ExecuteMsg { return &SendNft{who, t, nil} }},
	{"burn", true, func(t string, _ Address) ExecuteMsg { return &Burn{t} }},
	{"approve", true, func(t string, who Address) ExecuteMsg { return &Approve{who, t, nil} }},
	{"revoke", true, func(t string, who Address) ExecuteMsg { return &Revoke{who, t} }},
	{"update-token", true, func(t string, _ Address) ExecuteMsg { return &UpdateNftInfo{TokenID: t} }},
	{"mint", false, func(t string, who Address) ExecuteMsg { return &Mint{TokenID: cmp.Or(t, "new"), Owner: who} }},
	{"add-minter", false, func(_ string, who Address) ExecuteMsg { return &AddMinter{who} }},
	{"remove-minter", false, func(_ string, who Address) ExecuteMsg { return &RemoveMinter{who} }},
	{"update-collection", false, func(string, Address) ExecuteMsg { return describe(CollectionExtensionMsg{Description: new("changed")}) }},
	{"update-royalty", false, func(_ string, who Address) ExecuteMsg {
		return describe(CollectionExtensionMsg{RoyaltyInfo: &RoyaltyInfo{PaymentAddress: who}})
	}},
	{"update-trading-time", false, func(string, Address) ExecuteMsg { return describe(CollectionExtensionMsg{StartTradingTime: new(Time)}) }},
	{"set-withdraw-address", false, func(_ string, who Address) ExecuteMsg { return &SetWithdrawAddress{who} }},
	{"offer-minter", false, func(_ string, who Address) ExecuteMsg { return &UpdateMinterOwnership{Offer(who, nil)} }},
	{"accept-minter", false, func(string, Address) ExecuteMsg { return &UpdateMinterOwnership{Accept} }},
	{"offer-creator", false, func(_ string, who Address) ExecuteMsg { return &UpdateCreatorOwnership{Offer(who, nil)} }},
	{"accept-creator", false, func(string, Address) ExecuteMsg { return &UpdateCreatorOwnership{Accept} }},
}

func describe(e CollectionExtensionMsg) ExecuteMsg {
	return &UpdateCollectionInfo{CollectionInfoMsg{Extension: &e}}
}

// ActionNamed finds an action by its name.
func ActionNamed(name string) (Action, bool) {
	for _, a := range actions {
		if a.Name == name {
			return a, true
		}
	}
	return Action{}, false
}
