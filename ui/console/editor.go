package console

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// editor edits a text of several lines. The textarea of bubbles applies the keys, but
// the editor draws the text itself: it may hold any characters, also control
// characters, and a problem is shown below its place in the text.
type editor struct {
	area    textarea.Model
	topLine int // the first line on the screen
}

// maxTextLength is the largest length of the text, in runes. The contract refuses
// longer messages anyway.
const maxTextLength = 160 << 10

// newEditor makes an empty editor. Its textarea has no limits of size, no prompt and no
// line numbers, since it is never drawn.
func newEditor() editor {
	area := textarea.New()
	area.CharLimit = maxTextLength
	area.MaxHeight = 0
	area.MaxWidth = 0
	area.ShowLineNumbers = false
	area.Prompt = ""
	const unlimited = 1 << 20
	area.SetWidth(unlimited) // the editor wraps lines when it draws them
	area.KeyMap.Paste.Unbind()
	area.KeyMap.TransposeCharacterBackward.Unbind()
	area.Focus()
	return editor{area: area}
}

// value returns the text.
func (e *editor) value() string { return e.area.Value() }

// set replaces the text, and moves the caret to its end and the view to its start.
func (e *editor) set(text string) {
	e.area.SetValue(text)
	e.topLine = 0
}

// update applies a key, and reports whether the text has changed.
func (e *editor) update(msg tea.Msg) bool {
	before := e.area.Value()
	e.area, _ = e.area.Update(msg)
	return e.area.Value() != before
}

// caret returns the offset of the caret in the text, in bytes. The textarea only knows the
// line of the caret, and the column in runes.
func (e *editor) caret() int {
	lines := strings.Split(e.area.Value(), "\n")
	caretLine := min(e.area.Line(), len(lines)-1)
	offset := 0
	for _, line := range lines[:caretLine] {
		offset += len(line) + 1
	}

	position := e.area.LineInfo()
	column := position.StartColumn + position.ColumnOffset // in runes
	runes := []rune(lines[caretLine])
	return offset + len(string(runes[:min(column, len(runes))]))
}

// replaceBeforeCaret replaces the count bytes before the caret by a text. The textarea has no
// method to replace a part of its text, so replaceBeforeCaret sends it a backspace key for
// each rune.
func (e *editor) replaceBeforeCaret(count int, text string) {
	caret := e.caret()
	replaced := e.area.Value()[caret-count : caret]
	for range utf8.RuneCountInString(replaced) {
		e.area, _ = e.area.Update(tea.KeyMsg{Type: tea.KeyBackspace})
	}
	e.area.InsertString(text)
}

// isOnFirstLine reports whether the caret is on the first line of the text.
func (e *editor) isOnFirstLine() bool { return e.area.Line() == 0 }

// isOnLastLine reports whether the caret is on the last line of the text.
func (e *editor) isOnLastLine() bool { return e.area.Line() == e.area.LineCount()-1 }

// problem says what is wrong with a text.
type problem struct {
	offset int    // the place in the text, in bytes
	text   string // a sentence for people
}

// view draws the text in a box. If the editor has the focus, the view is scrolled so
// that the caret is in it, and the lines of the problem below as far as they fit. p may
// be nil.
func (e *editor) view(th *themes.Theme, b widget.Box, hasFocus bool, p *problem) string {
	if b.W < 4 || b.H < 1 {
		return widget.Fill("", b)
	}
	caret := -1
	if hasFocus {
		caret = e.caret()
	}
	d := &drawing{theme: th, width: b.W, caret: caret, problem: p, problemLine: -1}
	d.draw(e.area.Value())

	e.scrollTo(d, b.H, hasFocus)
	bottom := min(len(d.lines), e.topLine+b.H)
	return widget.Fill(strings.Join(d.lines[e.topLine:bottom], "\n"), b)
}

