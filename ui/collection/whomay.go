package collection

import (
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// inquiry is a question to the contract: who may send a certain message?
type inquiry struct {
	action string // completes "Who may …?", such as "renounce it"
	// newMessage returns a message that is valid for the collection. account is an
	// address for the members that need one.
	newMessage func(collection chain.Collection, account cw721.Address) cw721.ExecuteMsg
	// onlyUsesField means that the message uses the field without changing it, as a mint
	// uses the list of minters.
	onlyUsesField bool
}

// changeInquiries returns the only inquiry of a field that one message changes: who may send
// msg? msg can set any valid value, because the permission does not depend on the value.
func changeInquiries(msg cw721.ExecuteMsg) []inquiry {
	return []inquiry{{action: "change it", newMessage: alwaysMessage(msg)}}
}

// alwaysMessage returns a function that returns msg for every collection and account.
func alwaysMessage(msg cw721.ExecuteMsg) func(chain.Collection, cw721.Address) cw721.ExecuteMsg {
	return func(chain.Collection, cw721.Address) cw721.ExecuteMsg { return msg }
}

// inquiryResult is an inquiry with the contract's decisions.
type inquiryResult struct {
	inquiry
	verdicts []verdict
}

// verdict is the contract's decision whether an account may send a message.
type verdict struct {
	account          cw721.Address
	isOpenToEveryone bool // every account may send it; account is one of them
	isAllowed        bool
	rule             string // the rule that decided, in words
	refusal          string // the contract's own text; empty if the account is allowed
}

// findVerdicts asks the contract which accounts may send the message of the inquiry, and
// returns a verdict for each of them. If the message needs no permission, findVerdicts
// returns a single verdict for everyone. It fails if the store cannot be read.
func (i inquiry) findVerdicts(
	view *chain.View,
	collection chain.Collection,
	actor cw721.Address,
) (verdicts []verdict, err error) {
	msg := view.Layout.Message(i.newMessage(collection, actor))
	for _, address := range accountsToAskAbout(collection, actor) {
		explanation, err := explain.WhyMessage(view, address, i.action, msg)
		if err != nil {
			return nil, err
		}

		// A message without a permission is open to everyone.
		decision := explanation.Decision
		checks := decision.Checks
		isOpenToAnyone := len(checks) == 1 && checks[0].Rule == cw721.RuleAnyone
		if isOpenToAnyone && !decision.Overruled {
			return []verdict{{account: address, isOpenToEveryone: true, isAllowed: true}}, nil
		}

		// Otherwise the verdict is about this account only.
		accountVerdict := verdict{
			account:   address,
			isAllowed: decision.Allowed,
			rule:      decidingRuleText(explanation) + explanation.OverrulingClause,
		}
		if decision.Refusal != nil {
			accountVerdict.refusal = decision.Refusal.Text
		}
		verdicts = append(verdicts, accountVerdict)
	}
	return verdicts, nil
}

// accountsToAskAbout lists the accounts that an inquiry asks about. They are the accounts
// that hold a role in the collection or are offered one, and the actor, which is the
// account that messages are sent as. Each is listed once.
func accountsToAskAbout(
	collection chain.Collection,
	actor cw721.Address,
) (accounts []cw721.Address) {
	candidateAddresses := []*cw721.Address{
		collection.Creator.Owner,
		collection.Minter.Owner,
		collection.Creator.PendingOwner,
		collection.Minter.PendingOwner,
		&actor,
	}
	for i := range collection.AdditionalMinters {
		candidateAddresses = append(candidateAddresses, &collection.AdditionalMinters[i])
	}
	for _, address := range candidateAddresses {
		if address != nil && !slices.Contains(accounts, *address) {
			accounts = append(accounts, *address)
		}
	}
	return accounts
}

// decidingRuleText returns the text of the rule that was tried last, without its end, such as
// " (needed for royalty_info)". The end names the members of the message that need the rule,
// which the screen shows anyway as the label of the field.
func decidingRuleText(explanation explain.Explanation) string {
	lastRule := explanation.Rules[len(explanation.Rules)-1]
	text, _, _ := strings.Cut(lastRule.Text, " (needed for ")
	return text
}

// allowedAccountLines lists the accounts that may send the message of an inquiry. If the
// actor, the account that messages are sent as, may not send it, the list also says why.
func (f *collectionFacts) allowedAccountLines(state *app.State, result inquiryResult) []widget.Line {
	lines := []widget.Line{widget.Header(state.WithRuleBookNote("Who may " + result.action + "?"))}
	for _, verdict := range result.verdicts {
		name := state.DisplayName(verdict.account)
		sign := app.VerdictSign(verdict.isAllowed)

		// An account that may not send it is left out, except the actor.
		switch {
		case verdict.isOpenToEveryone:
			lines = append(lines, sign.Strong("anyone ").Muted("no permission is needed"))
		case verdict.isAllowed:
			rule := strings.TrimPrefix(verdict.rule, name+" ")
			lines = append(lines, sign.Strong(name+" ").Muted(rule))
		case verdict.account == f.actor:
			rule := strings.TrimSuffix(verdict.rule, ", not "+name)
			lines = append(lines, sign.Strong(name+" ").Text("“"+verdict.refusal+"”").Muted(": "+rule))
		}
	}
	return lines
}
