package inspect

import (
	"cmp"
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/whocan"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// questionAskedMsg brings the dialog a question that was asked in the form with fields.
type questionAskedMsg struct{ question explain.WhoCanQuestion }

// openQuestionForm opens a form with one field for each part of the question, filled in with
// the present question. The names of the fields are those of [whocan.QuestionError.Field], so
// that an error is shown at the field that it is about.
func (w *whoCan) openQuestionForm(state *app.State) tea.Cmd {
	present := w.search.question
	action := widget.Field{
		Name:  "can",
		Label: "Can",
		Kind:  widget.ChoiceField,
		Value: cmp.Or(present.Action.Name, "transfer"),
		Hint:  "← → choose what is asked about",
	}
	for _, known := range append(state.Config.Rules.Actions(), cw721.OwnAction) {
		action.Options = append(action.Options, widget.Candidate{Value: known.Name})
	}

	who := form.AccountField(state, "as", "Who")
	who.Value = present.Actor
	who.Placeholder = "anybody, or a name or an address"

	moved := mayMove
	if present.TokenMustStay {
		moved = mayNotMove
	}
	moments := form.Examples(state.Clock)

	// An empty field leaves that part of the question open.
	f := form.NewAction("Who can", w.readQuestionForm,
		who,
		action,
		widget.Field{Name: "token", Label: "Token", Placeholder: "a token's id", Value: present.Token},
		widget.Field{
			Name:        "passive",
			Label:       "Passive",
			Placeholder: "nobody besides the owner or the holder of the role",
			Hint:        "accounts that send nothing, too: alice, bob",
			Value:       strings.Join(present.PassiveAccounts, ", "),
		},
		widget.Field{
			Name:        "active",
			Label:       "Active",
			Placeholder: "nobody of those who send nothing",
			Hint:        "accounts that act although they are the owner or hold the role",
			Value:       strings.Join(present.ActiveAccounts, ", "),
		},
		widget.Field{Name: "after", Label: "After", Placeholder: "now, or " + moments, Value: present.After},
		widget.Field{Name: "until", Label: "Until", Placeholder: "any time, or " + moments, Value: present.Until},
		widget.Field{
			Name:    "unmoved",
			Label:   "Moved first",
			Kind:    widget.ChoiceField,
			Value:   moved,
			Options: []widget.Candidate{{Value: mayMove}, {Value: mayNotMove}},
			Hint:    "whether the token may be transferred or burned before",
		})
	f.Verb = "ask"
	f.OnChange = showTokenIfNeeded
	showTokenIfNeeded(f.Form, "can")
	return form.Open(state, f)
}

// The values of the field that says whether the token may be transferred or burned before
// the action.
const (
	mayMove    = "it may be"
	mayNotMove = "it may not be"
)

// showTokenIfNeeded shows the field of the token only if the action in the field "can" is
// about one.
func showTokenIfNeeded(fields *widget.Form, _ string) {
	question, _ := explain.NewWhoCanQuestion(fields.Value("can"), nil)
	fields.SetShown("token", question.Action.NeedsToken)
}

// readQuestionForm makes a question of the values of the form. Enter looks up its accounts and
// moments. If all of them are known, it asks the question; otherwise the error is shown under
// the field that it is about.
func (w *whoCan) readQuestionForm(state *app.State, values map[string]string) (result form.Result) {
	token := values["token"]
	question, err := explain.NewWhoCanQuestion(values["can"], &token)
	if err != nil {
		result.Fail("can", err.Error())
		return result
	}
	question.Actor = strings.TrimSpace(values["as"])
	question.After = strings.TrimSpace(values["after"])
	question.Until = strings.TrimSpace(values["until"])
	question.TokenMustStay = values["unmoved"] == mayNotMove
	question.PassiveAccounts = strings.FieldsFunc(values["passive"], isListSeparator)
	question.ActiveAccounts = strings.FieldsFunc(values["active"], isListSeparator)

	result.Effect = []widget.Line{widget.Muted("who can " + question.String())}
	result.Read = func(engine app.Engine) form.WorkOutcome {
		_, err := chain.Read(engine, question.Resolve)
		if mistake := new(whocan.QuestionError); errors.As(err, &mistake) {
			return form.WorkOutcome{Err: err, Field: mistake.Field}
		}
		ask := state.Ask(w, func(app.Engine) tea.Msg { return questionAskedMsg{question} })
		return form.WorkOutcome{Err: err, Then: ask}
	}
	return result
}

// isListSeparator reports whether a character separates the accounts in a list of them.
func isListSeparator(character rune) bool { return character == ',' || character == ' ' }
