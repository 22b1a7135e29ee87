package learn

import (
	"testing"
)

func TestAnAnswerIsItsNumberOrItsText(t *testing.T) {
	choices := []string{"1,109", "1,110", "it stays"}
	for line, want := range map[string]string{"1": "1,109", "3": "it stays", "1,110": "1,110", "1110": "1,110", "It stays": "it stays", "4": "", "0": "", "": "", "it goes": ""} {
		if got, ok := chosen(choices, line); got != want || ok != (want != "") {
			t.Errorf("%q chose %q, expected %q", line, got, want)
		}
	}
	if got, _ := chosen([]string{"2", "1"}, "1"); got != "2" {
		t.Errorf("a number is the place first: %q", got)
	}
}
