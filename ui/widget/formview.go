package widget

import (
	"slices"
	"strings"

	"ephemera/themes"
)

// maxOffers is how many offers show at once below a field.
const maxOffers = 6

// formLine is a drawn line of a form. It knows its field, so that a click on the line
// finds the field.
type formLine struct {
	text       string // with style codes, as wide as the form
	fieldIndex int    // index of the field that the line belongs to
	kind       lineKind
	offerIndex int // index of the offer on an offerLine, not used otherwise
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
func (f *Form) View(theme *themes.Theme) string {
	f.drawnLines = f.drawAllLines(theme)
	f.topIndex = f.topLine(f.drawnLines)
	var inView []string
	for _, line := range f.drawnLines[f.topIndex:] {
		inView = append(inView, line.text)
	}
	return Fill(strings.Join(inView, "\n"), f.box)
}

// HiddenCounts counts the lines above and below the box that the last View had no room for.
func (f *Form) Hidden() HiddenCounts { return countHidden(f.topIndex, f.box.H, len(f.drawnLines)) }

// countFocused returns how many lines belong to the field with the focus.
func (f *Form) countFocused(lines []formLine) (count int) {
	for _, line := range lines {
		if line.fieldIndex == f.focus {
			count++
		}
	}
	return count
}

// Click handles a click at column x and line y of the box, as the last View drew it. A click on
// an offer makes it the value. A click elsewhere moves the focus to the field at that line, and
// on the value of a toggle or a choice also changes it.
func (f *Form) Click(x, y int) FormEvent {
	index := f.topIndex + y
	if y < 0 || y >= f.box.H || index >= len(f.drawnLines) {
		return FormNone
	}

	line := f.drawnLines[index]
	clicked := f.fields[line.fieldIndex]
	if line.kind == offerLine {
		clicked.highlightedIndex = line.offerIndex
		return clicked.eventOf(clicked.acceptOffer())
	}
	f.Focus(clicked.Name)
	if line.kind != valueLine || x < f.valueColumn && clicked.Kind != FoldField {
		return FormNone
	}
	return clicked.eventOf(clicked.click(x - f.valueColumn))
}

// topLine returns the index of the first line to show. It scrolls as little as needed to
// bring the field with the focus into view. If the field has more lines than the box, the
// highlighted offer is in view, or without one the first lines of the field.
func (f *Form) topLine(lines []formLine) int {
	// Find the lines of the field with the focus.
	hasFocus := func(line formLine) bool { return line.fieldIndex == f.focus }
	firstLine := max(0, slices.IndexFunc(lines, hasFocus))
	lastLine := firstLine + f.countFocused(lines) - 1
	highlightedIndex := f.focusedField().highlightedIndex
	isHighlighted := func(line formLine) bool {
		return line.kind == offerLine && line.offerIndex == highlightedIndex
	}
	highlightedLine := max(0, slices.IndexFunc(lines, isHighlighted))

	// Bring the last line into view, then the first, then the highlighted offer. A later
	// one matters more, because it may move an earlier one out of view again.
	topForLast := max(f.topIndex, lastLine-f.box.H+1)
	topForFirst := min(topForLast, firstLine)
	top := max(topForFirst, highlightedLine-f.box.H+1)
	return clamp(top, 0, max(0, len(lines)-f.box.H))
}

// drawAllLines draws all lines of the form, also those that will be out of view. It sets
// f.valueColumn, the column at which the values start.
//
// A field has a line with its label and value. In front of the label is a pointer on the field
// with the focus, otherwise a cross on a field with an error. Its error, its notes and its hint
// follow, and then its offers if it has the focus. A heading has an empty line above it.
func (f *Form) drawAllLines(theme *themes.Theme) (lines []formLine) {
	const (
		signWidth = 2 // cells for the pointer or the error sign in front of a label
		gap       = 2 // cells between a label and its value
	)
	labelWidth := f.labelWidth()
	f.valueColumn = signWidth + labelWidth + gap
	valueWidth := max(0, f.box.W-f.valueColumn)

	for i, field := range f.fields {
		if field.Hidden || f.isFolded(i) {
			continue
		}
		if field.Kind == Heading {
			if len(lines) > 0 {
				lines = append(lines, formLine{fieldIndex: i})
			}
			for _, text := range Wrap(Safe(field.Label), f.box.W) {
				drawn := Styled(themes.Title, text).Fit(theme, f.box.W)
				lines = append(lines, formLine{text: drawn, fieldIndex: i})
			}
			continue
		}

		// Draw the field, and the lines below its value.
		hasFocus := i == f.focus
		label := Muted("  " + field.Label)
		switch {
		case hasFocus:
			label = Styled(themes.Accent, themes.GlyphPointer+" "+field.Label)
		case field.errorText != "":
			label = Styled(themes.Bad, themes.GlyphNo+" "+field.Label)
		}
		values := field.valueLines(valueWidth, hasFocus)
		if field.Kind == FoldField {
			sign := themes.GlyphDown
			if f.isFolded(i + 1) {
				sign = themes.GlyphPointer
			}
			values = []Line{Styled(themes.Key, sign).Muted(" " + comma(len(f.fields)-i-1) + " fields")}
		}
		text := label.Fit(theme, signWidth+labelWidth) + spaces(gap) + values[0].Fit(theme, valueWidth)
		lines = append(lines, formLine{text: text, fieldIndex: i})
		for _, line := range append(values[1:], field.linesBelow(valueWidth, hasFocus)...) {
			lines = append(lines, f.drawLineBelow(theme, i, belowLine, line))
		}
		if hasFocus {
			lines = append(lines, f.offerLines(theme, i)...)
		}
	}
	return lines
}

// labelWidth returns the width, in cells, of the column of labels: that of the widest one, but
// at most a third of the box, or 6 cells in a narrow one.
func (f *Form) labelWidth() int {
	width := 0
	for _, field := range f.fields {
		if field.isEditable() {
			width = max(width, safeWidth(field.Label))
		}
	}
	return min(width, max(6, f.box.W/3))
}

// drawLineBelow draws a line below the value of the field with an index, in the column of
// values.
func (f *Form) drawLineBelow(theme *themes.Theme, index int, kind lineKind, line Line) formLine {
	width := max(0, f.box.W-f.valueColumn)
	text := spaces(f.valueColumn) + line.Fit(theme, width)
	return formLine{text: text, fieldIndex: index, kind: kind}
}

// linesBelow returns the lines below the value of a field, wrapped to width cells: the error,
// the notes, the detail of a chosen option that does not fit beside it, and the hint while the
// field has the focus and no offers, unless the error already contains it.
func (f *field) linesBelow(width int, hasFocus bool) (lines []Line) {
	if f.errorText != "" && width > 4 {
		for i, text := range Wrap(Safe(f.errorText), width-2) {
			lines = append(lines, Styled(themes.Bad, errorSign(i)+text))
		}
	}
	for _, note := range f.notes {
		lines = append(lines, WrapLine(note, width)...)
	}
	if _, detail := f.choiceLines(width, hasFocus); len(detail) > 0 {
		lines = append(lines, WrapLine(detail, width)...)
	}
	showsHint := hasFocus && f.Hint != "" && len(f.offers) == 0
	if showsHint && !strings.Contains(f.errorText, f.Hint) {
		lines = append(lines, WrapLine(Faint(f.Hint), width)...)
	}
	return lines
}

// errorSign returns what is in front of a line of an error: a cross, or spaces after the first.
func errorSign(lineIndex int) string {
	if lineIndex == 0 {
		return themes.GlyphNo + " "
	}
	return "  "
}

// offerLines draws at most maxOffers offers of a field. If there are more, the highlighted
// offer is in the middle, and a last line says how many are not shown, such as "… 12 more".
func (f *Form) offerLines(theme *themes.Theme, index int) (lines []formLine) {
	field := f.fields[index]
	shownCount := min(len(field.offers), maxOffers)
	firstIndex := clamp(field.highlightedIndex-shownCount/2, 0, len(field.offers)-shownCount)
	shownOffers := field.offers[firstIndex : firstIndex+shownCount]

	// Make the labels as wide as the widest one, so that the details stand in a column.
	width := max(0, f.box.W-f.valueColumn)
	labelWidth := 0
	for _, offer := range shownOffers {
		label := Safe(visiblePart(offer.label(), width))
		labelWidth = max(labelWidth, Width(label))
	}
	labelWidth = min(labelWidth, max(8, width-2))

	for i, offer := range shownOffers {
		label := Fit(Safe(offer.label()), labelWidth)
		detail := "  " + offer.Detail
		text := Plain("  "+label).Append(themes.Faint, detail)
		if firstIndex+i == field.highlightedIndex {
			text = Styled(themes.Selected, themes.GlyphPointer+" "+label).Append(themes.Selected, detail)
		}
		line := f.drawLineBelow(theme, index, offerLine, text)
		line.offerIndex = firstIndex + i
		lines = append(lines, line)
	}

	if hiddenCount := len(field.offers) - shownCount; hiddenCount > 0 {
		text := "  " + themes.GlyphEllipsis + " " + comma(hiddenCount) + " more"
		line := f.drawLineBelow(theme, index, belowLine, Faint(text))
		lines = append(lines, line)
	}
	return lines
}
