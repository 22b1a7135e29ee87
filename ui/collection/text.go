package collection

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// textField returns a field of the screen that holds a text, such as the name. textPointer
// returns a pointer to the member with this text in a message that changes the collection,
// so that the text can be read and set there.
func textField(key, hint string, textPointer func(*cw721.CollectionInfoMsg) **string) collectionField {
	member := textMember{key: key, hint: hint, textPointer: textPointer}
	return collectionField{
		key:   key,
		label: member.label(),
		showValue: func(_ *app.State, collection chain.Collection) widget.Line {
			return textValue(member.storedText(collection))
		},
		inquiries: changeInquiries(member.changeMessage("https://example.com")),
		openForm:  member.openForm,
	}
}

// extensionTextField returns a field that holds a text of the collection's extension, such
// as the description. textPointer returns a pointer to the member with the text in a message
// that changes the extension.
func extensionTextField(
	key, hint string,
	textPointer func(*cw721.CollectionExtensionMsg) **string,
) collectionField {
	// In a message that changes the whole collection, the extension may have to be added
	// first.
	textPointerInInfo := func(info *cw721.CollectionInfoMsg) **string {
		info.Extension = cmp.Or(info.Extension, &cw721.CollectionExtensionMsg{})
		return textPointer(info.Extension)
	}
	field := textField(key, hint, textPointerInInfo)
	field.explain = func(_ *app.State, facts *collectionFacts) []widget.Line {
		text := *textPointerInInfo(textsOf(facts.Collection))
		size := app.Plural(len(textOrEmpty(text)), "byte")
		return []widget.Line{widget.Muted(size + " of text. It can be replaced, never cleared.")}
	}
	return field
}

// textMember is a text of the collection that a message can change, such as its name.
type textMember struct {
	key  string // the key of its field, such as "external_link"
	hint string // what to type, such as "an absolute URL"
	// textPointer returns a pointer to the member with the text in a message, so that the
	// text can be read and set there.
	textPointer func(*cw721.CollectionInfoMsg) **string
}

// label returns the key in words, such as "external link".
func (t textMember) label() string { return strings.ReplaceAll(t.key, "_", " ") }

// storedText returns the text as a collection has it. It returns nil if it was never set.
func (t textMember) storedText(collection chain.Collection) *string {
	return *t.textPointer(textsOf(collection))
}

// textsOf returns the texts of a collection in the form of a message that changes them. A
// text that was never set is nil.
func textsOf(collection chain.Collection) *cw721.CollectionInfoMsg {
	texts := &cw721.CollectionInfoMsg{Name: &collection.Name, Symbol: &collection.Symbol}

	// The texts of the extension exist only if the collection has one.
	if extension := collection.Extension; extension != nil {
		texts.Extension = &cw721.CollectionExtensionMsg{
			Description:  &extension.Description,
			Image:        &extension.Image,
			ExternalLink: extension.ExternalLink,
			BannerURL:    extension.BannerURL,
		}
	}
	return texts
}

// changeMessage returns the message that replaces the text.
func (t textMember) changeMessage(text string) cw721.ExecuteMsg {
	var info cw721.CollectionInfoMsg
	*t.textPointer(&info) = &text
	return newInfoUpdate(info)
}

// openForm opens the form that replaces the text.
func (t textMember) openForm(state *app.State, collection chain.Collection) tea.Cmd {
	label := t.label()
	field := widget.Field{
		Name:  t.key,
		Label: strings.ToUpper(label[:1]) + label[1:],
		Hint:  t.hint,
		Value: textOrEmpty(t.storedText(collection)),
	}
	readMessage := func(input *form.Input) cw721.ExecuteMsg {
		return t.changeMessage(input.Values[t.key])
	}
	return openChangeForm(state, label, readMessage, field)
}

// textOrEmpty returns an optional text, or "" for nil.
func textOrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// textValue shows an optional text. nil, which means that it was never set, and the empty
// text are each shown as a word.
func textValue(text *string) widget.Line {
	switch {
	case text == nil:
		return widget.Faint("none")
	case *text == "":
		return widget.Faint("empty")
	}
	return widget.Plain(*text)
}
