package widget

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// FormEvent is what a key or a click did to a form.
type FormEvent int

// What a key or a click can do to a form.
const (
	FormNone   FormEvent = iota // the focus moved, or nothing happened
	FormChange                  // a value changed, so a preview is out of date
	FormSubmit                  // the user submits the form
	FormCancel                  // the user cancels the form
)

// FormKeys are the keys of a form.
type FormKeys struct {
	Next   key.Binding // moves the focus to the next field; tab also takes an offer
	Prev   key.Binding // moves the focus to the field before
	Submit key.Binding // sends the form, or takes the highlighted offer
	Cancel key.Binding // cancels the form, or closes the offers
	Offer  key.Binding // opens the offers: the values that the field may get
}

// Form is a list of labelled fields, one of which has the focus and gets the keys. It
// keeps what was typed when the owner shows an error ([Form.SetError]).
//
// A text field can have offers: values that complete the typed text, such as "alice"
// for "al". The arrows highlight an offer, and enter or tab takes it. If none is
// highlighted, tab takes the first one for a typed text, and enter submits the form.
// An empty field offers all values.
//
// This file moves the focus. A field and its kinds are in field.go, and formview.go draws both.
type Form struct {
	Keys        FormKeys
	fields      []*field
	fold        *field // hides the fields below it; nil if there is none
	focus       int    // index of the field with the focus, -1 if none can have it
	box         Box
	topIndex    int        // index of the first line in view, into drawnLines
	valueColumn int        // the column at which values start, behind the labels
	drawnLines  []formLine // all lines as the last View drew them, also those out of view
}

// NewForm makes a form with the focus on its first field that can be filled in. Tab,
// enter and esc have their usual meanings; the owner may change Keys.
func NewForm(fields ...Field) *Form {
	f := &Form{
		focus: -1,
		Keys: FormKeys{
			Next:   bind("tab ↓", "next field", "tab", "down"),
			Prev:   bind("shift+tab ↑", "previous field", "shift+tab", "up"),
			Submit: bind("enter", "send", "enter"),
			Cancel: bind("esc", "cancel", "esc"),
			Offer:  bind("ctrl+n", "show what fits here", "ctrl+n", "ctrl+@"),
		},
	}
	for _, definition := range fields {
		f.Add(definition)
	}
	f.Step(1) // to the first field
	return f
}

// Add appends a field to the form. The focus stays where it is.
func (f *Form) Add(described Field) {
	field := newField(described)
	f.fields = append(f.fields, field)
	if field.Kind == FoldField {
		f.fold = field
	}
}

// Bindings lists the keys that do something in this form, for the line of hints. It leaves
// out the keys that move between fields if there is only one, and the key that shows offers
// if no field has any.
func (f *Form) Bindings() []key.Binding {
	editableCount := 0
	hasOffers := false
	for _, field := range f.fields {
		if !field.isEditable() {
			continue
		}
		editableCount++
		hasOffers = hasOffers || field.Complete != nil
	}

	// If fields were added to an empty form, none of them has the focus yet.
	keys := []key.Binding{f.Keys.Submit, f.Keys.Cancel}
	if editableCount > 1 || editableCount > 0 && f.focus < 0 {
		keys = append(keys, f.Keys.Next, f.Keys.Prev)
	}
	if hasOffers {
		keys = append(keys, f.Keys.Offer)
	}
	return keys
}

// Resize gives the form its box.
func (f *Form) Resize(box Box) { f.box = box }

// Update handles a key or a paste. If it changes a value, it removes the error of that field.
func (f *Form) Update(msg tea.Msg) FormEvent {
	keyMsg, isKey := msg.(tea.KeyMsg)
	if !isKey {
		return FormNone
	}

	// A pasted text is never a control key, even if it is a single letter or a newline.
	if !keyMsg.Paste {
		if event, isHandled := f.pressControlKey(keyMsg); isHandled {
			return event
		}
	}
	field := f.focusedField()
	return field.eventOf(field.press(keyMsg))
}

// eventOf returns the event of a key or a click on a field. A changed value has no error.
func (f *field) eventOf(hasChanged bool) FormEvent {
	if !hasChanged {
		return FormNone
	}
	f.errorText = ""
	return FormChange
}

