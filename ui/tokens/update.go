package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openUpdate opens the form that changes a token's URI and metadata (spec §5.2). The
// message contains only the fields that the user has changed. A field that the user has
// emptied is sent as "", which clears what is stored.
func openUpdate(state *app.State, token chain.Token) tea.Cmd {
	storedMetadata := token.Extension.Metadata
	fields := []widget.Field{{
		Name:        "token_uri",
		Label:       "Token URI",
		Value:       valueOrEmpty(token.TokenURI),
		Placeholder: "none",
		Hint:        "an absolute URL; empty removes it",
	}}
	if state.Config.Flavour != cw721.FlavourBase {
		if storedMetadata != nil {
			// Leaving out the member "extension" deletes all metadata, as the contract does.
			fields = append(fields, widget.Field{
				Name:  "extension",
				Label: "Metadata",
				Kind:  widget.ChoiceField,
				Options: []widget.Candidate{
					{Value: "keep", Label: "send what changes", Detail: "the rest stays"},
					{Value: "absent", Label: "leave out of the message"},
				},
			})
		}
		fields = append(fields, metadataFields(storedMetadata)...)
	}
	for i := range fields {
		fields[i].TypingAmends = true
	}

	// The form is first read when it opens. Its values are then the initial ones, because
	// the user has changed nothing yet.
	var initialValues map[string]string
	title := form.TokenTitle("Update", token.ID)
	update := form.NewMessage(title, func(input *form.Input) cw721.ExecuteMsg {
		if initialValues == nil {
			initialValues = input.Values
		}
		return readUpdate(token, input, initialValues)
	}, fields...)

	// The fields of the metadata are hidden while the message leaves them out.
	update.OnChange = func(shownForm *widget.Form, changedField string) {
		if changedField != "extension" {
			return
		}
		for _, metadataField := range metadataFields(nil) {
			shownForm.SetShown(metadataField.Name, shownForm.Value("extension") != "absent")
		}
	}
	return form.Open(state, update)
}

// readUpdate reads the form of [openUpdate] and returns its message. Fields that still
// have their initial values are left out of the message.
func readUpdate(token chain.Token, input *form.Input, initialValues map[string]string) cw721.ExecuteMsg {
	msg := &cw721.UpdateNftInfo{TokenID: token.ID}
	msg.Extension.Base = token.Extension.Base // only metadata has fields in the form
	if uri := input.Values["token_uri"]; uri != initialValues["token_uri"] {
		msg.TokenURI = &uri
	}

	// A message without an extension would delete the stored one, so it is kept unless the
	// user asks for that.
	metadata, isSet := readMetadata(input, initialValues)
	switch {
	case input.Values["extension"] == "absent":
		warning := themes.GlyphWarn +
			" a message without an extension makes the stored one null: all metadata is lost"
		input.Note("extension", widget.Styled(themes.Warn, warning))
	case isSet || token.Extension.Metadata != nil:
		msg.Extension.Metadata = metadata
	}
	return msg
}
