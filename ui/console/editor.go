package console

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/textarea"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// editor is a text of several lines being typed. The editing is bubbles'
// textarea; the drawing is ours, because what is typed or pasted may hold
// anything, and because an error is shown under the place where it is.
type editor struct {
	area textarea.Model
	top  int // the first line drawn
}

// typedMost is how long a text may be typed, in letters: messages of more than
// 160 KiB are refused anyway.
const typedMost = 160 << 10

func newEditor() editor {
	area := textarea.New()
	area.CharLimit, area.MaxHeight, area.MaxWidth = typedMost, 0, 0
	area.ShowLineNumbers, area.Prompt = false, ""
	area.SetWidth(1 << 20) // lines are broken where they are drawn
	for _, b := range []interface{ Unbind() }{&area.KeyMap.Paste, &area.KeyMap.TransposeCharacterBackward} {
		b.Unbind()
	}
	area.Focus()
	return editor{area: area}
}

func (e *editor) value() string { return e.area.Value() }

// set replaces the text; the caret goes to its end.
func (e *editor) set(text string) {
	e.area.SetValue(text)
	e.top = 0
}

// update takes a key and says whether the text changed.
func (e *editor) update(msg tea.Msg) bool {
	was := e.area.Value()
	e.area, _ = e.area.Update(msg)
	return e.area.Value() != was
}

// caret is the place of the caret in the text, in bytes.
func (e *editor) caret() int {
	lines := strings.Split(e.area.Value(), "\n")
	row := min(e.area.Line(), len(lines)-1)
	at := 0
	for _, l := range lines[:row] {
		at += len(l) + 1
	}
	runes := []rune(lines[row])
	return at + len(string(runes[:min(e.column(), len(runes))]))
}

// column is the rune of its line that the caret is on.
func (e *editor) column() int {
	info := e.area.LineInfo()
	return info.StartColumn + info.ColumnOffset
}

// replace puts a text in place of n bytes before the caret.
func (e *editor) replace(n int, text string) {
	at := e.caret()
	value := e.area.Value()
	for range utf8.RuneCountInString(value[at-n : at]) {
		e.area, _ = e.area.Update(tea.KeyMsg{Type: tea.KeyBackspace})
	}
	e.area.InsertString(text)
}

func (e *editor) first() bool { return e.area.Line() == 0 }

func (e *editor) last() bool { return e.area.Line() == e.area.LineCount()-1 }

// note is a sentence under a place of the text.
type note struct {
	at   int // in bytes
	text string
}

// view draws the text in a box, with the caret when it has the focus, and a
// note under the place that it is about.
func (e *editor) view(th *themes.Theme, b widget.Box, focus bool, n *note) string {
	if b.W < 4 || b.H < 1 {
		return widget.Fill("", b)
	}
	rows, caretRow, noteRow := e.rows(th, b.W, focus, n)
	if e.top > caretRow {
		e.top = caretRow
	}
	if bottom := max(caretRow, noteRow); focus && bottom >= e.top+b.H {
		e.top = min(caretRow, bottom-b.H+1)
	}
	e.top = max(0, min(e.top, len(rows)-b.H))
	return widget.Fill(strings.Join(rows[e.top:min(len(rows), e.top+b.H)], "\n"), b)
}

// rows draws all lines, long ones broken.
func (e *editor) rows(th *themes.Theme, w int, focus bool, n *note) (rows []string, caretRow, noteRow int) {
	field, caret := th.Ink(themes.Text), th.Ink(themes.Caret)
	caretAt := -1
	if focus {
		caretAt = e.caret()
	}
	at := 0
	noteRow = -1
	for _, line := range strings.Split(e.area.Value(), "\n") {
		var b, run strings.Builder
		used := 0
		noteCol := -1
		ink := func() { // what was gathered, in one style
			if run.Len() > 0 {
				field.WriteTo(&b, run.String())
				run.Reset()
			}
		}
		flush := func() {
			ink()
			b.WriteString(strings.Repeat(" ", max(w-used, 0)))
			rows = append(rows, b.String())
			if noteCol >= 0 {
				rows = append(rows, under(th, w, noteCol, n.text)...)
				noteRow = len(rows) - 1
			}
			b.Reset()
			used, noteCol = 0, -1
		}
		for i, r := range line + "\n" {
			cell := widget.Safe(string(r))
			if r == '\n' {
				cell = " "
			}
			cw := widget.Width(cell)
			if used+cw > w {
				flush()
			}
			if n != nil && n.at == at+i {
				noteCol = used
			}
			switch {
			case at+i == caretAt:
				caretRow = len(rows)
				ink()
				caret.WriteTo(&b, cell)
			case r == '\n':
				ink()
				b.WriteString(" ")
			default:
				run.WriteString(cell)
			}
			used += cw
		}
		flush()
		at += len(line) + 1
	}
	return rows, caretRow, noteRow
}

// under draws a note below a column: beside it where there is room, else from
// the left edge.
func under(th *themes.Theme, w, col int, text string) (rows []string) {
	lead := strings.Repeat(" ", col) + themes.GlyphUp + " "
	if w-col-2 >= widget.Width(widget.Safe(text)) || w-col-2 >= w/2 {
		for i, part := range widget.Wrap(widget.Safe(text), max(w-col-2, 2)) {
			if i > 0 {
				lead = strings.Repeat(" ", col+2)
			}
			rows = append(rows, widget.In(themes.Bad, lead+part).Fit(th, w))
		}
		return rows
	}
	rows = append(rows, widget.In(themes.Bad, lead).Fit(th, w))
	for _, part := range widget.Wrap(widget.Safe(text), max(w-2, 2)) {
		rows = append(rows, widget.In(themes.Bad, "  "+part).Fit(th, w))
	}
	return rows
}