// scrollTo moves the first line in view so that the caret is in view and, with the focus,
// the problem below it as far as it fits, and so that no line stays empty at the end.
func (e *editor) scrollTo(d *drawing, height int, hasFocus bool) {
	e.topLine = min(e.topLine, d.caretLine)
	lastNeeded := max(d.caretLine, d.problemLine)
	if hasFocus && lastNeeded >= e.topLine+height {
		e.topLine = min(d.caretLine, lastNeeded-height+1)
	}
	e.topLine = max(0, min(e.topLine, len(d.lines)-height))
}

// drawing draws a text cell by cell into lines of the same width.
type drawing struct {
	theme   *themes.Theme
	width   int      // of the lines, in cells
	caret   int      // an offset in bytes; -1 is none
	problem *problem // is shown below its place; nil is none

	lines       []string
	caretLine   int // the index of the line with the caret; 0 without a caret
	problemLine int // the index of the problem's last line; -1 if it is not drawn

	line          strings.Builder // the line that is being drawn
	plain         strings.Builder // its last characters, which get one style together
	usedCells     int             // how many cells of the line are drawn
	problemColumn int             // the column of the problem's place in the line; -1 is none
}

// draw draws all lines of a text, and wraps those that are too long.
func (d *drawing) draw(text string) {
	d.problemColumn = -1
	offset := 0
	for line := range strings.SplitSeq(text, "\n") {
		for i, char := range line {
			d.drawCell(offset+i, widget.Safe(string(char)))
		}
		d.drawCell(offset+len(line), " ") // a caret at the end of the line is drawn on this cell
		d.endLine()
		offset += len(line) + 1
	}
}

// drawCell draws the character at an offset of the text. It begins a new line if the
// character does not fit into this one. It also notes the line of the caret and the column of
// the problem, if they are at the offset.
func (d *drawing) drawCell(offset int, cell string) {
	cellWidth := widget.Width(cell)
	if d.usedCells+cellWidth > d.width {
		d.endLine()
	}
	if d.problem != nil && d.problem.offset == offset {
		d.problemColumn = d.usedCells
	}
	if offset == d.caret {
		d.caretLine = len(d.lines)
		d.flushPlain()
		d.theme.Ink(themes.Caret).WriteTo(&d.line, cell)
	} else {
		d.plain.WriteString(cell)
	}
	d.usedCells += cellWidth
}

// flushPlain writes the plain characters that were collected to the line. Together they
// need only one escape sequence for their style.
func (d *drawing) flushPlain() {
	if d.plain.Len() > 0 {
		d.theme.Ink(themes.Text).WriteTo(&d.line, d.plain.String())
		d.plain.Reset()
	}
}

// endLine fills the line with blanks up to its width, and adds the problem below it if
// its place is in the line.
func (d *drawing) endLine() {
	d.flushPlain()
	d.line.WriteString(strings.Repeat(" ", max(d.width-d.usedCells, 0)))
	d.lines = append(d.lines, d.line.String())
	if d.problemColumn >= 0 {
		d.lines = append(d.lines, problemLines(d.theme, d.width, d.problemColumn, d.problem.text)...)
		d.problemLine = len(d.lines) - 1
	}
	d.line.Reset()
	d.usedCells = 0
	d.problemColumn = -1
}

// problemLines returns the lines of a problem, with a sign that points at the column of its
// place. The text begins right of the sign if it fits there, or if half of the width is free.
// Otherwise it begins on the next line, at the left.
func problemLines(th *themes.Theme, width, column int, text string) (lines []string) {
	text = widget.Safe(text)
	sign := strings.Repeat(" ", column) + themes.GlyphUp + " "
	const signCells = 2 // the arrow and the space behind it
	indent := column + signCells
	freeCells := width - indent // right of the sign
	fitsRight := freeCells >= widget.Width(text) || freeCells >= width/2
	if !fitsRight {
		lines = append(lines, widget.In(themes.Bad, sign).Fit(th, width))
		sign = "  "
		indent = signCells
	}

	// Only the first line of the text has the sign before it.
	for _, part := range widget.Wrap(text, max(width-indent, 2)) {
		lines = append(lines, widget.In(themes.Bad, sign+part).Fit(th, width))
		sign = strings.Repeat(" ", indent)
	}
	return lines
}
