package term

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

func TestFastTypingIsTakenApartAndAPasteIsNot(t *testing.T) {
	keys := Split(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jj日")})
	var got string
	for _, k := range keys {
		got += k.String() + "|"
	}
	if got != "j|j|日|" {
		t.Errorf("taken apart: %s", got)
	}
	for _, msg := range []tea.KeyMsg{
		{Type: tea.KeyRunes, Runes: []rune("jj"), Paste: true}, {Type: tea.KeyEnter}, {Type: tea.KeyRunes, Runes: []rune("j")},
	} {
		if keys := Split(msg); len(keys) != 1 || keys[0].String() != msg.String() {
			t.Errorf("%v became %v", msg, keys)
		}
	}
}
