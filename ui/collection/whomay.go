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

// inquiry is a question to the contract: who may send a certain message? The message is valid
// for the collection, and never sent.
type inquiry struct {
	action string // completes "Who may …?", such as "renounce it"
	msg    cw721.ExecuteMsg
	// onlyUsesField means that the message uses the field without changing it, as a mint
	// uses the list of minters.
	onlyUsesField bool
}

// changeInquiries asks about a field that one message changes: who may send msg? msg can set any
// valid value, because the permission does not depend on the value.
func changeInquiries(msg cw721.ExecuteMsg) func(chain.Collection, cw721.Address) []inquiry {
	return func(chain.Collection, cw721.Address) []inquiry {
		return []inquiry{{action: "change it", msg: msg}}
	}
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

// findVerdicts asks the contract which accounts may send the message of the inquiry. If it needs
// no permission, the result is a single verdict for everyone.
func (i inquiry) findVerdicts(view *chain.View, accounts []cw721.Address) (verdicts []verdict, err error) {
	msg := view.Layout.Message(i.msg)
	for _, address := range accounts {
		explanation, err := explain.WhyMessage(view, address, i.action, msg)
		if err != nil {
			return nil, err
		}
		decision := explanation.Decision
		isOpenToAnyone := len(decision.Checks) == 1 && decision.Checks[0].Rule == cw721.RuleAnyone
		if isOpenToAnyone && !decision.Overruled {
			return []verdict{{account: address, isOpenToEveryone: true, isAllowed: true}}, nil
		}

		// The end of the text names the members of the message that need the rule, which the
		// screen shows anyway as the label of the field.
		lastRule := explanation.Rules[len(explanation.Rules)-1]
		ruleText, _, _ := strings.Cut(lastRule.Text, " (needed for ")
		accountVerdict := verdict{
			account:   address,
			isAllowed: decision.Allowed,
			rule:      ruleText + explanation.OverrulingClause,
		}
		if decision.Refusal != nil {
			accountVerdict.refusal = decision.Refusal.Text
		}
		verdicts = append(verdicts, accountVerdict)
	}
	return verdicts, nil
}

// accountsToAskAbout lists the accounts that an inquiry asks about: those that hold a role in the
// collection or are offered one, and the actor. Each is listed once.
func accountsToAskAbout(collection chain.Collection, actor cw721.Address) (accounts []cw721.Address) {
	candidates := []*cw721.Address{
		collection.Creator.Owner,
		collection.Minter.Owner,
		collection.Creator.PendingOwner,
		collection.Minter.PendingOwner,
		&actor,
	}
	for i := range collection.AdditionalMinters {
		candidates = append(candidates, &collection.AdditionalMinters[i])
	}
	for _, address := range candidates {
		if address != nil && !slices.Contains(accounts, *address) {
			accounts = append(accounts, *address)
		}
	}
	return accounts
}

// allowedAccountLines lists the accounts that may send the message of an inquiry. If the actor
// may not send it, the list also says why.
func (f *collectionFacts) allowedAccountLines(state *app.State, result inquiryResult) []widget.Line {
	lines := []widget.Line{widget.Header(state.WithRuleBookNote("Who may " + result.action + "?"))}
	for _, verdict := range result.verdicts {
		name := state.DisplayName(verdict.account)
		sign := app.VerdictSign(verdict.isAllowed)
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
