package tokens

import (
	"cmp"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openMint opens the form that creates one token, or several with consecutive ids. It has
// fields for metadata only if the collection keeps metadata on the chain.
func openMint(state *app.State) tea.Cmd {
	fields := []widget.Field{
		{Name: "token_id", Label: "Token id", Placeholder: "any text", Hint: `"" is the empty id`},
		form.FilledAccountField(state, "owner", "Owner", state.Actor),
		{
			Name:        "token_uri",
			Label:       "Token URI",
			Placeholder: "none",
			Hint:        "an absolute URL, like ipfs://bafy…/1.json",
		},
	}
	if state.Config.Flavour != cw721.FlavourBase {
		fields = append(fields, metadataFields(nil)...)
	}
	fields = append(fields, widget.Field{
		Name:  "count",
		Label: "How many",
		Value: "1",
		Hint:  "several get ids that count up: ape-09, ape-10",
	})
	return form.Open(state, form.NewAction("Mint a token", readMint, fields...))
}

// readMint reads the form of [openMint]. Its result sends a message for one token, or
// opens a batch of messages for several. The empty token id is valid but hardly ever
// meant. So an empty field is reported as a problem, and the user types two quotation marks
// for the empty id.
func readMint(state *app.State, values map[string]string) form.Result {
	input := &form.Input{State: state, Values: values}
	mint := &cw721.Mint{TokenID: values["token_id"], Owner: input.ReadAddress("owner")}
	if uri := values["token_uri"]; uri != "" {
		mint.TokenURI = &uri
	}
	if metadata, isSet := readMetadata(input, nil); isSet {
		mint.Extension.Metadata = metadata
	}

	// The empty id must be typed as two quotation marks.
	switch mint.TokenID {
	case "":
		input.Fail("token_id", `token_id: type an id, or "" for the empty one`)
	case `""`:
		mint.TokenID = ""
		warning := themes.GlyphWarn + " the id is empty, which is a valid id"
		input.Note("token_id", widget.Styled(themes.Warn, warning))
	}

	if count := strings.TrimSpace(values["count"]); count != "1" {
		fillMintBatch(input, *mint, count)
		return input.Result
	}
	return input.SendMessage(mint)
}

// maxMinted is how many tokens one form can mint at most.
const maxMinted = 1000

// fillMintBatch makes the result of a form open a batch that mints typedCount tokens. The
// first token has the id in mint, and the others have the ids that follow, such as ape-09
// and ape-10. It adds a problem instead if the count is not from 1 to [maxMinted], or if
// the id does not end in a digit.
func fillMintBatch(input *form.Input, mint cw721.Mint, typedCount string) {
	count, err := strconv.Atoi(typedCount)
	switch {
	case err != nil || count < 1 || count > maxMinted:
		input.Fail("count", "count: expected a number from 1 to 1,000")
	case !endsInDigit(mint.TokenID):
		input.Fail("token_id",
			"token_id: expected an id that ends in a number, from which the others count on")
	}
	input.Effect = batchNotice
	input.Then = func(state *app.State) tea.Cmd {
		jobs := make([]form.Job, count)
		ownerName := state.DisplayName(mint.Owner)
		for i := range jobs {
			jobs[i] = form.Job{
				Description: human.TokenID(mint.TokenID) + " " + themes.GlyphArrow + " " + ownerName,
				Msg:         cw721.Encode(&mint),
			}
			mint.TokenID = nextID(mint.TokenID)
		}
		return form.OpenBatch(state, "Mint "+app.Plural(count, "token"), jobs, false)
	}
}

func endsInDigit(id string) bool {
	return id != "" && isDigit(id[len(id)-1])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// nextID adds one to the number that an id ends in. It keeps leading zeros: ape-09 is
// followed by ape-10, and ape-99 by ape-100. The id must end in a digit.
func nextID(id string) string {
	prefix := strings.TrimRight(id, "9")
	zeros := strings.Repeat("0", len(id)-len(prefix))
	last := len(prefix) - 1

	// If all digits were 9, the number becomes one digit longer.
	if last < 0 || !isDigit(prefix[last]) {
		return prefix + "1" + zeros
	}
	return prefix[:last] + string(prefix[last]+1) + zeros
}

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
			fields = append(fields, extensionField())
		}
		fields = append(fields, metadataFields(storedMetadata)...)
	}
	for i := range fields {
		fields[i].TypingAmends = true
	}

	// The form is first read when it opens. Its values are then the initial ones, because
	// the user has changed nothing yet.
	var initialValues map[string]string
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		if initialValues == nil {
			initialValues = input.Values
		}
		return readUpdate(token, input, initialValues)
	}
	update := form.NewMessage(form.TokenTitle("Update", token.ID), readMessage, fields...)

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

