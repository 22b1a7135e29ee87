package widget

import (
	"github.com/charmbracelet/bubbles/cursor"
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

// Update handles a key, and reports whether the text or the caret changed.
func (e *Edit) Update(msg tea.Msg) bool {
	oldText := e.input.Value()
	oldCaret := e.input.Position()
	e.input, _ = e.input.Update(msg)
	return e.input.Value() != oldText || e.input.Position() != oldCaret
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
	runes := []rune(e.input.Value())
	position := e.input.Position()
	before := string(runes[:position])
	underCaret := " "
	after := ""
	afterRole := themes.Field
	switch {
	case len(runes) == 0:
		after = placeholder
		afterRole = themes.Faint
	case position < len(runes):
		underCaret = Safe(string(runes[position]))
		after = string(runes[position+1:])
	}

	// The caret must be in view, so the text before it loses its beginning.
	underCaret = Fit(underCaret, min(width, Width(underCaret)))
	before = lastCells(before, width-Width(underCaret))
	room := width - Width(before) - Width(underCaret)
	after = Safe(visiblePart(after, room))
	return Styled(themes.Field, before).
		Append(themes.Caret, underCaret).
		Append(afterRole, Fit(after, room)).
		Render(theme)
}

// lastCells returns the end of a text in at most width cells, and makes it safe.
func lastCells(text string, width int) string {
	if maxBytes := maxBytesFor(width); len(text) > maxBytes {
		text = text[runeStart(text, len(text)-maxBytes):]
	}
	text = Safe(text)
	if textWidth := Width(text); textWidth > width {
		return dropLeft(text, textWidth-width)
	}
	return text
}
