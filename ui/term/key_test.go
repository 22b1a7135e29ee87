package term

import (
	"testing"
	"unicode/utf8"
)

func TestAKeyIsMadeOfTheNameThatABindingGivesIt(t *testing.T) {
	for _, name := range []string{
		"a", "Z", "?", "/", "é", "enter", "esc", "tab", "shift+tab", " ", "up", "down", "left", "right",
		"pgup", "pgdown", "home", "end", "backspace", "delete", "ctrl+a", "ctrl+l", "ctrl+n", "ctrl+@", "f1",
	} {
		got := Key(name)
		if got.String() != name {
			t.Errorf("%q became %q", name, got)
		}
		if letter := utf8.RuneCountInString(name) == 1; letter != (string(got.Runes) == name) {
			t.Errorf("%q types %q", name, got.Runes)
		}
	}
}
