package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The error texts of the contract's JSON reader, a Rust program, for text that is not JSON
// (spec §2.1). The texts that begin with "EOF" are for JSON that ends too early.
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
	invalidJSON        = "Invalid JSON"

	eofValue  = "EOF while parsing a JSON value."
	eofObject = "EOF while parsing an object."
	eofList   = "EOF while parsing a list."
	eofString = "EOF while parsing a string."
)

// syntaxError converts an error of the library jsontext.
func (d *Decoder) syntaxError(err error) error {
	offset := d.tokenizer.InputOffset()
	cause := d.causeOf(err, d.data[offset:])
	if isEndOfText(err) {
		return d.Fail(cause, "the JSON ends too early")
	}

	// The library's error says where the mistake is. Any other error is at the next token.
	libraryError, hasOffset := errors.AsType[*jsontext.SyntacticError](err)
	if !hasOffset {
		libraryError = &jsontext.SyntacticError{ByteOffset: offset, Err: err}
	}
	return &Error{
		Cause:  cause,
		Field:  d.Path(),
		Hint:   libraryError.Err.Error(),
		Syntax: true,
		Offset: libraryError.ByteOffset,
	}
}

func isEndOfText(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// causeOf returns the contract's error text for a read that failed. text is the JSON after
// the last token that could be read, such as `,]` in `[1,]`. The error depends on where the
// text goes on: after a member's name, in an object around a message such as {"burn":{…}}
// (see [Decoder.ReadVariant]), in another object, in an array, or outside of all these.
func (d *Decoder) causeOf(err error, text []byte) string {
	depth := d.tokenizer.StackDepth()
	container, tokensRead := d.tokenizer.StackIndex(depth)

	// In an object, names and values alternate, and each counts as one token.
	isAfterName := container == '{' && tokensRead%2 == 1
	isFirst := tokensRead == 0
	next, afterNext := nextByte(text)
	switch {
	case isAfterName && next == 0:
		return eofObject
	case isAfterName && next == ':':
		return causeInValue(err, afterNext)
	case isAfterName:
		return causeColon

	// An object around a message has a single member.
	case depth == d.variantDepth && next == 0:
		return eofValue
	case depth == d.variantDepth && !isFirst:
		return causeStart
	case depth == d.variantDepth && next == '"':
		return causeInValue(err, text)
	case depth == d.variantDepth:
		return "Invalid type"
	case container == '{':
		return causeInObject(err, text, isFirst)
	case container == '[':
		return causeInArray(err, text, isFirst)
	}
	return causeInValue(err, text)
}

// causeInObject is [Decoder.causeOf] in an object other than the one around a message. If isFirst
// is true, the name of the first member is expected, otherwise a comma and another name.
func causeInObject(err error, text []byte, isFirst bool) string {
	if isFirst {
		return causeInName(err, text)
	}

	next, afterComma := nextByte(text)
	if next == 0 {
		return eofObject
	}
	if next != ',' {
		return causeComma
	}
	if nameStart, _ := nextByte(afterComma); nameStart == 0 {
		return eofValue
	}
	return causeInName(err, afterComma)
}

// causeInArray is [Decoder.causeOf] in an array. If isFirst is true, the first item is expected,
// otherwise a comma and another item.
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
	if itemStart, _ := nextByte(afterNext); itemStart == ']' {
		return causeTrailingComma
	}
	return causeInValue(err, afterNext)
}

// nextByte returns the first byte that is not white space, or 0 for none, and the text after it.
func nextByte(text []byte) (next byte, after []byte) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0, nil
	}
	return text[0], text[1:]
}

func causeInName(err error, text []byte) string {
	next, _ := nextByte(text)
	switch next {
	case '"':
		return causeInValue(err, text)
	case 0:
		return eofObject
	case '}':
		return causeTrailingComma
	}
	return causeName
}

// causeInValue is [Decoder.causeOf] where a value is expected, or where a string is broken.
func causeInValue(err error, text []byte) string {
	next, _ := nextByte(text)
	switch next {
	case 't', 'f', 'n':
		return causeIdent
	case '-':
		return causeNumber
	case '"':
		return causeInString(err)
	}

	if isEndOfText(err) {
		return eofValue
	}
	return invalidJSON
}

// causeInString is [Decoder.causeOf] for a broken string. Only the text of the library's error
// tells what is wrong in it.
func causeInString(err error) string {
	errorText := err.Error()
	switch {
	case isEndOfText(err):
		return eofString
	case strings.Contains(errorText, "escape sequence"):
		return "Invalid escape sequence."
	case strings.Contains(errorText, "surrogate"):
		return "Found a lone surrogate, which can exist in JSON but cannot be encoded to UTF-8."
	case strings.Contains(errorText, "UTF-8"):
		return "Invalid unicode code point."
	}
	return invalidJSON
}

// causeAfterInteger returns the contract's error text for a number such as 1.5 where a
// whole number is expected. The contract's reader stops after the 1 and reports the "." as
// a character that cannot follow a value there.
func (d *Decoder) causeAfterInteger() string {
	depth := d.tokenizer.StackDepth()
	container, _ := d.tokenizer.StackIndex(depth)
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
