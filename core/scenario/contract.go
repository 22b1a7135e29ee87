package scenario

import (
	"strings"

	"ephemera/core/cw721"
)

// anyone is a book of names that knows every name.
func anyone(string) (string, bool) { return "", true }

// parseText takes from a refusal of kind parse what is for people: the member,
// and what was expected there.
func parseText(err error) (field, text string) {
	e := cw721.AsError(err)
	if e == nil {
		return explain(err)
	}
	text = e.Text
	if _, after, ok := strings.Cut(text, ": "); ok {
		text = after // the name of the message's type
	}
	for _, where := range []string{" (" + e.Field + ": ", " ("} {
		if _, hint, ok := strings.Cut(text, where); ok && strings.HasSuffix(hint, ")") && !strings.HasPrefix(hint, "in ") {
			return e.Field, strings.TrimSuffix(hint, ")")
		}
	}
	return e.Field, strings.TrimSuffix(text, " (in "+e.Field+")")
}
