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

// View draws the text in width cells. With the focus it shows the part of the text around
// the caret, and without the focus the start. If the text is empty, it shows placeholder.
func (e *Edit) View(theme *themes.Theme, width int, hasFocus bool, placeholder string) string {
	text := e.input.Value()
	switch {
	case width <= 0:
		return ""
	case hasFocus:
		return e.viewWithCaret(theme, width, placeholder)
	case text == "":
		return Faint(placeholder).Fit(theme, width)
	}
	return Plain(text).Fit(theme, width)
}

// viewWithCaret draws the part of the text around the caret in width cells. It draws as
// much as fits of the text before the caret, then the character under the caret, and then
// the text behind it. If there is no text, the placeholder stands behind the caret.
func (e *Edit) viewWithCaret(theme *themes.Theme, width int, placeholder string) string {
	before, underCaret, behind := e.splitAtCaret(placeholder)

	// The caret must be in view, so the text before it loses its beginning.
	caret := Fit(underCaret, min(width, Width(underCaret)))
	shownBefore := lastCells(before, width-Width(caret))
	room := width - Width(shownBefore) - Width(caret)
	shownBehind := Safe(visiblePart(behind.Text, room))
	return Styled(themes.Field, shownBefore).
		Append(themes.Caret, caret).
		Append(behind.Role, Fit(shownBehind, room)).
		Render(theme)
}

// splitAtCaret returns the text before the caret, the character under it, made safe, and
// the text behind it. If there is no text, the placeholder stands behind the caret.
func (e *Edit) splitAtCaret(placeholder string) (before, underCaret string, behind Span) {
	runes := []rune(e.input.Value())
	position := e.input.Position()
	switch {
	case len(runes) == 0:
		return "", " ", Span{Role: themes.Faint, Text: placeholder}
	case position == len(runes):
		return string(runes), " ", Span{Role: themes.Field}
	}
	behind = Span{Role: themes.Field, Text: string(runes[position+1:])}
	return string(runes[:position]), Safe(string(runes[position])), behind
}

// lastCells returns the end of a text in at most width cells, and makes it safe.
func lastCells(text string, width int) string {
	end := Safe(visibleEnd(text, width))
	if endWidth := Width(end); endWidth > width {
		return dropLeft(end, endWidth-width)
	}
	return end
}
