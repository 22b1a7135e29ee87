package widget

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// FieldKind says how a field is filled in.
type FieldKind int

// The kinds of fields of a form.
const (
	TextField   FieldKind = iota // typed; Complete may offer values
	ChoiceField                  // one of Options
	ToggleField                  // "true" or "false"
	Heading                      // no field: a title between fields
	FoldField                    // "true" shows all fields below it, and "false" hides them; no Heading is below
)

// Candidate is a value that can be chosen.
type Candidate struct {
	Value  string // what the field then holds
	Label  string // what is shown; empty shows Value
	Detail string // a few words more
}

// label returns the text that is shown for the value.
func (c Candidate) label() string { return cmp.Or(c.Label, c.Value) }

// Field is a field of a [Form] as its owner describes it.
type Field struct {
	Name        string // the key in [Form.Values]
	Label       string
	Kind        FieldKind
	Value       string      // the initial value
	Placeholder string      // shown in place of an empty value, such as an example
	Hint        string      // shown below the field while it has the focus
	Options     []Candidate // the values of a ChoiceField
	// Complete returns the values that may complete a typed text. It runs at every key,
	// so it must be quick and must not do I/O. Nil offers nothing.
	Complete     func(text string) []Candidate
	Hidden       bool
	TypingAmends bool // typing changes the initial value; else the first letter replaces it
}

// field is a field of a form with what the user has done to it.
type field struct {
	Field
	edit             Edit        // the typed text
	chosenIndex      int         // index into Options of the chosen value
	errorText        string      // shown below the field; empty for none
	notes            []Line      // shown below the field
	offers           []Candidate // see [Form]; nil while they are closed
	highlightedIndex int         // index of the highlighted offer, or noOffer
	isPristine       bool        // it still has its initial value, which typing replaces
}

// newField makes a field with its initial value and no open offers.
func newField(definition Field) *field {
	f := &field{Field: definition, edit: NewEdit(), highlightedIndex: noOffer}
	if f.Kind == ToggleField || f.Kind == FoldField {
		f.Options = []Candidate{{Value: "false"}, {Value: "true"}}
	}
	f.set(definition.Value)
	f.isPristine = definition.Value != "" && !definition.TypingAmends
	return f
}

// noOffer is the index of the highlighted offer while none is highlighted.
const noOffer = -1

// isEditable reports whether the field can be filled in now.
func (f *field) isEditable() bool { return !f.Hidden && f.Kind != Heading }

// set replaces the value and closes the offers. A choice takes its first option if none
// has the value, and a toggle is off for any value but "true".
func (f *field) set(value string) {
	chosen := slices.IndexFunc(f.Options, func(c Candidate) bool { return c.Value == value })
	f.chosenIndex = max(0, chosen)
	f.edit.Set(value)
	f.closeOffers()
}

// value returns the typed text, or the value of the chosen option ("" without options).
func (f *field) value() string {
	switch {
	case f.Kind == TextField:
		return f.edit.Value()
	case f.chosenIndex < len(f.Options):
		return f.Options[f.chosenIndex].Value
	}
	return ""
}

// openOffers offers the values that may complete the typed text. It offers nothing for an
// initial value, which typing would replace, and nothing if the text is the only such value.
func (f *field) openOffers() {
	f.closeOffers()
	if f.Complete == nil || f.isPristine {
		return
	}
	text := f.edit.Value()
	offers := f.Complete(text)
	if len(offers) != 1 || offers[0].Value != text {
		f.offers = offers
	}
}

func (f *field) closeOffers() {
	f.offers = nil
	f.highlightedIndex = noOffer
}

// acceptOffer takes the highlighted offer as the value, and clears the error. It reports
// whether an offer was highlighted.
func (f *field) acceptOffer() bool {
	if f.highlightedIndex == noOffer || f.highlightedIndex >= len(f.offers) {
		return false
	}
	f.set(f.offers[f.highlightedIndex].Value)
	f.errorText = ""
	return true
}

