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
	actions := append(state.Config.Rules.Actions(), cw721.OwnAction)
	for _, known := range actions {
		action.Options = append(action.Options, widget.Candidate{Value: known.Name})
	}

	// An empty field leaves that part of the question open.
	who := form.AccountField(state, "as", "Who")
	who.Value = present.Actor
	who.Placeholder = "anybody, or a name or an address"

	token := widget.Field{
		Name:        "token",
		Label:       "Token",
		Placeholder: "a token's id",
		Value:       present.Token,
	}
	passive := widget.Field{
		Name:        "passive",
		Label:       "Passive",
		Placeholder: "nobody besides the owner or the holder of the role",
		Hint:        "accounts that send nothing, too: alice, bob",
		Value:       strings.Join(present.PassiveAccounts, ", "),
	}
	active := widget.Field{
		Name:        "active",
		Label:       "Active",
		Placeholder: "nobody of those who send nothing",
		Hint:        "accounts that act although they are the owner or hold the role",
		Value:       strings.Join(present.ActiveAccounts, ", "),
	}

	// The range of blocks in which the action counts.
	moments := form.Examples(state.Clock)
	after := widget.Field{
		Name:        "after",
		Label:       "After",
		Placeholder: "now, or " + moments,
		Value:       present.After,
	}
	until := widget.Field{
		Name:        "until",
		Label:       "Until",
		Placeholder: "any time, or " + moments,
		Value:       present.Until,
	}
	unmoved := widget.Field{
		Name:    "unmoved",
		Label:   "Moved first",
		Kind:    widget.ChoiceField,
		Value:   mayMove,
		Options: []widget.Candidate{{Value: mayMove}, {Value: mayNotMove}},
		Hint:    "whether the token may be transferred or burned before",
	}
	if present.TokenMustStay {
		unmoved.Value = mayNotMove
	}

	// Put the fields together. The field for the token is hidden while the action needs none.
	f := form.NewAction("Who can", w.readQuestionForm,
		who, action, token, passive, active, after, until, unmoved)
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

// showTokenIfNeeded shows the field of the token if the action in the field "can" is about
// one, and hides it otherwise.
func showTokenIfNeeded(fields *widget.Form, _ string) {
	question, _ := explain.NewWhoCanQuestion(fields.Value("can"), nil)
	fields.SetShown("token", question.Action.NeedsToken)
}

// readQuestionForm returns what the key enter does with the values of the form. Enter looks
// up the accounts and moments of the question. If all of them are known, it asks the
// question.
func (w *whoCan) readQuestionForm(
	state *app.State,
	values map[string]string,
) (result form.Result) {
	question, err := questionFromForm(values)
	if err != nil {
		result.Fail("can", err.Error())
		return result
	}
	result.Effect = []widget.Line{widget.Muted("who can " + question.String())}
	result.Read = func(engine app.Engine) form.WorkOutcome { return w.askIfKnown(state, engine, question) }
	return result
}

// questionFromForm makes a question of the values of the form. It fails for an unknown action.
func questionFromForm(values map[string]string) (explain.WhoCanQuestion, error) {
	token := values["token"]
	question, err := explain.NewWhoCanQuestion(values["can"], &token)
	if err != nil {
		return question, err
	}
	question.Actor = strings.TrimSpace(values["as"])
	question.After = strings.TrimSpace(values["after"])
	question.Until = strings.TrimSpace(values["until"])
	question.TokenMustStay = values["unmoved"] == mayNotMove
	question.PassiveAccounts = strings.FieldsFunc(values["passive"], isListSeparator)
	question.ActiveAccounts = strings.FieldsFunc(values["active"], isListSeparator)
	return question, nil
}

// isListSeparator reports whether a character separates the accounts in a list of them.
func isListSeparator(character rune) bool { return character == ',' || character == ' ' }

// askIfKnown looks up the accounts and the moments of a question. If all of them are known,
// the result has the command that asks the question. Otherwise it has the error and the
// name of the field that the error is about.
func (w *whoCan) askIfKnown(
	state *app.State,
	engine app.Engine,
	question explain.WhoCanQuestion,
) form.WorkOutcome {
	_, err := chain.Read(engine, question.Resolve)
	if mistake := new(whocan.QuestionError); errors.As(err, &mistake) {
		return form.WorkOutcome{Field: mistake.Field, Err: err}
	}
	if err != nil {
		return form.WorkOutcome{Err: err}
	}
	ask := state.Ask(w, func(app.Engine) tea.Msg { return questionAskedMsg{question} })
	return form.WorkOutcome{Then: ask}
}
