package learn

import (
	"strings"
	"testing"

	"ephemera/core/chain"
)

func TestALearnersNameCanBePartOfAFileName(t *testing.T) {
	for name, want := range map[string]bool{
		"ana":                   true,
		"Ána-2.b_c":             true,
		"日本":                    true,
		strings.Repeat("x", 32): true,
		strings.Repeat("x", 33): false,
		"..":                    false,
		"-ana":                  false,
		"a/b":                   false,
		"a b":                   false,
		"a\xff":                 false,
		"a:b":                   false,
	} {
		if got := chain.IsValidName(name); got != want {
			t.Errorf("%q: got %t, want %t", name, got, want)
		}
	}
}
