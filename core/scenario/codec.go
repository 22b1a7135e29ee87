package scenario

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// The wire tags of [Header], [Step] and the structs in them declare the members of the file
// format. A tag is the name of a member. Only the message of a step has a tag with several
// names, such as "query|nobody". The name that is used in a file is the kind of the message,
// which is stored in the field before the message. The want tag describes a text in errors.
// Members are written in the order of the fields. Members whose value is zero are left out.

// memberField is a field of a Go struct that holds a member of a JSON object in a file.
type memberField struct {
	// names has the name of the member. The message of a step can have one of several names,
	// such as "execute" or "query".
	names []string
	// want describes the expected text in errors, such as "a name in a string". It is "" if
	// the type of the field says enough.
	want string
	// index is the index of the field in the struct.
	index int
}

// structMembers are the fields of a struct that stand for members of a JSON object, and the
// names of all these members.
type structMembers struct {
	fields []memberField
	names  []string
}

// taggedMembersOf returns the fields of a struct type that have a wire tag. Each of them
// holds a member of an object in a file.
func taggedMembersOf(structType reflect.Type) (members structMembers) {
	for i := range structType.NumField() {
		tag := structType.Field(i).Tag
		tagNames, _, _ := strings.Cut(tag.Get("wire"), ",") // options can follow a comma
		if tagNames == "" {
			continue
		}
		field := memberField{names: strings.Split(tagNames, "|"), want: tag.Get("want"), index: i}
		members.fields = append(members.fields, field)
		members.names = append(members.names, field.names...)
	}
	return members
}

// fieldNamed returns the field that holds the member with a name. isKnown is false if there
// is none.
func (m structMembers) fieldNamed(name string) (field memberField, isKnown bool) {
	for _, field := range m.fields {
		if slices.Contains(field.names, name) {
			return field, true
		}
	}
	return field, false
}

// readObject reads a JSON object into the struct that target points to. It fails for an
// unknown member, and for a member that is given twice. description names the object in
// errors, such as "a step".
func readObject(decoder *wire.Decoder, description string, target any) error {
	object := reflect.ValueOf(target).Elem()
	members := taggedMembersOf(object.Type())

	return readMembers(decoder, func(name string) error {
		field, isKnown := members.fieldNamed(name)
		if !isKnown {
			return errorAt(decoder,
				"%s has no such member, expected one of %s",
				description, strings.Join(members.names, ", "))
		}
		return field.read(decoder, object, name)
	})
}

// read reads the value of a member into its field of a struct. name is the name that the
// member has in the file. It fails for the second message of a step.
func (f memberField) read(decoder *wire.Decoder, object reflect.Value, name string) error {
	if f.isMessage() {
		// The kind is stored in the field before the message.
		kindField := object.Field(f.index - 1)
		if kindField.String() != "" {
			return errorAt(decoder, "the step has two messages, %s and %s; expected one a step", kindField, name)
		}
		kindField.SetString(name)
	}

	// An optional member is a pointer, which stays nil if the member is not given.
	value := object.Field(f.index)
	if value.Kind() == reflect.Pointer {
		target := reflect.New(value.Type().Elem())
		value.Set(target)
		return readValue(decoder, target.Interface(), f.want)
	}
	return readValue(decoder, value.Addr().Interface(), f.want)
}

// isMessage reports whether the field holds the message of a step. The name of its member
// says which kind of message it is. The kind is stored in the field before the message.
func (f memberField) isMessage() bool { return len(f.names) > 1 }

// readMembers reads a JSON object. It calls readMember for each name, to read the value that
// follows. It fails for a name that is given twice.
func readMembers(decoder *wire.Decoder, readMember func(name string) error) error {
	seenNames := map[string]bool{}
	return decoder.Object(func(name string) error {
		if seenNames[name] {
			return errorAt(decoder, "it is given twice")
		}
		seenNames[name] = true
		return readMember(name)
	})
}

// readValue reads a value into the variable that target points to. The type of the
// variable decides what is expected. null leaves a string or a bool unchanged. want
// describes a string in errors; "" takes the description of its type.
func readValue(decoder *wire.Decoder, target any, want string) error {
	switch target := target.(type) {
	case *string:
		return readText(decoder, target, cmp.Or(want, "a string"))
	case *cw721.Address:
		return readText(decoder, target, cmp.Or(want, "an address in a string"))
	case *bool:
		return readBool(decoder, target)
	case *uint64:
		number, err := decoder.Uint(64)
		*target = number
		return err
	case *cw721.Time:
		return readTime(decoder, target)
	case *time.Duration:
		return readDuration(decoder, target)
	case *cw721.Rules:
		return readOneOf(decoder, target, "rule set", cw721.AllRules())
	case *cw721.Flavour:
		flavours := []cw721.Flavour{cw721.FlavourBase, cw721.FlavourOnchain}
		return readOneOf(decoder, target, "flavour", flavours)
	case *cw721.Kind:
		return readOneOf(decoder, target, "kind of refusal", refusalKinds)
	case *[]choice:
		readChoice := func() error {
			var item choice
			err := item.DecodeWire(decoder)
			*target = append(*target, item)
			return err
		}
		return readArray(decoder, "an array of strings", readChoice)
	case wire.Decodable:
		return target.DecodeWire(decoder)
	}
	panic(fmt.Sprintf("scenario: cannot read into %T", target))
}

// errorAt returns an error about the value that the decoder is at. args fill the format.
func errorAt(decoder *wire.Decoder, format string, args ...any) error {
	return decoder.Fail("", fmt.Sprintf(format, args...))
}

