package app

import (
	"regexp"
	"slices"
	"strings"

	"ephemera/themes"
	"ephemera/ui/widget"
)

var keyForm = regexp.MustCompile(`^[a-z_]+[:<>=]`)

// StrangeKey gives the first key in a filter that is none of those that it has.
// Its word is looked for as text like any other: an id may well be written so.
// The scheme of a URI is no key.
func StrangeKey(text string, keys []string) string {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		key := keyForm.FindString(word)
		if key != "" && !slices.Contains(keys, key) && !strings.HasPrefix(word, key+"//") {
			return key
		}
	}
	return ""
}

// StrangeKeySaid says of a key that it is none, and which there are, in as many
// words as w cells have room for.
func StrangeKeySaid(key string, keys []string, w int) (l widget.Line) {
	known := strings.Join(keys, " ")
	for _, words := range []string{
		key + " is no key here, so it is looked for as text; the keys are ",
		key + " is no key, so it is text; the keys are ",
		key + " is text; keys: ",
		"no " + key + " but ",
		"the keys are ",
	} {
		l = widget.In(themes.Warn, " "+themes.GlyphWarn+" ").And(themes.Muted, words).And(themes.Text, known)
		if widget.Width(l.String()) <= w {
			break
		}
	}
	return l
}

// FilterKeys are those that do more than edit while a filter is typed.
var FilterKeys = Listed(GroupHere, Bind("enter", "to the rows", "enter"), Bind("esc", "drop the filter", "esc"))
