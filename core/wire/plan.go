package wire

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// plan is what the decoder and the encoder need to know of a struct type. It is made once
// from the type's tags.
type plan struct {
	fields  []field
	names   []string // the JSON names of the fields
	lenient bool     // whether members that the type does not have are skipped
}

// field is one field of a struct type that is a member in JSON.
type field struct {
	name     string
	index    int  // of the field in the Go struct
	optional bool // whether the member may be null or missing
}

// plans holds the plans made so far: reflect.Type → *plan.
var plans sync.Map

// planOf returns the plan of a struct type, from the tags `wire:"name"` and
// `wire:"name,optional"` of its fields. Fields without the tag are no members. A blank field
// (_) tagged `wire:"lenient"` makes the decoder skip members that the type does not have.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	p := &plan{}
	for i := range t.NumField() {
		f := t.Field(i)
		tag, ok := f.Tag.Lookup("wire")
		if !ok {
			continue
		}
		// A tag is a name, with a comma and "optional" for a member that can be absent.
		name, option, _ := strings.Cut(tag, ",")
		if f.Name == "_" && name == "lenient" {
			p.lenient = true
			continue
		}
		p.fields = append(p.fields, field{
			name:     name,
			index:    i,
			optional: f.Type.Kind() == reflect.Pointer || option == "optional",
		})
		p.names = append(p.names, name)
	}
	actual, _ := plans.LoadOrStore(t, p) // another goroutine may have made the same plan
	return actual.(*plan)
}

// MemberNames lists the members of the struct that message points to, in the order of
// their declaration.
func MemberNames(message any) []string {
	return slices.Clone(planOf(reflect.TypeOf(message).Elem()).names)
}

// Unknown returns the contract's error text for a name that a type does not have (spec
// §2.1): "unknown field `colour`, expected one of `owner`, `token_id`". what is "field" or
// "variant"; known are the names that the type has.
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
