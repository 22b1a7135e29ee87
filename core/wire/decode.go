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

// Decoder reads one message. Types that implement [Decodable] are handed it.
type Decoder struct {
	Options
	// Named is set when a name was replaced, so that the text as typed and
	// the message as sent are not the same.
	Named bool

	data   []byte // the whole text
	tokens *jsontext.Decoder
	buffer *bytes.Buffer
	path   []string
	oneOf  int // how deep the innermost object stands that is one of several variants
}

// Options is what a caller of [DecodeWith] wants the types to know.
type Options struct {
	// Names, when set, gives the address for a "$name" that stands where an
	// address is meant; ok is false for a name that nobody has.
	Names func(name string) (address string, ok bool)
	// AnyText lets strings hold half of a surrogate pair, and bytes that are no
	// text: for files that carry messages as they are, broken ones too.
	AnyText bool
	// Context is for types whose form depends on something outside the text.
	Context any
	// Without are members and variants that the types have and the version that
	// reads has not: to it they are unknown.
	Without []string
	// Ignored, when set, lets members pass that a type does not know, and takes
	// note of each. Without it they are errors.
	Ignored *[]Ignored
	// Addresses, when set, takes note of each address that the text spells out
	// instead of naming it.
	Addresses *[]Member
}

// Member is a string in a message.
type Member struct {
	Field string // its dotted path
	Text  string
}

// Ignored is a member that a reader passed over, because the object that it
// stands in has none of that name.
type Ignored struct {
	Field string   // its dotted path
	Known []string // the members that the object has
}

var decoders = sync.Pool{New: func() any {
	b := new(bytes.Buffer)
	return &Decoder{
		buffer: b,
		// Duplicates are found here, with the field's name, not by jsontext.
		tokens: jsontext.NewDecoder(b, jsontext.AllowDuplicateNames(true)),
	}
}}

// Decode reads data, the whole of it, into the value that v points to. It
// fails with an [*Error] and never leaves v worth using when it does.
func Decode(data []byte, v any) error {
	_, err := DecodeWith(Options{}, data, v)
	return err
}

// DecodeWith is [Decode] with options. named reports whether a "$name" was replaced.
// Besides an [*Error] it can fail with an [*UnknownNameError].
func DecodeWith(o Options, data []byte, v any) (named bool, err error) {
	d := decoders.Get().(*Decoder)
	defer d.release()
	d.reset(o, data)
	if len(bytes.TrimSpace(data)) == 0 {
		return false, &Error{Cause: eofValue, Hint: "expected a JSON object"}
	}
	if err := d.value(reflect.ValueOf(v).Elem()); err != nil {
		return false, err
	}

	_, err = d.tokens.ReadToken()
	isEnd := errors.Is(err, io.EOF)
	if !isEnd {
		return false, d.Fail(causeBehind, "expected one message and nothing after it")
	}
	return d.Named, nil
}

// reset prepares a decoder from the pool for another text.
func (d *Decoder) reset(o Options, data []byte) {
	d.Options = o
	d.Named = false
	d.data = data
	d.path = d.path[:0]
	d.oneOf = -1
	*d.buffer = *bytes.NewBuffer(data)
	d.tokens.Reset(d.buffer, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(o.AnyText))
}

// release returns the decoder to the pool without references to the text and options.
func (d *Decoder) release() {
	d.Options, d.data = Options{}, nil
	*d.buffer = bytes.Buffer{}
	decoders.Put(d)
}

// Fail reports a bad value at the place that is being read.
func (d *Decoder) Fail(cause, hint string) error {
	return &Error{Cause: cause, Field: d.Path(), Hint: hint, Offset: d.tokens.InputOffset()}
}

// FailUnknown reports a field or a variant that is none of the known ones.
func (d *Decoder) FailUnknown(what, name string, known []string, hint string) error {
	e := d.Fail(Unknown(what, name, known), hint).(*Error)
	e.Unknown = name
	e.Nearest = Nearest(name, known)
	return e
}

// FailType reports a value of the wrong JSON type; want is for people: "a
// string", "nanoseconds as a string of digits".
func (d *Decoder) FailType(want string, got jsontext.Kind) error {
	return d.Fail("Invalid type", "expected "+want+", got "+KindName(got))
}

