package wire

import (
	"reflect"
	"slices"
	"strconv"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Append appends the compact JSON of v to dst. An optional member without a value is null (spec
// §2 rule 13). Append panics if v contains a type that the package does not write, such as a map.
func Append(dst []byte, v any) []byte { return encoder{}.appendValue(dst, reflect.ValueOf(v)) }

// Encode returns the compact JSON of v, as [Append] writes it.
func Encode(v any) []byte { return encoder{}.encode(v) }

// Compact returns the JSON of v like [Encode], but leaves out optional members that are
// null, zero or empty, as a person does. A reader takes a missing optional member for null.
func Compact(v any) []byte { return encoder{omitsEmpty: true}.encode(v) }

// EncodeWithout returns the JSON of v like [Encode], but without the members with the given
// names; see [Options.AbsentNames].
func EncodeWithout(names []string, v any) []byte {
	return encoder{absentNames: names}.encode(v)
}

// encoder writes values as JSON. Its fields choose the members that it leaves out.
type encoder struct {
	omitsEmpty  bool     // optional members that are null, zero or empty are left out
	absentNames []string // these members are always left out
}

func (e encoder) encode(v any) []byte {
	dst := make([]byte, 0, 256) // enough for most messages
	return e.appendValue(dst, reflect.ValueOf(v))
}

func (e encoder) appendValue(dst []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	isNil := v.Kind() == reflect.Pointer && v.IsNil()
	if !v.IsValid() || isNil {
		return append(dst, "null"...)
	}

	// A type can write itself, or name a value to write in its place. Interface allocates, so
	// types that cannot are not asked.
	if v.NumMethod() > 0 {
		switch value := v.Interface().(type) {
		case Encodable:
			return value.AppendWire(dst)
		case Substituted:
			return e.appendValue(dst, reflect.ValueOf(value.WireValue()))
		}
	}

	switch v.Kind() {
	case reflect.Pointer:
		return e.appendValue(dst, v.Elem())
	case reflect.String:
		return AppendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	case reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(dst, v.Uint(), 10)
	case reflect.Slice:
		return e.appendArray(dst, v)
	case reflect.Struct:
		return e.appendObject(dst, v)
	}
	panic("wire: cannot write a " + v.Type().String())
}

// appendArray writes a nil slice as [].
func (e encoder) appendArray(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.appendValue(dst, v.Index(i))
	}
	return append(dst, ']')
}

func (e encoder) appendObject(dst []byte, v reflect.Value) []byte {
	dst = append(dst, '{')
	needsComma := false
	for _, member := range PlanOf(v.Type()).Fields {
		fieldValue := v.Field(member.Index)
		if slices.Contains(e.absentNames, member.Name) {
			continue
		}
		isEmptySlice := fieldValue.Kind() == reflect.Slice && fieldValue.Len() == 0
		if e.omitsEmpty && member.IsOptional && (isEmptySlice || fieldValue.IsZero()) {
			continue
		}
		if needsComma {
			dst = append(dst, ',')
		}
		needsComma = true
		dst = AppendString(dst, member.Name)
		dst = append(dst, ':')
		dst = e.appendValue(dst, fieldValue)
	}
	return append(dst, '}')
}

// AppendString appends s as a JSON string, byte for byte as the contract writes it. Control
// characters are escaped as in \n and \u001F. Bytes that are not UTF-8 become U+FFFD.
func AppendString(dst []byte, s string) []byte {
	start := len(dst)
	dst, _ = jsontext.AppendQuote(dst, s) // its error only reports bytes that are not UTF-8

	// The library writes \u001f, and the contract \u001F. Only the last of the four digits can
	// be a letter, because only characters below U+0020 are written in this way.
	const lastDigit = 4 // after the u
	for i := start; i < len(dst); i++ {
		if dst[i] != '\\' {
			continue
		}
		i++ // to the byte after the backslash, which is never the start of another escape
		if dst[i] == 'u' {
			digit := &dst[i+lastDigit]
			*digit = byte(unicode.ToUpper(rune(*digit)))
		}
	}
	return dst
}
