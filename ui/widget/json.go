package widget

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/themes"
)

// JSONLines formats a JSON text over several lines, with a role for each token.
// Members keep their order and numbers their digits. A text that is not JSON is
// returned as it is.
func JSONLines(text string) (lines []Line) {
	formatted := jsontext.Value(text)
	toLine := jsonLine
	err := formatted.Format(
		jsontext.WithIndent("  "),
		jsontext.Multiline(true),
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true),
		jsontext.PreserveRawStrings(true))
	if err != nil {
		formatted = jsontext.Value(text)
		toLine = Plain
	}
	for line := range strings.SplitSeq(string(formatted), "\n") {
		lines = append(lines, toLine(line))
	}
	return lines
}

// jsonLine returns a line of formatted JSON with a role for each token, so that names,
// strings, numbers and words have different colours.
func jsonLine(text string) Line {
	rest := strings.TrimLeft(text, " ")
	line := Plain(text[:len(text)-len(rest)])
	for rest != "" {
		length, role := jsonToken(rest)
		line = line.And(role, rest[:length])
		rest = rest[length:]
	}
	return line
}

// jsonToken returns the length and the role of the token at the start of a text.
func jsonToken(text string) (length int, role themes.Role) {
	switch first := text[0]; {
	case first == '"':
		length = stringLength(text)
		if strings.HasPrefix(text[length:], ":") {
			return length, themes.Accent
		}
		return length, themes.Good
	case first == '-', first >= '0' && first <= '9':
		return prefixLength(text, "+-.0123456789eE"), themes.Accent2
	case first >= 'a' && first <= 'z':
		return prefixLength(text, "abcdefghijklmnopqrstuvwxyz"), themes.Warn
	}
	return 1, themes.Muted // a bracket, a comma, a colon or a space
}

// stringLength returns the length of the JSON string at the start of a text.
func stringLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++ // the next character is escaped, so it does not end the string
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// prefixLength returns how many bytes at the start of a text are in a set.
func prefixLength(text, set string) int {
	return len(text) - len(strings.TrimLeft(text, set))
}
