// Package inspect holds the dialogs that answer questions: why somebody may do
// something, who could do it by any messages, what one message does around an expiry
// (probe), the timeline of grants, and the raw storage.
//
// A grant is a permission that one account gave to another: an approval of a token, an
// operator of an owner, or the offer of a role. A way is a sequence of messages after which
// somebody can do what a question asks. A step is one of them, with its sender and block.
//
// The answers come from core/explain and core/whocan, which read a view or an overlay
// that is dropped. Changes go through forms as everywhere else.
package inspect

import (
	"cmp"
	"errors"
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

// why is the dialog that explains whether the contract permits an account an action,
// rule by rule, and the smallest change that would reverse the decision. Enter makes
// that change.
type why struct {
	form  *widget.Form
	sheet *widget.Sheet
	box   widget.Box

	lastAskedNumber    int                  // the number of the latest question, from 1
	lastAnsweredNumber int                  // the number of the question that was answered last
	explanation        *explain.Explanation // the answer; nil if there is none
	fault              error                // why the question could not be answered; nil if it was
}

// whyMsg brings the dialog the contract's answer to one of its questions.
type whyMsg struct {
	questionNumber int
	explanation    explain.Explanation
	err            error
}

// OpenWhy opens the dialog with a question about subject, such as the token under a cursor. If
// subject has no account, the question is about the acting account. If it has no action, the
// question is about transferring its token, or about minting if it has no token either.
func OpenWhy(state *app.State, subject app.Subject) tea.Cmd {
	askedAccount := cmp.Or(subject.Account, state.Actor)
	accountField := form.FilledAccountField(state, "account", "Account", askedAccount)

	usualAction := "mint"
	tokenField := widget.Field{Name: "token", Label: "Token", Placeholder: "a token's id"}
	if subject.Token != nil {
		tokenField.Value = *subject.Token
		usualAction = "transfer"
	}

	actionField := widget.Field{
		Name:  "action",
		Label: "May",
		Kind:  widget.ChoiceField,
		Value: cmp.Or(subject.Action, usualAction),
		Hint:  "← → choose what is asked about",
	}
	for _, action := range state.Config.Rules.Actions() {
		actionField.Options = append(actionField.Options, widget.Candidate{Value: action.Name})
	}

	w := &why{form: widget.NewForm(accountField, actionField, tokenField)}
	w.form.Focus("action")
	w.sheet = widget.NewSheet(w.form)
	return app.OpenDialogThen(w, w.ask(state))
}

// ask returns the command that asks the contract for its decision about the account, the
// action and the token in the fields. It hides the field for the token if the action needs
// none.
func (w *why) ask(state *app.State) tea.Cmd {
	action, _ := cw721.ActionNamed(w.form.Value("action")) // the field only offers known actions
	w.form.SetShown("token", action.NeedsToken)

	// Number the question, because only the answer to the latest one is shown.
	w.lastAskedNumber++
	questionNumber := w.lastAskedNumber
	account := strings.TrimSpace(w.form.Value("account"))
	token := w.form.Value("token")
	return state.Ask(w, func(engine app.Engine) tea.Msg {
		explanation, err := chain.Read(engine, func(view *chain.View) (explain.Explanation, error) {
			address, err := view.Resolve(account)
			if err != nil {
				return explain.Explanation{}, err
			}
			return explain.Why(view, address, action, token)
		})
		return whyMsg{questionNumber: questionNumber, explanation: explanation, err: err}
	})
}

// BesideList marks the dialog as an [app.PaneDialog].
func (w *why) BesideList() {}

// Resize sets the box of the dialog.
func (w *why) Resize(box widget.Box) { w.box = box }

// Typing reports whether letters are typed into a field.
func (w *why) Typing() bool { return w.form.Typing() }

// Commands returns the keys of the form. The key enter is left out if no single step would
// reverse the decision. It stays while the latest question has no answer.
func (w *why) Commands(state *app.State) []app.Command {
	commands := form.SheetKeys(w.sheet, "change the decision", "close")
	if !w.isCurrent() {
		return commands
	}
	if w.explanation != nil {
		if hint, _ := w.change(state); hint != "" {
			return commands
		}
	}
	return slices.DeleteFunc(commands, func(command app.Command) bool {
		return slices.Contains(command.Binding.Keys(), "enter")
	})
}

// isCurrent reports whether the answer on the screen is the answer to the latest question.
func (w *why) isCurrent() bool { return w.lastAnsweredNumber == w.lastAskedNumber }

// Update shows an answer, asks again after a change of the chain or of a field, and makes the
// change of the decision on enter.
func (w *why) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, mustClose bool) {
	switch msg := msg.(type) {
	case whyMsg:
		if msg.questionNumber != w.lastAskedNumber {
			break
		}
		w.lastAnsweredNumber = msg.questionNumber
		w.fault = msg.err
		w.explanation = nil
		if msg.err == nil {
			w.explanation = &msg.explanation
		}

	case app.ExecutedMsg, app.MovedMsg, app.UndoRedoMsg, app.ChangedMsg:
		return w.ask(state), false

	case tea.KeyMsg, tea.MouseMsg:
		switch w.sheet.Update(msg) {
		case widget.FormChange:
			return w.ask(state), false
		case widget.FormSubmit:
			// Keys wait for the latest answer, but a click can come before it.
			if w.isCurrent() && w.explanation != nil {
				_, makeChange := w.change(state)
				return makeChange(), false
			}
		case widget.FormCancel:
			return nil, true
		}
	}
	return nil, false
}

// whyMaxWidth is the width of the dialog on a wide terminal, in cells.
const whyMaxWidth = 84

// View draws the fields, and below them the decision.
func (w *why) View(state *app.State) string {
	box := widget.Box{W: min(w.box.W, whyMaxWidth), H: w.box.H}
	return w.sheet.View(state.Theme, state.WithRuleBookNote("Why"), box, w.decisionLines(state))
}

// decisionLines returns the verdict, the rules in the order in which the contract tries
// them, and the change that would reverse the decision.
func (w *why) decisionLines(state *app.State) []widget.Line {
	if w.fault != nil {
		return []widget.Line{faultLine(w.fault)}
	}
	if w.explanation == nil {
		return []widget.Line{widget.Muted("asking the contract" + themes.GlyphEllipsis)}
	}

	verdict := app.VerdictSign(w.explanation.Decision.Allowed).Strong(w.explanation.Verdict)
	lines := []widget.Line{verdict, nil}
	lines = append(lines, app.RuleLines(*w.explanation)...)
	lines = append(lines, nil,
		widget.Header("What would change that"),
		widget.Plain("  "+cmp.Or(w.explanation.Change.Text, "nothing that is known here")))
	if hint, _ := w.change(state); hint != "" {
		lines = append(lines, widget.Styled(themes.Key, "  enter").Muted(" "+hint))
	}
	return lines
}

// faultLine returns the line that says why a question has no answer. If the rules of the
// contract are not known, it has the sign of a warning, because the sign of a refusal would look
// as if the contract had refused something.
func faultLine(err error) widget.Line {
	if errors.As(err, new(*chain.NoRulesError)) {
		return widget.Warning("").Text(err.Error())
	}
	return app.VerdictSign(false).Text(err.Error())
}
