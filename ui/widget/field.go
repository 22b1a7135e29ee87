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
	TextField   FieldKind = iota // typed; Complete may offer values
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
	Hint        string // shown while the field has the focus
	Options     []Candidate
	// Complete returns the values that a typed text may become. It runs at every key,
	// so it must be quick and must not do I/O.
	Complete func(text string) []Candidate
	Hidden   bool
	// Amend means that the initial value is edited. Otherwise typing replaces it.
	Amend bool
}

// field is a field and its state in a form.
type field struct {
	Field
	edit       Edit
	pick       int // index into Options; of a toggle, 1 is "true"
	err        string
	notes      []Line
	offers     []Candidate
	offer      int  // index of the highlighted offer, -1 if none is
	isPristine bool // the initial value, which typing replaces
}

func newField(described Field) *field {
	f := &field{Field: described, edit: NewEdit(), offer: -1}
	f.set(described.Value)
	f.isPristine = described.Value != "" && !described.Amend
	return f
}

// isEditable reports whether the field can be filled in now.
func (f *field) isEditable() bool { return !f.Hidden && f.Kind != Heading }

// set replaces the value and closes the offers.
func (f *field) set(value string) {
	switch f.Kind {
	case ChoiceField:
		hasValue := func(c Candidate) bool { return c.Value == value }
		f.pick = max(0, slices.IndexFunc(f.Options, hasValue))
	case ToggleField:
		f.pick = 0
		if value == "true" {
			f.pick = 1
		}
	default:
		f.edit.Set(value)
	}
	f.closeOffers()
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

// openOffers offers the values that the text may become. A pristine value and a
// complete one have no offers.
func (f *field) openOffers() {
	f.closeOffers()
	if f.Complete == nil || f.isPristine {
		return
	}
	text := f.edit.Value()
	offers := f.Complete(text)
	isComplete := len(offers) == 1 && offers[0].Value == text
	if !isComplete {
		f.offers = offers
	}
}

func (f *field) closeOffers() {
	f.offers = nil
	f.offer = -1
}

// acceptOffer takes the highlighted offer as the value, and clears the error. It
// reports whether there was one.
func (f *field) acceptOffer() bool {
	if f.offer < 0 || f.offer >= len(f.offers) {
		return false
	}
	f.set(f.offers[f.offer].Value)
	f.err = ""
	return true
}

// complete takes the highlighted offer, or the first one for a text that is no offer
// itself. It reports whether the value changed.
func (f *field) complete() bool {
	typed := f.value()
	isOffered := slices.ContainsFunc(f.offers, func(c Candidate) bool { return c.Value == typed })
	if f.offer < 0 && typed != "" && !isOffered {
		f.offer = 0
	}
	return f.acceptOffer()
}

// press handles a key and reports whether the value changed.
func (f *field) press(msg tea.KeyMsg) bool {
	before := f.value()
	switch f.Kind {
	case TextField:
		f.typeKey(msg)
	case ChoiceField:
		f.turn(stepOf(msg))
	case ToggleField:
		if stepOf(msg) != 0 {
			f.pick = 1 - f.pick
		}
	}
	return f.value() != before
}

// typeKey edits the text.
func (f *field) typeKey(msg tea.KeyMsg) {
	before := f.value()
	if f.isPristine && len(msg.Runes) > 0 && !msg.Alt {
		f.edit.Set("")
	}
	f.isPristine = false
	f.edit.Update(msg)
	if f.value() != before {
		f.openOffers()
	}
}

// stepOf returns by how many options a key moves a choice.
func stepOf(msg tea.KeyMsg) int {
	switch msg.String() {
	case "left":
		return -1
	case "right", " ":
		return 1
	}
	return 0
}

// turn moves a choice by a number of options, around the ends.
func (f *field) turn(step int) {
	if n := len(f.Options); n > 0 {
		f.pick = (f.pick + step + n) % n
	}
}

// click handles a click at column x of the value, and reports whether the value
// changed. A choice moves back if its left sign was clicked.
func (f *field) click(x int) bool {
	before := f.value()
	isLeftSign := x <= Width(themes.GlyphLeft)
	switch {
	case f.Kind == ToggleField:
		f.pick = 1 - f.pick
	case f.Kind == ChoiceField && isLeftSign:
		f.turn(-1)
	case f.Kind == ChoiceField:
		f.turn(1)
	}
	return f.value() != before
}

// viewValue draws the value in width cells.
func (f *field) viewValue(th *themes.Theme, width int, hasFocus bool) string {
	switch f.Kind {
	case ChoiceField:
		if f.pick >= len(f.Options) {
			return In(themes.Faint, "nothing to choose from").Fit(th, width)
		}
		line, _ := f.choiceLines(width, hasFocus)
		return line.Fit(th, width)
	case ToggleField:
		box, word := "[ ]", "no"
		if f.pick == 1 {
			box, word = "["+themes.GlyphYes+"]", "yes"
		}
		return In(roleOfValue(hasFocus), box).And(themes.Muted, " "+word).Fit(th, width)
	}
	return f.edit.View(th, width, hasFocus, f.Placeholder)
}

func roleOfValue(hasFocus bool) themes.Role {
	if hasFocus {
		return themes.Field
	}
	return themes.Text
}

// choiceLines returns the chosen option between the signs that change it. Its detail
// follows on the same line, or is returned as below if it does not fit.
func (f *field) choiceLines(width int, hasFocus bool) (line, below Line) {
	if f.Kind != ChoiceField || f.pick >= len(f.Options) {
		return nil, nil
	}
	option := f.Options[f.pick]
	line = In(themes.Key, themes.GlyphLeft+" ").And(roleOfValue(hasFocus), option.label()).And(themes.Key, " "+themes.GlyphPointer)
	if option.Detail == "" {
		return line, nil
	}
	detail := In(themes.Faint, option.Detail)
	if line.Width()+2+detail.Width() > width {
		return line, detail
	}
	return line.And(themes.Faint, "  "+option.Detail), nil
}
