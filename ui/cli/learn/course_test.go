package learn

import (
	"ephemera/core/chain"
	"strings"
	"testing"
)

func TestALearnersNameCanBePartOfThatOfAFile(t *testing.T) {
	for name, want := range map[string]bool{
		"ana": true, "Ána-2.b_c": true, "日本": true, strings.Repeat("x", 32): true,
		"..": false, "-ana": false, "a/b": false, "a b": false, "a\xff": false, "a:b": false, strings.Repeat("x", 33): false,
	} {
		if chain.IsValidName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
