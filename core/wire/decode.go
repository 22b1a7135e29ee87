package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Decoder reads one JSON text token by token. A type that implements [Decodable] reads its
// value from a Decoder.
type Decoder struct {
	Options
	HasNames bool // a "$name" was replaced with an address; set by the type that does so

	data      []byte            // the whole text
	tokenizer *jsontext.Decoder // splits data into tokens
	path      []string          // the members around the next token, such as "approve", "expires"
	// variantDepth is how deep the innermost object that [Decoder.ReadVariant] reads is
	// nested: 1 for the outermost object of the text, -1 if none is being read.
	variantDepth int
}

// Options changes what a [Decoder] accepts and records. The zero value is for a message
// without "$name"s, read by a contract that refuses unknown members.
type Options struct {
	// AddressOf returns the address for a name such as "$alice". If it is nil, names are not
	// replaced.
	AddressOf func(name string) (address string, ok bool)
	// AllowsInvalidUnicode accepts strings that are not valid Unicode, such as half of a
	// surrogate pair. It is for files with messages of other programs, which may be broken.
	AllowsInvalidUnicode bool
	Context              any // for types whose JSON depends on something outside the text
	// AbsentNames are members and variants that the Go types have, but not the version of
	// the contract for which the message is read. They are unknown.
	AbsentNames      []string
	IgnoresUnknown   bool             // skips unknown members, which are errors unless the type is lenient
	IgnoredMembers   *[]UnknownMember // collects the members that were skipped; can be nil
	LiteralAddresses *[]Member        // collects the addresses that are no "$name"; can be nil
}

// Member is a member of a message whose value is a string.
type Member struct {
	Field string // the dotted path, such as "approve.spender"
	Text  string // the value
}

// UnknownMember is a member of a message that the decoder skipped, because the type of the
// object has no member of that name.
type UnknownMember struct {
	Field      string   // the dotted path, such as "approve.color"
	Name       string   // the end of that path, such as "color"
	Value      Raw      // the JSON
	KnownNames []string // the members that the object has
}

// Decode reads a JSON text, which must hold one value and nothing after it, into the value that
// target points to. If it fails, it returns an [*Error], and the value is not usable.
func Decode(data []byte, target any) error {
	_, err := DecodeWith(Options{}, data, target)
	return err
}

// DecodeWith is [Decode] with options. hasNames reports whether a "$name" was replaced.
// Besides an [*Error], DecodeWith can return an [*UnknownNameError].
func DecodeWith(options Options, data []byte, target any) (hasNames bool, err error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return false, &Error{Cause: eofValue, Hint: "expected a JSON object"}
	}

	// The library's error for a duplicate member does not have the contract's words, so the
	// decoder looks for duplicates itself.
	tokenizer := tokenizers.Get().(*jsontext.Decoder)
	defer tokenizers.Put(tokenizer)
	tokenizer.Reset(
		bytes.NewBuffer(data),
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(options.AllowsInvalidUnicode),
	)
	decoder := &Decoder{Options: options, data: data, tokenizer: tokenizer, variantDepth: -1}
	decoder.path = make([]string, 0, 4) // deep enough for most messages
	if err := decoder.readValue(reflect.ValueOf(target).Elem()); err != nil {
		return false, err
	}

	_, err = decoder.tokenizer.ReadToken()
	if !errors.Is(err, io.EOF) {
		return false, decoder.Fail(causeTrailingText, "expected one message and nothing after it")
	}
	return decoder.HasNames, nil
}

// tokenizers keeps decoders of the library, of type [*jsontext.Decoder], to use again.
var tokenizers = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// Fail returns an [*Error] about the member that is being read. See [Error].
func (d *Decoder) Fail(cause, hint string) error {
	return &Error{Cause: cause, Field: d.Path(), Hint: hint, Offset: d.tokenizer.InputOffset()}
}

// FailUnknown returns an [*Error] about a name that is none of the known ones, of which it
// proposes the nearest. nameKind is "field" or "variant".
func (d *Decoder) FailUnknown(nameKind, name string, knownNames []string, hint string) error {
	cause := DescribeUnknownName(nameKind, name, knownNames)
	decodeError := d.Fail(cause, hint).(*Error)
	decodeError.UnknownName = name
	decodeError.NearestName = NearestName(name, knownNames)
	return decodeError
}

// FailType returns an [*Error] about a value of the wrong JSON type: "expected a string,
// got a number". expected names the right one for people, such as "an address".
func (d *Decoder) FailType(expected string, gotKind jsontext.Kind) error {
	return d.Fail("Invalid type", "expected "+expected+", got "+KindName(gotKind))
}

// Kind returns the kind of the next token without reading the token. A kind is the first
// byte of the token: '{', '}', '[', ']', '"', 't', 'f', 'n', or '0' for every number. Kind
// returns 0 if the text ends or is not JSON there. Callers need not handle 0, because the
// next [Decoder.Token] returns the error.
func (d *Decoder) Kind() jsontext.Kind { return d.tokenizer.PeekKind() }

