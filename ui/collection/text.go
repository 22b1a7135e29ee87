package collection

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// textField returns a field of the screen that holds a text, such as the name. hint says what to
// type. textPointer returns a pointer to the member with this text in a message that changes the
// collection, so that the text can be read and set there.
func textField(key, hint string, textPointer func(*cw721.CollectionInfoMsg) **string) collectionField {
	label := strings.ReplaceAll(key, "_", " ")
	changeText := func(text string) cw721.ExecuteMsg {
		var info cw721.CollectionInfoMsg
		*textPointer(&info) = &text
		return &cw721.UpdateCollectionInfo{CollectionInfo: info}
	}
	return collectionField{
		key:   key,
		label: label,
		showValue: func(_ *app.State, collection chain.Collection) widget.Line {
			text := *textPointer(textsOf(collection))
			switch {
			case text == nil: // it was never set
				return widget.Faint("none")
			case *text == "":
				return widget.Faint("empty")
			}
			return widget.Plain(*text)
		},
		inquiries: changeInquiries(changeText("https://example.com")),
		openForm: func(state *app.State, collection chain.Collection) tea.Cmd {
			readMessage := func(input *form.Input) cw721.ExecuteMsg { return changeText(input.Values[key]) }
			return openChangeForm(state, label, readMessage, widget.Field{
				Name:  key,
				Label: strings.ToUpper(label[:1]) + label[1:],
				Hint:  hint,
				Value: textOrEmpty(*textPointer(textsOf(collection))),
			})
		},
	}
}

// extensionTextField returns a field that holds a text of the collection's extension, such
// as the description. textPointer returns a pointer to the member with the text in a message
// that changes the extension.
func extensionTextField(
	key, hint string,
	textPointer func(*cw721.CollectionExtensionMsg) **string,
) collectionField {
	textPointerInInfo := func(info *cw721.CollectionInfoMsg) **string {
		info.Extension = cmp.Or(info.Extension, &cw721.CollectionExtensionMsg{}) // it may have none yet
		return textPointer(info.Extension)
	}
	field := textField(key, hint, textPointerInInfo)
	field.explain = func(_ *app.State, facts *collectionFacts) []widget.Line {
		text := *textPointerInInfo(textsOf(facts.Collection))
		size := human.Plural(len(textOrEmpty(text)), "byte")
		return []widget.Line{widget.Muted(size + " of text. It can be replaced, never cleared.")}
	}
	return field
}

// textsOf returns the texts of a collection in the form of a message that changes them. A
// text that was never set is nil.
func textsOf(collection chain.Collection) *cw721.CollectionInfoMsg {
	texts := &cw721.CollectionInfoMsg{Name: &collection.Name, Symbol: &collection.Symbol}
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

// textOrEmpty returns an optional text, or "" for nil.
func textOrEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
