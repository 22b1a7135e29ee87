package widget

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/themes"
)

// JSONLines lays a JSON text out over lines, with a role for each part, to be
// shown in a [Scroll]. Members keep their order and numbers their digits. A
// text that is not JSON is shown as it is.
func JSONLines(text string) []Line {
	v, draw := jsontext.Value(text), jsonLine
	err := v.Format(jsontext.WithIndent("  "), jsontext.Multiline(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true), jsontext.PreserveRawStrings(true))
	if err != nil {
		v, draw = jsontext.Value(text), Plain
	}
	var out []Line
	for line := range strings.SplitSeq(string(v), "\n") {
		out = append(out, draw(line))
	}
	return out
}

// jsonLine gives roles to one line of formatted JSON.
func jsonLine(line string) Line {
	body := strings.TrimLeft(line, " ")
	l := In(themes.Text, line[:len(line)-len(body)])
	for body != "" {
		n := 1
		role := themes.Muted
		switch c := body[0]; {
		case c == '"':
			n = quoted(body)
			role = themes.Good
			if strings.HasPrefix(body[n:], ":") {
				role = themes.Accent
			}
		case c == '-' || c >= '0' && c <= '9':
			n = span(body, "+-.0123456789eE")
			role = themes.Accent2
		case c >= 'a' && c <= 'z':
			n = span(body, "abcdefghijklmnopqrstuvwxyz")
			role = themes.Warn
		}
		l = l.And(role, body[:n])
		body = body[n:]
	}
	return l
}

// quoted is the length of the JSON string at the start of s.
func quoted(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// span is how many bytes at the start of s are of the set; at least one.
func span(s, set string) int { return max(1, len(s)-len(strings.TrimLeft(s, set))) }
