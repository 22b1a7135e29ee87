package term

import "testing"

func TestAKeyIsMadeOfTheNameThatABindingGivesIt(t *testing.T) {
	for _, name := range []string{
		"a", "Z", "?", "/", "é", "enter", "esc", "tab", "shift+tab", " ", "up", "down", "left", "right",
		"pgup", "pgdown", "home", "end", "backspace", "delete", "ctrl+a", "ctrl+l", "ctrl+n", "ctrl+@", "f1",
	} {
		if got := Key(name).String(); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
}
