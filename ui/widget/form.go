package widget

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// FormEvent is what a key meant to a form.
type FormEvent int

const (
	FormNone   FormEvent = iota // the focus moved, or nothing happened
	FormChange                  // a value changed: time for a new preview
	FormSubmit                  // the person wants it done
	FormCancel                  // the person wants out
)

// FormKeys are the keys of a form.
type FormKeys struct{ Next, Prev, Submit, Cancel, Offer key.Binding }

// Form is a set of labelled fields. It keeps what was typed until its owner
// closes it: a refusal is shown with [Form.SetError] and loses nothing.
//
// In a text field with offers, the arrows choose among them and enter or tab
// takes the highlighted one; tab takes the first for what was begun, and enter
// without a highlighted offer submits. An empty field offers all there is.
type Form struct {
	Keys   FormKeys
	fields []*field
	focus  int
	box    Box
	top    int // the first line in view
	indent int // the column of the values
	drawn  []formLine
}

// NewForm makes a form with the focus on its first field.
func NewForm(fields ...Field) *Form {
	f := &Form{Keys: FormKeys{
		Next:   key.NewBinding(key.WithKeys("tab", "down"), key.WithHelp("tab ↓", "next field")),
		Prev:   key.NewBinding(key.WithKeys("shift+tab", "up"), key.WithHelp("shift+tab ↑", "previous field")),
		Submit: key.NewBinding(key.WithKeys("enter"), key.WithHelp("enter", "send")),
		Cancel: key.NewBinding(key.WithKeys("esc"), key.WithHelp("esc", "cancel")),
		Offer:  key.NewBinding(key.WithKeys("ctrl+n", "ctrl+@"), key.WithHelp("ctrl+n", "show what fits here")),
	}}
	for _, fd := range fields {
		f.fields = append(f.fields, newField(fd))
	}
	f.focus = -1
	f.Step(1)
	return f
}

// Add puts a field behind the others. It does not take the focus.
func (f *Form) Add(fd Field) { f.fields = append(f.fields, newField(fd)) }

// Bindings lists the keys that do something in this form.
func (f *Form) Bindings() []key.Binding {
	keys := []key.Binding{f.Keys.Submit, f.Keys.Cancel}
	fields, offers := 0, false
	for _, fd := range f.fields {
		if fd.inUse() {
			fields, offers = fields+1, offers || fd.Complete != nil
		}
	}
	if fields > 1 || fields > 0 && f.focus < 0 {
		keys = append(keys, f.Keys.Next, f.Keys.Prev)
	}
	if offers {
		keys = append(keys, f.Keys.Offer)
	}
	return keys
}

// Resize gives the form its box.
func (f *Form) Resize(b Box) { f.box = b }

// Update takes a key or a paste.
func (f *Form) Update(msg tea.Msg) FormEvent {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		return FormNone
	}
	if !k.Paste {
		if e, done := f.steer(k); done {
			return e
		}
	}
	fd := f.current()
	if fd.press(k) {
		fd.err = ""
		return FormChange
	}
	return FormNone
}

// steer handles the keys that do not edit a value. Enter and esc are about the
// offers first, if one is chosen.
func (f *Form) steer(k tea.KeyMsg) (e FormEvent, done bool) {
	fd, s := f.current(), k.String()
	chosen := fd.offer >= 0
	switch {
	case key.Matches(k, f.Keys.Offer) && fd.Complete != nil:
		if len(fd.offers) == 0 {
			fd.open()
		}
		fd.offer = min(fd.offer+1, len(fd.offers)-1)
	case len(fd.offers) > 0 && s == "down":
		fd.offer = min(fd.offer+1, len(fd.offers)-1)
	case chosen && (s == "up" || s == "ctrl+p"):
		fd.offer--
	case key.Matches(k, f.Keys.Cancel):
		if fd.close(); !chosen {
			e = FormCancel
		}
	case key.Matches(k, f.Keys.Submit):
		e = FormChange
		if !fd.accept() {
			fd.close()
			e = FormSubmit
		}
	case key.Matches(k, f.Keys.Next), key.Matches(k, f.Keys.Prev):
		if s == "tab" && fd.complete() {
			e = FormChange
		}
		d := 1
		if key.Matches(k, f.Keys.Prev) {
			d = -1
		}
		f.Step(d)
	default:
		return FormNone, false
	}
	return e, true
}

// current is the field with the focus; a heading where no field can have it.
func (f *Form) current() *field {
	if f.focus < 0 {
		return newField(Field{Kind: Heading})
	}
	return f.fields[f.focus]
}

// Step puts the focus on the next field that can have it, or with -1 on the one
// before, around the ends.
func (f *Form) Step(d int) {
	f.current().close()
	n := len(f.fields)
	at := f.focus
	if at < 0 {
		at = -d
	}
	for range n {
		at = (at + d + n) % n
		if f.fields[at].inUse() {
			f.focus = at
			f.fields[at].open()
			return
		}
	}
}

// find gives the field of a name; a heading of no form where there is none.
func (f *Form) find(name string) *field {
	for _, fd := range f.fields {
		if fd.Name == name && fd.Kind != Heading {
			return fd
		}
	}
	return newField(Field{Kind: Heading})
}

// Values gives what every field holds, hidden ones left out.
func (f *Form) Values() map[string]string {
	out := map[string]string{}
	for _, fd := range f.fields {
		if fd.inUse() {
			out[fd.Name] = fd.value()
		}
	}
	return out
}

// Value gives what one field holds.
func (f *Form) Value(name string) string { return f.find(name).value() }

// SetValue fills a field in.
func (f *Form) SetValue(name, value string) { f.find(name).set(value) }

// SetError shows a sentence under a field until its value changes. An empty
// text takes it away.
func (f *Form) SetError(name, text string) { f.find(name).err = text }

// ClearErrors takes all errors away.
func (f *Form) ClearErrors() {
	for _, fd := range f.fields {
		fd.err = ""
	}
}

// SetNotes shows lines under a field, as what a typed moment means in all its
// forms. No lines take them away.
func (f *Form) SetNotes(name string, notes ...Line) { f.find(name).notes = notes }

// Show shows or hides a field. What it holds is kept.
func (f *Form) Show(name string, on bool) {
	f.find(name).Hidden = !on
	if !f.current().inUse() {
		f.Step(1)
	}
}

// Focus puts the focus on a field.
func (f *Form) Focus(name string) {
	if fd := f.find(name); fd.inUse() {
		f.current().close()
		f.focus = slices.Index(f.fields, fd)
		fd.open()
	}
}

// Typing tells that the focus is on a field that takes letters.
func (f *Form) Typing() bool { return f.current().Kind == TextField }

// Focused is the name of the field with the focus.
func (f *Form) Focused() string { return f.current().Name }
