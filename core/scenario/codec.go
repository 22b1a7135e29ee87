package scenario

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// The format is declared by the wire tags of [Header], [Step] and the structs in
// them. A tag gives the name of a member; a tag with several names, as "query|nobody",
// belongs to a message, and the field before it holds which of them is given. Members
// are written in the order of the fields, those that hold nothing are left out. The
// want tag says what a text holds, for errors.

// memberField is a field of a struct that is a member of an object.
type memberField struct {
	names []string
	want  string
	index int
}

func memberFieldsOf(t reflect.Type) (all []memberField, names []string) {
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		tagged, _, _ := strings.Cut(tag.Get("wire"), ",")
		if tagged == "" {
			continue
		}
		f := memberField{names: strings.Split(tagged, "|"), want: tag.Get("want"), index: i}
		all = append(all, f)
		names = append(names, f.names...)
	}
	return all, names
}

// readObject reads an object into the struct that into points to. A member that the
// struct does not have, or one that is given twice, is an error; what names the object
// in it.
func readObject(d *wire.Decoder, what string, into any) error {
	object := reflect.ValueOf(into).Elem()
	fields, names := memberFieldsOf(object.Type())
	return readNames(d, func(name string) error {
		i := slices.IndexFunc(fields, func(f memberField) bool { return slices.Contains(f.names, name) })
		if i < 0 {
			return fail(d, "%s has no such member, expected one of %s", what, strings.Join(names, ", "))
		}
		f := fields[i]
		if len(f.names) > 1 {
			given := object.Field(f.index - 1)
			if given.String() != "" {
				return fail(d, "the step has two messages, %s and %s; expected one a step", given, name)
			}
			given.SetString(name)
		}
		field := object.Field(f.index)
		if field.Kind() == reflect.Pointer {
			field.Set(reflect.New(field.Type().Elem()))
			return readValue(d, field.Interface(), f.want)
		}
		return readValue(d, field.Addr().Interface(), f.want)
	})
}

// readNames reads an object in which each name may stand once.
func readNames(d *wire.Decoder, read func(name string) error) error {
	seen := map[string]bool{}
	return d.Object(func(name string) error {
		if seen[name] {
			return fail(d, "it is given twice")
		}
		seen[name] = true
		return read(name)
	})
}

// readValue reads a value by the type that into points to. null leaves texts and
// true or false as they are.
func readValue(d *wire.Decoder, into any, want string) error {
	switch into := into.(type) {
	case *string:
		return readText(d, into, cmp.Or(want, "a string"))
	case *cw721.Address:
		return readText(d, into, cmp.Or(want, "an address in a string"))
	case *bool:
		return readBool(d, into)
	case *uint64:
		n, err := d.Uint(64)
		*into = n
		return err
	case *cw721.Time:
		return readTime(d, into)
	case *time.Duration:
		return readDuration(d, into)
	case *cw721.Rules:
		known := append(cw721.AllRules(), "")
		return readOneOf(d, into, known, "a rule set in a string", fmt.Sprintf("%%q is no rule set, expected one of %v", cw721.AllRules()))
	case *cw721.Flavour:
		known := []cw721.Flavour{"", cw721.FlavourBase, cw721.FlavourOnchain}
		return readOneOf(d, into, known, "a flavour in a string", "%q is no flavour, expected base or metadata-onchain")
	case *cw721.Kind:
		return readOneOf(d, into, kinds, "a kind in a string", fmt.Sprintf("%%q is no kind of refusal, expected one of %v", kinds))
	case *[]choice:
		return readArray(d, "an array of strings", func() error {
			var c choice
			err := c.DecodeWire(d)
			*into = append(*into, c)
			return err
		})
	case wire.Decodable:
		return into.DecodeWire(d)
	}
	panic(fmt.Sprintf("scenario: cannot read into %T", into))
}

func fail(d *wire.Decoder, format string, args ...any) error {
	return d.Fail("", fmt.Sprintf(format, args...))
}

func readText[S ~string](d *wire.Decoder, into *S, want string) error {
	if d.Kind() == 'n' {
		return d.Skip()
	}
	s, err := d.Text(want)
	*into = S(s)
	return err
}

// readOneOf reads a text that is one of those that are known; wrong is the error's
// format, for one that is not.
func readOneOf[S ~string](d *wire.Decoder, into *S, known []S, want, wrong string) error {
	if err := readText(d, into, want); err != nil || slices.Contains(known, *into) {
		return err
	}
	return fail(d, wrong, string(*into))
}

func readBool(d *wire.Decoder, into *bool) error {
	k := d.Kind()
	if k == 'n' {
		return d.Skip()
	}
	if k != 't' && k != 'f' {
		return d.FailType("true or false", k)
	}
	t, err := d.Token()
	*into = err == nil && t.Bool()
	return err
}

// readTime reads the time of a block, as nanoseconds or as a date.
func readTime(d *wire.Decoder, into *cw721.Time) error {
	s, err := d.Text("nanoseconds in a string of digits, or a date and time as RFC 3339 has them")
	if err != nil {
		return err
	}
	if nanoseconds, err := strconv.ParseUint(s, 10, 64); err == nil {
		*into = cw721.Time(nanoseconds)
		return nil
	}
	date, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return fail(d, "%q is no time, expected nanoseconds in a string of digits, or a date and time like 2026-11-21T12:00:05Z", s)
	}
	at, ok := chain.BlockTime(date)
	if !ok {
		return fail(d, "%q is outside of the times that a block can have, 1970 to July 2554", s)
	}
	*into = at
	return nil
}

func readDuration(d *wire.Decoder, into *time.Duration) error {
	s, err := d.Text("a duration in a string, like \"90m\"")
	if err != nil {
		return err
	}
	if *into, err = time.ParseDuration(s); err != nil || *into < 0 {
		return fail(d, "%q is no duration, expected one like \"90m\" or \"1h30m\"", s)
	}
	return nil
}

// readArray reads an array and calls readItem for each item.
func readArray(d *wire.Decoder, want string, readItem func() error) error {
	if k := d.Kind(); k != '[' && k != 0 {
		return d.FailType(want, k)
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.Kind() != ']' {
		if err := readItem(); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// memberValue is a member as it is written.
type memberValue struct {
	name  string
	value any
}

// memberValues lists the members of a struct that hold something.
func memberValues(object any) (all []memberValue) {
	v := reflect.Indirect(reflect.ValueOf(object))
	fields, _ := memberFieldsOf(v.Type())
	for _, f := range fields {
		field, name := v.Field(f.index), f.names[0]
		if field.IsZero() {
			continue
		}
		if len(f.names) > 1 {
			name = v.Field(f.index - 1).String()
		}
		value := field.Interface()
		if d, ok := value.(time.Duration); ok {
			value = d.String()
		}
		all = append(all, memberValue{name: name, value: value})
	}
	return all
}

func appendObject(dst []byte, members []memberValue) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(dst, m.name), ':')
		dst = append(dst, compactJSON(wire.Compact(m.value))...)
	}
	return append(dst, '}')
}
