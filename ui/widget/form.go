package widget

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// FormEvent is what a key or a click did to a form.
type FormEvent int

const (
	FormNone   FormEvent = iota // the focus moved, or nothing happened
	FormChange                  // a value changed, so a preview is out of date
	FormSubmit                  // the user submits the form
	FormCancel                  // the user cancels the form
)

// FormKeys are the keys of a form.
type FormKeys struct{ Next, Prev, Submit, Cancel, Offer key.Binding }

// Form is a set of labelled fields. It keeps what was typed until its owner closes it:
// [Form.SetError] shows a refusal and loses nothing.
//
// In a text field with offers, the arrows highlight one, and enter or tab takes it.
// Without a highlighted offer, tab takes the first one for a typed text, and enter
// submits. An empty field offers all values.
type Form struct {
	Keys        FormKeys
	fields      []*field
	focus       int // index of the field with the focus, -1 if none can have it
	box         Box
	top         int // the first line in view
	valueColumn int
	drawn       []formLine
}

// NewForm makes a form with the focus on its first field.
func NewForm(fields ...Field) *Form {
	bind := func(shown, action string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(shown, action))
	}
	f := &Form{focus: -1, Keys: FormKeys{
		Next:   bind("tab ↓", "next field", "tab", "down"),
		Prev:   bind("shift+tab ↑", "previous field", "shift+tab", "up"),
		Submit: bind("enter", "send", "enter"),
		Cancel: bind("esc", "cancel", "esc"),
		Offer:  bind("ctrl+n", "show what fits here", "ctrl+n", "ctrl+@"),
	}}
	for _, described := range fields {
		f.Add(described)
	}
	f.Step(1)
	return f
}

// Add appends a field. It does not take the focus.
func (f *Form) Add(described Field) { f.fields = append(f.fields, newField(described)) }

// Bindings lists the keys that do something in this form.
func (f *Form) Bindings() []key.Binding {
	editable := 0
	hasOffers := false
	for _, fd := range f.fields {
		if fd.isEditable() {
			editable++
			hasOffers = hasOffers || fd.Complete != nil
		}
	}

	keys := []key.Binding{f.Keys.Submit, f.Keys.Cancel}
	hasOtherField := editable > 1 || editable > 0 && f.focus < 0
	if hasOtherField {
		keys = append(keys, f.Keys.Next, f.Keys.Prev)
	}
	if hasOffers {
		keys = append(keys, f.Keys.Offer)
	}
	return keys
}

// Resize gives the form its box.
func (f *Form) Resize(b Box) { f.box = b }

// Update handles a key or a paste.
func (f *Form) Update(msg tea.Msg) FormEvent {
	pressed, isKey := msg.(tea.KeyMsg)
	if !isKey {
		return FormNone
	}
	if !pressed.Paste {
		if event, handled := f.pressControl(pressed); handled {
			return event
		}
	}
	current := f.current()
	if !current.press(pressed) {
		return FormNone
	}
	current.err = ""
	return FormChange
}

// pressControl handles the keys that do not edit a value. If an offer is highlighted,
// up, enter and esc are for the offers.
func (f *Form) pressControl(msg tea.KeyMsg) (event FormEvent, handled bool) {
	current := f.current()
	name := msg.String()
	isHighlighted := current.offer >= 0
	switch {
	case key.Matches(msg, f.Keys.Offer) && current.Complete != nil:
		if len(current.offers) == 0 {
			current.openOffers()
		}
		current.highlightNext()
	case name == "down" && len(current.offers) > 0:
		current.highlightNext()
	case isHighlighted && (name == "up" || name == "ctrl+p"):
		current.offer--
	case key.Matches(msg, f.Keys.Cancel):
		current.closeOffers()
		if !isHighlighted {
			return FormCancel, true
		}
	case key.Matches(msg, f.Keys.Submit):
		if current.acceptOffer() {
			return FormChange, true
		}
		current.closeOffers()
		return FormSubmit, true
	case key.Matches(msg, f.Keys.Next):
		if name == "tab" && current.complete() {
			event = FormChange
		}
		f.Step(1)
	case key.Matches(msg, f.Keys.Prev):
		f.Step(-1)
	default:
		return FormNone, false
	}
	return event, true
}

// highlightNext highlights the next offer, and stays on the last.
func (f *field) highlightNext() { f.offer = min(f.offer+1, len(f.offers)-1) }

// current returns the field with the focus, or a heading if none can have it.
func (f *Form) current() *field {
	if f.focus < 0 {
		return newField(Field{Kind: Heading})
	}
	return f.fields[f.focus]
}

// Step moves the focus to the next editable field, or with -1 to the one before,
// around the ends.
func (f *Form) Step(direction int) {
	f.current().closeOffers()
	n := len(f.fields)
	i := f.focus
	if i < 0 {
		i = -direction
	}
	for range n {
		i = (i + direction + n) % n
		if f.fields[i].isEditable() {
			f.focus = i
			f.fields[i].openOffers()
			return
		}
	}
}

// find returns the field of a name, or a heading that is not in the form.
func (f *Form) find(name string) *field {
	for _, fd := range f.fields {
		if fd.Name == name && fd.Kind != Heading {
			return fd
		}
	}
	return newField(Field{Kind: Heading})
}

// Values returns the values of the fields that are not hidden, by name.
func (f *Form) Values() map[string]string {
	values := map[string]string{}
	for _, fd := range f.fields {
		if fd.isEditable() {
			values[fd.Name] = fd.value()
		}
	}
	return values
}

// Value returns the value of one field.
func (f *Form) Value(name string) string { return f.find(name).value() }

// SetValue fills a field in.
func (f *Form) SetValue(name, value string) { f.find(name).set(value) }

// SetError shows a sentence below a field until its value changes. An empty text
// removes it.
func (f *Form) SetError(name, text string) { f.find(name).err = text }

// ClearErrors removes all errors.
func (f *Form) ClearErrors() {
	for _, fd := range f.fields {
		fd.err = ""
	}
}

// SetNotes shows lines below a field, such as all forms of a typed moment. No lines
// remove them.
func (f *Form) SetNotes(name string, notes ...Line) { f.find(name).notes = notes }

// Show shows or hides a field. A hidden field keeps its value.
func (f *Form) Show(name string, isShown bool) {
	f.find(name).Hidden = !isShown
	if !f.current().isEditable() {
		f.Step(1)
	}
}

// HasFocus moves the focus to a field.
func (f *Form) Focus(name string) {
	fd := f.find(name)
	if !fd.isEditable() {
		return
	}
	f.current().closeOffers()
	f.focus = slices.Index(f.fields, fd)
	fd.openOffers()
}

// Typing reports whether the field with the focus takes letters.
func (f *Form) Typing() bool { return f.current().Kind == TextField }

// Focused returns the name of the field with the focus.
func (f *Form) Focused() string { return f.current().Name }
