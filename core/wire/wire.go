// Package wire reads and writes JSON as a CosmWasm contract does: it reads strictly and
// writes compactly.
//
// A contract decodes a whole message before it acts on it. It refuses what most JSON
// libraries accept: unknown and duplicate members, a missing member, null for a required
// value, a number for a string of digits (spec §2). This package does the same for any Go
// type whose fields have a `wire:"name"` tag. A later version of the contract skips unknown
// members, see [Options.IgnoresUnknown].
//
// The package must not know what a message means, who sends it, or what is stored.
//
// Types map to JSON like this:
//
//   - a struct is an object; members in field order on output, any order on
//     input. A field of pointer type, or one tagged `wire:"name,optional"`,
//     may be absent or null; every other field is required.
//   - a pointer is a value or null; a slice is an array.
//   - string, bool, uint32 and uint64 are a string, true or false, and numbers. An int or
//     int64 is only written.
//   - a type with [Decodable] and [Encodable] reads and writes its own JSON; one with
//     [Substituted] is written as another value.
package wire

import (
	"strings"

	"github.com/agnivade/levenshtein"
)

// Decodable is implemented by types that read their own JSON.
type Decodable interface {
	// DecodeWire reads exactly one JSON value. It reports a bad one with [Decoder.Fail] or
	// [Decoder.FailType].
	DecodeWire(d *Decoder) error
}

// Encodable is implemented by types that write their own JSON.
type Encodable interface {
	AppendWire(dst []byte) []byte
}

// Substituted is implemented by types that are written as another value.
type Substituted interface {
	// WireValue returns the value that is written in place of this one; nil means null.
	WireValue() any
}

// Error is the reason why a text is not the JSON that was expected.
type Error struct {
	// Cause is the error text of the contract's reader (spec §2.1): "missing field
	// `token_id`", "Invalid type".
	Cause string
	Field string // the dotted path of the wrong member, such as "approve.expires"; "" for the whole text
	Hint  string // what was expected, in plain words; may be ""

	UnknownName string // a field or a variant in the text that does not exist; "" for other errors
	NearestName string // the existing name that was probably meant by UnknownName; "" if none is like it

	Syntax bool  // the text is not JSON at all; Hint then describes the fault
	Offset int64 // how many bytes into the text the error was noticed
}

// Error returns a text such as "Invalid type (approve.spender: expected a string, got a number)".
func (e *Error) Error() string {
	switch {
	case e.Field != "" && e.Hint != "":
		return e.Cause + " (" + e.Field + ": " + e.Hint + ")"
	case e.Hint != "":
		return e.Cause + " (" + e.Hint + ")"
	case e.Field != "":
		return e.Cause + " (in " + e.Field + ")"
	}
	return e.Cause
}

// UnknownNameError reports a "$name" in a message that is the name of no account.
type UnknownNameError struct {
	Name  string // without the dollar sign
	Field string // the member that holds it
}

// Error returns a sentence such as `approve.spender: no account is named "bbo"`.
func (e *UnknownNameError) Error() string {
	return e.Field + ": no account is named " + string(AppendString(nil, e.Name))
}

// Raw is a JSON value that is neither decoded nor changed. The empty text is null.
type Raw []byte

// AppendWire appends the text, or null if it is empty.
func (r Raw) AppendWire(dst []byte) []byte {
	if len(r) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, r...)
}

// DecodeWire reads one JSON value of any type and keeps a copy of its text.
func (r *Raw) DecodeWire(decoder *Decoder) error {
	value, err := decoder.tokenizer.ReadValue()
	if err != nil {
		return decoder.syntaxError(err)
	}
	*r = append(Raw(nil), value...)
	return nil
}

// NearestName returns the name that a misspelt word probably means, or "" for none. A name is
// like the word if
//
//   - it begins with the word, as "approve" with "appr", or
//   - two neighbouring letters are swapped, as in "rnu" for "run", or
//   - at most one letter has to change, and one more for every four letters of the word.
//
// Of several such names, the first with the fewest changes counts. A word of one letter is like
// no name.
func NearestName(word string, names []string) string {
	if len(word) < 2 {
		return ""
	}

	nearest := ""
	changeLimit := 2 + len(word)/4 // a name must need fewer changes than this
	for _, name := range names {
		// Each letter that the name lacks is a change, so a short name needs no closer look.
		if len(word)-len(name) >= changeLimit {
			continue
		}

		// A beginning and a swap count as one change.
		changeCount := 1
		if !strings.HasPrefix(name, word) && !hasSwappedLetters(word, name) {
			changeCount = levenshtein.ComputeDistance(word, name)
		}
		if changeCount < changeLimit {
			nearest = name
			changeLimit = changeCount
		}
	}
	return nearest
}

func hasSwappedLetters(word, name string) bool {
	if len(word) != len(name) {
		return false
	}
	for i := range len(word) - 1 {
		if word[i] == name[i] {
			continue
		}

		// At the first difference, the two letters must be swapped and the rest be equal.
		areSwapped := word[i] == name[i+1] && word[i+1] == name[i]
		return areSwapped && word[i+2:] == name[i+2:]
	}
	return false
}
