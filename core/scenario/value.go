package scenario

import (
	"bytes"

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

// parse takes JSON apart. Of two members with the same name both are kept.
func parse(raw []byte) (value, error) {
	d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return parseNext(d)
}

func parseNext(d *jsontext.Decoder) (v value, err error) {
	t, err := d.ReadToken()
	if err != nil {
		return v, err
	}
	v.kind = t.Kind()
	switch v.kind {
	case '"', '0':
		v.text = t.String()
	case '{', '[':
		for d.PeekKind() != '}' && d.PeekKind() != ']' {
			if v.kind == '{' {
				name, err := d.ReadToken()
				if err != nil {
					return v, err
				}
				v.names = append(v.names, name.String())
			}
			item, err := parseNext(d)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, item)
		}
		_, err = d.ReadToken()
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
