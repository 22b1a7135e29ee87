package explain

import (
	"regexp"
	"strconv"
	"strings"
)

// Words are the words of a line that a parser has not read yet. A quoted word still has its
// quotes.
type Words []string

// SplitWords splits a line at its spaces. A quoted word may contain spaces.
func SplitWords(line string) Words { return wordPattern.FindAllString(line, -1) }

// TakeNext removes the first word and returns it without quotes; empty if no word is left.
func (w *Words) TakeNext() string {
	if len(*w) == 0 {
		return ""
	}
	word := (*w)[0]
	*w = (*w)[1:]
	text, err := strconv.Unquote(word)
	if err != nil || !strings.HasPrefix(word, `"`) {
		return word
	}
	return text
}

// wordPattern matches one word of a line. A word with spaces stands in quotes.
var wordPattern = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\S+`)

// quoteIfNeeded quotes a word that [SplitWords] would not read as one word, and the word *,
// which without quotes would mean any.
func quoteIfNeeded(word string) string {
	quoted := strconv.Quote(word)
	hasEscapes := quoted != `"`+word+`"`
	if word == "" || word == "*" || strings.Contains(word, " ") || hasEscapes {
		return quoted
	}
	return word
}
