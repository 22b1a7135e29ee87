package form

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

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
