package widget

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// Edit is one line of text being typed. The editing is bubbles' textinput; the
// drawing is ours, because what is typed or pasted may hold anything.
//
// Newlines and tabs of a paste become spaces, other control characters are left
// out. The zero Edit is not ready; use [NewEdit].
type Edit struct{ in textinput.Model }

// NewEdit makes an empty line that takes keys.
func NewEdit() Edit {
	in := textinput.New()
	in.Cursor.SetMode(cursor.CursorStatic)
	// The clipboard would be read by running another program; a terminal pastes
	// by itself. The suggestions are the form's.
	for _, b := range []interface{ Unbind() }{
		&in.KeyMap.Paste, &in.KeyMap.AcceptSuggestion, &in.KeyMap.NextSuggestion, &in.KeyMap.PrevSuggestion,
	} {
		b.Unbind()
	}
	in.Focus()
	return Edit{in}
}

// Value is the text as it was typed.
func (e *Edit) Value() string { return e.in.Value() }

// Set replaces the text and puts the caret at its end.
func (e *Edit) Set(text string) {
	e.in.SetValue(text)
	e.in.CursorEnd()
}

// Update takes a key and says whether the text or the caret changed.
func (e *Edit) Update(msg tea.Msg) bool {
	was, at := e.in.Value(), e.in.Position()
	e.in, _ = e.in.Update(msg)
	return e.in.Value() != was || e.in.Position() != at
}

// View draws w cells of the text, around the caret when it is longer. Without
// the focus there is no caret and the start of the text shows.
func (e *Edit) View(th *themes.Theme, w int, focus bool, placeholder string) string {
	if w <= 0 {
		return ""
	}
	text := e.in.Value()
	if !focus {
		if text == "" {
			return In(themes.Faint, placeholder).Fit(th, w)
		}
		return Plain(text).Fit(th, w)
	}
	runes := []rune(text)
	at := min(e.in.Position(), len(runes))
	before, after := string(runes[:at]), string(runes[at:])
	caret, size := " ", 0
	if after != "" {
		_, size = utf8.DecodeRuneInString(after)
		caret = Fit(Safe(after[:size]), min(w, Width(Safe(after[:size]))))
	}
	field, mark := th.Ink(themes.Field), th.Ink(themes.Caret)
	var b strings.Builder
	left := lastCells(before, w-Width(caret))
	field.WriteTo(&b, left)
	mark.WriteTo(&b, caret)
	rest := w - Width(left) - Width(caret)
	switch {
	case text == "" && rest > 0:
		b.WriteString(In(themes.Faint, placeholder).Fit(th, rest))
	case rest > 0:
		field.WriteTo(&b, Fit(Safe(visiblePart(after[size:], rest)), rest))
	}
	return b.String()
}

// lastCells is the end of a text, made safe, in at most w cells.
func lastCells(s string, w int) string {
	if enough := bytesFor(w); len(s) > enough {
		s = s[runeStart(s, len(s)-enough):]
	}
	s = Safe(s)
	if n := Width(s); n > w {
		return dropLeft(s, n-w)
	}
	return s
}