// readText reads a string. null, which has the kind 'n', leaves it unchanged. want describes
// the string in errors.
func readText[S ~string](decoder *wire.Decoder, target *S, want string) error {
	if decoder.Kind() == 'n' {
		return decoder.Skip()
	}
	text, err := decoder.Text(want)
	*target = S(text)
	return err
}

// readOneOf reads a string and fails if it is not one of the known values. null leaves the
// variable unchanged. description says what the strings are, such as "flavour".
func readOneOf[S ~string](decoder *wire.Decoder, target *S, description string, knownValues []S) error {
	if decoder.Kind() == 'n' {
		return decoder.Skip()
	}
	if err := readText(decoder, target, "a "+description+" in a string"); err != nil {
		return err
	}
	if slices.Contains(knownValues, *target) {
		return nil
	}

	var names []string
	for _, name := range knownValues {
		names = append(names, string(name))
	}
	return errorAt(decoder,
		"%q is no %s, expected one of %s",
		*target, description, strings.Join(names, ", "))
}

// readBool reads true or false. null leaves the variable unchanged. The decoder names these
// three kinds of values by their first letters.
func readBool(decoder *wire.Decoder, target *bool) error {
	kind := decoder.Kind()
	switch kind {
	case 'n':
		return decoder.Skip()
	case 't', 'f':
		token, err := decoder.Token()
		*target = err == nil && token.Bool()
		return err
	default:
		return decoder.FailType("true or false", kind)
	}
}

// readTime reads the time of a block. It is a string with nanoseconds since 1970, or with a
// date such as "2026-11-21T12:00:05Z".
func readTime(decoder *wire.Decoder, target *cw721.Time) error {
	const want = "nanoseconds in a string of digits, or a date and time as RFC 3339 has them"
	text, err := decoder.Text(want)
	if err != nil {
		return err
	}
	if nanoseconds, err := strconv.ParseUint(text, 10, 64); err == nil {
		*target = cw721.Time(nanoseconds)
		return nil
	}

	// Anything else has to be a date.
	date, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return errorAt(decoder,
			"%q is no time, expected nanoseconds in a string of digits, or a date and time like 2026-11-21T12:00:05Z",
			text)
	}
	blockTime, ok := human.BlockTime(date)
	if !ok {
		return errorAt(decoder,
			"%q is outside of the times that a block can have, 1970 to July 2554",
			text)
	}
	*target = blockTime
	return nil
}

// readDuration reads a duration that is not negative, such as "90m".
func readDuration(decoder *wire.Decoder, target *time.Duration) error {
	text, err := decoder.Text("a duration in a string, like \"90m\"")
	if err != nil {
		return err
	}
	*target, err = time.ParseDuration(text)
	if err != nil || *target < 0 {
		return errorAt(decoder, "%q is no duration, expected one like \"90m\" or \"1h30m\"", text)
	}
	return nil
}

// readArray reads an array and calls readItem for each item. want describes the array in
// errors, such as "an array of strings".
func readArray(decoder *wire.Decoder, want string, readItem func() error) error {
	// The kind is 0 if the JSON is broken here. Then the next Token returns the error.
	if kind := decoder.Kind(); kind != '[' && kind != 0 {
		return decoder.FailType(want, kind)
	}

	if _, err := decoder.Token(); err != nil {
		return err
	}
	for decoder.Kind() != ']' {
		if err := readItem(); err != nil {
			return err
		}
	}
	_, err := decoder.Token()
	return err
}

// readTexts reads an array of strings. want describes the array in errors.
func readTexts(decoder *wire.Decoder, want string) (texts []string, err error) {
	err = readArray(decoder, want, func() error {
		text, err := decoder.Text("a string")
		texts = append(texts, text)
		return err
	})
	return texts, err
}

// memberValue is the name of a member and the value to write.
type memberValue struct {
	name  string
	value any
}

// membersToWrite returns the members to write for a struct, in the order of its fields. It
// leaves out members whose value is zero. A duration becomes a text such as "1h30m0s".
// object is a struct or a pointer to one.
func membersToWrite(object any) (members []memberValue) {
	structValue := reflect.Indirect(reflect.ValueOf(object))
	for _, field := range taggedMembersOf(structValue.Type()).fields {
		value := structValue.Field(field.index)
		if value.IsZero() {
			continue
		}
		member := memberValue{name: field.names[0], value: value.Interface()}
		if field.isMessage() {
			member.name = structValue.Field(field.index - 1).String()
		}
		if duration, ok := member.value.(time.Duration); ok {
			member.value = duration.String()
		}
		members = append(members, member)
	}
	return members
}

// appendListAsObject appends a JSON object with a member for each item of a list, such as
// {"alice":"cosmos1…"} for a list with one account. The members are in the order of the
// list. memberOf returns the name and the value of an item's member.
func appendListAsObject[T any](dst []byte, items []T, memberOf func(T) memberValue) []byte {
	var members []memberValue
	for _, item := range items {
		members = append(members, memberOf(item))
	}
	return appendObject(dst, members)
}

// appendSingle appends a JSON object with a single member.
func appendSingle(dst []byte, name string, value any) []byte {
	return appendObject(dst, []memberValue{{name: name, value: value}})
}

// appendObject appends a JSON object with the given members, without spaces: {"blocks":3}.
// Optional members that are zero or empty are left out of the values.
func appendObject(dst []byte, members []memberValue) []byte {
	dst = append(dst, '{')
	for i, member := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(wire.AppendString(dst, member.name), ':')
		dst = append(dst, compactJSON(wire.Compact(member.value))...)
	}
	return append(dst, '}')
}
