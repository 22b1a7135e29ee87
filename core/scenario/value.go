package scenario

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// value is a JSON value taken apart, so that two can be compared and the place
// where they differ can be named. Numbers stay text: they are exact.
type value struct {
	kind  jsontext.Kind
	text  string   // of a string or a number
	names []string // of an object's members
	items []value  // of an array or an object
}

// maxValues bounds what is taken apart: a line full of small numbers would take
// fifty times its length in memory, which for [MaxLine] is more than there is.
// No answer of a contract is near it.
const maxValues = 1 << 20

var errManyValues = fmt.Errorf("it holds more than %d values, expected an answer of a contract", maxValues)

// parse takes JSON apart. Of two members with the same name both are kept. It
// fails for what is no JSON, and for more than [maxValues].
func parse(raw []byte) (value, error) {
	p := valueReader{d: jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	return p.next()
}

type valueReader struct {
	d *jsontext.Decoder
	n int // values so far
}

func (p *valueReader) next() (v value, err error) {
	if p.n++; p.n > maxValues {
		return v, errManyValues
	}
	t, err := p.d.ReadToken()
	if err != nil {
		return v, err
	}
	v.kind = t.Kind()
	switch v.kind {
	case '"', '0':
		v.text = t.String()
	case '{', '[':
		for p.d.PeekKind() != '}' && p.d.PeekKind() != ']' {
			if v.kind == '{' {
				name, err := p.d.ReadToken()
				if err != nil {
					return v, err
				}
				v.names = append(v.names, name.String())
			}
			item, err := p.next()
			if err != nil {
				return v, err
			}
			v.items = append(v.items, item)
		}
		_, err = p.d.ReadToken()
	}
	return v, err
}

func (v value) member(name string) (value, bool) {
	for i, n := range v.names {
		if n == name {
			return v.items[i], true
		}
	}
	return value{}, false
}

func (v value) kindName() string {
	switch v.kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "true or false"
	}
	return "null"
}

// appendTo writes the value compactly, for people to read.
func (v value) appendTo(dst []byte) []byte {
	switch v.kind {
	case '"':
		return wire.AppendString(dst, v.text)
	case '0':
		return append(dst, v.text...)
	case 't':
		return append(dst, "true"...)
	case 'f':
		return append(dst, "false"...)
	case '{', '[':
		dst = append(dst, byte(v.kind))
		for i, item := range v.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if v.kind == '{' {
				dst = append(wire.AppendString(dst, v.names[i]), ':')
			}
			dst = item.appendTo(dst)
		}
		return append(dst, byte(v.kind)+2) // the closing sign of either kind
	}
	return append(dst, "null"...)
}
