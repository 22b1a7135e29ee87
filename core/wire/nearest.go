package wire

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Nearest returns the name that a misspelt word probably means, or "" if no name is alike.
// A name is alike if it begins with the word ("appr" → "approve"), or if at most one letter
// and a quarter of the word's letters have to change ("trasnfer" → "transfer"), or if two
// neighbouring letters are swapped ("rnu" → "run"). Of several, Nearest takes the first with
// the fewest changes. A word of one letter is like no name.
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
		if strings.HasPrefix(name, word) || isSwapped(word, name) {
			changes = 1
		}
		if changes < limit {
			nearest = name
			limit = changes
		}
	}
	return nearest
}

// isSwapped reports whether a word is a name with two neighbouring letters swapped.
func isSwapped(word, name string) bool {
	if len(word) != len(name) {
		return false
	}
	for i := range len(word) - 1 {
		if word[i] != name[i] {
			return word[i] == name[i+1] && word[i+1] == name[i] && word[i+2:] == name[i+2:]
		}
	}
	return false
}
