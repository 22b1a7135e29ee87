package scenario

import (
	"slices"

	"ephemera/core/wire"
)

// DecodeWire reads a step and holds it to what a step can be.
func (s *Step) DecodeWire(d *wire.Decoder) error {
	err := object(d, "a step", stepMembers, func(name string) error {
		switch name {
		case "at", "advance":
			return s.clockMove(d, name)
		case "contracts":
			return contracts(d, &s.Contracts)
		case "as":
			return text(d, &s.As, "a name or an address in a string")
		case "instantiate", "execute", "preview", "query", "nobody":
			if s.Kind != None {
				return fail(d, "the step has two messages, %s and %s; expected one a step", s.Kind, name)
			}
			s.Kind = Kind(name)
			return (*wire.Raw)(&s.Message).DecodeWire(d)
		case "ignored":
			return boolean(d, &s.Ignored)
		case "expect":
			s.Expect = new(Expect)
			return s.Expect.DecodeWire(d)
		case "state":
			return (*state)(&s.State).DecodeWire(d)
		case "note":
			return text(d, &s.Note, "a string")
		case "hint":
			return s.hints(d)
		}
		s.Ask = new(Ask)
		return s.Ask.DecodeWire(d)
	})
	if err != nil {
		return err
	}
	return s.check(d)
}

func (s *Step) hints(d *wire.Decoder) error {
	if d.Kind() != '[' {
		var one string
		err := text(d, &one, "a string, or an array of them from the weakest to the strongest")
		if one != "" {
			s.Hints = []string{one}
		}
		return err
	}
	return array(d, "", func() error {
		h, err := d.Text("a string")
		s.Hints = append(s.Hints, h)
		return err
	})
}

// check finds what no single member can: members that do not go together.
func (s *Step) check(d *wire.Decoder) error {
	switch {
	case s.At != nil && s.Advance != nil:
		return fail(d, "the step has both at and advance, expected one of them")
	case (s.Kind == Instantiate || s.Kind == Execute || s.Kind == Preview) && s.As == "":
		return fail(d, "%s needs a sender, expected as: NAME", s.Kind)
	case s.Kind == None && s.Expect != nil:
		return fail(d, "the step expects an answer and has no message, expected instantiate, execute or query")
	case s.Kind == Nobody && (s.Expect != nil || s.As != ""):
		return fail(d, "nobody stands for itself, expected no as and no expect beside it")
	case s.Kind == Nobody:
		if _, err := readNobody(s.Message); err != nil {
			return fail(d, "nobody: %v", err)
		}
	case s.Kind == None && s.As != "":
		return fail(d, "the step has a sender and no message, expected instantiate, execute or query")
	case s.Expect != nil && s.Kind != Query:
		return s.Expect.checkResponse(d)
	}
	return nil
}

// DecodeWire reads an expectation in its short or its long form.
func (e *Expect) DecodeWire(d *wire.Decoder) error {
	if d.Kind() == '"' {
		s, err := d.Text("a string")
		e.Refused, e.Any = s == "error", s == "any"
		if err == nil && s != "ok" && !e.Refused && !e.Any {
			return fail(d, "expected ok, error, any, or an object with one of ok, has and error, got %q", s)
		}
		return err
	}
	if k := d.Kind(); k != '{' {
		return d.FailType("ok, error, any, or an object with one of ok, has and error", k)
	}
	n := 0
	err := object(d, "an expectation", expectMembers, func(name string) error {
		if n++; n > 1 {
			return fail(d, "an expectation has one of ok, has and error, got two of them")
		}
		switch name {
		case "ok":
			return (*wire.Raw)(&e.Whole).DecodeWire(d)
		case "has":
			return (*wire.Raw)(&e.Has).DecodeWire(d)
		}
		e.Refused = true
		return e.refusal(d)
	})
	if err == nil && n == 0 {
		return fail(d, "it is empty, expected one of ok, has and error")
	}
	return err
}

func (e *Expect) refusal(d *wire.Decoder) error {
	if d.Kind() == '"' {
		return text(d, &e.Part, "a string")
	}
	if k := d.Kind(); k != '{' {
		return d.FailType("a part of the text in a string, or an object with kind and text", k)
	}
	return object(d, "an error", errorMembers, func(name string) error {
		if name == "text" {
			e.Text = new(string)
			return text(d, e.Text, "a string")
		}
		if err := text(d, &e.Kind, "a kind in a string"); err != nil || slices.Contains(kinds, e.Kind) {
			return err
		}
		return fail(d, "%q is no kind of refusal, expected one of %v", string(e.Kind), kinds)
	})
}

// checkResponse holds what is expected of a response to what one can have.
func (e *Expect) checkResponse(d *wire.Decoder) error {
	for _, want := range [][]byte{e.Whole, e.Has} {
		if want == nil {
			continue
		}
		v, err := parse(want)
		if err != nil {
			return fail(d, "expect: %v", err)
		}
		if v.kind != '{' {
			return fail(d, "expect: expected an object with attributes, messages or both, got %s", wire.KindName(v.kind))
		}
		for i, name := range v.names {
			if name != "attributes" && name != "messages" {
				return fail(d, "expect: a response has no %q, expected attributes, messages or both", name)
			}
			if v.items[i].kind != '[' {
				return fail(d, "expect: %s: expected an array, got %s", name, wire.KindName(v.items[i].kind))
			}
		}
	}
	return nil
}

// DecodeWire reads a question, alone or with its answers.
func (a *Ask) DecodeWire(d *wire.Decoder) error {
	if d.Kind() == '"' {
		return text(d, &a.Question, "a string")
	}
	return object(d, "a question", askMembers, func(name string) error {
		switch name {
		case "question":
			return text(d, &a.Question, "a string")
		case "answer":
			return text(d, &a.Answer, "a string")
		case "why":
			return text(d, &a.Why, "a string")
		}
		return array(d, "an array of strings", func() error { return a.choice(d) })
	})
}

// Reply is what a file says of one choice besides its text.
type Reply struct {
	// Why says why it is wrong, to whoever chose it.
	Why string
	// Believes names the misconception of whoever chose it; see the lesson
	// package.
	Believes string
}

// choice reads one choice: its text alone, or with what is said of it.
func (a *Ask) choice(d *wire.Decoder) error {
	var chosen string
	var r Reply
	var err error
	if d.Kind() == '"' {
		err = text(d, &chosen, "a string")
	} else if k := d.Kind(); k != '{' {
		return d.FailType("a string, or an object with text, why and believes", k)
	} else {
		err = object(d, "a choice", choiceMembers, func(name string) error {
			into := map[string]*string{"text": &chosen, "why": &r.Why, "believes": &r.Believes}[name]
			return text(d, into, "a string")
		})
	}
	a.Choices = append(a.Choices, chosen)
	if r != (Reply{}) {
		if a.Replies == nil {
			a.Replies = map[string]Reply{}
		}
		a.Replies[chosen] = r
	}
	return err
}
