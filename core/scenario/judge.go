package scenario

import "ephemera/core/cw721"

// Answer is what a message came to, wherever it was carried out: JSON for a
// query, a response for the other messages, or a refusal.
type Answer struct {
	JSON     []byte
	Response *cw721.Response
	Refusal  *cw721.Error
}

// String gives the answer in one line.
func (a Answer) String() string { return a.outcome().String() }

func (a Answer) outcome() outcome {
	return outcome{answer: a.JSON, response: a.Response, refusal: a.Refusal}
}

// Judge compares an answer with what the step expects; nil where it is as
// expected, or nothing is. address gives the address of a name in what is
// expected, and "" for a name that nobody has.
func (s *Step) Judge(a Answer, address func(name string) string) *Mismatch {
	if s.Expect == nil {
		return nil
	}
	return s.judged(s.Expect.compare(a.outcome(), address))
}

// judged says in a mismatch which step it is about.
func (s *Step) judged(m *Mismatch) *Mismatch {
	if m != nil {
		m.Line, m.Doing, m.Message = s.Line, s.Doing(), clip(string(s.Message))
	}
	return m
}

// Holds tells whether a JSON text has all that another has: members of objects,
// and items of arrays in their order, as "has" in a file.
func Holds(whole, part []byte) bool {
	m := matcher{address: func(string) string { return "" }}
	m.part(part, whole)
	return len(m.found) == 0
}
