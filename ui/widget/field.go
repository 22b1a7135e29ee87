package widget

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// FieldKind says how a field is filled in.
type FieldKind int

const (
	TextField   FieldKind = iota // typed, with completion when there is a Complete
	ChoiceField                  // one of Options
	ToggleField                  // "true" or "false"
	Heading                      // no field: a title between fields
)

// Candidate is a value that can be chosen.
type Candidate struct {
	Value  string // what the field then holds
	Label  string // what is shown; empty shows Value
	Detail string // a few words more
}

func (c Candidate) label() string { return cmp.Or(c.Label, c.Value) }

// Field is a field of a [Form] as its owner describes it.
type Field struct {
	Name        string // the key in [Form.Values]
	Label       string
	Kind        FieldKind
	Value       string
	Placeholder string
	Hint        string // help while the field has the focus
	Options     []Candidate
	// Complete gives the values that a text may become. It runs while typing, so
	// it must be quick and must not do I/O.
	Complete func(text string) []Candidate
	Hidden   bool
	// Amend says that a value filled in beforehand is there to be edited: typing
	// does not replace it.
	Amend bool
}

// field is a field as the form holds it.
type field struct {
	Field
	edit   Edit
	pick   int // of Options
	err    string
	notes  []Line
	offers []Candidate
	offer  int  // the highlighted one, -1 when none is
	fresh  bool // filled in beforehand and not touched yet: typing replaces it
}

func newField(f Field) *field {
	n := &field{Field: f, edit: NewEdit(), offer: -1}
	n.set(f.Value)
	n.fresh = f.Value != "" && !f.Amend
	return n
}

// inUse tells that the field can be filled in now.
func (f *field) inUse() bool { return !f.Hidden && f.Kind != Heading }

func (f *field) set(value string) {
	switch f.Kind {
	case ChoiceField:
		f.pick = max(0, slices.IndexFunc(f.Options, func(c Candidate) bool { return c.Value == value }))
	case ToggleField:
		f.pick = 0
		if value == "true" {
			f.pick = 1
		}
	default:
		f.edit.Set(value)
	}
	f.close()
}

func (f *field) value() string {
	switch f.Kind {
	case ChoiceField:
		if f.pick < len(f.Options) {
			return f.Options[f.pick].Value
		}
		return ""
	case ToggleField:
		if f.pick == 1 {
			return "true"
		}
		return "false"
	}
	return f.edit.Value()
}

func (f *field) open() {
	f.offers, f.offer = nil, -1
	if f.Complete == nil {
		return
	}
	if f.offers = f.Complete(f.edit.Value()); f.fresh {
		f.offers = nil
	}
	if len(f.offers) == 1 && f.offers[0].Value == f.edit.Value() {
		f.offers = nil
	}
}

func (f *field) close() { f.offers, f.offer = nil, -1 }

// accept takes the highlighted offer, and what was wrong with the text before
// it is no longer.
func (f *field) accept() bool {
	if f.offer < 0 || f.offer >= len(f.offers) {
		return false
	}
	f.set(f.offers[f.offer].Value)
	f.err = ""
	return true
}

// complete takes the highlighted offer, or the first for what was begun.
func (f *field) complete() bool {
	typed := f.value()
	if f.offer < 0 && typed != "" && !slices.ContainsFunc(f.offers, func(c Candidate) bool { return c.Value == typed }) {
		f.offer = 0
	}
	return f.accept()
}

// press gives a key to the field and says whether its value changed.
func (f *field) press(k tea.KeyMsg) bool {
	was := f.value()
	switch f.Kind {
	case TextField:
		if f.fresh && len(k.Runes) > 0 && !k.Alt {
			f.edit.Set("")
		}
		f.fresh = false
		if f.edit.Update(k); f.value() != was {
			f.open()
		}
	case ChoiceField:
		if n := len(f.Options); n > 0 {
			f.pick = (f.pick + step(k) + n) % n
		}
	case ToggleField:
		if step(k) != 0 {
			f.pick = 1 - f.pick
		}
	}
	return f.value() != was
}

// turn is a click on column x of the value: it says whether the value changed.
func (f *field) turn(x int) bool {
	was := f.value()
	switch n := len(f.Options); {
	case f.Kind == ToggleField:
		f.pick = 1 - f.pick
	case f.Kind == ChoiceField && n > 0 && x < Width(themes.GlyphLeft)+1:
		f.pick = (f.pick + n - 1) % n
	case f.Kind == ChoiceField && n > 0:
		f.pick = (f.pick + 1) % n
	}
	return f.value() != was
}

// step is what a key does to a choice.
func step(k tea.KeyMsg) int {
	switch k.String() {
	case "left":
		return -1
	case "right", " ":
		return 1
	}
	return 0
}

// view draws the value in w cells.
func (f *field) view(th *themes.Theme, w int, focus bool) string {
	role := themes.Text
	if focus {
		role = themes.Field
	}
	switch f.Kind {
	case ChoiceField:
		if f.pick >= len(f.Options) {
			return In(themes.Faint, "nothing to choose from").Fit(th, w)
		}
		line, _ := f.choice(w, focus)
		return line.Fit(th, w)
	case ToggleField:
		box, word := "[ ]", "no"
		if f.pick == 1 {
			box, word = "["+themes.GlyphYes+"]", "yes"
		}
		return In(role, box).And(themes.Muted, " "+word).Fit(th, w)
	}
	return f.edit.View(th, w, focus, f.Placeholder)
}

// choice is the option that is chosen, between the signs that change it, and
// what it means where that has no room behind it.
func (f *field) choice(w int, focus bool) (line, below Line) {
	if f.Kind != ChoiceField || f.pick >= len(f.Options) {
		return nil, nil
	}
	role := themes.Text
	if focus {
		role = themes.Field
	}
	o := f.Options[f.pick]
	line = In(themes.Key, themes.GlyphLeft+" ").And(role, o.label()).And(themes.Key, " "+themes.GlyphPointer)
	detail := In(themes.Faint, o.Detail)
	switch {
	case o.Detail == "":
	case Width(line.String())+2+Width(detail.String()) > w:
		return line, detail
	default:
		line = line.And(themes.Faint, "  "+o.Detail)
	}
	return line, nil
}
