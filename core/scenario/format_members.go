package scenario

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"ephemera/core/wire"
)

// The members of the file format are those of [wire.PlanOf] for [Header], [Step] and the
// structs in them. Only the message of a step has a tag with several names, such as
// "query|nobody". The name that a file has is the kind of the message, which is stored in the
// field before the message. Members are written in the order of the fields. Members whose
// value is zero are left out.

// readObject reads a JSON object into the struct that target points to. It fails for an
// unknown member, for a member that is given twice, and for the second message of a step.
// description names the object in errors, such as "a step".
func readObject(decoder *wire.Decoder, description string, target any) error {
	object := reflect.ValueOf(target).Elem()
	fields := wire.PlanOf(object.Type()).Fields
	return readMembers(decoder, func(name string) error {
		i := slices.IndexFunc(fields, func(field wire.Field) bool {
			return slices.Contains(strings.Split(field.Name, "|"), name)
		})
		if i < 0 {
			names := strings.Join(wire.MemberNames(target), ", ")
			return errorAt(decoder,
				"%s has no such member, expected one of %s",
				description, strings.ReplaceAll(names, "|", ", "))
		}

		field := fields[i]
		if isMessage(field) {
			kind := object.Field(field.Index - 1)
			if kind.String() != "" {
				return errorAt(decoder, "the step has two messages, %s and %s; expected one a step", kind, name)
			}
			kind.SetString(name)
		}

		// An optional member is a pointer, which stays nil if the member is not given.
		value := object.Field(field.Index)
		if value.Kind() == reflect.Pointer {
			value.Set(reflect.New(value.Type().Elem()))
			value = value.Elem()
		}
		return readValue(decoder, value.Addr().Interface(), field.Want)
	})
}

// isMessage reports whether the field holds the message of a step.
func isMessage(field wire.Field) bool { return strings.Contains(field.Name, "|") }

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
func membersToWrite(object any) (members []memberValue) {
	structValue := reflect.ValueOf(object)
	for _, field := range wire.PlanOf(structValue.Type()).Fields {
		value := structValue.Field(field.Index)
		if value.IsZero() {
			continue
		}
		member := memberValue{name: field.Name, value: value.Interface()}
		if isMessage(field) {
			member.name = structValue.Field(field.Index - 1).String()
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
