package collection

import (
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// collectionFacts is what the screen shows, as of one revision.
type collectionFacts struct {
	chain.Collection
	actor   cw721.Address
	answers map[string][]answer // by the keys of the fields
}

// inquiry asks the contract who may send a message.
type inquiry struct {
	text string // completes "Who may …?"
	// msg returns a message that is valid for the collection. account is an address
	// for the members that need one.
	msg func(now chain.Collection, account cw721.Address) cw721.ExecuteMsg
	// keeps means that the message does not change the field.
	keeps bool
}

// constant returns the same message for every collection.
func constant(m cw721.ExecuteMsg) func(chain.Collection, cw721.Address) cw721.ExecuteMsg {
	return func(chain.Collection, cw721.Address) cw721.ExecuteMsg { return m }
}

// answer is the contract's answer to an inquiry.
type answer struct {
	inquiry
	verdicts []verdict
}

// verdict is the contract's decision about one account.
type verdict struct {
	account cw721.Address
	anyone  bool // the verdict holds for every account
	allowed bool
	rule    string // the rule that decided, in words
	refusal string // the contract's own text; empty if the account is allowed
}

// readCollection asks the contract, for every field, who may change it.
func readCollection(v *chain.View, facts app.Facts) (*collectionFacts, error) {
	f := &collectionFacts{Collection: facts.Collection, actor: facts.SeenBy, answers: map[string][]answer{}}
	for _, field := range fieldsOf(facts.Config.Rules) {
		for _, q := range field.asks {
			verdicts, err := q.decide(v, f.Collection, f.actor)
			if err != nil {
				return nil, err
			}
			f.answers[field.key] = append(f.answers[field.key], answer{inquiry: q, verdicts: verdicts})
		}
	}
	return f, nil
}

// candidates lists the accounts that have a role in the collection or are offered
// one, and the actor, each once.
func candidates(c chain.Collection, actor cw721.Address) (all []cw721.Address) {
	add := func(a *cw721.Address) {
		if a != nil && !slices.Contains(all, *a) {
			all = append(all, *a)
		}
	}
	add(c.Creator.Owner)
	add(c.Minter.Owner)
	add(c.Creator.PendingOwner)
	add(c.Minter.PendingOwner)
	add(&actor)
	for _, a := range c.AdditionalMinters {
		add(&a)
	}
	return all
}

// decide asks the contract about every candidate. If no permission is needed, or
// the message is refused whoever sends it, it returns that as one verdict.
func (q inquiry) decide(v *chain.View, now chain.Collection, actor cw721.Address) (verdicts []verdict, err error) {
	msg := q.msg(now, actor)
	for _, a := range candidates(now, actor) {
		why, err := explain.WhyMessage(v, a, q.text, msg)
		if refusal := cw721.AsError(err); refusal != nil {
			return []verdict{{account: a, anyone: true, rule: refusal.Text}}, nil
		}
		if err != nil {
			return nil, err
		}
		d := why.Decision
		needsNoPermission := len(d.Checks) == 1 && d.Checks[0].Rule == cw721.RuleAnyone
		if needsNoPermission {
			return []verdict{{account: a, anyone: true, allowed: true, rule: why.Rules[0].Text}}, nil
		}
		decision := verdict{account: a, allowed: d.Allowed, rule: lastRule(why) + why.Otherwise}
		if d.Refusal != nil {
			decision.refusal = d.Refusal.Text
		}
		verdicts = append(verdicts, decision)
	}
	return verdicts, nil
}

// lastRule returns the rule that was tried last, which decided. It leaves out the
// members of the message that need the rule: the field names them.
func lastRule(why explain.Explanation) string {
	text, _, _ := strings.Cut(why.Rules[len(why.Rules)-1].Text, " (needed for ")
	return text
}

// actorMayChange reports whether the actor may change a field with any of its
// inquiries; isKnown is false for a field without inquiries.
func (f *collectionFacts) actorMayChange(key string) (allowed, isKnown bool) {
	for _, a := range f.answers[key] {
		for _, d := range a.verdicts {
			concernsActor := d.anyone || d.account == f.actor
			if d.allowed && concernsActor && !a.keeps {
				return true, true
			}
		}
	}
	return false, len(f.answers[key]) > 0
}

// rows lists the fields with their values, and whether the actor may change them.
func (f *collectionFacts) rows(st *app.State) []widget.Row {
	var rows []widget.Row
	for _, field := range fieldsOf(st.Config.Rules) {
		sign := widget.In(themes.Faint, " "+themes.GlyphDot)
		if allowed, isKnown := f.actorMayChange(field.key); isKnown {
			sign = append(widget.Plain(" "), app.Verdict(allowed)...)
		}
		rows = append(rows, widget.Row{Key: field.key, Cells: []widget.Line{
			widget.In(themes.Muted, field.label),
			field.value(st, f.Collection),
			sign,
		}})
	}
	return rows
}
