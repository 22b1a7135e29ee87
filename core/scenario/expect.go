package scenario

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// messageResult is what a message led to: an answer as JSON, a response, or a
// refusal.
type messageResult struct {
	answer   []byte
	response *cw721.Response
	refusal  *cw721.Error
	// difference is set where the built-in contract did otherwise.
	difference *chain.Difference
}

// answerJSON gives the whole answer.
func (o messageResult) answerJSON() []byte {
	if o.response != nil {
		return wire.Encode(*o.response)
	}
	return o.answer
}

func (o messageResult) String() string {
	if o.refusal == nil {
		return "ok: " + string(o.answerJSON())
	}
	return refusalText(o.refusal.Kind, o.refusal.Text)
}

func refusalText(kind cw721.Kind, text string) string { return fmt.Sprintf("error %s: %s", kind, text) }

// String says in one line what is expected.
func (e *Expect) String() string {
	switch {
	case e.Any:
		return "any"
	case e.Answer != nil:
		return "ok: " + string(e.Answer)
	case e.AnswerPart != nil:
		return "ok, with " + string(e.AnswerPart)
	case !e.Refused:
		return "ok"
	case e.TextPart != "":
		return fmt.Sprintf("an error with the text %q in it", e.TextPart)
	case e.Kind == "" && e.Text == nil:
		return "an error of kind contract"
	case e.Text == nil:
		return fmt.Sprintf("an error of kind %s", e.Kind)
	case e.Kind == "":
		return fmt.Sprintf("an error: %s", *e.Text)
	}
	return refusalText(e.Kind, *e.Text)
}

// compare tells how an outcome differs from what is expected; nil for not at
// all.
func (e *Expect) compare(o messageResult, address func(string) string) *Mismatch {
	if e.Any {
		return nil
	}
	miss := &Mismatch{Subject: "answer", Expected: clip(e.String())}
	switch {
	case e.Refused && o.refusal != nil:
		if e.matchesRefusal(o.refusal) {
			return nil
		}
		miss.Subject = "refusal"
	case !e.Refused && o.refusal == nil:
		m := matcher{addressOf: address}
		switch {
		case e.AnswerPart != nil:
			m.compareTexts(e.AnswerPart, o.answerJSON(), m.comparePart)
		case e.Answer != nil && o.response == nil:
			m.compareTexts(e.Answer, o.answer, m.compareWhole)
		case e.Answer != nil:
			m.compareTexts(e.Answer, o.answerJSON(), func(at string, e, g jsonValue) { m.compareMembers(at, e, g, m.compareWhole) })
		}
		if len(m.found) == 0 {
			return nil
		}
		miss.Differences, miss.MoreDifferences = m.found, m.more
	}
	miss.Got = clip(o.String())
	return miss
}

// matchesRefusal tells whether a refusal is the one that is expected. Without a kind or a
// text it must be the contract's own or that of a receiving contract. That there
// is no contract or no collection must be expected by its text.
func (e *Expect) matchesRefusal(refusal *cw721.Error) bool {
	if e.Text != nil || e.TextPart != "" {
		return (e.Kind == "" || e.Kind == refusal.Kind) &&
			(e.Text == nil || *e.Text == refusal.Text) &&
			strings.Contains(refusal.Text, e.TextPart)
	}
	receiver, _ := chain.ReceiverBehind(refusal.Kind, refusal.Text)
	switch {
	case receiver == chain.ReceiverPlain, refusal.Text == chain.ErrNoCollection.Error():
		return false
	case e.Kind == "":
		return refusal.Kind == cw721.KindContract || receiver == chain.ReceiverRejects
	}
	return e.Kind == refusal.Kind
}

// expectsRefusal tells whether the step expects a refusal.
func (s *Step) expectsRefusal(refusal *cw721.Error) bool {
	return s.Expect != nil && s.Expect.Refused && s.Expect.matchesRefusal(refusal)
}

