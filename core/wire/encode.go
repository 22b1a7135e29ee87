package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	encodable   = reflect.TypeFor[Encodable]()
	substituted = reflect.TypeFor[Substituted]()
)

// Append appends the compact JSON of v to dst: members in field order, absent
// optionals as null (spec §2 rule 13).
func Append(dst []byte, v any) []byte { return encoder{}.value(dst, reflect.ValueOf(v)) }

// Encode is [Append] to a new slice.
func Encode(v any) []byte { return Append(make([]byte, 0, 256), v) }

// Compact is [Encode] with absent optionals left out instead of null, which a
// reader takes for the same: how a person writes a message.
func Compact(v any) []byte {
	return encoder{omit: true}.value(make([]byte, 0, 256), reflect.ValueOf(v))
}

// EncodeWithout is [Encode] for a version that has not the members of these
// names; see [Options.Without].
func EncodeWithout(names []string, v any) []byte {
	return encoder{without: names}.value(make([]byte, 0, 256), reflect.ValueOf(v))
}

type encoder struct {
	omit    bool
	without []string
}

func (e encoder) absent(f field, v reflect.Value) bool {
	return e.omit && f.optional && (v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0) || slices.Contains(e.without, f.name)
}

// writer is what writes the values of a type.
type writer byte

const (
	writesPlainly writer = iota // by its kind
	writesItself                // an Encodable
	writesOther                 // a Substituted
)

// writerOf finds out who writes a type. That costs as much as to write a short
// value, so what is written often keeps the answer.
func writerOf(t reflect.Type) writer {
	switch {
	case t.Implements(encodable):
		return writesItself
	case t.Implements(substituted):
		return writesOther
	}
	return writesPlainly
}

func (e encoder) value(dst []byte, v reflect.Value) []byte {
	if !v.IsValid() {
		return append(dst, "null"...)
	}
	return e.valueBy(dst, v, writerOf(v.Type()))
}

func (e encoder) valueBy(dst []byte, v reflect.Value, by writer) []byte {
	if by != writesPlainly && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		if by == writesItself {
			return v.Interface().(Encodable).AppendWire(dst)
		}
		return e.value(dst, reflect.ValueOf(v.Interface().(Substituted).WireValue()))
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(dst, "null"...)
		}
		return e.value(dst, v.Elem())
	case reflect.String:
		return AppendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case reflect.Slice:
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.value(dst, v.Index(i))
		}
		return append(dst, ']')
	case reflect.Struct:
		p := planOf(v.Type())
		dst = append(dst, '{')
		for i, comma := 0, false; i < len(p.fields); i++ {
			f := p.fields[i]
			if e.absent(f, v.Field(f.index)) {
				continue
			}
			if comma {
				dst = append(dst, ',')
			}
			comma = true
			dst = append(dst, f.label...)
			dst = e.valueBy(dst, v.Field(f.index), f.writes)
		}
		return append(dst, '}')
	}
	panic("wire: cannot write a " + v.Type().String())
}

const hexDigits = "0123456789ABCDEF"

// AppendString appends s as a JSON string the way the contract's writer does:
// only what must be escaped is, and control characters in upper-case hex,
// which is why no library's quoting serves (they write lower case).
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		dst = append(dst, s[start:i]...)
		if short := strings.IndexByte("\"\\\b\t\n\f\r", c); short >= 0 {
			dst = append(dst, '\\', `"\btnfr`[short])
		} else {
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i++
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}
