package form

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// FormWidth is the most cells that a form takes.
const FormWidth = 88

func (f *Action) View(st *app.State) string {
	box, title := widget.Box{W: min(f.box.W, FormWidth), H: f.box.H}, f.title
	if f.As != "" {
		title += " as " + widget.Safe(st.DisplayName(f.As))
	}
	return f.sheet.View(st.Theme, title, box, f.below(st))
}

// below is what will come of it, and what is sent.
func (f *Action) below(st *app.State) []widget.Line {
	lines := f.outcome(st)
	if len(f.result.Msg) > 0 {
		lines = append(lines, widget.In(themes.Faint, string(f.result.Msg)))
	}
	return lines
}

func (f *Action) outcome(st *app.State) []widget.Line {
	one := func(l widget.Line) []widget.Line { return []widget.Line{l} }
	missing := cmp.Or(f.Missing, "what will happen shows here when the form is filled in")
	switch {
	case f.sent && f.Working != nil:
		return one(widget.In(themes.Accent, themes.GlyphDown+" "+f.Working()))
	case f.failed.Text != "" && !f.has(f.failed.Field):
		return one(widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, f.failed.Text))
	case f.result.Said != nil:
		return f.result.Said
	case len(f.result.Problems) > 0 && !f.has(f.result.Problems[0].Field):
		return one(widget.In(themes.Warn, themes.GlyphWarn+" "+f.result.Problems[0].Text))
	case len(f.result.Problems) > 0:
		return one(widget.In(themes.Muted, missing))
	case f.result.typed == nil && f.result.Preview == nil:
		return nil
	case f.receipt == nil:
		return one(widget.In(themes.Muted, "looking"+themes.GlyphEllipsis))
	}
	if r := f.receipt.Refusal; r != nil {
		switch field := LastPart(r.Field); {
		case f.has(field) && !f.shown(field):
			return one(widget.In(themes.Muted, missing))
		case f.has(field):
			return one(widget.In(themes.Bad, themes.GlyphNo+" will be refused").And(themes.Muted, " for what the field above says"))
		}
		lines := one(widget.In(themes.Bad, themes.GlyphNo+" will be refused: ").And(themes.Text, r.Text))
		if f.refused != nil {
			lines = append(lines, f.refused.lines(st)...)
		}
		return lines
	}
	will := widget.In(themes.Good, themes.GlyphYes+" will work")
	if st.IsTrial() && f.result.typed != nil {
		will = will.And(themes.Warn, ", and is not kept: this session is read-only")
	}
	if f.result.Outcome != nil {
		return append(one(will), f.result.Outcome(*f.receipt)...)
	}
	lines := one(will)
	for _, s := range explain.Describe(f.receipt.Changes, st.DisplayName) {
		lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, s))
	}
	if len(f.receipt.Changes) == 0 {
		lines = append(lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" "+explain.NothingChanges))
	}
	return lines
}

// refusal is the decision behind a message that the sender has no permission
// for, and who has it.
type refusal struct {
	why explain.Explanation
	by  cw721.Address // who may send the message; empty where nobody is known
}

// readRefusal asks which rules stand behind a refusal; nil where it is for
// something else than a missing permission.
func readRefusal(e app.Engine, as cw721.Address, msg cw721.ExecuteMsg, said *cw721.Error) (r *refusal, err error) {
	if said == nil || msg == nil {
		return nil, nil
	}
	err = e.View(func(v *chain.View) error {
		why, err := explain.WhyMessage(v, as, cw721.NameOf(msg), msg)
		if err != nil || why.Decision.Allowed || why.Decision.Refusal.Text != said.Text {
			return nil // the message is refused for what is in it
		}
		r = &refusal{why: why}
		for _, c := range why.Decision.Checks {
			if c.Holder == nil {
				continue
			}
			if d, err := v.Decide(*c.Holder, msg); err == nil && d.Allowed {
				r.by = *c.Holder
				break
			}
		}
		return nil
	})
	return r, err
}

// lines are the rules that failed, as in why.
func (r *refusal) lines(st *app.State) []widget.Line {
	keys := widget.In(themes.Key, "  ctrl+y").And(themes.Muted, " why")
	if r.by != "" {
		keys = keys.And(themes.Key, "  ctrl+x").And(themes.Muted, " act as "+widget.Safe(st.DisplayName(r.by))+", who may")
	}
	return append(app.RuleLines(r.why), keys)
}

// Commands lists the keys of the form.
func (f *Action) Commands(st *app.State) []app.Command {
	if f.Verb != "" {
		return SheetKeys(f.sheet, f.Verb, "cancel")
	}
	keys := append(SheetKeys(f.sheet, "send", "cancel"), app.Listed(app.GroupHere, app.Bind("ctrl+t", "open in the console", "ctrl+t"))...)
	if f.refused == nil {
		return keys
	}
	keys = append(keys, app.Listed(app.GroupHere, app.Bind("ctrl+y", "why", "ctrl+y"))...)
	if f.refused.by != "" {
		keys = append(keys, app.Listed(app.GroupHere, app.Bind("ctrl+x", "act as "+st.DisplayName(f.refused.by), "ctrl+x"))...)
	}
	return keys
}

// ask takes the keys that a refusal offers.
func (f *Action) ask(st *app.State, key string) (cmd tea.Cmd, ok bool) {
	switch r := f.refused; {
	case r == nil:
	case key == "ctrl+y":
		s := app.Subject{Token: st.Words().About(f.result.Msg).Token, Account: f.As, Action: app.ActionOf(f.result.Msg)}
		return func() tea.Msg { return app.WhyMsg(s) }, true
	case key == "ctrl+x" && r.by != "":
		acts := f.As == st.Actor
		f.Form.SetValue(senderField, st.Typed(r.by))
		if cmd = f.Review(st); acts {
			cmd = tea.Batch(cmd, func() tea.Msg { return app.ActAsMsg{Address: r.by} })
		}
		return cmd, true
	}
	return nil, false
}
