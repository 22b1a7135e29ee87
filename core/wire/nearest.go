package wire

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name that a misspelt word probably means, or "" if no name is alike.
// A name is alike if it begins with the word ("appr" → "approve"), or if at most one letter
// and a quarter of the word's letters have to change ("trasnfer" → "transfer"). Of several,
// Nearest takes the first with the fewest changes. A word of one letter is like no name.
func Nearest(word string, names []string) string {
	if len(word) < 2 {
		return ""
	}

	nearest := ""
	limit := 2 + len(word)/4 // the next name must need fewer changes than this
	for _, name := range names {
		missingLetters := len(word) - len(name) // at least so many changes
		if missingLetters >= limit {
			continue
		}
		changes := levenshtein.ComputeDistance(word, name)
		if strings.HasPrefix(name, word) {
			changes = 1
		}
		if changes < limit {
			nearest = name
			limit = changes
		}
	}
	return nearest
}
