package scenario

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/wire"
)

// jsonValue is a parsed JSON value. A number is kept as a text, because it must stay exact.
type jsonValue struct {
	kind  jsontext.Kind // the first character: '{', '[', '"', 't', 'f' or 'n', or '0' for a number
	text  string        // of a string without quotes, or of a number, true, false or null
	names []string      // of an object's members, in the order of the text
	items []jsonValue   // of an array, or the value of each of an object's members
}

// maxValues bounds how many values a JSON text can hold. A line of [MaxLine] full of
// small numbers would take fifty times its length in memory. Answers of contracts are
// far smaller.
const maxValues = 1 << 20

// errManyValues is the error of [parseJSON] for a text with more than [maxValues] values.
var errManyValues = fmt.Errorf(
	"it holds more than %d values, expected an answer of a contract",
	maxValues)

// parseJSON parses one JSON value. It keeps all members of an object, even if two have the
// same name. It fails for a text that is not JSON, and for more than [maxValues] values.
func parseJSON(raw []byte) (jsonValue, error) {
	parser := jsonParser{tokenDecoder: jsontext.NewDecoder(
		bytes.NewReader(raw),
		jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(true),
	)}
	return parser.parseValue()
}

// jsonParser parses one JSON text.
type jsonParser struct {
	tokenDecoder *jsontext.Decoder
	valueCount   int // values parsed so far, limited by maxValues
}

// parseValue parses the next value and everything in it. It fails for invalid JSON, and with
// errManyValues.
func (p *jsonParser) parseValue() (v jsonValue, err error) {
	p.valueCount++
	if p.valueCount > maxValues {
		return v, errManyValues
	}
	token, err := p.tokenDecoder.ReadToken()
	if err != nil {
		return v, err
	}
	v.kind = token.Kind()
	if v.kind != '{' && v.kind != '[' {
		v.text = token.String()
		return v, nil
	}

	// An array or object holds further values. In an object, a name comes before each.
	for p.tokenDecoder.PeekKind() != '}' && p.tokenDecoder.PeekKind() != ']' {
		if v.kind == '{' {
			name, err := p.tokenDecoder.ReadToken()
			if err != nil {
				return v, err
			}
			v.names = append(v.names, name.String())
		}
		item, err := p.parseValue()
		if err != nil {
			return v, err
		}
		v.items = append(v.items, item)
	}
	_, err = p.tokenDecoder.ReadToken()
	return v, err
}

// member returns the value of the first member with a name. It returns null and false if
// there is none.
func (v jsonValue) member(name string) (jsonValue, bool) {
	for i, memberName := range v.names {
		if memberName == name {
			return v.items[i], true
		}
	}
	return jsonValue{kind: 'n', text: "null"}, false
}

// json returns the value as compact JSON.
func (v jsonValue) json() []byte { return v.appendTo(nil, wire.AppendString, "") }

// appendTo appends the value as JSON or in the similar form of YAML. appendText appends a
// string or the name of a member. space is put after each comma and colon.
func (v jsonValue) appendTo(dst []byte, appendText func([]byte, string) []byte, space string) []byte {
	if v.kind == '"' {
		return appendText(dst, v.text)
	}
	if v.kind != '{' && v.kind != '[' {
		return append(dst, v.text...)
	}

	// The kind of an array or object is its opening bracket.
	dst = append(dst, byte(v.kind))
	for i, item := range v.items {
		if i > 0 {
			dst = append(dst, ',')
			dst = append(dst, space...)
		}
		if v.kind == '{' {
			dst = appendText(dst, v.names[i])
			dst = append(dst, ':')
			dst = append(dst, space...)
		}
		dst = item.appendTo(dst, appendText, space)
	}
	const closingOffset = 2 // from '{' to '}', and from '[' to ']'
	return append(dst, byte(v.kind)+closingOffset)
}
