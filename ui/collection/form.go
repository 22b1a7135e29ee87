package collection

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// choiceHint is shown below a field with a choice.
const choiceHint = "← → choose"

// openChangeForm opens the form that changes the field with a label, such as "royalty".
func openChangeForm(
	state *app.State,
	label string,
	readMessage func(*form.Input) cw721.ExecuteMsg,
	fields ...widget.Field,
) tea.Cmd {
	return form.Open(state, form.NewMessage("Change the "+label, readMessage, fields...))
}

// messageChoice is one of the messages that a form can send. The form's first field
// chooses it.
type messageChoice struct {
	name        string   // identifies the message in the form, such as "offer"
	title       string   // the entry in the palette
	description string   // says beside the name what the message does
	inputNames  []string // the names of the fields that the message is read from
	phrases     string   // see [app.Command.FoundBy]
}

// openActionForm opens a form that sends one of several messages. In its first field,
// "action", the user chooses which one, at first the one named chosenName. The form shows only
// the inputs that the message of the chosen action needs.
func openActionForm(
	state *app.State,
	title string,
	actions []messageChoice,
	chosenName string,
	readMessage func(*form.Input) cw721.ExecuteMsg,
	inputs ...widget.Field,
) tea.Cmd {
	actionField := widget.Field{
		Name:  "action",
		Label: "Action",
		Kind:  widget.ChoiceField,
		Value: chosenName,
		Hint:  choiceHint,
	}
	inputNamesOf := map[string][]string{} // the names of the inputs, by the name of the action
	for _, action := range actions {
		option := widget.Candidate{Value: action.name, Detail: action.description}
		actionField.Options = append(actionField.Options, option)
		inputNamesOf[action.name] = action.inputNames
	}

	dialog := form.NewMessage(title, readMessage, append([]widget.Field{actionField}, inputs...)...)
	dialog.OnChange = func(shownForm *widget.Form, _ string) {
		shownNames := inputNamesOf[shownForm.Value("action")]
		for _, input := range inputs {
			shownForm.SetShown(input.Name, slices.Contains(shownNames, input.Name))
		}
	}

	// Begin with the inputs of the chosen action, and with the cursor in the first of them.
	dialog.OnChange(dialog.Form, "")
	if shownNames := inputNamesOf[chosenName]; len(shownNames) > 0 {
		dialog.Form.Focus(shownNames[0])
	}
	return form.Open(state, dialog)
}

// newExtensionUpdate returns the message that changes fields of the collection's
// extension.
func newExtensionUpdate(extension cw721.CollectionExtensionMsg) cw721.ExecuteMsg {
	return &cw721.UpdateCollectionInfo{CollectionInfo: cw721.CollectionInfoMsg{Extension: &extension}}
}

// extensionOf returns the collection's extension, which is empty if the collection
// has none.
func extensionOf(collection chain.Collection) cw721.CollectionExtension {
	if collection.Extension == nil {
		return cw721.CollectionExtension{}
	}
	return *collection.Extension
}
