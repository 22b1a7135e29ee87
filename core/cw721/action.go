package cw721

import (
	"cmp"
	"slices"
)

// Action is something that an account may be allowed to do, such as transferring a token.
// [Contract.Decide] tells whether an account is allowed to do it, given the message that
// [Action.Message] returns.
type Action struct {
	// Name is the action's name for people, such as "transfer" or "offer-minter".
	Name string
	// NeedsToken is set if the permission depends on a token.
	NeedsToken bool
}

// knownActions are the actions that an account can be allowed to do, those on tokens
// first.
var knownActions = []Action{
	{Name: "transfer", NeedsToken: true},
	{Name: "send", NeedsToken: true},
	{Name: "burn", NeedsToken: true},
	{Name: "approve", NeedsToken: true},
	{Name: "revoke", NeedsToken: true},
	{Name: "update-token", NeedsToken: true},
	{Name: "mint"},
	{Name: "add-minter"},
	{Name: "remove-minter"},
	{Name: "update-collection"},
	{Name: "update-royalty"},
	{Name: "update-trading-time"},
	{Name: "set-withdraw-address"},
	{Name: "offer-minter"},
	{Name: "accept-minter"},
	{Name: "offer-creator"},
	{Name: "accept-creator"},
}

// OwnAction means becoming the owner of a token: somebody transfers it to the account. It is
// not in [AllActions], because nobody needs a permission to be given something.
var OwnAction = Action{Name: "own", NeedsToken: true}

// AllActions returns the actions whose permission depends on the sender, those on
// tokens first.
func AllActions() []Action { return knownActions }

// Actions returns the actions that exist under a rule set, in the order of
// [AllActions].
func (r Rules) Actions() []Action {
	rules := r.ruleSet()
	isMissing := func(action Action) bool {
		message := action.Message("", "") // only its type matters
		return !rules.has(MessageName(message))
	}
	return slices.DeleteFunc(slices.Clone(knownActions), isMissing)
}

// ActionNamed returns the action of a name; ok is false if there is none.
func ActionNamed(name string) (action Action, ok bool) {
	hasName := func(a Action) bool { return a.Name == name }
	i := slices.IndexFunc(knownActions, hasName)
	if i < 0 {
		return Action{}, false
	}
	return knownActions[i], true
}

// Message returns an execute message that does the action, with its required members set.
// account is the account that the message names besides the sender, such as a recipient.
// Members that do not matter for the sender's permission have example values, such as the
// description "changed", or the token "new" for a mint if tokenID is "". The result is
// nil for an action that is neither in [AllActions] nor [OwnAction].
func (a Action) Message(tokenID string, account Address) ExecuteMsg {
	switch a.Name {
	case "transfer", OwnAction.Name:
		return &TransferNft{Recipient: account, TokenID: tokenID}
	case "send":
		return &SendNft{Contract: account, TokenID: tokenID}
	case "burn":
		return &Burn{TokenID: tokenID}
	case "approve":
		return &Approve{Spender: account, TokenID: tokenID}
	case "revoke":
		return &Revoke{Spender: account, TokenID: tokenID}
	case "update-token":
		return &UpdateNftInfo{TokenID: tokenID}
	case "mint":
		return &Mint{TokenID: cmp.Or(tokenID, "new"), Owner: account}
	case "add-minter":
		return &AddMinter{Minter: account}
	case "remove-minter":
		return &RemoveMinter{Minter: account}
	case "update-collection":
		return newExtensionUpdate(CollectionExtensionMsg{Description: new("changed")})
	case "update-royalty":
		royalty := &RoyaltyInfo{PaymentAddress: account}
		return newExtensionUpdate(CollectionExtensionMsg{RoyaltyInfo: royalty})
	case "update-trading-time":
		return newExtensionUpdate(CollectionExtensionMsg{StartTradingTime: new(Time)})
	case "set-withdraw-address":
		return &SetWithdrawAddress{Address: account}
	case "offer-minter":
		return RoleMessage(RuleMinter, Offer(account, nil))
	case "accept-minter":
		return RoleMessage(RuleMinter, Accept)
	case "offer-creator":
		return RoleMessage(RuleCreator, Offer(account, nil))
	case "accept-creator":
		return RoleMessage(RuleCreator, Accept)
	}
	return nil
}

// newExtensionUpdate returns a message that changes the collection's extension: its
// description, image, link, royalty or start of trading. Nil members stay as they are.
func newExtensionUpdate(extension CollectionExtensionMsg) ExecuteMsg {
	return &UpdateCollectionInfo{CollectionInfoMsg{Extension: &extension}}
}