// pressControlKey handles the keys that do not edit a value. They move the focus, submit
// or cancel the form, or choose one of the offers. isHandled is false for any other key,
// which may edit the value.
//
// While an offer is highlighted, up moves to the offer above, enter takes the offer, and
// esc closes the offers.
func (f *Form) pressControlKey(msg tea.KeyMsg) (event FormEvent, isHandled bool) {
	field := f.focusedField()
	keyName := msg.String()
	switch {
	case key.Matches(msg, f.Keys.Offer) && field.Complete != nil:
		if len(field.offers) == 0 {
			field.openOffers()
		}
		field.highlightNext()
	case keyName == "down" && len(field.offers) > 0:
		field.highlightNext()
	case field.highlightedIndex != noOffer && (keyName == "up" || keyName == "ctrl+p"):
		field.highlightedIndex-- // above the first offer, none is highlighted
	case key.Matches(msg, f.Keys.Cancel) && field.highlightedIndex != noOffer:
		field.closeOffers()
	case key.Matches(msg, f.Keys.Cancel):
		return FormCancel, true
	case key.Matches(msg, f.Keys.Submit):
		// Enter takes a highlighted offer, and else submits the form.
		if field.acceptOffer() {
			return FormChange, true
		}
		field.closeOffers()
		if f.isFolded(f.focus + 1) {
			f.fold.set("true")
			return FormNone, true
		}
		return FormSubmit, true
	case key.Matches(msg, f.Keys.Next):
		hasChanged := keyName == "tab" && field.acceptBestOffer()
		f.Step(1)
		return field.eventOf(hasChanged), true
	case key.Matches(msg, f.Keys.Prev):
		f.Step(-1)
	default:
		return FormNone, false
	}
	return FormNone, true
}

// highlightNext highlights the next offer, the first if none is. It stays on the last.
func (f *field) highlightNext() { f.highlightedIndex = min(f.highlightedIndex+1, len(f.offers)-1) }

// focusedField returns the field with the focus, or a new heading if no field can have it.
func (f *Form) focusedField() *field {
	if f.focus < 0 {
		return newField(Field{Kind: Heading})
	}
	return f.fields[f.focus]
}

// Step moves the focus to the next field if direction is 1, or to the previous one if it
// is -1. Behind the last field it starts again at the first. It skips headings, hidden
// fields and those below a closed fold.
func (f *Form) Step(direction int) {
	f.focusedField().closeOffers()

	// Without a focus, start beside field 0, so that the first step arrives there.
	count := len(f.fields)
	index := f.focus
	if index < 0 {
		index = -direction
	}

	// Stop after a full turn, because perhaps no field can have the focus.
	for range count {
		index = (index + direction + count) % count
		if f.fields[index].isEditable() && !f.isFolded(index) {
			f.focus = index
			f.fields[index].openOffers()
			return
		}
	}
}

// isFolded reports whether a field is hidden because it is below a closed fold.
func (f *Form) isFolded(index int) bool {
	return f.fold != nil && index > slices.Index(f.fields, f.fold) && f.fold.value() != "true"
}

// unfold opens the fold if a field is below it.
func (f *Form) unfold(index int) {
	if f.isFolded(index) {
		f.fold.set("true")
	}
}

// fieldNamed returns the field with a name, or a new heading, where what is set has no effect.
func (f *Form) fieldNamed(name string) *field {
	for _, field := range f.fields {
		if field.Name == name && field.Kind != Heading {
			return field
		}
	}
	return newField(Field{Kind: Heading})
}

// Values returns the values of the fields that are not hidden, by name, also below a fold.
func (f *Form) Values() map[string]string {
	values := map[string]string{}
	for _, field := range f.fields {
		if field.isEditable() {
			values[field.Name] = field.value()
		}
	}
	return values
}

// Value returns the value of one field.
func (f *Form) Value(name string) string { return f.fieldNamed(name).value() }

// SetValue replaces the value of one field.
func (f *Form) SetValue(name, value string) { f.fieldNamed(name).set(value) }

// SetError shows a sentence below a field until its value changes, and opens a fold above the
// field. An empty text removes the sentence.
func (f *Form) SetError(name, text string) {
	field := f.fieldNamed(name)
	field.errorText = text
	if text != "" {
		f.unfold(slices.Index(f.fields, field))
	}
}

// ClearMessages removes the errors and notes of all fields.
func (f *Form) ClearMessages() {
	for _, field := range f.fields {
		field.errorText = ""
		field.notes = nil
	}
}

// SetNotes shows lines below a field in place of the previous ones, such as the time that a
// typed "in 3 days" means.
func (f *Form) SetNotes(name string, notes ...Line) { f.fieldNamed(name).notes = notes }

// SetShown shows or hides a field, which keeps its value. The focus moves on from it.
func (f *Form) SetShown(name string, isShown bool) {
	f.fieldNamed(name).Hidden = !isShown
	if !f.focusedField().isEditable() {
		f.Step(1)
	}
}

// Focus moves the focus to a field, if it is shown, and opens a fold above it and its offers.
func (f *Form) Focus(name string) {
	field := f.fieldNamed(name)
	if !field.isEditable() {
		return
	}
	f.focusedField().closeOffers()
	f.focus = slices.Index(f.fields, field)
	f.unfold(f.focus)
	field.openOffers()
}

// Typing reports whether the field with the focus takes letters.
func (f *Form) Typing() bool { return f.focusedField().Kind == TextField }

// Focused returns the name of the field with the focus.
func (f *Form) Focused() string { return f.focusedField().Name }
