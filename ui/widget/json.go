package widget

import (
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/themes"
)

// JSONLines formats a JSON text over several lines, and gives each token a role, that is
// a style. Members keep their order and numbers their digits. A text that is not JSON is
// returned as it is, without styles.
func JSONLines(text string) (lines []Line) {
	formatted := jsontext.Value(text)
	err := formatted.Format(
		jsontext.WithIndent("  "),
		jsontext.Multiline(true),
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true))
	if err != nil { // the text is not JSON
		for line := range strings.SplitSeq(text, "\n") {
			lines = append(lines, Plain(line))
		}
		return lines
	}
	for text := range strings.SplitSeq(string(formatted), "\n") {
		tokens := strings.TrimLeft(text, " ")
		line := Plain(text[:len(text)-len(tokens)])
		for _, bounds := range jsonTokens.FindAllStringIndex(tokens, -1) {
			token := tokens[bounds[0]:bounds[1]]
			isName := strings.HasPrefix(tokens[bounds[1]:], ":")
			line = line.Append(jsonRole(token, isName), token)
		}
		lines = append(lines, line)
	}
	return lines
}

// jsonTokens matches each token of a line of formatted JSON. A string, a number and a
// word are whole tokens; every other character, such as a bracket, is one by itself.
var jsonTokens = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[-\d][-+.\deE]*|[a-z]+|.`)

// jsonRole returns the role, that is the style, of a JSON token. isName says that a
// string is the name of a member.
func jsonRole(token string, isName bool) themes.Role {
	first := token[0]
	switch {
	case first == '"' && isName:
		return themes.Accent
	case first == '"':
		return themes.Good
	case first == '-', first >= '0' && first <= '9':
		return themes.Accent2
	case first >= 'a' && first <= 'z':
		return themes.Warn
	}
	return themes.Muted // a bracket, a comma, a colon or a space
}
