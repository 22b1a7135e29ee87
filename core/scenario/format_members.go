package scenario

import (
	"reflect"
	"slices"
	"strings"
	"time"

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
