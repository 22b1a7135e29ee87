package widget

import (
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// Edit is a line of text being typed. The textinput of package bubbles edits it, but Edit
// draws it, so that control characters in typed or pasted text never reach the terminal.
//
// Newlines and tabs of a paste become spaces; other control characters are left out.
// The zero Edit is not ready; use [NewEdit].
type Edit struct{ input textinput.Model }

// NewEdit makes an empty line that takes keys.
func NewEdit() Edit {
	input := textinput.New()
	input.Cursor.SetMode(cursor.CursorStatic)

	// Reading the clipboard would run another program, and a terminal pastes by itself.
	// A form has its own suggestions.
	input.KeyMap.Paste.Unbind()
	input.KeyMap.AcceptSuggestion.Unbind()
	input.KeyMap.NextSuggestion.Unbind()
	input.KeyMap.PrevSuggestion.Unbind()
	input.Focus()
	return Edit{input: input}
}

// Value returns the text as it was typed.
func (e *Edit) Value() string { return e.input.Value() }

// Set replaces the text and puts the caret at its end.
func (e *Edit) Set(text string) {
	e.input.SetValue(text)
	e.input.CursorEnd()
}

// Update handles a key. No key makes it panic.
func (e *Edit) Update(msg tea.KeyMsg) {
	// The textinput panics if it deletes the last character as a word.
	isLast := e.input.Position() == utf8.RuneCountInString(e.input.Value())-1
	if isLast && key.Matches(msg, e.input.KeyMap.DeleteWordForward) {
		msg = tea.KeyMsg{Type: tea.KeyDelete}
	}
	e.input, _ = e.input.Update(msg)
}

// View draws the text in width cells, or placeholder if it is empty. With the focus it shows
// the part around the caret, and without the focus the start.
func (e *Edit) View(theme *themes.Theme, width int, hasFocus bool, placeholder string) string {
	return e.padded(e.line(width, hasFocus, placeholder), width, hasFocus).Fit(theme, width)
}

// padded returns a line of the text that is width cells wide while the text has the focus, so
// that the background of a field goes on to its end.
func (e *Edit) padded(line Line, width int, hasFocus bool) Line {
	if !hasFocus || e.input.Value() == "" {
		return line
	}
	return line.Append(themes.Field, spaces(width-line.widthUpTo(width)))
}

// wrap returns the text as lines of at most width cells, with the caret if it has the focus. A
// text that would take more than maxEditLines is one line, and only a part of it is in view.
func (e *Edit) wrap(width int, hasFocus bool, placeholder string) []Line {
	const maxEditLines = 6
	maxWidth := maxEditLines * width
	lines := []Line{e.line(maxWidth, hasFocus, placeholder)}
	if lines[0].widthUpTo(maxWidth) < maxWidth { // a longer text is not wrapped in vain
		lines = WrapLine(lines[0], width)
	}
	if len(lines) > maxEditLines || lines[0].widthUpTo(width) > width {
		lines = []Line{e.line(width, hasFocus, placeholder)}
	}
	for i, line := range lines {
		lines[i] = e.padded(line, width, hasFocus)
	}
	return lines
}

// line returns the text as a line, or placeholder if it is empty. With the focus it starts with
// as much of the text before the caret as fits into width cells.
func (e *Edit) line(width int, hasFocus bool, placeholder string) Line {
	text := e.input.Value()
	switch {
	case !hasFocus && text == "":
		return Faint(placeholder)
	case !hasFocus || width <= 0:
		return Plain(text)
	}

	// Behind the caret is the text from the next character on, or the placeholder.
	runes := []rune(text)
	position := e.input.Position()
	underCaret := " "
	behind := Span{Role: themes.Field}
	switch {
	case text == "":
		behind = Span{Role: themes.Faint, Text: placeholder}
	case position < len(runes):
		underCaret = Safe(string(runes[position]))
		behind.Text = string(runes[position+1:])
	}

	// The caret must be in view, so the text before it loses its beginning.
	caret := Fit(underCaret, min(width, Width(underCaret)))
	room := width - Width(caret)
	before := string(runes[:position])
	if hiddenBytes := len(before) - maxBytesFor(room); hiddenBytes > 0 {
		before = before[runeStart(before, hiddenBytes):]
	}
	before = Safe(before)
	if beforeWidth := Width(before); beforeWidth > room {
		before = dropLeft(before, beforeWidth-room)
	}
	return Line{{themes.Field, before}, {themes.Caret, caret}, behind}
}