// extensionField returns the choice whether the message has a member "extension", which
// holds the metadata. Leaving it out deletes all stored metadata, as the contract does.
func extensionField() widget.Field {
	return widget.Field{
		Name:  "extension",
		Label: "Metadata",
		Kind:  widget.ChoiceField,
		Options: []widget.Candidate{
			{Value: "keep", Label: "send what changes", Detail: "the rest stays"},
			{Value: "absent", Label: "leave out of the message"},
		},
	}
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

// metadataFields returns the form's fields for metadata, filled with the stored values.
// storedMetadata is nil for a token without metadata.
func metadataFields(storedMetadata *cw721.Metadata) []widget.Field {
	storedMetadata = cmp.Or(storedMetadata, &cw721.Metadata{})
	return []widget.Field{
		{Name: "name", Label: "Name", Value: valueOrEmpty(storedMetadata.Name), Placeholder: "none"},
		{
			Name:        "description",
			Label:       "Description",
			Value:       valueOrEmpty(storedMetadata.Description),
			Placeholder: "none",
		},
		{
			Name:        "image",
			Label:       "Image",
			Value:       valueOrEmpty(storedMetadata.Image),
			Placeholder: "none",
			Hint:        "an absolute URL",
		},
		{
			Name:        "attributes",
			Label:       "Traits",
			Value:       formatTraits(storedMetadata.Attributes),
			Placeholder: "none",
			Hint:        "like: eyes=laser; hat=crown",
		},
	}
}

// readMetadata returns the metadata that is typed into a form. A field that still has its
// initial value is nil. isSet is false if all fields are nil. initialValues is nil for a
// new token. If the traits are wrong, readMetadata adds a problem to the input.
func readMetadata(
	input *form.Input,
	initialValues map[string]string,
) (metadata *cw721.Metadata, isSet bool) {
	// changedText returns the value of a field, or nil if it is the initial one.
	changedText := func(name string) *string {
		value := input.Values[name]
		if value == initialValues[name] {
			return nil
		}
		return &value
	}
	metadata = &cw721.Metadata{
		Name:        changedText("name"),
		Description: changedText("description"),
		Image:       changedText("image"),
	}
	if text := changedText("attributes"); text != nil {
		traits, problem := parseTraits(*text)
		if problem != "" {
			input.Fail("attributes", problem)
		}
		metadata.Attributes = &traits
	}
	return metadata, *metadata != cw721.Metadata{}
}

// parseTraits parses traits as they are typed, such as "eyes=laser; hat=crown". problem
// is a sentence for the user about a part without "=", and empty if the text is valid.
func parseTraits(text string) (traits []cw721.Trait, problem string) {
	traits = []cw721.Trait{}
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		name, value, hasValue := strings.Cut(part, "=")
		if !hasValue {
			return nil, "traits: " + part + " has no value, expected like eyes=laser; hat=crown"
		}
		traits = append(traits, cw721.Trait{
			TraitType: strings.TrimSpace(name),
			Value:     strings.TrimSpace(value),
		})
	}
	return traits, ""
}

// formatTraits writes traits as [parseTraits] reads them, such as "eyes=laser; hat=crown".
// It returns "" if traits is nil, which means that none were ever set.
func formatTraits(traits *[]cw721.Trait) string {
	if traits == nil {
		return ""
	}
	parts := make([]string, len(*traits))
	for i, trait := range *traits {
		parts[i] = trait.TraitType + "=" + trait.Value
	}
	return strings.Join(parts, "; ")
}
