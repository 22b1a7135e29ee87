package ask

import (
	"slices"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/cli/command"
)

// kindWords returns all kinds of permission as --kinds and --allow spell them.
func kindWords() []string {
	var words []string
	for _, kind := range explain.PermissionKinds {
		words = append(words, explain.KindWord(kind))
	}
	return words
}

// offerKinds are the kinds that --kinds and --allow name together as "offer".
var offerKinds = []string{
	explain.KindWord(string(cw721.GrantMinterOffer)),
	explain.KindWord(string(cw721.GrantCreatorOffer)),
}

// kindsNamed returns the kinds that a word of --kinds or --allow names: two for "offer", none
// for an unknown word.
func kindsNamed(word string) []string {
	if word == "offer" {
		return offerKinds
	}
	if slices.Contains(kindWords(), word) {
		return []string{word}
	}
	return nil
}

// kindsLeftOut returns the kinds that --kinds leaves out. The flag names the kinds to compare,
// or the kinds to leave out, each of those with a minus sign. It fails with a
// [*command.UsageError] if the flag names an unknown kind, or mixes the two forms.
func (d *diff) kindsLeftOut() ([]string, error) {
	if len(d.kinds) == 0 {
		return nil, nil
	}
	areLeftOut := strings.HasPrefix(d.kinds[0], "-")
	var namedKinds []string
	for _, text := range d.kinds {
		word, isLeftOut := strings.CutPrefix(text, "-")
		kinds := kindsNamed(word)
		if len(kinds) == 0 || isLeftOut != areLeftOut {
			return nil, command.UsageErrorf(
				"--kinds: %q is not expected here, expected some of %s, all with a - before them or none",
				text,
				command.JoinNames(kindWords()),
			)
		}
		namedKinds = append(namedKinds, kinds...)
	}

	// Keep the named kinds if these are left out, or else all other kinds.
	return slices.DeleteFunc(kindWords(), func(kind string) bool {
		return slices.Contains(namedKinds, kind) != areLeftOut
	}), nil
}
