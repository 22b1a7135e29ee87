package learn

import "testing"

func TestAChoiceIsItsNumberOrItsText(t *testing.T) {
	choices := []string{"1,109", "1,110", "it stays", "2"}
	for line, want := range map[string]string{
		"1":        "1,109",
		"2":        "1,110", // a number, although a choice has this text
		"3":        "it stays",
		"1,110":    "1,110",
		"1110":     "1,110",
		"It stays": "it stays",
		"5":        "",
		"0":        "",
		"":         "",
		"it goes":  "",
	} {
		got, ok := parseChoice(choices, line)
		if got != want || ok != (want != "") {
			t.Errorf("%q chose %q, want %q", line, got, want)
		}
	}
}
