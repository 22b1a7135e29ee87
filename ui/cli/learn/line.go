package learn

import (
	"regexp"

	"ephemera/ui/cli/command"
)

var word = regexp.MustCompile(`\{.*\}|'[^']*'|"[^"]*"|\S+`)

// splitLine splits what is said in a lesson into the words of a command. Text
// in quotes is one word, and so is JSON from its first brace to its last, which
// needs no quotes.
func splitLine(line string) (words []string, err error) {
	for _, w := range word.FindAllString(line, -1) {
		switch first, last := w[0], w[len(w)-1]; {
		case first == '{' && last != '}':
			return nil, command.Misused("the message ends before its last }, expected all of it in one line")
		case first != '\'' && first != '"':
		case len(w) == 1 || last != first:
			return nil, command.Misused("the text after %c has no end, expected another %c", first, first)
		default:
			w = w[1 : len(w)-1]
		}
		words = append(words, w)
	}
	return words, nil
}
