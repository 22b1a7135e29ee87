package console

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// editor edits a text of several lines. A textarea of package bubbles holds the text and
// applies the keys, but the editor draws the text itself. So it can draw control characters
// safely, and show a problem below its place in the text.
type editor struct {
	area    textarea.Model // holds the text and the caret; it is never drawn
	topLine int            // the index of the first drawn line that is in view
}

// maxTextLength is the largest length of the text, in runes. The contract would refuse a
// longer message.
const maxTextLength = 160 << 10

// newEditor makes an empty editor.
func newEditor() editor {
	area := textarea.New()
	area.CharLimit = maxTextLength
	area.MaxHeight = 0
	area.MaxWidth = 0
	area.ShowLineNumbers = false
	area.Prompt = ""
	const unlimited = 1 << 20
	area.SetWidth(unlimited) // the editor wraps lines when it draws them

	// The console does not use these keys of the textarea.
	area.KeyMap.Paste.Unbind()
	area.KeyMap.TransposeCharacterBackward.Unbind()
	area.Focus()
	return editor{area: area}
}

// value returns the text.
func (e *editor) value() string { return e.area.Value() }

// setText replaces the text. The caret moves to its end, and the view to its start.
func (e *editor) setText(text string) {
	e.area.SetValue(text)
	e.topLine = 0
}

// update applies a key, and reports whether the text has changed.
func (e *editor) update(msg tea.KeyMsg) bool {
	oldText := e.area.Value()

	// The textarea would look forever for a word before the caret if there is none.
	if strings.TrimSpace(oldText[:e.caret()]) == "" && key.Matches(msg, e.area.KeyMap.WordBackward) {
		msg = tea.KeyMsg{Type: tea.KeyCtrlHome} // to the start of the text
	}
	e.area, _ = e.area.Update(msg)
	return e.area.Value() != oldText
}

// caret returns the offset of the caret in the text, in bytes. The textarea itself only
// knows the line of the caret, and the column in runes.
func (e *editor) caret() int {
	lines := strings.Split(e.area.Value(), "\n")
	caretLine := min(e.area.Line(), len(lines)-1)
	offset := 0
	for _, line := range lines[:caretLine] {
		offset += len(line) + 1 // with the newline
	}

	position := e.area.LineInfo()
	column := position.StartColumn + position.ColumnOffset // in runes
	runes := []rune(lines[caretLine])
	return offset + len(string(runes[:min(column, len(runes))]))
}

