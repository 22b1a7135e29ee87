package widget

import (
	"strings"

	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// maxOffers is how many offers show at once below a field. An offer is a value that
// completes what was typed.
const maxOffers = 6

// formLine is a drawn line of a form, and what it shows, so that a click on the line
// finds its field.
type formLine struct {
	text  string // with style codes, as wide as the form
	field int    // index of the field that the line belongs to
	kind  lineKind
	offer int // index of the offer on an offerLine, not used otherwise
}

// lineKind is what a line of a field shows.
type lineKind int

// The kinds of lines of a field.
const (
	valueLine lineKind = iota // the label and the value
	belowLine                 // an error, a note, a hint, or the number of further offers
	offerLine                 // an offer
)

// View draws the fields. If they are higher than the box, it scrolls so that all lines
// of the field with the focus are in view.
func (f *Form) View(th *themes.Theme) string {
	f.drawn = f.lines(th)
	f.top = f.topLine(f.drawn)
	var inView []string
	for _, line := range f.drawn[f.top:] {
		inView = append(inView, line.text)
	}
	return Fill(strings.Join(inView, "\n"), f.box)
}

// Hidden counts the lines above and below the box that the last View had no room for.
func (f *Form) Hidden() Hidden { return hiddenLines(f.top, f.box.H, len(f.drawn)) }

// heights returns how many lines the form needs at its width, and how many of them
// belong to the field with the focus.
func (f *Form) heights(th *themes.Theme) (all, focused int) {
	lines := f.lines(th)
	for _, line := range lines {
		if line.field == f.focus {
			focused++
		}
	}
	return len(lines), focused
}

// Click handles a click at column x and line y of the box, as the last View drew it,
// and returns FormChange if a value changed. A click on an offer makes it the value. A
// click elsewhere moves the focus to the field there, and also changes a toggle or a
// choice if it hits the value.
func (f *Form) Click(x, y int) FormEvent {
	i := f.top + y
	if y < 0 || y >= f.box.H || i >= len(f.drawn) {
		return FormNone
	}

	// The drawn line knows its field.
	line := f.drawn[i]
	clicked := f.fields[line.field]
	hasChanged := false
	if line.kind == offerLine {
		clicked.offer = line.offer
		hasChanged = clicked.acceptOffer()
	} else {
		f.Focus(clicked.Name)
		isValue := line.kind == valueLine && x >= f.valueColumn
		hasChanged = isValue && clicked.click(x-f.valueColumn)
	}
	if !hasChanged {
		return FormNone
	}
	clicked.err = ""
	return FormChange
}

// topLine returns the index of the first line to show, so that the field with the focus
// is in view. The lines in view stay the same if possible. Of a field that is higher
// than the box the first lines are in view, or else its highlighted offer.
func (f *Form) topLine(lines []formLine) int {
	// Find the lines of the field with the focus.
	first := -1 // the first line of the field with the focus, -1 before it is found
	last := 0
	highlighted := 0 // the line of the highlighted offer
	for i, line := range lines {
		if line.field != f.focus {
			continue
		}
		if first < 0 {
			first = i
		}
		last = i
		if line.kind == offerLine && line.offer == f.current().offer {
			highlighted = i
		}
	}

	// Each step may undo the one before: the last line of the field must be in view, its
	// first line matters more, and the highlighted offer most.
	top := max(f.top, last-f.box.H+1)
	top = min(top, max(0, first))
	top = max(top, highlighted-f.box.H+1)
	return clamp(top, 0, max(0, len(lines)-f.box.H))
}

// lines draws all lines of the form, also those that will be out of view: for each
// field its label and value, the lines below them (error, notes, hint), and for the
// field with the focus its offers. Headings have an empty line above them. It sets
// valueColumn, the column at which the values start.
func (f *Form) lines(th *themes.Theme) (lines []formLine) {
	labelWidth := f.labelWidth()
	const (
		sign = 2 // cells for the pointer or the error sign in front of a label
		gap  = 2 // cells between a label and its value
	)
	f.valueColumn = sign + labelWidth + gap
	valueWidth := max(0, f.box.W-f.valueColumn)

	for i, fd := range f.fields {
		if fd.Hidden {
			continue
		}
		if fd.Kind == Heading {
			if len(lines) > 0 {
				lines = append(lines, formLine{field: i})
			}
			lines = append(lines, f.headingLines(th, i)...)
			continue
		}

		// A field has its value on the first line, and below it what belongs to it.
		hasFocus := i == f.focus
		label := fd.viewLabel(th, labelWidth, hasFocus) + spaces(gap)
		lines = append(lines, formLine{text: label + fd.viewValue(th, valueWidth, hasFocus), field: i})
		for _, line := range fd.linesBelow(valueWidth, hasFocus) {
			lines = append(lines, f.lineBelow(th, i, belowLine, line))
		}
		if hasFocus {
			lines = append(lines, f.offerLines(th, i)...)
		}
	}
	return lines
}

// headingLines draws a heading, wrapped to the width of the form. index is that of its field.
func (f *Form) headingLines(th *themes.Theme, index int) (lines []formLine) {
	for _, text := range Wrap(Safe(f.fields[index].Label), f.box.W) {
		lines = append(lines, formLine{text: In(themes.Title, text).Fit(th, f.box.W), field: index})
	}
	return lines
}

// labelWidth returns the width of the column of labels: that of the widest label, but
// at most a third of the box. Six cells are always allowed.
func (f *Form) labelWidth() int {
	width := 0
	for _, fd := range f.fields {
		if fd.isEditable() {
			width = max(width, Width(Safe(fd.Label)))
		}
	}
	return min(width, max(6, f.box.W/3))
}

// lineBelow draws a line below the value of a field, indented to the column of values.
// field is the index of the field.
func (f *Form) lineBelow(th *themes.Theme, field int, kind lineKind, line Line) formLine {
	width := max(0, f.box.W-f.valueColumn)
	return formLine{text: spaces(f.valueColumn) + line.Fit(th, width), field: field, kind: kind}
}

// viewLabel draws the label in width cells, and in front of it two cells for a sign: a
// pointer on the field with the focus, otherwise a cross if the field has an error.
func (f *field) viewLabel(th *themes.Theme, width int, hasFocus bool) string {
	role := themes.Muted
	sign := "  "
	switch {
	case hasFocus:
		role = themes.Accent
		sign = themes.GlyphPointer + " "
	case f.err != "":
		role = themes.Bad
		sign = themes.GlyphNo + " "
	}
	return In(role, sign+f.Label).Fit(th, width+2)
}

// linesBelow returns the lines below the value of a field, wrapped to width cells: the
// error, the notes, the detail of a chosen option that did not fit beside it, and the
// hint. The hint shows while the field has the focus and no offers; it is left out if
// the error repeats it.
func (f *field) linesBelow(width int, hasFocus bool) (lines []Line) {
	if f.err != "" && width > 4 {
		sign := themes.GlyphNo + " "
		for _, text := range Wrap(Safe(f.err), width-2) {
			lines = append(lines, In(themes.Bad, sign+text))
			sign = "  " // only the first line of the error has the cross
		}
	}
	for _, note := range f.notes {
		lines = append(lines, WrapLine(note, width)...)
	}
	if _, detail := f.choiceLines(width, hasFocus); len(detail) > 0 {
		lines = append(lines, WrapLine(detail, width)...)
	}
	showsHint := hasFocus && f.Hint != "" && len(f.offers) == 0
	if showsHint && !strings.Contains(f.err, f.Hint) {
		lines = append(lines, WrapLine(In(themes.Faint, f.Hint), width)...)
	}
	return lines
}

// offerLines draws the offers of a field, the values that complete what was typed. It
// draws at most maxOffers of them, with the highlighted one in the middle if there are
// more, and a last line such as "… 12 more". index is that of the field.
func (f *Form) offerLines(th *themes.Theme, index int) (lines []formLine) {
	fd := f.fields[index]
	shown := min(len(fd.offers), maxOffers)
	first := clamp(fd.offer-shown/2, 0, len(fd.offers)-shown)
	offers := fd.offers[first : first+shown]

	// Align the details behind the widest label.
	width := max(0, f.box.W-f.valueColumn)
	labelWidth := 0
	for _, offer := range offers {
		labelWidth = max(labelWidth, Width(Safe(visiblePart(offer.label(), width))))
	}
	labelWidth = min(labelWidth, max(8, width/2))

	for i, offer := range offers {
		label := Fit(Safe(offer.label()), labelWidth)
		detail := "  " + offer.Detail
		text := Plain("  "+label).And(themes.Faint, detail)
		if first+i == fd.offer {
			text = In(themes.Selected, themes.GlyphPointer+" "+label).And(themes.Selected, detail)
		}
		line := f.lineBelow(th, index, offerLine, text)
		line.offer = first + i
		lines = append(lines, line)
	}

	// Say how many offers do not show.
	if more := len(fd.offers) - shown; more > 0 {
		text := "  " + themes.GlyphEllipsis + " " + humanize.Comma(int64(more)) + " more"
		lines = append(lines, f.lineBelow(th, index, belowLine, In(themes.Faint, text)))
	}
	return lines
}
