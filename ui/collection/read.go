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

// collectionFacts is what was read for the screen, in one moment.
type collectionFacts struct {
	chain.Collection
	actor   cw721.Address
	answers map[string][]answer // by field
}

// inquiry is a question to the contract: who may send this message?
type inquiry struct {
	text string
	// msg makes a message that is valid in the state of the collection. account is
	// any address, for the members that need one.
	msg func(now chain.Collection, account cw721.Address) cw721.ExecuteMsg
	// keeps says that the message leaves the field as it is.
	keeps bool
}

// constant makes the same message in every state.
func constant(m cw721.ExecuteMsg) func(chain.Collection, cw721.Address) cw721.ExecuteMsg {
	return func(chain.Collection, cw721.Address) cw721.ExecuteMsg { return m }
}

// answer is who may do what an inquiry is about, and why.
type answer struct {
	inquiry
	verdicts []verdictOn
}

// verdictOn is the contract's decision about one account.
type verdictOn struct {
	who     cw721.Address
	anyone  bool // the same goes for everybody
	allowed bool
	text    string // the rule that decided
	refusal string // the contract's own text for a no
}

// readCollection asks the contract, for every field, who may change it.
func readCollection(v *chain.View, facts app.Facts) (*collectionFacts, error) {
	c, actor := facts.Collection, facts.SeenBy
	f := &collectionFacts{Collection: c, actor: actor, answers: map[string][]answer{}}
	for _, field := range fieldsOf(facts.Config.Rules) {
		for _, q := range field.asks {
			a, err := q.put(v, c, actor)
			if err != nil {
				return nil, err
			}
			f.answers[field.key] = append(f.answers[field.key], a)
		}
	}
	return f, nil
}

// concernedBy lists who has a say in a collection, and who acts.
func concernedBy(c chain.Collection, actor cw721.Address) []cw721.Address {
	var all []cw721.Address
	who := []*cw721.Address{c.Creator.Owner, c.Minter.Owner, c.Creator.PendingOwner, c.Minter.PendingOwner, &actor}
	for i := range c.AdditionalMinters {
		who = append(who, &c.AdditionalMinters[i])
	}
	for _, a := range who {
		if a != nil && !slices.Contains(all, *a) {
			all = append(all, *a)
		}
	}
	return all
}

// put asks the contract about everyone concerned.
func (q inquiry) put(v *chain.View, now chain.Collection, actor cw721.Address) (answer, error) {
	out := answer{inquiry: q}
	msg := q.msg(now, actor)
	for _, a := range concernedBy(now, actor) {
		why, err := explain.WhyMessage(v, a, q.text, msg)
		if e := cw721.AsError(err); e != nil { // turned down whoever asks
			out.verdicts = []verdictOn{{who: a, anyone: true, text: e.Text}}
			return out, nil
		}
		if err != nil {
			return out, err
		}
		d := why.Decision
		if len(d.Checks) == 1 && d.Checks[0].Rule == cw721.RuleAnyone {
			out.verdicts = []verdictOn{{who: a, anyone: true, allowed: true, text: why.Rules[0].Text}}
			return out, nil
		}
		v := verdictOn{who: a, allowed: d.Allowed, text: deciding(why) + why.Otherwise}
		if d.Refusal != nil {
			v.refusal = d.Refusal.Text
		}
		out.verdicts = append(out.verdicts, v)
	}
	return out, nil
}

// deciding is the rule that a verdict hangs on, the last that was tried. The
// members of the message that need it are left out: the field says them.
func deciding(w explain.Explanation) string {
	text, _, _ := strings.Cut(w.Rules[len(w.Rules)-1].Text, " (needed for ")
	return text
}

// may tells whether whoever acts may change a field in any of the ways that it
// asks about.
func (f *collectionFacts) may(key string) (allowed, asked bool) {
	for _, a := range f.answers[key] {
		for _, r := range a.verdicts {
			if r.allowed && !a.keeps && (r.anyone || r.who == f.actor) {
				return true, true
			}
		}
	}
	return false, len(f.answers[key]) > 0
}

// rows lists the fields with their values, and whether whoever acts may change
// them.
func (f *collectionFacts) rows(st *app.State) []widget.Row {
	var rows []widget.Row
	for _, field := range fieldsOf(st.Config.Rules) {
		sign := widget.In(themes.Faint, " "+themes.GlyphDot)
		if allowed, asked := f.may(field.key); asked {
			sign = append(widget.Plain(" "), app.Verdict(allowed)...)
		}
		rows = append(rows, widget.Row{Key: field.key, Cells: []widget.Line{
			widget.In(themes.Muted, field.label), field.value(st, f.Collection), sign,
		}})
	}
	return rows
}
