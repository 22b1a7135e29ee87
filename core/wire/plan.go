package wire

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Plan describes how a struct type is read and written as a JSON object.
type Plan struct {
	Fields    []Field  // the members, in the order of their declaration
	names     []string // the JSON names of Fields, in the same order
	IsLenient bool     // the decoder skips members that the type does not have
}

// Field is one field of a struct type that is a member in JSON.
type Field struct {
	Name       string // the member's name in JSON
	Index      int    // the index of the field in the Go struct, from 0
	IsOptional bool   // the member may be null or missing
	Want       string // what the value is, for readers with errors of their own; "" if the type says enough
}

var plans sync.Map // the plans made so far, each a [*Plan], by [reflect.Type]

// PlanOf returns the plan of a struct type. A field with the tag `wire:"name"` or
// `wire:"name,optional"` is a member in JSON, and a field without such a tag is not. A blank
// field (_) with the tag `wire:"lenient"` makes the type lenient. The tag `want:"a name in a
// string"` is the field's Want.
func PlanOf(structType reflect.Type) *Plan {
	if plan, isStored := plans.Load(structType); isStored {
		return plan.(*Plan)
	}

	plan := &Plan{}
	for i := range structType.NumField() {
		field := structType.Field(i)
		tag, hasTag := field.Tag.Lookup("wire")
		if !hasTag {
			continue
		}

		// A tag is a name, with a comma and "optional" for a member that can be absent.
		name, option, _ := strings.Cut(tag, ",")
		if field.Name == "_" && name == "lenient" {
			plan.IsLenient = true
			continue
		}
		isOptional := field.Type.Kind() == reflect.Pointer || option == "optional"
		plan.Fields = append(plan.Fields, Field{
			Name:       name,
			Index:      i,
			IsOptional: isOptional,
			Want:       field.Tag.Get("want"),
		})
		plan.names = append(plan.names, name)
	}

	plans.Store(structType, plan)
	return plan
}

// MemberNames lists the members of the struct that message points to.
func MemberNames(message any) []string {
	messageType := reflect.TypeOf(message).Elem()
	return slices.Clone(PlanOf(messageType).names)
}

// DescribeUnknownName returns the contract's error text for a name that a type does not have
// (spec §2.1), such as "unknown field `colour`, expected `owner` or `token_id`". nameKind is
// "field" or "variant".
func DescribeUnknownName(nameKind, name string, knownNames []string) string {
	text := "unknown " + nameKind + " `" + name + "`, "
	switch len(knownNames) {
	case 0:
		return text + "there are no " + nameKind + "s"
	case 1, 2:
		return text + "expected `" + strings.Join(knownNames, "` or `") + "`"
	}
	return text + "expected one of `" + strings.Join(knownNames, "`, `") + "`"
}
