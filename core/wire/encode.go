package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The interfaces by which a type can change how it is written.
var (
	encodableType   = reflect.TypeFor[Encodable]()
	substitutedType = reflect.TypeFor[Substituted]()
)

// Append appends the compact JSON of v to dst. Members stand in the order of the fields, and
// an optional member without a value is null (spec §2 rule 13). Append panics if v holds a
// type that the package does not write, such as a map.
func Append(dst []byte, v any) []byte { return encoder{}.value(dst, reflect.ValueOf(v)) }

// Encode returns the compact JSON of v, as [Append] writes it.
func Encode(v any) []byte { return Append(make([]byte, 0, 256), v) }

// Compact is [Encode] without the optional members that are null, zero or empty, as a person
// writes a message. A reader takes a missing optional member for null.
func Compact(v any) []byte {
	return encoder{omitsEmpty: true}.value(make([]byte, 0, 256), reflect.ValueOf(v))
}

// EncodeWithout is [Encode] without the members of the given names. It writes for a contract
// version that does not have them, see [Options.AbsentNames].
func EncodeWithout(names []string, v any) []byte {
	return encoder{absentNames: names}.value(make([]byte, 0, 256), reflect.ValueOf(v))
}

// encoder writes values as JSON. Its fields choose the members that it leaves out.
type encoder struct {
	omitsEmpty  bool     // whether optional members that are null, zero or empty are left out
	absentNames []string // the members that are always left out
}

// isLeftOut reports whether the encoder leaves out a member with a value.
func (e encoder) isLeftOut(f field, v reflect.Value) bool {
	if slices.Contains(e.absentNames, f.name) {
		return true
	}
	isEmpty := v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
	return e.omitsEmpty && f.optional && isEmpty
}

// writeMethod is how the values of a type are written.
type writeMethod byte

const (
	writesByKind     writeMethod = iota // as the JSON of its Go kind: a struct is an object
	writesItself                        // by its method of [Encodable]
	writesSubstitute                    // as the value that [Substituted] returns
)

// writeMethodOf returns the method of a type. Asking takes as long as writing a short
// value, so a [plan] stores the answer for each field.
func writeMethodOf(t reflect.Type) writeMethod {
	switch {
	case t.Implements(encodableType):
		return writesItself
	case t.Implements(substitutedType):
		return writesSubstitute
	}
	return writesByKind
}

// value appends the JSON of v to dst. The zero reflect.Value is null.
func (e encoder) value(dst []byte, v reflect.Value) []byte {
	if !v.IsValid() {
		return append(dst, "null"...)
	}
	return e.valueWith(dst, v, writeMethodOf(v.Type()))
}

// valueWith appends the JSON of v to dst by a method. A nil pointer is null, whatever the
// method is. valueWith panics if the package does not write the kind of v.
func (e encoder) valueWith(dst []byte, v reflect.Value, method writeMethod) []byte {
	isNil := v.Kind() == reflect.Pointer && v.IsNil()
	switch {
	case isNil:
		return append(dst, "null"...)
	case method == writesItself:
		return v.Interface().(Encodable).AppendWire(dst)
	case method == writesSubstitute:
		return e.value(dst, reflect.ValueOf(v.Interface().(Substituted).WireValue()))
	}

	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return e.value(dst, v.Elem())
	case reflect.String:
		return AppendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case reflect.Slice:
		return e.array(dst, v)
	case reflect.Struct:
		return e.object(dst, v)
	}
	panic("wire: cannot write a " + v.Type().String())
}

// array appends a slice as a JSON array. A nil slice is [].
func (e encoder) array(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.value(dst, v.Index(i))
	}
	return append(dst, ']')
}

// object appends a struct as a JSON object, members in the order of the fields.
func (e encoder) object(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '{')
	needsComma := false
	for _, f := range planOf(v.Type()).fields {
		member := v.Field(f.index)
		if e.isLeftOut(f, member) {
			continue
		}
		if needsComma {
			dst = append(dst, ',')
		}
		needsComma = true
		dst = append(dst, f.label...)
		dst = e.valueWith(dst, member, f.writeMethod)
	}
	return append(dst, '}')
}

const hexDigits = "0123456789ABCDEF"

// AppendString appends s as a JSON string in the bytes of the contract's writer. Only
// quotes, backslashes and control characters are escaped: a line break is \n, a character
// without a short form is \u001F. Libraries write the hex digits in lower case, so none is
// used. Bytes that are no UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	copied := 0 // s[:copied] is in dst
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			isInvalid := r == utf8.RuneError && size == 1
			if isInvalid {
				dst = append(dst, s[copied:i]...)
				dst = append(dst, "\uFFFD"...)
				copied = i + 1
			}
			i += size
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}

		dst = append(dst, s[copied:i]...)
		if short := strings.IndexByte("\"\\\b\t\n\f\r", c); short >= 0 {
			dst = append(dst, '\\', `"\btnfr`[short])
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		copied = i
	}
	dst = append(dst, s[copied:]...)
	return append(dst, '"')
}
