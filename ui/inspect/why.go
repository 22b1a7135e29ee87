package inspect

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// why shows the contract's decision about someone and something, rule by rule,
// and the smallest change that would turn it around. Enter makes that change.
type why struct {
	form  *widget.Form
	sheet *widget.Sheet
	box   widget.Box
	seq   int
	told  int // the question that why and fault answer
	why   *explain.Explanation
	fault string
	waits bool // for the answer that is on its way, to make the change that it names
}

// whyMsg brings a decision to the dialog that asked.
type whyMsg struct {
	seq int
	why explain.Explanation
	err error
}

// OpenWhy opens the decision about s, rule by rule.
func OpenWhy(st *app.State, s app.Subject) tea.Cmd {
	w := newWhy(st, s)
	return app.OpenDialogThen(w, w.ask(st))
}

func newWhy(st *app.State, s app.Subject) *why {
	first, actor := "mint", st.Actor
	account := widget.Field{Name: "account", Label: "Account", Placeholder: "a name or an address", Complete: st.Candidates()}
	token := widget.Field{Name: "token", Label: "Token", Placeholder: "a token's id"}
	if s.Token != nil {
		first, token.Value = "transfer", *s.Token
	}
	if s.Account != "" {
		actor = s.Account
	}
	if s.Action != "" {
		first = s.Action
	}
	account.Value = st.Typed(actor)
	var options []widget.Candidate
	for _, a := range st.Config.Rules.Actions() {
		options = append(options, widget.Candidate{Value: a.Name})
	}
	w := &why{form: widget.NewForm(
		account,
		widget.Field{Name: "action", Label: "May", Kind: widget.ChoiceField, Options: options, Value: first, Hint: "← → choose what is asked about"},
		token,
	)}
	w.form.Focus("action")
	w.sheet = widget.NewSheet(w.form)
	w.sheet.Talks = true
	return w
}

// ask reads the decision about what the fields hold.
func (w *why) ask(st *app.State) tea.Cmd {
	action, ok := cw721.ActionNamed(w.form.Value("action"))
	if !ok {
		return nil
	}
	w.form.Show("token", action.OnToken)
	w.seq++
	seq, who, token := w.seq, w.form.Value("account"), w.form.Value("token")
	return st.Ask(w, func(e app.Engine) tea.Msg {
		msg := whyMsg{seq: seq}
		msg.err = e.View(func(v *chain.View) error {
			address, err := v.Resolve(strings.TrimSpace(who))
			if err != nil {
				return err
			}
			msg.why, err = explain.Why(v, address, action, token)
			return err
		})
		return msg
	})
}

func (w *why) Resize(b widget.Box) { w.box = b }

// Typing tells that letters are for a field.
func (w *why) Typing() bool { return w.form.Typing() }

func (w *why) Commands(*app.State) []app.Command {
	keys := form.SheetKeys(w.sheet, "change the decision", "close")
	if w.told == w.seq && (w.why == nil || w.why.Counterfactual.Message == nil && w.why.Counterfactual.At == nil && !byTransfer(w.why)) {
		keys = slices.DeleteFunc(keys, func(c app.Command) bool { return slices.Contains(c.Binding.Keys(), "enter") }) // no single step does that
	}
	return keys
}

func (w *why) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case whyMsg:
		if msg.seq == w.seq {
			w.applyRead(msg)
			if w.waits {
				w.waits = false
				return w.applyCounterfactual(st), false
			}
		}
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		return w.ask(st), false
	case tea.KeyMsg, tea.MouseMsg:
		switch w.sheet.Update(msg) {
		case widget.FormChange:
			return w.ask(st), false
		case widget.FormSubmit:
			return w.applyCounterfactual(st), false
		case widget.FormCancel:
			return nil, true
		}
	}
	return nil, false
}

func (w *why) applyRead(msg whyMsg) {
	w.why, w.fault, w.told = nil, "", msg.seq
	if msg.err != nil {
		w.fault = msg.err.Error()
		return
	}
	w.why = &msg.why
}

// applyCounterfactual makes the change that turns the decision around: it opens the message
// as the account that may send it, or moves the clock.
func (w *why) applyCounterfactual(st *app.State) tea.Cmd {
	if w.told != w.seq { // what is shown answers the question before
		w.waits = true
		return nil
	}
	if w.why == nil {
		return nil
	}
	switch other := w.why.Counterfactual; {
	case other.Message != nil:
		return changeForm(st, other)
	case other.At != nil:
		return app.Advance(st, stepToward(*other.At, st.Clock), 0)
	case byTransfer(w.why):
		return transferForm(st, w.why.Decision, other.Text)
	default:
		return app.Notify(app.LevelInfo, "no single step does that: "+other.Text)
	}
}

const whyWidth = 84

func (w *why) View(st *app.State) string {
	box := widget.Box{W: min(w.box.W, whyWidth), H: w.box.H}
	return w.sheet.View(st.Theme, "Why", box, w.below())
}

// below is the decision: the verdict, the rules in the contract's order, the
// flip.
func (w *why) below() []widget.Line {
	switch {
	case w.fault != "":
		return []widget.Line{widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, w.fault)}
	case w.why == nil:
		return []widget.Line{widget.In(themes.Muted, "asking the contract"+themes.GlyphEllipsis)}
	}
	other := w.why.Counterfactual
	lines := slices.Concat(
		[]widget.Line{app.Verdict(w.why.Decision.Allowed).And(themes.Strong, w.why.Verdict), nil},
		app.RuleLines(*w.why),
		[]widget.Line{nil, widget.In(themes.Header, "What would change that"), widget.Plain("  " + other.Text)})
	does := ""
	switch {
	case other.Message != nil:
		does = " opens that message"
	case byTransfer(w.why):
		does = " opens the transfer"
	case other.At != nil:
		does = " moves the clock there"
	default:
		return lines
	}
	return append(lines, widget.In(themes.Key, "  enter").And(themes.Muted, does))
}
