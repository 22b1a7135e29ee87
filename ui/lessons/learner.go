package lessons

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openLearnerForm opens the form that asks for the name of the learner.
func (b *Book) openLearnerForm(state *app.State) tea.Cmd {
	readForm := func(_ *app.State, values map[string]string) form.Result {
		name := values["name"]
		effect := widget.Muted("Each learner has separate progress, also for learn --learner.")
		result := form.Result{
			Effect: []widget.Line{effect},
			Then: func(*app.State) tea.Cmd {
				b.SetLearner(name)
				return b.load()
			},
		}
		if name != "" && !chain.IsValidName(name) {
			result.Fail("name", "name: expected "+chain.ValidNames)
		}
		return result
	}
	question := form.NewAction("Who learns?", readForm, widget.Field{
		Name:        "name",
		Label:       "Name",
		Value:       b.Learner,
		Placeholder: "ana",
		Hint:        "leave it empty for no name",
	})
	question.Verb = "go on"
	return form.Open(state, question)
}
