package app

import (
	"regexp"
	"slices"
	"strings"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// filterKey matches a word that begins like a key of a filter, such as "owner:".
var filterKey = regexp.MustCompile(`^[a-z_]+[:<>=]`)

// UnknownFilterKey returns the first word of a filter that looks like a key but is none
// of keys; empty if there is none. Such a word is searched for as text, because an
// id may look like this. The scheme of a URI is not a key.
func UnknownFilterKey(text string, keys []string) string {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		key := filterKey.FindString(word)
		isScheme := strings.HasPrefix(word, key+"//")
		if key != "" && !isScheme && !slices.Contains(keys, key) {
			return key
		}
	}
	return ""
}

// UnknownFilterKeyWarning returns a line which warns that a word of a filter, such as
// "ownr:", is no key, and lists the keys. It uses the longest wording that fits into
// width cells; the shortest may be wider.
func UnknownFilterKeyWarning(key string, keys []string, width int) (line widget.Line) {
	known := strings.Join(keys, " ")
	for _, words := range []string{
		key + " is no key here, so it is looked for as text; the keys are ",
		key + " is no key, so it is text; the keys are ",
		key + " is text; keys: ",
		"no " + key + " but ",
		"the keys are ",
	} {
		line = widget.In(themes.Warn, " "+themes.GlyphWarn+" ").And(themes.Muted, words).And(themes.Text, known)
		if line.Width() <= width {
			break
		}
	}
	return line
}

// FilterKeys lists the keys that do more than edit while a filter is typed.
var FilterKeys = KeysForHelp(GroupHere, Bind("enter", "to the rows", "enter"), Bind("esc", "drop the filter", "esc"))
