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
// the editor draws the text itself, because the text may hold control characters.
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
	area.SetWidth(1 << 20) // lines are wrapped when they are drawn
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

// caret returns the offset of the caret in the text, in bytes. The textarea knows only
// the line and the column in runes.
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

// replaceBeforeCaret replaces the count bytes before the caret by a text. It presses
// backspace for each rune, because the textarea has no method to replace a part.
func (e *editor) replaceBeforeCaret(count int, text string) {
	caret := e.caret()
	replaced := e.area.Value()[caret-count : caret]
	for range utf8.RuneCountInString(replaced) {
		e.area, _ = e.area.Update(tea.KeyMsg{Type: tea.KeyBackspace})
	}
	e.area.InsertString(text)
}

// view draws the text in a box. If the editor has the focus, the view is scrolled so that
// the caret is in it.
func (e *editor) view(th *themes.Theme, b widget.Box, hasFocus bool) string {
	caret := noCaret
	if hasFocus {
		caret = e.caret()
	}
	d := &drawing{theme: th, width: b.W, caret: caret}
	d.draw(e.area.Value())

	e.scrollTo(d, b.H)
	bottom := min(len(d.lines), e.topLine+b.H)
	return widget.Fill(strings.Join(d.lines[e.topLine:bottom], "\n"), b)
}

// scrollTo moves the first line in view so that the caret is in view, and so that no line
// stays empty at the end.
func (e *editor) scrollTo(d *drawing, height int) {
	e.topLine = min(e.topLine, d.caretLine)
	e.topLine = max(e.topLine, d.caretLine-height+1)
	e.topLine = max(0, min(e.topLine, len(d.lines)-height))
}

// noCaret is the offset of the caret in a text that is drawn without one.
const noCaret = -1

// drawing draws a text cell by cell into lines of the same width.
type drawing struct {
	theme *themes.Theme
	width int
	caret int // an offset in bytes, or noCaret

	lines     []string
	caretLine int // the index of the line with the caret; 0 without one

	line      strings.Builder // the line that is being drawn
	plain     strings.Builder // its last characters, which get one style together
	usedCells int             // how many cells of the line are drawn
}

// draw draws all lines of a text, and wraps those that are too long.
func (d *drawing) draw(text string) {
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
// character does not fit into this one.
func (d *drawing) drawCell(offset int, cell string) {
	cellWidth := widget.Width(cell)
	if d.usedCells+cellWidth > d.width {
		d.endLine()
	}
	d.usedCells += cellWidth
	if offset != d.caret {
		d.plain.WriteString(cell)
		return
	}
	d.caretLine = len(d.lines)
	d.flushPlain()
	d.theme.Ink(themes.Caret).WriteTo(&d.line, cell)
}

// flushPlain writes the plain characters that were collected to the line. Together they
// need only one escape sequence for their style.
func (d *drawing) flushPlain() {
	if d.plain.Len() > 0 {
		d.theme.Ink(themes.Text).WriteTo(&d.line, d.plain.String())
		d.plain.Reset()
	}
}

// endLine fills the line with blanks up to its width, and begins the next.
func (d *drawing) endLine() {
	d.flushPlain()
	d.line.WriteString(strings.Repeat(" ", max(d.width-d.usedCells, 0)))
	d.lines = append(d.lines, d.line.String())
	d.line.Reset()
	d.usedCells = 0
}
