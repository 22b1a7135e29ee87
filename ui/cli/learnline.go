package cli

import (
	"strings"
	"unicode"
)

// splitLine splits what is said in a lesson into the words of a command. Text
// in quotes is one word, and so is JSON from its first brace to its last, which
// needs no quotes.
func splitLine(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeftFunc(line, unicode.IsSpace) {
		n, cut := 0, 0
		switch c := line[0]; c {
		case '{':
			if n = jsonEnd(line); n < 0 {
				return nil, misused("the message ends before its last }, expected all of it in one line")
			}
		case '\'', '"':
			end := strings.IndexByte(line[1:], c)
			if end < 0 {
				return nil, misused("the text after %c has no end, expected another %c", c, c)
			}
			n, cut = end+2, 1
		default:
			if n = strings.IndexFunc(line, unicode.IsSpace); n < 0 {
				n = len(line)
			}
		}
		words = append(words, line[cut:n-cut])
		line = line[n:]
	}
	return words, nil
}

// jsonEnd gives where the object at the beginning of a text ends; -1 when it
// does not.
func jsonEnd(text string) int {
	depth, quoted, escaped := 0, false, false
	for i := range len(text) {
		switch c := text[i]; {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
