package wire

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// readValue reads one JSON value into v, which must be addressable. A pointer stays nil for null.
// readValue panics if the package cannot read the kind of v.
func (d *Decoder) readValue(v reflect.Value) error {
	if decodable, ok := v.Addr().Interface().(Decodable); ok {
		return decodable.DecodeWire(d)
	}

	switch v.Kind() {
	case reflect.Pointer:
		if d.Kind() == 'n' { // the kind of null
			_, err := d.Token()
			return err
		}
		v.Set(reflect.New(v.Type().Elem()))
		return d.readValue(v.Elem())
	case reflect.String:
		text, err := d.Text("a string")
		v.SetString(text)
		return err
	case reflect.Bool:
		kind := d.Kind()
		if kind != 't' && kind != 'f' && kind != jsontext.KindInvalid {
			return d.FailType("true or false", kind)
		}
		token, err := d.Token()
		if err != nil {
			return err
		}
		v.SetBool(token.Bool())
		return nil
	case reflect.Uint32, reflect.Uint64:
		n, err := d.Uint(v.Type().Bits())
		v.SetUint(n)
		return err
	case reflect.Slice:
		return d.readSlice(v)
	case reflect.Struct:
		if err := d.OpenObject(); err != nil {
			return err
		}
		return d.readFields(v)
	}
	panic("wire: cannot read into " + v.Type().String())
}

// readSlice makes an empty slice of an empty array, not nil.
func (d *Decoder) readSlice(v reflect.Value) error {
	if _, err := d.readTokenOfKind('[', "an array"); err != nil {
		return err
	}

	// The index of an item is a part of the path in errors, as in "messages.0".
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for i := 0; d.Kind() != ']'; i++ {
		d.path = append(d.path, strconv.Itoa(i))
		item := reflect.New(v.Type().Elem()).Elem()
		if err := d.readValue(item); err != nil {
			return err
		}
		v.Set(reflect.Append(v, item))
		d.leaveMember()
	}

	_, err := d.Token() // the "]"
	return err
}

// readFields reads the rest of an object, whose "{" was read, into the struct v. It fails for a
// duplicate member, a missing one that is not optional, and an unknown one that neither the
// options nor the type permit.
func (d *Decoder) readFields(v reflect.Value) error {
	plan := PlanOf(v.Type())
	isRead := make([]bool, len(plan.Fields)) // by the index of the member in plan.Fields
	readMember := func(name string) error {
		i := slices.Index(plan.names, name)
		if i < 0 || slices.Contains(d.AbsentNames, name) {
			return d.handleUnknownMember(name, plan)
		}
		if isRead[i] {
			d.leaveMember()
			return d.Fail("duplicate field `"+name+"`", "")
		}
		isRead[i] = true

		// An optional member can be null, which leaves the field as it is.
		field := plan.Fields[i]
		if field.IsOptional && d.Kind() == 'n' { // the kind of null
			_, err := d.Token()
			return err
		}
		return d.readValue(v.Field(field.Index))
	}
	if err := d.readMembers(readMember); err != nil {
		return err
	}

	for i, member := range plan.Fields {
		if !isRead[i] && !member.IsOptional {
			return d.Fail("missing field `"+member.Name+"`", "")
		}
	}
	return nil
}

// leaveMember removes the last name from the path. It is also called before an error about the
// name of a member, which the contract reports at the object that has the member.
func (d *Decoder) leaveMember() { d.path = d.path[:len(d.path)-1] }

// handleUnknownMember skips the value of an unknown member, if the type or the options permit
// that, and adds it to [Options.IgnoredMembers]. Otherwise it fails.
func (d *Decoder) handleUnknownMember(name string, plan *Plan) error {
	knownNames := d.knownNames(plan.names)
	if plan.IsLenient || d.IgnoresUnknown {
		nameEnd := d.tokenizer.InputOffset()
		if err := d.Skip(); err != nil || d.IgnoredMembers == nil {
			return err
		}
		value := bytes.TrimLeft(d.data[nameEnd:d.tokenizer.InputOffset()], ": \t\r\n")
		member := UnknownMember{Field: d.Path(), Name: name, Value: bytes.Clone(value), KnownNames: knownNames}
		*d.IgnoredMembers = append(*d.IgnoredMembers, member)
		return nil
	}
	d.leaveMember()
	return d.FailUnknown("field", name, knownNames, "")
}

// knownNames returns names without the [Options.AbsentNames].
func (d *Decoder) knownNames(names []string) []string {
	isAbsent := func(name string) bool { return slices.Contains(d.AbsentNames, name) }
	return slices.DeleteFunc(slices.Clone(names), isAbsent)
}

// Variant is one type of message out of several, such as "approve".
type Variant struct {
	Name string     // the name of the message in JSON
	New  func() any // returns a pointer to an empty message
}

// ReadVariant reads an object with exactly one member, such as {"approve":{…}}. The name of
// the member chooses one of the variants, and its value is read into a new message of that
// variant (spec §2 rule 1). variantKind says in errors what the variants are, such as
// "execute message".
func (d *Decoder) ReadVariant(variantKind string, variants []Variant) (message any, err error) {
	kind := d.Kind()
	if kind == '"' { // the kind of a string
		return nil, d.refuseBareName(variantKind, variants)
	}

	// Reading an object returns the error of unreadable text, which has no kind.
	if kind != '{' && kind != jsontext.KindInvalid {
		hint := "expected an object that holds one " + variantKind + ", got " + KindName(kind)
		return nil, d.Fail(causeIdent, hint)
	}

	readMember := func(name string) error {
		if message != nil {
			d.leaveMember()
			return d.Fail(causeStart, "a message has one member, and `"+name+"` is a second")
		}
		message, err = d.readVariant(name, variants)
		return err
	}

	// Read the object. Meanwhile variantDepth is its depth, because the texts of errors
	// depend on whether the decoder is directly inside of such an object.
	outerDepth := d.variantDepth
	d.variantDepth = d.tokenizer.StackDepth() + 1
	err = d.Object(readMember)
	d.variantDepth = outerDepth
	if err != nil {
		return nil, err
	}
	if message == nil {
		return nil, d.Fail("Invalid type", "expected one "+variantKind+", got an empty object")
	}
	return message, nil
}

func (d *Decoder) readVariant(name string, variants []Variant) (any, error) {
	for _, variant := range variants {
		if variant.Name == name && !slices.Contains(d.AbsentNames, name) {
			message := variant.New()
			err := d.readValue(reflect.ValueOf(message).Elem())
			return message, err
		}
	}

	knownNames := d.knownVariantNames(variants)
	d.leaveMember()
	return nil, d.FailUnknown("variant", name, knownNames, "")
}

// refuseBareName reads a string in place of an object, such as "approve" instead of
// {"approve":{…}}, and returns the error about it.
func (d *Decoder) refuseBareName(variantKind string, variants []Variant) error {
	name, err := d.Text("a string")
	if err != nil {
		return err
	}
	hint := "expected an object that holds one " + variantKind + ", got a string"
	knownNames := d.knownVariantNames(variants)
	if !slices.Contains(knownNames, name) {
		return d.FailUnknown("variant", name, knownNames, hint)
	}
	return d.Fail("Invalid type", hint)
}

// knownVariantNames returns the names of the variants without the [Options.AbsentNames].
func (d *Decoder) knownVariantNames(variants []Variant) []string {
	names := make([]string, len(variants))
	for i, v := range variants {
		names[i] = v.Name
	}
	return d.knownNames(names)
}
