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

// Decoder reads one JSON text token by token and keeps the path of the member that it is
// reading, such as "approve.expires", for errors. A type that implements [Decodable] reads
// its value from a Decoder.
type Decoder struct {
	Options
	// HasNames is true if a "$name" was replaced with an address. The message that is sent
	// then differs from the text that was typed. The type that replaces the name sets it.
	HasNames bool

	data      []byte            // the whole text
	tokenizer *jsontext.Decoder // splits data into tokens
	path      []string          // the members around the next token, such as "approve", "expires"
	// variantDepth is how deep the innermost object that [Decoder.ReadVariant] reads is
	// nested. It is 1 for the outermost object of the text, and -1 if no such object is being
	// read.
	variantDepth int
}

// Options changes what a [Decoder] accepts and records. The zero value is for a message
// without "$name"s, read by a contract that refuses unknown members.
type Options struct {
	// AddressOf returns the address of the account with a name, for "$alice" in place of
	// an address. If it is nil, names are not replaced.
	AddressOf func(name string) (address string, ok bool)
	// AllowsInvalidUnicode accepts strings that are not valid Unicode, such as half of a
	// surrogate pair. It is for files with messages of other programs, which may be broken.
	AllowsInvalidUnicode bool
	// Context is a value for types whose JSON depends on something outside the text. The
	// decoder does not use it.
	Context any
	// AbsentNames are members and variants that the Go types have, but not the version of
	// the contract for which the message is read. The decoder treats them as unknown.
	AbsentNames []string
	// IgnoresUnknown skips the members that a type does not have. Otherwise such a member is
	// an error, unless the type is lenient.
	IgnoresUnknown bool
	// IgnoredMembers, if it is not nil, collects the members that were skipped.
	IgnoredMembers *[]UnknownMember
	// LiteralAddresses, if it is not nil, collects the addresses that are written in full,
	// and not as a "$name".
	LiteralAddresses *[]Member
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
	KnownNames []string // the members that the object has
}

// Decode reads a JSON text into the value that target points to. The text must hold one
// value and nothing after it. If Decode fails, it returns an [*Error], and the value is
// not usable.
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

	// Nothing may follow the value.
	_, err = decoder.tokenizer.ReadToken()
	if !errors.Is(err, io.EOF) {
		return false, decoder.Fail(causeTrailingText, "expected one message and nothing after it")
	}
	return decoder.HasNames, nil
}

// tokenizers keeps decoders of the library, of type [*jsontext.Decoder], to use again.
var tokenizers = sync.Pool{New: func() any { return new(jsontext.Decoder) }}

// Fail returns an [*Error] about the member that is being read. cause is in the words of
// the contract's reader, such as "Invalid type"; hint says in plain words what was
// expected, and may be empty.
func (d *Decoder) Fail(cause, hint string) error {
	return &Error{Cause: cause, Field: d.Path(), Hint: hint, Offset: d.tokenizer.InputOffset()}
}

// FailUnknown returns an [*Error] about a name that is none of the known ones. nameKind
// is "field" or "variant". The error proposes the known name that is most like the unknown
// one. hint says in plain words what was expected, and may be empty.
func (d *Decoder) FailUnknown(nameKind, name string, knownNames []string, hint string) error {
	cause := DescribeUnknownName(nameKind, name, knownNames)
	decodeError := d.Fail(cause, hint).(*Error)
	decodeError.UnknownName = name
	decodeError.NearestName = NearestName(name, knownNames)
	return decodeError
}

// FailType returns an [*Error] about a value of the wrong JSON type: "expected a string,
// got a number". expected names the right one for people: "a string", "nanoseconds as a
// string of digits".
func (d *Decoder) FailType(expected string, gotKind jsontext.Kind) error {
	return d.Fail("Invalid type", "expected "+expected+", got "+KindName(gotKind))
}

// Kind returns the kind of the next token without reading the token. A kind is the first
// byte of the token: '{', '}', '[', ']', '"', 't', 'f', 'n', or '0' for every number. Kind
// returns 0 if the text ends or is not JSON there. Callers need not handle 0, because the
// next [Decoder.Token] returns the error.
func (d *Decoder) Kind() jsontext.Kind { return d.tokenizer.PeekKind() }

// Token reads the next token. It fails with an [*Error] if the text ends or is no JSON
// there.
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

// Text reads a string. expected describes it in the error about a value of another type:
// "a string", "an address".
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

// Skip reads one value of any type and ignores it. It fails if objects and arrays are nested
// more than [maxDepth] deep.
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

// Object reads an object. It calls readMember with the name of each member, duplicates
// included; readMember must read the value. If it fails, Object returns its error. While
// readMember runs, the path ends with the member's name. After an error it stays so.
func (d *Decoder) Object(readMember func(name string) error) error {
	if err := d.OpenObject(); err != nil {
		return err
	}
	return d.readMembers(readMember)
}

// OpenObject reads the "{" of an object. Then [Decoder.Kind] tells whether the object is
// empty ('}'), and [Decoder.ReadRestOfObject] reads the members.
func (d *Decoder) OpenObject() error {
	_, err := d.readTokenOfKind('{', "an object")
	return err
}

// ReadRestOfObject reads the members and the "}" of an object into the struct that v points
// to. It is called after [Decoder.OpenObject].
func (d *Decoder) ReadRestOfObject(v any) error { return d.readFields(reflect.ValueOf(v).Elem()) }

// readMembers reads the rest of an object whose "{" was read, as [Decoder.Object] does.
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

// Uint reads a whole number from 0 to 2^bits-1. It refuses a fraction and an exponent, as in
// 1.0 and 1e3. Its errors are those of the contract's reader, which takes the digits before
// the "." or "e" for the whole number, and then fails at this character.
func (d *Decoder) Uint(bits int) (uint64, error) {
	token, err := d.readTokenOfKind('0', "a whole number") // '0' is the kind of every number
	if err != nil {
		return 0, err
	}

	// The digits end before a fraction or an exponent, or at the end of the text.
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

// DescribeJSONError describes an error of the json package, such as `"info.name": expected
// another type, got a number`, or "it is not JSON at byte 12". Unlike the error's own text,
// the description names no Go types. For any other error, it is the error's text.
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

// KindName returns the name of a kind of JSON value for people: "a string", "an object".
// It is "no value" for any other kind.
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

// Path returns the dotted path of the member that is being read: "approve.expires". Items
// of an array have their index as name: "messages.0". The path is empty outside of objects
// and arrays.
func (d *Decoder) Path() string { return strings.Join(d.path, ".") }
