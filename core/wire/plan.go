package wire

import (
	"reflect"
	"slices"
	"strings"
	"sync"
)

// plan is what a struct type looks like on the wire.
type plan struct {
	fields  []field
	names   []string
	lenient bool
}

type field struct {
	name     string
	label    []byte // `"name":`
	index    int
	optional bool
	// What the field's type does itself; see [readsItself] and [writerOf].
	readsItself bool
	writes      writer
}

var plans sync.Map // reflect.Type → *plan

// planOf reads the tags of a struct type once. A blank field tagged
// `wire:"lenient"` makes the object pass over members that it does not know.
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
		name, option, _ := strings.Cut(tag, ",")
		if f.Name == "_" && name == "lenient" {
			p.lenient = true
			continue
		}
		p.fields = append(p.fields, field{
			name:     name,
			label:    append(AppendString(nil, name), ':'),
			index:    i,
			optional: f.Type.Kind() == reflect.Pointer || option == "optional",

			readsItself: readsItself(f.Type),
			writes:      writerOf(f.Type),
		})
		p.names = append(p.names, name)
	}
	if len(p.fields) > 64 {
		panic("wire: more than 64 fields in " + t.String())
	}
	actual, _ := plans.LoadOrStore(t, p)
	return actual.(*plan)
}

// MemberNames lists the members of the struct that message points to, in the order of
// their declaration.
func MemberNames(message any) []string {
	return slices.Clone(planOf(reflect.TypeOf(message).Elem()).names)
}

// Unknown is the reader's sentence for a field that a type has not, or a variant,
// with the ones that it has (spec §2.1).
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
