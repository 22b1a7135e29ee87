package wire

import (
	"reflect"
	"slices"
	"strconv"
)

var decodable = reflect.TypeFor[Decodable]()

// value reads one JSON value into v, which can be addressed, by v's type.
func (d *Decoder) value(v reflect.Value) error {
	return d.valueOf(v, readsItself(v.Type()))
}

// readsItself tells whether values of a type are [Decodable]. To ask costs as
// much as to read a short value, so what is read often keeps the answer.
func readsItself(t reflect.Type) bool { return reflect.PointerTo(t).Implements(decodable) }

func (d *Decoder) valueOf(v reflect.Value, readsItself bool) error {
	if readsItself {
		return v.Addr().Interface().(Decodable).DecodeWire(d)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if d.Kind() == 'n' {
			_, err := d.Token()
			return err
		}
		v.Set(reflect.New(v.Type().Elem()))
		return d.value(v.Elem())
	case reflect.String:
		s, err := d.Text("a string")
		v.SetString(s)
		return err
	case reflect.Bool:
		k := d.Kind()
		if k != 't' && k != 'f' && k != 0 {
			return d.FailType("true or false", k)
		}
		t, err := d.Token()
		if err == nil {
			v.SetBool(t.Bool())
		}
		return err
	case reflect.Uint32, reflect.Uint64:
		n, err := d.Uint(v.Type().Bits())
		v.SetUint(n)
		return err
	case reflect.Slice:
		return d.slice(v)
	case reflect.Struct:
		if err := d.Open(); err != nil {
			return err
		}
		return d.fields(v)
	}
	panic("wire: cannot read into " + v.Type().String())
}

func (d *Decoder) slice(v reflect.Value) error {
	if k := d.Kind(); k != '[' && k != 0 {
		return d.FailType("an array", k)
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	readsItself := readsItself(v.Type().Elem())
	for i := 0; d.Kind() != ']'; i++ {
		d.path = append(d.path, strconv.Itoa(i))
		e := reflect.New(v.Type().Elem()).Elem()
		if err := d.valueOf(e, readsItself); err != nil {
			return err
		}
		v.Set(reflect.Append(v, e))
		d.path = d.path[:len(d.path)-1]
	}
	_, err := d.Token()
	return err
}

func (d *Decoder) fields(v reflect.Value) error {
	p := planOf(v.Type())
	var seen uint64
	err := d.members(func(name string) error {
		i := slices.Index(p.names, name)
		if i < 0 || slices.Contains(d.Without, name) {
			return d.unknown(name, p)
		}
		if seen&(1<<i) != 0 {
			d.path = d.path[:len(d.path)-1]
			return d.Fail("duplicate field `"+name+"`", "")
		}
		seen |= 1 << i
		if p.fields[i].optional && d.Kind() == 'n' {
			_, err := d.Token()
			return err
		}
		return d.valueOf(v.Field(p.fields[i].index), p.fields[i].readsItself)
	})
	if err != nil {
		return err
	}
	for i, f := range p.fields {
		if !f.optional && seen&(1<<i) == 0 {
			return d.Fail("missing field `"+f.name+"`", "")
		}
	}
	return nil
}

// unknown passes over a member that an object has not, or fails.
func (d *Decoder) unknown(name string, p *plan) error {
	if p.lenient {
		return d.Skip()
	}
	known := d.known(p.names)
	if d.Ignored != nil {
		*d.Ignored = append(*d.Ignored, Ignored{d.Path(), known})
		return d.Skip()
	}
	d.path = d.path[:len(d.path)-1]
	return d.FailUnknown("field", name, known, "")
}

// known leaves out of names those that this version has not.
func (d *Decoder) known(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(d.Without, n) })
}

// Variant is one message of a message type.
type Variant struct {
	Name string
	// New gives a pointer to an empty message.
	New func() any
}

// OneOf reads an object with exactly one member, whose name chooses among
// variants and whose value is the message (spec §2 rule 1). what names the
// kind of message, for the error.
func (d *Decoder) OneOf(what string, variants []Variant) (any, error) {
	switch k := d.Kind(); k {
	case '{', 0:
	case '"':
		return nil, d.bareName(what, variants)
	default:
		return nil, d.Fail(causeIdent, "expected an object that holds one "+what+", got "+KindName(k))
	}
	outer := d.oneOf
	d.oneOf = d.tokens.StackDepth() + 1
	var got any
	n := 0
	err := d.Object(func(name string) error {
		if n++; n > 1 {
			d.path = d.path[:len(d.path)-1]
			return d.Fail(causeStart, "a message has one member, and `"+name+"` is a second")
		}
		for _, v := range variants {
			if v.Name == name && !slices.Contains(d.Without, name) {
				got = v.New()
				return d.value(reflect.ValueOf(got).Elem())
			}
		}
		d.path = d.path[:len(d.path)-1]
		return d.FailUnknown("variant", name, d.known(names(variants)), "")
	})
	if err == nil && n == 0 {
		err = d.Fail("Invalid type", "expected one "+what+", got an empty object")
	}
	d.oneOf = outer
	return got, err
}

// bareName refuses a variant that is written as a name alone.
func (d *Decoder) bareName(what string, variants []Variant) error {
	name, err := d.Text("")
	if err != nil {
		return err
	}
	hint := "expected an object that holds one " + what + ", got a string"
	if known := d.known(names(variants)); !slices.Contains(known, name) {
		return d.FailUnknown("variant", name, known, hint)
	}
	return d.Fail("Invalid type", hint)
}

func names(variants []Variant) []string {
	out := make([]string, len(variants))
	for i, v := range variants {
		out[i] = v.Name
	}
	return out
}
