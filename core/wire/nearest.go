package wire

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest gives the name that a misspelt word was likely meant to be: the one
// with the fewest letters to change, or one that begins so; "" where none is
// near enough.
func Nearest(word string, names []string) string {
	nearest, least := "", 2+len(word)/4
	for _, name := range names {
		if len(word) < 2 || len(word)-len(name) >= least {
			continue
		}
		far := levenshtein.ComputeDistance(word, name)
		if strings.HasPrefix(name, word) {
			far = 1
		}
		if far < least {
			nearest, least = name, far
		}
	}
	return nearest
}
