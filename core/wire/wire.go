// Package wire is the JSON that a CosmWasm contract speaks: strict on the way
// in, compact on the way out.
//
// A contract decodes a whole message before it looks at what the message asks
// for, and refuses what most JSON libraries let pass: unknown and duplicate
// members, a missing member, a null where a value is required, a number where
// a string of digits is meant (spec §2). This package does so for any Go
// type whose fields carry a `wire:"name"` tag, with one decoder and one
// encoder, so that no message can be stricter or looser than another. A later
// version of the contract is looser in one point, and lets unknown members pass
// ([Options]).
//
// It must never know what a message means, who sends it, or what is stored.
//
// Types map to JSON like this:
//
//   - a struct is an object; members in field order on output, any order on
//     input. A field of pointer type, or one tagged `wire:"name,optional"`,
//     may be absent or null; every other field is required.
//   - a pointer is a value or null; a slice is an array.
//   - string, bool, uint32 and uint64 are what they are.
//   - a type with [Decodable] and [Encodable] does it its own way; one with
//     [Substituted] is written as another value.
package wire

// Decodable is implemented by types that read themselves.
type Decodable interface {
	// DecodeWire reads exactly one JSON value from d. It reports a bad value
	// with [Decoder.Fail] or [Decoder.FailType].
	DecodeWire(d *Decoder) error
}

// Encodable is implemented by types that write themselves.
type Encodable interface {
	// AppendWire appends the compact JSON of the value to dst.
	AppendWire(dst []byte) []byte
}

// Substituted is implemented by types that are written as another value, which
// the writer then treats like any other.
type Substituted interface {
	// WireValue gives what is written in place of the value; nil is null.
	WireValue() any
}

// Error says why a text is not the JSON that was expected.
type Error struct {
	// Cause is the reader's own words, as the contract's reader has them
	// (spec §2.1): "missing field `token_id`", "Invalid type".
	Cause string
	// Field is the dotted path of the member at fault, "approve.expires";
	// empty when the whole text is.
	Field string
	// Hint says in plain words what was expected; it can be empty.
	Hint string
	// Unknown is the name of a field or a variant that there is not; Nearest is the
	// one that was likely meant, empty where none is near.
	Unknown, Nearest string
	// Syntax is set where the text is no JSON, whatever was expected; Hint then
	// says what it is about.
	Syntax bool
	// Offset is where in the text it was noticed, in bytes.
	Offset int64
}

// Error gives the cause and, where the cause alone does not say it, the member
// and what it should have been.
func (e *Error) Error() string {
	switch {
	case e.Field != "" && e.Hint != "":
		return e.Cause + " (" + e.Field + ": " + e.Hint + ")"
	case e.Hint != "":
		return e.Cause + " (" + e.Hint + ")"
	case e.Field != "":
		return e.Cause + " (in " + e.Field + ")"
	}
	return e.Cause
}

// UnknownNameError says that a "$name" in a message names nobody.
type UnknownNameError struct {
	Name  string // without the dollar sign
	Field string // the member that holds it
}

// Error names the member and the name that nobody has.
func (e *UnknownNameError) Error() string {
	return e.Field + ": no account is named " + string(AppendString(nil, e.Name))
}

// Raw is JSON that is carried as it is.
type Raw []byte

// AppendWire writes the text, or null when there is none.
func (r Raw) AppendWire(dst []byte) []byte {
	if len(r) == 0 {
		return append(dst, "null"...)
	}
	return append(dst, r...)
}

// DecodeWire keeps the text of one value of any shape.
func (r *Raw) DecodeWire(d *Decoder) error {
	v, err := d.tokens.ReadValue()
	if err != nil {
		return d.syntax(err)
	}
	*r = append(Raw(nil), v...)
	return nil
}