// Token fails with an [*Error] if the text ends or is no JSON there.
func (d *Decoder) Token() (jsontext.Token, error) {
	token, err := d.tokenizer.ReadToken()
	if err != nil {
		return token, d.syntaxError(err)
	}
	return token, nil
}

// readTokenOfKind describes wantedKind as expected in the error about another kind.
func (d *Decoder) readTokenOfKind(wantedKind jsontext.Kind, expected string) (jsontext.Token, error) {
	// Token returns the error of unreadable text, which has no kind.
	kind := d.Kind()
	if kind == wantedKind || kind == jsontext.KindInvalid {
		return d.Token()
	}
	return jsontext.Token{}, d.FailType(expected, kind)
}

// Text reads a string. expected is as in [Decoder.FailType].
func (d *Decoder) Text(expected string) (string, error) {
	token, err := d.readTokenOfKind('"', expected) // the kind of a string
	if err != nil {
		return "", err
	}
	return token.String(), nil
}

// maxDepth is how many objects and arrays may be nested in a skipped value. The contract's
// reader has the same limit.
const maxDepth = 127

// Skip reads one value of any type and ignores it.
func (d *Decoder) Skip() error {
	startDepth := d.tokenizer.StackDepth()
	for {
		if _, err := d.Token(); err != nil {
			return err
		}

		depth := d.tokenizer.StackDepth()
		if depth > maxDepth {
			hint := "expected no more than " + strconv.Itoa(maxDepth) + " objects and arrays in each other"
			return d.Fail("Recursion limit exceeded.", hint)
		}

		// The value ends when all its objects and arrays are closed.
		if depth == startDepth {
			return nil
		}
	}
}

// Object calls readMember with the name of each member, duplicates included; readMember must
// read the value. While readMember runs, and after its error, the path ends with the name.
func (d *Decoder) Object(readMember func(name string) error) error {
	if err := d.OpenObject(); err != nil {
		return err
	}
	return d.readMembers(readMember)
}

// OpenObject reads the "{" of an object, after which [Decoder.Kind] is '}' if it is empty.
func (d *Decoder) OpenObject() error {
	_, err := d.readTokenOfKind('{', "an object")
	return err
}

// ReadRestOfObject reads the members and the "}" of an object into the struct that v points
// to, after [Decoder.OpenObject].
func (d *Decoder) ReadRestOfObject(v any) error { return d.readFields(reflect.ValueOf(v).Elem()) }

func (d *Decoder) readMembers(readMember func(name string) error) error {
	for d.Kind() != '}' {
		token, err := d.Token()
		if err != nil {
			return err
		}

		name := token.String()
		d.path = append(d.path, name)
		if err := readMember(name); err != nil {
			return err
		}
		d.leaveMember()
	}

	_, err := d.Token() // the "}"
	return err
}

// Uint reads a whole number from 0 to 2^bits-1. For 1.0 and 1e3, it fails as the contract's
// reader, which takes the digits before the "." or "e" for the whole number, and then fails at
// this character.
func (d *Decoder) Uint(bits int) (uint64, error) {
	token, err := d.readTokenOfKind('0', "a whole number") // '0' is the kind of every number
	if err != nil {
		return 0, err
	}

	text := token.String()
	end := strings.IndexAny(text, ".eE")
	if end < 0 {
		end = len(text)
	}
	n, err := strconv.ParseUint(text[:end], 10, bits)
	if err == nil && end == len(text) {
		return n, nil
	}

	// The contract first checks the range of the digits, and then what follows them.
	hint := "expected a whole number from 0 to " + strconv.FormatUint(1<<bits-1, 10)
	if err != nil {
		return 0, d.Fail(causeNumber, hint)
	}
	return 0, d.Fail(d.causeAfterInteger(), hint)
}

// DescribeJSONError describes an error of the json package without naming Go types: `"info.name":
// expected another type, got a number`, or "it is not JSON at byte 12". For any other error, it
// is the error's text.
func DescribeJSONError(err error) string {
	if typeError, ok := errors.AsType[*json.SemanticError](err); ok {
		pointer := strings.Trim(string(typeError.JSONPointer), "/") // such as info/name
		member := strings.ReplaceAll(pointer, "/", ".")
		return fmt.Sprintf("%q: expected another type, got %s", member, KindName(typeError.JSONKind))
	}
	if syntaxError, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Sprintf("it is not JSON at byte %d", syntaxError.ByteOffset)
	}
	return err.Error()
}

// KindName names a kind of JSON value for people: "a string", and "no value" for an invalid one.
func KindName(kind jsontext.Kind) string {
	switch kind {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return "no value"
}

// Path returns the dotted path of the member that is being read, such as "approve.expires" or
// "messages.0". It is empty outside of objects and arrays.
func (d *Decoder) Path() string { return strings.Join(d.path, ".") }
