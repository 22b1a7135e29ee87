package scenario

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// messageResult is the outcome of a message: the answer to a query, or the receipt of
// another message. The receipt of a query has nothing but its refusal and a difference.
type messageResult struct {
	chain.Receipt
	answer []byte // JSON; nil if the message is no query
}

// answerJSON returns the answer or the response as JSON.
func (r messageResult) answerJSON() []byte {
	if r.answer != nil {
		return r.answer
	}
	return wire.Encode(r.Response)
}

// String returns the result in one line: "ok: {…}" or "error contract: …".
func (r messageResult) String() string {
	if r.Refusal == nil {
		return "ok: " + string(r.answerJSON())
	}
	return fmt.Sprintf("error %s: %s", r.Refusal.Kind, r.Refusal.Text)
}

// String returns the expectation in one line: an answer as [messageResult.String] does, and
// anything else as a YAML file has it, such as {error: {kind: contract}}.
func (e *Expect) String() string {
	if e.Answer != nil {
		return "ok: " + string(e.Answer)
	}
	return string(valueInYAML(e))
}

// compare returns how the result of a message differs from the expectation, or nil if it
// does not. addressOf returns the address for a name such as "alice" in the expected
// answer, and "" for an unknown name.
func (e *Expect) compare(result messageResult, addressOf func(name string) string) *Mismatch {
	if e.Any {
		return nil
	}

	isRefused := result.Refusal != nil
	mismatch := &Mismatch{ // unless the result turns out to be as expected
		Subject:  "answer",
		Expected: clip(e.String()),
		Got:      clip(result.String()),
	}

	// Each of the first two cases is about a message that was refused, expectedly or not.
	switch {
	case e.Refused != isRefused: // the mismatch says all there is to say
	case isRefused:
		if e.matchesRefusal(result.Refusal) {
			return nil
		}
		mismatch.Subject = "refusal"
	default:
		m := matcher{addressOf: addressOf}
		e.compareAnswer(&m, result)
		if len(m.found) == 0 {
			return nil
		}
		mismatch.Differences = m.found
		mismatch.MoreDifferences = m.notKept
	}
	return mismatch
}

// compareAnswer compares an answer or a response with the expected one.
func (e *Expect) compareAnswer(m *matcher, result messageResult) {
	m.partly = e.AnswerPart != nil
	switch {
	case e.AnswerPart != nil:
		m.compareTexts(e.AnswerPart, result.answerJSON(), m.compare)
	case e.Answer != nil && result.answer != nil:
		m.compareTexts(e.Answer, result.answer, m.compare)
	case e.Answer != nil:
		m.compareTexts(e.Answer, result.answerJSON(), m.compareMembers)
	}
}

// matchesRefusal reports whether a refusal is the expected one. Without an expected
// kind or text it must come from the contract or from a receiving contract. A missing
// contract or collection matches only if its text is expected.
func (e *Expect) matchesRefusal(refusal *cw721.Error) bool {
	if e.Text != nil || e.TextPart != "" {
		isKind := e.Kind == "" || e.Kind == refusal.Kind
		isText := e.Text == nil || *e.Text == refusal.Text
		return isKind && isText && strings.Contains(refusal.Text, e.TextPart)
	}

	_, receiver, _ := chain.ReceiverBehind(refusal.Kind, refusal.Text)
	if receiver == chain.ReceiverPlain || refusal.Text == chain.ErrNoCollection.Error() {
		return false
	}
	if e.Kind == "" {
		return refusal.Kind == cw721.KindContract || receiver == chain.ReceiverRejects
	}
	return e.Kind == refusal.Kind
}

// expectsRefusal reports whether the step expects a refusal.
func (s *Step) expectsRefusal(refusal *cw721.Error) bool {
	return s.Expect != nil && s.Expect.Refused && s.Expect.matchesRefusal(refusal)
}

// expectRefusal returns the expectation to write into a scenario for a message that was
// refused. It includes the text if the contract or the chain refused the message. It leaves
// out the texts of other kinds, which depend on how the message was spelled.
func expectRefusal(kind cw721.Kind, text string) *Expect {
	e := &Expect{Refused: true, Kind: kind}
	if kind == cw721.KindContract || kind == chain.KindChain {
		e.Text = &text
	}
	return e
}