// expectRefusal expects a refusal. The texts of the contract's own kinds are the
// same everywhere; others tell how a message was spelled.
func expectRefusal(kind cw721.Kind, text string) *Expect {
	e := &Expect{Refused: true, Kind: kind}
	if kind == cw721.KindContract || kind == chain.KindChain {
		e.Text = &text
	}
	return e
}

// Check asks the query of a step in the moment of a view and compares the
// answer with what the step expects. It moves no clock and changes nothing;
// nil says that the answer is as expected. A step that is no query, or expects
// nothing, holds. It fails for a name that nobody has
// (*wire.UnknownNameError), and as the store does.
func (s *Step) Check(v *chain.View) (*Mismatch, error) {
	if s.Kind != Query || s.Expect == nil {
		return nil, nil
	}
	return s.ask(v.Query, func(name string) string {
		a, err := v.Resolve(name)
		if err != nil {
			return ""
		}
		return string(a)
	})
}

// ask compares what the query of a step is answered with what it expects.
func (s *Step) ask(query func([]byte) ([]byte, error), address func(name string) string) (*Mismatch, error) {
	answer, err := query(s.Message)
	refusal := cw721.AsError(err)
	if err != nil && refusal == nil {
		return nil, err
	}
	return s.Expect.compare(messageResult{answer: answer, refusal: refusal}, address), nil
}

// clockMismatch is what a mismatch is about when the clock did not move.
const clockMismatch = "clock"

// comparison is what a mismatch is about when two contracts are compared.
const comparison = "comparison"

// contractMismatch tells where the built-in contract and a compiled one differ: in
// their answers, or else in the records.
func contractMismatch(d *chain.Difference) *Mismatch {
	m := &Mismatch{Subject: comparison, Expected: clip(string(d.BuiltIn)), Got: clip(string(d.Compiled))}
	if m.Expected != m.Got {
		return m
	}
	for _, r := range d.Records {
		compiled, builtIn := r.Sides()
		m.Differences = append(m.Differences, Difference{"record " + r.Key, clip(builtIn), clip(compiled)})
	}
	return m
}

// Mismatch is a step that did not hold.
type Mismatch struct {
	File string
	Line int // from 1; 0 for a step that comes from no file
	Step int // from 1
	// Subject was not as expected: "answer", "refusal", "storage", "clock", or
	// "comparison" where the built-in contract did otherwise than a compiled one.
	Subject string `wire:"what"`
	// Action says who did what: "execute mint as alice". Message is what was
	// sent; "" for a step without a message.
	Action, Message string
	// Expected and Got are the two in one line each.
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
	// Differences are the first places where an answer or storage differ, and
	// More is how many others there are.
	Differences     []Difference `wire:"differences,optional"`
	MoreDifferences uint64       `wire:"more,optional"`
}

// Place tells where the step stands: "apes.yaml:12", or "step 3" of no file.
func (m Mismatch) Place() string {
	if m.Line == 0 {
		return fmt.Sprintf("%s: step %d", m.File, m.Step)
	}
	return fmt.Sprintf("%s:%d: step %d", m.File, m.Line, m.Step)
}

// String gives all of it in a few lines, for people. Texts of the contract are
// in it as they came.
func (m Mismatch) String() string {
	var b strings.Builder
	what := "the " + m.Subject + " is not as expected"
	if m.Subject == clockMismatch {
		what = "the clock cannot go there"
	}
	expected, got := "expected", "got"
	if m.Subject == comparison {
		what = "the compiled contract does otherwise than the built-in one"
		expected, got = "built in", "compiled"
	}
	fmt.Fprintf(&b, "%s: %s: %s", m.Place(), m.Action, what)
	row := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n  %-9s %s", label, text)
		}
	}
	row("message", m.Message)
	if len(m.Differences) == 0 {
		row(expected, m.Expected)
		row(got, m.Got)
	}
	for _, d := range m.Differences {
		row("at", d.Path)
		row(expected, d.Expected)
		row(got, d.Got)
	}
	if m.MoreDifferences > 0 {
		row("", fmt.Sprintf("and %d more", m.MoreDifferences))
	}
	return b.String()
}
