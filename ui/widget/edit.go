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
type Edit struct{ in textinput.Model }

// NewEdit makes an empty line that takes keys.
func NewEdit() Edit {
	in := textinput.New()
	in.Cursor.SetMode(cursor.CursorStatic)

	// Reading the clipboard would run another program, and a terminal pastes by itself.
	// A form has its own suggestions.
	in.KeyMap.Paste.Unbind()
	in.KeyMap.AcceptSuggestion.Unbind()
	in.KeyMap.NextSuggestion.Unbind()
	in.KeyMap.PrevSuggestion.Unbind()
	in.Focus()
	return Edit{in: in}
}

// Value returns the text as it was typed.
func (e *Edit) Value() string { return e.in.Value() }

// Set replaces the text and puts the caret at its end.
func (e *Edit) Set(text string) {
	e.in.SetValue(text)
	e.in.CursorEnd()
}

// Update handles a key, and reports whether the text or the caret changed.
func (e *Edit) Update(msg tea.Msg) bool {
	text := e.in.Value()
	caret := e.in.Position()
	e.in, _ = e.in.Update(msg)
	return e.in.Value() != text || e.in.Position() != caret
}

// View draws the text in width cells. With the focus it shows the part of the text around
// the caret, and without the focus the start. If the text is empty, it shows placeholder.
func (e *Edit) View(theme *themes.Theme, width int, hasFocus bool, placeholder string) string {
	text := e.in.Value()
	switch {
	case width <= 0:
		return ""
	case hasFocus:
		return e.viewWithCaret(theme, width, placeholder)
	case text == "":
		return In(themes.Faint, placeholder).Fit(theme, width)
	}
	return Plain(text).Fit(theme, width)
}

// viewWithCaret draws the part of the text around the caret in width cells. It draws as
// much as fits of the text before the caret, then the character under the caret, and then
// the text behind it. If there is no text, the placeholder stands behind the caret.
func (e *Edit) viewWithCaret(theme *themes.Theme, width int, placeholder string) string {
	runes := []rune(e.in.Value())
	position := e.in.Position()
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
	return In(themes.Field, before).
		And(themes.Caret, underCaret).
		And(afterRole, Fit(Safe(visiblePart(after, room)), room)).
		Render(theme)
}

// lastCells returns the end of a text in at most width cells, and makes it safe.
func lastCells(s string, width int) string {
	if enough := bytesFor(width); len(s) > enough {
		s = s[runeStart(s, len(s)-enough):]
	}
	s = Safe(s)
	if textWidth := Width(s); textWidth > width {
		return dropLeft(s, textWidth-width)
	}
	return s
}
