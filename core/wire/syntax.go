package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Error texts of the contract's JSON reader, a Rust program, for text that is no JSON (spec
// §2.1). Those that begin with "EOF" are for a text that ends too early.
const (
	causeNumber        = "Invalid number."
	causeStart         = "Expected this character to start a JSON value."
	causeIdent         = "Expected to parse either a `true`, `false`, or a `null`."
	causeComma         = "Expected this character to be either a `','` or a `'}'`."
	causeItem          = "Expected this character to be either a `','` or a `']'`."
	causeColon         = "Expected this character to be a `':'`."
	causeName          = "Object key is not a string."
	causeTrailingComma = "JSON has a comma after the last value in an array or map."
	causeTrailingText  = "JSON has non-whitespace trailing characters after the value."

	eofValue  = "EOF while parsing a JSON value."
	eofObject = "EOF while parsing an object."
	eofList   = "EOF while parsing a list."
	eofString = "EOF while parsing a string."
)

// syntaxError returns the contract's error for a text that jsontext could not read. The
// hint and the offset are those of jsontext.
func (d *Decoder) syntaxError(err error) error {
	cause := d.causeOf(err, d.data[d.tokens.InputOffset():])
	if isEndOfText(err) {
		return d.Fail(cause, "the JSON ends too early")
	}

	// Say where the mistake is: at the offset of the library's error, if it has one.
	e := &Error{
		Cause:  cause,
		Field:  d.Path(),
		Hint:   err.Error(),
		Syntax: true,
		Offset: d.tokens.InputOffset(),
	}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		e.Hint = syntactic.Err.Error()
		e.Offset = syntactic.ByteOffset
	}
	return e
}

// isEndOfText reports whether a read failed because the text ends too early.
func isEndOfText(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// causeOf returns the contract's error text for a read that failed. text is the JSON after
// the last token that could be read, such as `,]` in `[1,]`. The error depends on where the
// decoder stands: after a member's name, in a variant's object (see [Decoder.OneOf]), in
// another object, in an array or outside of both.
func (d *Decoder) causeOf(err error, text []byte) string {
	depth := d.tokens.StackDepth()
	container, tokensRead := d.tokens.StackIndex(depth) // names and values count, each as one
	isAfterName := container == '{' && tokensRead%2 == 1
	isFirst := tokensRead == 0
	switch {
	case isAfterName:
		return causeAfterName(err, text)
	case depth == d.variantDepth:
		return causeInVariant(err, text, isFirst)
	case container == '{':
		return causeInObject(err, text, isFirst)
	case container == '[':
		return causeInArray(err, text, isFirst)
	}
	return causeInValue(err, text)
}

// causeAfterName returns the contract's error text after the name of a member, where a colon
// and a value are expected.
func causeAfterName(err error, text []byte) string {
	next, afterNext := nextByte(text)
	switch next {
	case 0:
		return eofObject
	case ':':
		return causeInValue(err, afterNext)
	}
	return causeColon
}

// causeInVariant returns the contract's error text in the object of a variant, which has a
// single member. isFirst is set if that member was not read yet.
func causeInVariant(err error, text []byte, isFirst bool) string {
	next, _ := nextByte(text)
	switch {
	case next == 0:
		return eofValue
	case isFirst:
		return causeInName(err, text, true)
	}
	return causeStart
}

// causeInObject returns the contract's error text where an object other than a variant's goes
// on: with a name if isFirst is set, otherwise with a comma and a name.
func causeInObject(err error, text []byte, isFirst bool) string {
	if isFirst {
		return causeInName(err, text, false)
	}

	// Another member needs a comma and then a name.
	next, afterNext := nextByte(text)
	switch next {
	case 0:
		return eofObject
	case ',':
		if name, _ := nextByte(afterNext); name == 0 {
			return eofValue
		}
		return causeInName(err, afterNext, false)
	}
	return causeComma
}

// causeInArray returns the contract's error text where an array goes on: with an item if
// isFirst is set, otherwise with a comma and an item.
func causeInArray(err error, text []byte, isFirst bool) string {
	next, afterNext := nextByte(text)
	switch {
	case next == 0:
		return eofList
	case isFirst:
		return causeInValue(err, text)
	case next != ',':
		return causeItem
	}

	// A comma must be followed by an item, not by the end.
	if item, _ := nextByte(afterNext); item == ']' {
		return causeTrailingComma
	}
	return causeInValue(err, afterNext)
}

// nextByte returns the first byte of a text that is no white space, and the text after it.
// The byte is 0 if there is none.
func nextByte(text []byte) (next byte, after []byte) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0, nil
	}
	return text[0], text[1:]
}

// causeInName returns the contract's error text where the name of a member is expected.
func causeInName(err error, text []byte, isVariant bool) string {
	next, _ := nextByte(text)
	switch {
	case next == '"':
		return causeInValue(err, text)
	case next == 0:
		return eofObject
	case isVariant:
		return "Invalid type"
	case next == '}':
		return causeTrailingComma
	}
	return causeName
}

// causeInValue returns the contract's error text where a value is expected, or where a
// string is broken. What is wrong in a string shows only in the text of jsontext's error.
func causeInValue(err error, text []byte) string {
	next, _ := nextByte(text)
	isString := next == '"'
	reason := err.Error()
	switch {
	case next == 't', next == 'f', next == 'n':
		return causeIdent
	case next == '-':
		return causeNumber
	case isString && isEndOfText(err):
		return eofString
	case isEndOfText(err):
		return eofValue
	case isString && strings.Contains(reason, "escape sequence"):
		return "Invalid escape sequence."
	case isString && strings.Contains(reason, "surrogate"):
		return "Found a lone surrogate, which can exist in JSON but cannot be encoded to UTF-8."
	case isString && strings.Contains(reason, "UTF-8"):
		return "Invalid unicode code point."
	}
	return "Invalid JSON"
}

// causeAfterInteger returns the contract's error text for a number such as 1.5 where a
// whole number is expected. The contract's reader stops after the 1 and reports the "." as
// a character that cannot follow a value.
func (d *Decoder) causeAfterInteger() string {
	depth := d.tokens.StackDepth()
	container, _ := d.tokens.StackIndex(depth)
	switch {
	case depth == 0:
		return causeTrailingText
	case depth == d.variantDepth:
		return causeStart
	case container == '[':
		return causeItem
	}
	return causeComma
}
