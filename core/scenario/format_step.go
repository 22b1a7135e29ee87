package scenario

import (
	"encoding/hex"
	"maps"
	"slices"

	"ephemera/core/wire"
)

// DecodeWire reads a step and checks it. In YAML, the members "at" and "advance" can both
// hold any moment in words: an amount such as "+10", which goes to the field Advance, or a
// block such as "h1110", which goes to At.
func (s *Step) DecodeWire(decoder *wire.Decoder) error {
	if err := readObject(decoder, "a step", s); err != nil {
		return err
	}
	if err := s.checkMembers(decoder); err != nil {
		return err
	}
	switch {
	case s.At != nil && s.At.amount != nil:
		s.Advance = s.At.amount
		s.At = nil
	case s.Advance != nil && s.Advance.block != nil:
		s.At = s.Advance.block
		s.Advance = nil
	}
	return nil
}

// checkMembers fails if the step has members that exclude each other, or lacks one that the kind
// of its message needs.
func (s *Step) checkMembers(decoder *wire.Decoder) error {
	if s.At != nil && s.Advance != nil {
		return errorAt(decoder, "the step has both at and advance, expected one of them")
	}

	switch s.Kind {
	case NoMessage:
		if s.Expect != nil {
			return errorAt(decoder,
				"the step expects an answer and has no message, expected instantiate, execute or query")
		}
		if s.Sender != "" {
			return errorAt(decoder,
				"the step has a sender and no message, expected instantiate, execute or query")
		}
	case Nobody:
		if s.Expect != nil || s.Sender != "" {
			return errorAt(decoder, "expected nobody without as and expect")
		}
		if _, err := ReadNobodyQuestion(s.Message); err != nil {
			return errorAt(decoder, "nobody: %v", err)
		}
	case Instantiate, Execute, Preview:
		if s.Sender == "" {
			return errorAt(decoder, "%s needs a sender, expected as: NAME", s.Kind)
		}
		if s.Expect != nil {
			return s.Expect.checkResponse(decoder)
		}
	}
	return nil
}

// checkResponse fails if the expectation has members that no response of the contract has.
func (e *Expect) checkResponse(decoder *wire.Decoder) error {
	// An expectation has a whole answer or a part of one, but never both.
	expected := slices.Concat(e.Answer, e.AnswerPart)
	if expected == nil {
		return nil
	}
	response, err := parseJSON(expected)
	if err != nil {
		return errorAt(decoder, "expect: %v", err)
	}
	if response.kind != '{' {
		return errorAt(decoder,
			"expect: expected an object with attributes, messages or both, got %s",
			wire.KindName(response.kind))
	}

	for i, name := range response.names {
		if name != "attributes" && name != "messages" {
			return errorAt(decoder,
				"expect: a response has no %q, expected attributes, messages or both",
				name)
		}
		if kind := response.items[i].kind; kind != '[' {
			return errorAt(decoder, "expect: %s: expected an array, got %s", name, wire.KindName(kind))
		}
	}
	return nil
}

// AppendWire writes a step as an object, without the members that are empty.
func (s Step) AppendWire(dst []byte) []byte { return appendObject(dst, membersToWrite(s)) }

// DecodeWire reads an expectation. It is a word, such as "ok", or an object with exactly
// one of the members ok, has and error, such as {"error": {"kind": "contract"}}.
func (e *Expect) DecodeWire(decoder *wire.Decoder) error {
	const forms = "ok, error, any, or an object with one of ok, has and error"
	kind := decoder.Kind()
	if kind == '{' {
		err := readMembers(decoder, func(name string) error { return e.readMember(decoder, name) })
		if err == nil && !e.hasMember() {
			return errorAt(decoder, "it is empty, expected one of ok, has and error")
		}
		return err
	}
	if kind != '"' {
		return decoder.FailType(forms, kind)
	}

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
		return errorAt(decoder, "expected %s, got %q", forms, word)
	}
	return nil
}

// hasMember reports whether the member ok, has or error was read.
func (e *Expect) hasMember() bool { return e.Answer != nil || e.AnswerPart != nil || e.Refused }

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

// DecodeWire reads an array of records. Each record is an array of two strings, a key in hex
// and a value: ["6f776e", "alice"]. It fails for a key that is given twice.
func (s *Storage) DecodeWire(decoder *wire.Decoder) error {
	storage := Storage{}
	*s = storage
	return readArray(decoder, "an array of [key in hex, value]", func() error {
		record, err := readTexts(decoder, "[key in hex, value]")
		if err != nil {
			return err
		}
		number := len(storage) + 1
		if len(record) != 2 {
			return errorAt(decoder,
				"record %d: expected [key in hex, value], got an array of %d",
				number, len(record))
		}

		key, err := hex.DecodeString(record[0])
		if err != nil {
			return errorAt(decoder, "record %d: expected a key in hex, got %q", number, record[0])
		}
		if _, isRepeated := storage[string(key)]; isRepeated {
			return errorAt(decoder, "the key %x is in it twice", key)
		}
		storage[string(key)] = record[1]
		return nil
	})
}

// AppendWire writes the records as arrays of a key in hex and a value, in the order of the
// keys.
func (s Storage) AppendWire(dst []byte) []byte {
	records := [][]string{}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		keyInHex := hex.EncodeToString([]byte(key))
		records = append(records, []string{keyInHex, s[key]})
	}
	return wire.Append(dst, records)
}

// DecodeWire reads an array of hints, or a string with one hint. An empty string is no hint.
func (h *Hints) DecodeWire(decoder *wire.Decoder) error {
	if decoder.Kind() == '[' {
		texts, err := readTexts(decoder, "an array of hints")
		*h = texts
		return err
	}

	const want = "a string, or an array of them from the weakest to the strongest"
	onlyHint := ""
	err := readText(decoder, &onlyHint, want)
	if onlyHint != "" {
		*h = Hints{onlyHint}
	}
	return err
}

// AppendWire writes a single hint as a string, and several hints as an array.
func (h Hints) AppendWire(dst []byte) []byte {
	if len(h) == 1 {
		return wire.AppendString(dst, h[0])
	}
	return wire.Append(dst, []string(h))
}

// DecodeWire reads a question. A string is a question without choices.
func (a *Ask) DecodeWire(decoder *wire.Decoder) error {
	if decoder.Kind() == '"' {
		return readText(decoder, &a.Question, "a string")
	}
	return readObject(decoder, "a question", a)
}

// DecodeWire reads an array of choices.
func (c *Choices) DecodeWire(decoder *wire.Decoder) error {
	return readArray(decoder, "an array of strings", func() error {
		var choice Choice
		err := choice.DecodeWire(decoder)
		*c = append(*c, choice)
		return err
	})
}

// DecodeWire reads a choice, which is a string with its text or an object.
func (c *Choice) DecodeWire(decoder *wire.Decoder) error {
	kind := decoder.Kind()
	switch kind {
	case '"':
		return readText(decoder, &c.Text, "a string")
	case '{':
		return readObject(decoder, "a choice", c)
	default:
		return decoder.FailType("a string, or an object with text, why and believes", kind)
	}
}

// AppendWire writes a choice. A choice with nothing but a text is a string, and any other is
// an object.
func (c Choice) AppendWire(dst []byte) []byte {
	if c == (Choice{Text: c.Text}) {
		return wire.AppendString(dst, c.Text)
	}
	return appendObject(dst, membersToWrite(c))
}
