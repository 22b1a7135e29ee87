package explain

import (
	"cmp"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Access is what one account may do with one token in the current block.
type Access struct {
	Actions []string          // in this order: transfer, burn, approve and mint
	Rule    cw721.Rule        // permits the first of Actions; empty without actions
	Until   *cw721.Expiration // when that permission expires; nil if it is not by a grant
	// Reason gives the reasons in a few words, separated by commas, such as "owner" or
	// "approval until height 1,110". It names each rule that permits an action and each
	// expired grant. It also says where a compiled contract decides otherwise than the rules.
	// Without any reason it is [NoPermission].
	Reason string
}

// NoPermission is the reason of an account that never held a permission.
const NoPermission = "no permission"

// AccessTo returns what an account may do with a token, by the decision that the contract
// would make on each action. Minting is left out under rules by which only the minter can
// mint. AccessTo fails with a [*cw721.Error] of kind not_found if there is no such token.
func AccessTo(view *chain.View, account cw721.Address, token string) (Access, error) {
	actionNames := []string{"transfer", "burn", "approve"}
	if view.Rules.HasAdditionalMinters() {
		actionNames = append(actionNames, "mint")
	}

	var access Access
	var reasons []string
	for _, name := range actionNames {
		action, _ := cw721.ActionNamed(name)
		decision, err := view.Decide(account, action.Message(token, account))
		if err != nil {
			return Access{}, err
		}

		checks := decision.Checks
		if decision.Allowed {
			access.Actions = append(access.Actions, name)
			grantingCheck := decision.GrantingCheck()
			if access.Rule == "" {
				access.Rule = grantingCheck.Rule
				access.Until = grantingCheck.Expires
			}
			checks = []cw721.Check{grantingCheck}
		}
		for _, check := range checks {
			reasons = append(reasons, checkLabel(check))
		}

		if decision.Overruled {
			reasons = append(reasons, name+overrulingClause(view, decision))
		}
	}
	access.Reason = cmp.Or(strings.Join(chain.Distinct(reasons), ", "), NoPermission)
	return access, nil
}

// Holders lists the accounts that may do something with a token, or could before a grant
// expired, each once: the owner, the spenders of the token's approvals, the operators of the
// owner, and under rules that let several accounts mint, the minters. The list is empty if
// there is no such token.
func Holders(view *chain.View, token string) ([]cw721.Address, error) {
	storedToken, exists, err := view.Token(token)
	if err != nil || !exists {
		return nil, err
	}

	holders := []cw721.Address{storedToken.Owner}
	for grant, err := range view.GrantsOver(token) {
		if err != nil {
			return nil, err
		}
		holders = append(holders, grant.Spender)
	}

	if view.Rules.HasAdditionalMinters() {
		collection, err := view.Collection()
		if err != nil {
			return nil, err
		}
		if minter := collection.Minter.Owner; minter != nil {
			holders = append(holders, *minter)
		}
		holders = append(holders, collection.AdditionalMinters...)
	}

	return chain.Distinct(holders), nil
}