// Kind tells what comes next without reading it.
func (d *Decoder) Kind() jsontext.Kind { return d.tokens.PeekKind() }

// Token reads one token.
func (d *Decoder) Token() (jsontext.Token, error) {
	t, err := d.tokens.ReadToken()
	if err != nil {
		return t, d.syntax(err)
	}
	return t, nil
}

// Text reads a string; want says what it holds, for the error.
func (d *Decoder) Text(want string) (string, error) {
	if k := d.Kind(); k != '"' && k != 0 {
		return "", d.FailType(want, k)
	}
	t, err := d.Token()
	if err != nil {
		return "", err
	}
	return t.String(), nil
}

// maxDepth is how deep objects and arrays may stand in each other. What the
// types know is never near it.
const maxDepth = 127

// Skip passes over one value of any shape. It fails where the value goes deeper
// than the contract's reader does.
func (d *Decoder) Skip() error {
	for start := d.tokens.StackDepth(); ; {
		if _, err := d.Token(); err != nil {
			return err
		}
		switch depth := d.tokens.StackDepth(); {
		case depth > maxDepth:
			return d.Fail("Recursion limit exceeded.", "expected no more than "+strconv.Itoa(maxDepth)+" objects and arrays in each other")
		case depth == start:
			return nil
		}
	}
}

// Object reads an object and calls member for each name; member reads the
// value. The path of errors is kept.
func (d *Decoder) Object(member func(name string) error) error {
	if err := d.Open(); err != nil {
		return err
	}
	return d.members(member)
}

// Open reads the beginning of an object. What follows is read with
// [Decoder.Rest], or is its end when [Decoder.Kind] says '}'.
func (d *Decoder) Open() error {
	if k := d.Kind(); k != '{' && k != 0 {
		return d.FailType("an object", k)
	}
	_, err := d.Token()
	return err
}

// Rest reads the members and the end of an object into the struct that v
// points to, after [Decoder.Open].
func (d *Decoder) Rest(v any) error { return d.fields(reflect.ValueOf(v).Elem()) }

func (d *Decoder) members(member func(name string) error) error {
	for d.Kind() != '}' {
		t, err := d.Token()
		if err != nil {
			return err
		}
		name := t.String()
		d.path = append(d.path, name)
		if err := member(name); err != nil {
			return err
		}
		d.path = d.path[:len(d.path)-1]
	}
	_, err := d.Token()
	return err
}

// Uint reads a JSON integer of at most bits bits.
func (d *Decoder) Uint(bits int) (uint64, error) {
	if k := d.Kind(); k != '0' && k != 0 {
		return 0, d.FailType("a whole number", k)
	}
	t, err := d.Token()
	if err != nil {
		return 0, err
	}
	whole, rest := t.String(), ""
	if i := strings.IndexAny(whole, ".eE"); i >= 0 {
		whole, rest = whole[:i], whole[i:]
	}
	n, err := strconv.ParseUint(whole, 10, bits)
	hint := "expected a whole number from 0 to " + strconv.FormatUint(1<<bits-1, 10)
	switch {
	case err != nil:
		return 0, d.Fail(causeNumber, hint)
	case rest != "":
		return 0, d.Fail(d.behind(), hint)
	}
	return n, nil
}

// Problem says what is wrong with a JSON text, for an error of the json package,
// whose own words name types of Go.
func Problem(err error) string {
	if wrong, ok := errors.AsType[*json.SemanticError](err); ok {
		member := strings.Trim(string(wrong.JSONPointer), "/")
		return fmt.Sprintf("%q: expected another type, got %s", strings.ReplaceAll(member, "/", "."), KindName(wrong.JSONKind))
	}
	if broken, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Sprintf("it is not JSON at byte %d", broken.ByteOffset)
	}
	return err.Error()
}

// KindName says in words what kind of value stands somewhere.
func KindName(k jsontext.Kind) string {
	switch k {
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

// Path is where the reader is: the dotted names of the members around it.
func (d *Decoder) Path() string { return strings.Join(d.path, ".") }
