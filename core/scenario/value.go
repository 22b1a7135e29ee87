package scenario

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// jsonValue is a JSON value taken apart, so that two can be compared and the place
// where they differ can be named. Numbers stay text: they are exact.
type jsonValue struct {
	kind  jsontext.Kind
	text  string      // of all but objects and arrays
	names []string    // of an object's members
	items []jsonValue // of an array or an object
}

// maxValues bounds what is taken apart: a line full of small numbers would take
// fifty times its length in memory, which for [MaxLine] is more than there is.
// No answer of a contract is near it.
const maxValues = 1 << 20

var errManyValues = fmt.Errorf("it holds more than %d values, expected an answer of a contract", maxValues)

// parseJSON takes JSON apart. Of two members with the same name both are kept. It
// fails for what is no JSON, and for more than [maxValues].
func parseJSON(raw []byte) (jsonValue, error) {
	p := valueReader{d: jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	return p.next()
}

type valueReader struct {
	d *jsontext.Decoder
	n int // values so far
}

func (p *valueReader) next() (v jsonValue, err error) {
	if p.n++; p.n > maxValues {
		return v, errManyValues
	}
	t, err := p.d.ReadToken()
	if err != nil {
		return v, err
	}
	v.kind = t.Kind()
	switch v.kind {
	default:
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

func (v jsonValue) member(name string) (jsonValue, bool) {
	for i, n := range v.names {
		if n == name {
			return v.items[i], true
		}
	}
	return jsonValue{kind: 'n', text: "null"}, false
}

// json writes the value compactly.
func (v jsonValue) json() []byte { return v.appendTo(nil, wire.AppendString, "") }

// appendTo writes the value with its texts and names as text does it, and space
// behind its signs.
func (v jsonValue) appendTo(dst []byte, text func([]byte, string) []byte, space string) []byte {
	switch v.kind {
	case '"':
		return text(dst, v.text)
	case '{', '[':
		dst = append(dst, byte(v.kind))
		for i, item := range v.items {
			if i > 0 {
				dst = append(append(dst, ','), space...)
			}
			if v.kind == '{' {
				dst = append(append(text(dst, v.names[i]), ':'), space...)
			}
			dst = item.appendTo(dst, text, space)
		}
		return append(dst, byte(v.kind)+2) // the closing sign of either kind
	}
	return append(dst, v.text...)
}