// replaceBeforeCaret replaces the count bytes before the caret by a text.
func (e *editor) replaceBeforeCaret(count int, text string) {
	// The textarea cannot replace a part of its text, so it gets a backspace key for each rune.
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

// problem says what is wrong with a text, and where.
type problem struct {
	offset int    // the place in the text, in bytes from its start
	text   string // a sentence for people
}

// view draws the text in a box, with a problem, if any, below its place in the text. With the
// focus it also draws the caret, and scrolls to the caret and the problem.
func (e *editor) view(theme *themes.Theme, box widget.Box, hasFocus bool, shownProblem *problem) string {
	if box.W < 4 || box.H < 1 { // too small for any text
		return widget.Fill("", box)
	}
	caret := -1
	if hasFocus {
		caret = e.caret()
	}
	drawn := &drawing{
		theme:       theme,
		width:       box.W,
		caret:       caret,
		problem:     shownProblem,
		problemLine: -1,
	}
	drawn.draw(e.area.Value())

	e.scrollTo(drawn, box.H, hasFocus)
	bottom := min(len(drawn.lines), e.topLine+box.H)
	return widget.Fill(strings.Join(drawn.lines[e.topLine:bottom], "\n"), box)
}

// scrollTo sets topLine. With the focus, the caret and the problem below it are in view, or only
// the caret if there is no room for both.
func (e *editor) scrollTo(drawn *drawing, height int, hasFocus bool) {
	// Without the focus there is no caret, and this goes to the start.
	e.topLine = min(e.topLine, drawn.caretLine)

	// Scroll down as far as the caret stays in view.
	lastNeededLine := max(drawn.caretLine, drawn.problemLine)
	if hasFocus && lastNeededLine >= e.topLine+height {
		e.topLine = min(drawn.caretLine, lastNeededLine-height+1)
	}

	e.topLine = max(0, min(e.topLine, len(drawn.lines)-height)) // no empty lines below the text
}

// drawing draws a text, character by character, into lines of the same width.
type drawing struct {
	theme   *themes.Theme
	width   int      // of the lines, in cells
	caret   int      // its offset in the text, in bytes; -1 without a caret
	problem *problem // is shown below its place in the text; nil for none

	lines       []string // the lines that are finished
	caretLine   int      // the index of the line with the caret; 0 without a caret
	problemLine int      // the index of the problem's last line; -1 if it is not drawn

	line          strings.Builder // the line that is being drawn, without plainText
	plainText     strings.Builder // the latest characters of the line, in the style of plain text
	usedCells     int             // the number of cells that the line has so far
	problemColumn int             // of the problem's place in the line; -1 if it is not in the line
}

// draw draws all lines of a text, and wraps the lines that are too long.
func (d *drawing) draw(text string) {
	d.problemColumn = -1
	offset := 0
	for line := range strings.SplitSeq(text, "\n") {
		for i, char := range line {
			d.drawCharacter(offset+i, widget.Safe(string(char)))
		}
		d.drawCharacter(offset+len(line), " ") // a caret at the end of the line is drawn on this cell
		d.endLine()
		offset += len(line) + 1 // with the newline
	}
}

// drawCharacter draws the character at an offset of the text, in bytes. It begins a new line if
// the character does not fit, and records where the caret and the problem are.
func (d *drawing) drawCharacter(offset int, character string) {
	characterWidth := widget.Width(character)
	if d.usedCells+characterWidth > d.width {
		d.endLine()
	}
	if d.problem != nil && d.problem.offset == offset {
		d.problemColumn = d.usedCells
	}

	// Only the character under the caret has a style of its own.
	if offset == d.caret {
		d.caretLine = len(d.lines)
		d.flushPlain()
		d.theme.Ink(themes.Caret).WriteTo(&d.line, character)
	} else {
		d.plainText.WriteString(character)
	}
	d.usedCells += characterWidth
}

// flushPlain adds the characters in plainText to the line, and empties it. Characters that
// are written together need only one escape sequence for their style.
func (d *drawing) flushPlain() {
	if d.plainText.Len() > 0 {
		d.theme.Ink(themes.Text).WriteTo(&d.line, d.plainText.String())
		d.plainText.Reset()
	}
}

// endLine finishes the line that is being drawn, filled with blanks, and begins an empty one. If
// the place of the problem is in the line, it adds the problem below.
func (d *drawing) endLine() {
	d.flushPlain()
	d.line.WriteString(strings.Repeat(" ", max(d.width-d.usedCells, 0)))
	d.lines = append(d.lines, d.line.String())
	if d.problemColumn >= 0 {
		text := widget.Safe(d.problem.text)
		for _, line := range wrapProblem(text, d.width, d.problemColumn) {
			d.lines = append(d.lines, widget.Styled(themes.Bad, line).Fit(d.theme, d.width))
		}
		d.problemLine = len(d.lines) - 1
	}
	d.line.Reset()
	d.usedCells = 0
	d.problemColumn = -1
}

// wrapProblem returns the lines that show a problem below its place in the text: an arrow that
// points up at a column, and the text right of it, if it fits there or has at least half of
// the width, or else on the next lines.
func wrapProblem(text string, width, column int) []string {
	arrow := strings.Repeat(" ", column) + themes.GlyphUp + " "
	freeCells := width - widget.Width(arrow) // right of the arrow
	if freeCells >= widget.Width(text) || freeCells >= width/2 {
		return wrapBehind(arrow, text, width)
	}
	return append([]string{arrow}, wrapBehind("  ", text, width)...)
}

// wrapBehind wraps a text behind a prefix. The lines that follow are indented by the width of
// the prefix.
func wrapBehind(prefix, text string, width int) []string {
	indent := strings.Repeat(" ", widget.Width(prefix))
	parts := widget.Wrap(text, width-len(indent))
	wrapped := prefix + strings.Join(parts, "\n"+indent)
	return strings.Split(wrapped, "\n")
}