// Check sends the query of a step in the moment of a view, and returns how the answer
// differs from the expected one, or nil. It moves no clock and changes nothing. A step
// without a query or an expectation has no mismatch. Check fails for an unknown name
// with a [*wire.UnknownNameError], and with the errors of the store.
func (s *Step) Check(v *chain.View) (*Mismatch, error) {
	if s.Kind != Query || s.Expect == nil {
		return nil, nil
	}
	return s.compareQuery(v.Query, func(name string) string {
		address, err := v.Resolve(name)
		if err != nil {
			return ""
		}
		return string(address)
	})
}

// compareQuery sends the step's query and returns how the answer, or the refusal, differs
// from the expected one, or nil. An error of query that is no refusal is returned as it is.
func (s *Step) compareQuery(query func([]byte) ([]byte, error), addressOf func(name string) string) (*Mismatch, error) {
	answer, err := query(s.Message)
	refusal := cw721.AsError(err)
	if err != nil && refusal == nil {
		return nil, err
	}
	return s.Expect.compare(messageResult{answer: answer, Receipt: chain.Receipt{Refusal: refusal}}, addressOf), nil
}

// Subjects of a mismatch for which [Mismatch.String] has sentences of their own.
const (
	clockSubject      = "clock"
	comparisonSubject = "comparison"
)

// contractMismatch returns the mismatch between the built-in contract and a compiled
// one. If their answers are equal, it names the records that differ.
func contractMismatch(d *chain.Difference) *Mismatch {
	m := &Mismatch{
		Subject:  comparisonSubject,
		Expected: clip(string(d.BuiltIn)),
		Got:      clip(string(d.Compiled)),
	}
	if m.Expected != m.Got {
		return m
	}

	// The answers are equal, so the records are what differs.
	for _, record := range d.Records {
		compiled, builtIn := record.Sides()
		m.Differences = append(m.Differences, Difference{
			Path:     "record " + record.Key,
			Expected: clip(builtIn),
			Got:      clip(compiled),
		})
	}
	return m
}

// Mismatch is how a step differs from what it expects.
type Mismatch struct {
	File string
	Line int // from 1; 0 for a step that was not read from a file
	Step int // from 1
	// Subject is "answer", "refusal", "storage", "clock", "way", an invariant, or
	// "comparison" if a compiled contract differs from the built-in one.
	Subject string `wire:"what"`
	// Action is [Step.Describe] of the step, Message the message, if it has one.
	Action, Message string
	// Expected and Got have one line each.
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
	// Differences are the first places in which answers or records differ.
	// MoreDifferences is the number of the others.
	Differences     []Difference `wire:"differences,optional"`
	MoreDifferences uint64       `wire:"more,optional"`
	// Rules has a line for each rule that the contract tried to decide about the
	// message, if it came to a decision.
	Rules []string `wire:"rules,optional"`
}

// Place names the step: "apes.yaml:12: step 3".
func (m Mismatch) Place() string {
	return fmt.Sprintf("%s: step %d", placeInFile(m.File, m.Line), m.Step)
}

// String describes the mismatch in a few lines, for people. Texts of the contract can
// hold control characters.
func (m Mismatch) String() string {
	finding := "the " + m.Subject + " is not as expected"
	expectedLabel := "expected"
	gotLabel := "got"
	switch m.Subject {
	case clockSubject:
		finding = "the clock cannot go there"
	case comparisonSubject:
		finding = "the compiled contract differs from the built-in one"
		expectedLabel = "built in"
		gotLabel = "compiled"
	}

	// The first line has the place and the finding, and each row below it a label and a
	// value.
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s: %s", m.Place(), m.Action, finding)
	addRow(&text, "message", m.Message)
	if len(m.Differences) == 0 {
		addRow(&text, expectedLabel, m.Expected)
		addRow(&text, gotLabel, m.Got)
	}
	for _, d := range m.Differences {
		addRow(&text, "at", d.Path)
		addRow(&text, expectedLabel, d.Expected)
		addRow(&text, gotLabel, d.Got)
	}
	if m.MoreDifferences > 0 {
		addRow(&text, "", fmt.Sprintf("and %d more", m.MoreDifferences))
	}

	// The rules that the contract checked come last.
	for _, rule := range m.Rules {
		addRow(&text, "rule", rule)
	}
	return text.String()
}

// addRow adds a line with a label and a value, unless the value is empty.
func addRow(text *strings.Builder, label, value string) {
	if value != "" {
		fmt.Fprintf(text, "\n  %-9s %s", label, value)
	}
}
