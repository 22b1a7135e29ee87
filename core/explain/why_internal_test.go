package explain

import (
	"strings"
	"testing"
)

func TestAListInASentenceHasAndBeforeItsLastItem(t *testing.T) {
	for list, want := range map[string]string{
		"":      "",
		"a":     "a",
		"a b":   "a and b",
		"a b c": "a, b and c",
	} {
		if got := joinWithAnd(strings.Fields(list)); got != want {
			t.Errorf("%q: got %q, want %q", list, got, want)
		}
	}
}