// acceptBestOffer takes the highlighted offer as the value. If none is highlighted, it takes
// the first one, unless nothing was typed or the typed text is one of the offers. It reports
// whether it took an offer.
func (f *field) acceptBestOffer() bool {
	typed := f.value()
	isOffered := slices.ContainsFunc(f.offers, func(c Candidate) bool { return c.Value == typed })
	if f.highlightedIndex == noOffer && typed != "" && !isOffered {
		f.highlightedIndex = 0
	}
	return f.acceptOffer()
}

// press handles a key and reports whether the value changed. If the first key in a text is a
// letter, it replaces the initial value. After another key, such as the left arrow, the value
// stays and can be edited.
func (f *field) press(msg tea.KeyMsg) bool {
	oldValue := f.value()
	name := msg.String()
	switch {
	case f.Kind == TextField:
		if f.isPristine && len(msg.Runes) > 0 && !msg.Alt {
			f.edit.Set("")
		}
		f.isPristine = false
		f.edit.Update(msg)
		if f.value() != oldValue {
			f.openOffers()
		}
	case name == "left":
		f.moveChoice(-1)
	case name == "right" || name == " ":
		f.moveChoice(1)
	}
	return f.value() != oldValue
}

// moveChoice moves a choice or a toggle on by one option if step is 1, and back if it is -1.
// Behind the last option it starts again at the first.
func (f *field) moveChoice(step int) {
	if count := len(f.Options); count > 0 {
		f.chosenIndex = (f.chosenIndex + step + count) % count
	}
}

// click handles a click at a column of the value, and reports whether the value changed. On
// the left arrow of a choice it moves back by one option, and elsewhere forward.
func (f *field) click(column int) bool {
	oldValue := f.value()
	step := 1
	if column <= Width(themes.GlyphLeft) {
		step = -1
	}
	f.moveChoice(step)
	return f.value() != oldValue
}

// valueLines returns the value in lines of at most width cells: the typed text, the chosen
// option between arrows, or a toggle as "[✓] yes". A placeholder that is a list of examples
// ends with the last one that fits on the first line.
func (f *field) valueLines(width int, hasFocus bool) []Line {
	switch f.Kind {
	case ChoiceField:
		line, _ := f.choiceLines(width, hasFocus)
		return WrapLine(line, width)
	case ToggleField:
		sign, word := "[ ]", " no"
		if f.chosenIndex == 1 {
			sign, word = "["+themes.GlyphYes+"]", " yes"
		}
		return []Line{Styled(roleOfValue(hasFocus), sign).Muted(word)}
	}
	placeholder := f.Placeholder
	for end := len(placeholder); end >= 0 && Width(placeholder) > width; {
		placeholder = placeholder[:end]
		end = strings.LastIndex(placeholder, " · ")
	}
	return f.edit.wrap(width, hasFocus, placeholder)
}

// roleOfValue returns the role of the value of a choice or a toggle.
func roleOfValue(hasFocus bool) themes.Role {
	if hasFocus {
		return themes.Field
	}
	return themes.Text
}

// choiceLines returns a line with the chosen option between two arrows, followed by the
// option's detail. If the detail does not fit into width cells, line is without it and
// below holds it. Without options, line is a sentence about that. Both are nil for a field
// that is no choice.
func (f *field) choiceLines(width int, hasFocus bool) (line, below Line) {
	switch {
	case f.Kind != ChoiceField:
		return nil, nil
	case f.chosenIndex >= len(f.Options):
		return Faint("nothing to choose from"), nil
	}
	option := f.Options[f.chosenIndex]
	line = Styled(themes.Key, themes.GlyphLeft+" ").
		Append(roleOfValue(hasFocus), option.label()).
		Append(themes.Key, " "+themes.GlyphPointer)
	if option.Detail == "" {
		return line, nil
	}

	// The detail stands behind the option, with a gap of two spaces, if it fits there.
	detail := Faint(option.Detail)
	if line.Width()+2+detail.Width() > width {
		return line, detail
	}
	return line.Append(themes.Faint, "  "+option.Detail), nil
}
