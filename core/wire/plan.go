package wire

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Plan describes how a struct type is read and written as a JSON object. It is made once
// for each type, from the tags of the type's fields.
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
}

// plans holds the plans made so far. The keys are of type [reflect.Type], the values of type
// [*Plan].
var plans sync.Map

// PlanOf returns the plan of a struct type. A field with the tag `wire:"name"` or
// `wire:"name,optional"` is a member in JSON, and a field without such a tag is not. A blank
// field (_) with the tag `wire:"lenient"` makes the decoder skip members that the type does
// not have.
func PlanOf(t reflect.Type) *Plan {
	if p, ok := plans.Load(t); ok {
		return p.(*Plan)
	}

	// Make the plan, field by field.
	p := &Plan{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("wire")
		if !ok {
			continue
		}

		// A tag is a name, with a comma and "optional" for a member that can be absent.
		name, option, _ := strings.Cut(tag, ",")
		if f.Name == "_" && name == "lenient" {
			p.IsLenient = true
			continue
		}
		p.Fields = append(p.Fields, Field{
			Name:       name,
			Index:      i,
			IsOptional: f.Type.Kind() == reflect.Pointer || option == "optional",
		})
		p.names = append(p.names, name)
	}

	// Another goroutine may have stored the same plan in the meantime.
	stored, _ := plans.LoadOrStore(t, p)
	return stored.(*Plan)
}

// MemberNames lists the members of the struct that message points to, in the order of
// their declaration.
func MemberNames(message any) []string {
	return slices.Clone(PlanOf(reflect.TypeOf(message).Elem()).names)
}

// Unknown returns the contract's error text for a name that a type does not have (spec
// §2.1), such as "unknown field `colour`, expected `owner` or `token_id`". what is "field"
// or "variant". known are the names that the type has.
func Unknown(what, name string, known []string) string {
	text := "unknown " + what + " `" + name + "`, "
	switch len(known) {
	case 0:
		return text + "there are no " + what + "s"
	case 1:
		return text + "expected `" + known[0] + "`"
	case 2:
		return text + "expected `" + known[0] + "` or `" + known[1] + "`"
	}
	return text + "expected one of `" + strings.Join(known, "`, `") + "`"
}
