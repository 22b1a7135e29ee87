package scenario

import (
	"ephemera/core/wire"
)

// DecodeWire reads an expectation. It is a word, such as "ok", or an object with exactly
// one of the members ok, has and error, such as {"error": {"kind": "contract"}}.
func (e *Expect) DecodeWire(decoder *wire.Decoder) error {
	kind := decoder.Kind()
	if kind == '"' {
		return e.readWord(decoder)
	}
	if kind != '{' {
		return decoder.FailType(expectForms, kind)
	}

	err := readMembers(decoder, func(name string) error { return e.readMember(decoder, name) })
	if err != nil {
		return err
	}
	if !e.hasMember() {
		return errorAt(decoder, "it is empty, expected one of ok, has and error")
	}
	return nil
}

// expectForms says in errors which forms an expectation can have.
const expectForms = "ok, error, any, or an object with one of ok, has and error"

// hasMember reports whether the member ok, has or error was read.
func (e *Expect) hasMember() bool { return e.Answer != nil || e.AnswerPart != nil || e.Refused }

// readWord reads an expectation that is a single word: ok, error or any.
func (e *Expect) readWord(decoder *wire.Decoder) error {
	word, err := decoder.Text("a string")
	if err != nil {
		return err
	}
	switch word {
	case "ok":
		// The zero Expect accepts every answer and no refusal.
	case "error":
		e.Refused = true
	case "any":
		e.AcceptsAny = true
	default:
		return errorAt(decoder, "expected %s, got %q", expectForms, word)
	}
	return nil
}

// readMember reads the value of a member of an expectation, which must be its only member.
func (e *Expect) readMember(decoder *wire.Decoder, name string) error {
	switch {
	case name != "ok" && name != "has" && name != "error":
		return errorAt(decoder, "an expectation has no such member, expected one of ok, has, error")
	case e.hasMember():
		return errorAt(decoder, "an expectation has one of ok, has and error, got two of them")
	case name == "ok":
		return e.Answer.DecodeWire(decoder)
	case name == "has":
		return e.AnswerPart.DecodeWire(decoder)
	}

	// The member error is a part of the text, or an object.
	e.Refused = true
	kind := decoder.Kind()
	switch kind {
	case '"':
		e.TextPart = new("")
		return readText(decoder, e.TextPart, "a string")
	case '{':
		if err := readObject(decoder, "an error", e); err != nil {
			return err
		}
		if e.Text != nil && e.TextPart != nil {
			return errorAt(decoder, "it has both text and has, expected the whole text or a part of it")
		}
		return nil
	default:
		return decoder.FailType("a part of the text in a string, or an object with kind and text or has", kind)
	}
}

// AppendWire writes an expectation in its shortest form: a word such as "ok" or "error", or
// an object with one member, such as {"ok":ANSWER} or {"error":{"kind":"contract"}}.
func (e Expect) AppendWire(dst []byte) []byte {
	switch {
	case e.AcceptsAny:
		return append(dst, `"any"`...)
	case e.Answer != nil:
		return appendSingle(dst, "ok", e.Answer)
	case e.AnswerPart != nil:
		return appendSingle(dst, "has", e.AnswerPart)
	case !e.Refused:
		return append(dst, `"ok"`...)
	case e.TextPart != nil && e.Kind == "":
		return appendSingle(dst, "error", *e.TextPart)
	}

	// What remains is a refusal with a kind, a text, both or neither.
	kindAndText := membersToWrite(e)
	if kindAndText == nil {
		return append(dst, `"error"`...)
	}
	refusal := wire.Raw(appendObject(nil, kindAndText))
	return appendSingle(dst, "error", refusal)
}
