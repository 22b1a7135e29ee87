package collection

import (
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// collectionFacts is what the screen shows, as of one revision of the chain: the
// collection, and for each field who may change it.
type collectionFacts struct {
	chain.Collection
	actor          cw721.Address              // the account that messages are sent as
	fields         []collectionField          // the rows of the screen
	offers         map[string]expiry.Entry    // the offer of a role, by the role's name
	inquiryResults map[string][]inquiryResult // who may change a field, by the key of the field
}

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

// readCollection reads the collection, and for every field who may change it. If no rule
// set is known, it leaves out who may change the fields. It fails if the store cannot be
// read.
func readCollection(view *chain.View, facts app.Facts) (*collectionFacts, error) {
	f := &collectionFacts{
		Collection:     facts.Collection,
		actor:          facts.FactsActor,
		fields:         fieldsOf(facts.Config.Rules, facts.Layout),
		offers:         map[string]expiry.Entry{},
		inquiryResults: map[string][]inquiryResult{},
	}
	for _, role := range []app.RoleKind{app.MinterRole, app.CreatorRole} {
		for _, offer := range role.OwnershipIn(f.Collection).Offers(role.Grant) {
			entry, err := view.WithBlock(offer)
			if err != nil {
				return nil, err
			}
			f.offers[role.Name] = entry
		}
	}
	if facts.NoRulesReason != "" {
		return f, nil
	}

	// Ask the contract about each field.
	for _, field := range f.fields {
		for _, question := range field.inquiries {
			verdicts, err := question.findVerdicts(view, f.Collection, f.actor)
			if err != nil {
				return nil, err
			}
			result := inquiryResult{inquiry: question, verdicts: verdicts}
			f.inquiryResults[field.key] = append(f.inquiryResults[field.key], result)
		}
	}
	return f, nil
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

// decidingRuleText returns the text of the rule that was tried last, without its end, such as
// " (needed for royalty_info)". The end names the members of the message that need the rule,
// which the screen shows anyway as the label of the field.
func decidingRuleText(explanation explain.Explanation) string {
	lastRule := explanation.Rules[len(explanation.Rules)-1]
	text, _, _ := strings.Cut(lastRule.Text, " (needed for ")
	return text
}

// changeSign returns a sign for whether the actor may send a message that changes the field
// with this key. Messages that only use the field don't count. The sign is a dot if the
// contract was not asked about the field.
func (f *collectionFacts) changeSign(key string) widget.Line {
	results := f.inquiryResults[key]
	if len(results) == 0 {
		return widget.Faint(themes.GlyphDot)
	}

	for _, result := range results {
		if result.onlyUsesField {
			continue
		}

		// One verdict in favour of the actor is enough.
		for _, verdict := range result.verdicts {
			concernsActor := verdict.isOpenToEveryone || verdict.account == f.actor
			if verdict.isAllowed && concernsActor {
				return app.VerdictSign(true)
			}
		}
	}
	return app.VerdictSign(false)
}

// buildRows lists the fields with their values and a sign for whether the actor may change
// them, which is a dot if that is not known.
func (f *collectionFacts) buildRows(state *app.State) []widget.Row {
	var rows []widget.Row
	for _, field := range f.fields {
		rows = append(rows, widget.Row{
			Key: field.key,
			Cells: []widget.Line{
				widget.Muted(field.label),
				field.showValue(state, f.Collection),
				append(widget.Plain(" "), f.changeSign(field.key)...),
			},
		})
	}
	return rows
}
