package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// The sentences of the contract's reader for JSON that is broken (spec §2.1).
const (
	causeNumber   = "Invalid number."
	causeStart    = "Expected this character to start a JSON value."
	causeIdent    = "Expected to parse either a `true`, `false`, or a `null`."
	causeComma    = "Expected this character to be either a `','` or a `'}'`."
	causeItem     = "Expected this character to be either a `','` or a `']'`."
	causeColon    = "Expected this character to be a `':'`."
	causeName     = "Object key is not a string."
	causeTrailing = "JSON has a comma after the last value in an array or map."
	causeBehind   = "JSON has non-whitespace trailing characters after the value."

	eofValue  = "EOF while parsing a JSON value."
	eofObject = "EOF while parsing an object."
	eofList   = "EOF while parsing a list."
	eofString = "EOF while parsing a string."
)

// syntax turns jsontext's view of broken JSON into the contract's.
func (d *Decoder) syntax(err error) error {
	cause := d.broken(d.data[d.tokens.InputOffset():], err)
	if ended(err) {
		return d.Fail(cause, "the JSON ends too early")
	}
	e := &Error{Cause: cause, Field: d.Path(), Hint: err.Error(), Syntax: true, Offset: d.tokens.InputOffset()}
	if s := (*jsontext.SyntacticError)(nil); errors.As(err, &s) {
		e.Hint, e.Offset = s.Err.Error(), s.ByteOffset
	}
	return e
}

func ended(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) }

// broken names what is wrong with the text behind the last token that could be
// read, from where that token stands.
func (d *Decoder) broken(rest []byte, err error) string {
	depth := d.tokens.StackDepth()
	kind, n := d.tokens.StackIndex(depth)
	variant := depth == d.oneOf
	next, after := first(rest)
	switch {
	case kind == '{' && n%2 == 1: // behind a name
		switch next {
		case 0:
			return eofObject
		case ':':
			return brokenValue(after, err)
		}
		return causeColon
	case variant && next == 0:
		return eofValue
	case variant && n > 0:
		return causeStart
	case kind == '{' && n == 0:
		return brokenName(rest, variant, err)
	case kind == '{' && next == ',':
		if next, _ := first(after); next == 0 {
			return eofValue
		}
		return brokenName(after, variant, err)
	case kind == '{' && next == 0:
		return eofObject
	case kind == '{':
		return causeComma
	case kind == '[' && next == 0:
		return eofList
	case kind == '[' && n > 0 && next != ',':
		return causeItem
	case kind == '[' && n > 0:
		if next, _ := first(after); next == ']' {
			return causeTrailing
		}
		return brokenValue(after, err)
	}
	return brokenValue(rest, err)
}

// first gives the byte that a text begins with, blanks aside, and what stands
// behind it; 0 for a text that is over.
func first(text []byte) (byte, []byte) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if len(text) == 0 {
		return 0, nil
	}
	return text[0], text[1:]
}

func brokenName(text []byte, variant bool, err error) string {
	switch next, _ := first(text); {
	case next == '"':
		return brokenValue(text, err)
	case next == 0:
		return eofObject
	case variant:
		return "Invalid type"
	case next == '}':
		return causeTrailing
	}
	return causeName
}

func brokenValue(text []byte, err error) string {
	next, _ := first(text)
	switch found := err.Error(); {
	case next == 't', next == 'f', next == 'n':
		return causeIdent
	case next == '-':
		return causeNumber
	case next == '"' && ended(err):
		return eofString
	case ended(err):
		return eofValue
	case next == '"' && strings.Contains(found, "escape sequence"):
		return "Invalid escape sequence."
	case next == '"' && strings.Contains(found, "surrogate"):
		return "Found a lone surrogate, which can exist in JSON but cannot be encoded to UTF-8."
	case next == '"' && strings.Contains(found, "UTF-8"):
		return "Invalid unicode code point."
	}
	return "Invalid JSON"
}

// behind is the reader's sentence where a whole number ends and its text does
// not: it goes on as if the rest were no part of it.
func (d *Decoder) behind() string {
	depth := d.tokens.StackDepth()
	switch kind, _ := d.tokens.StackIndex(depth); {
	case depth == 0:
		return causeBehind
	case depth == d.oneOf:
		return causeStart
	case kind == '[':
		return causeItem
	}
	return causeComma
}
