package scenario

import (
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// messageResult is the outcome of a message: the answer to a query, or the receipt of an
// instantiate, execute or preview message. For a query, only Refusal and Difference of the
// receipt can be set.
type messageResult struct {
	chain.Receipt
	answer []byte // JSON of the answer to a query; nil for other messages and if refused
}

// answerJSON returns the answer to a query, or the response to another message, as JSON.
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
	return refusalText(r.Refusal.Kind, r.Refusal.Text)
}

// refusalText returns a refusal in one line, such as "error contract: Caller is not minter".
func refusalText(kind cw721.Kind, text string) string {
	return fmt.Sprintf("error %s: %s", kind, text)
}

// String describes the expectation in one line. A bare "error" of a file expects a refusal
// by the contract, so its description names that kind.
func (e *Expect) String() string {
	switch {
	case e.AcceptsAny:
		return "any"
	case e.Answer != nil:
		return "ok: " + string(e.Answer)
	case e.AnswerPart != nil:
		return "ok, with " + string(e.AnswerPart)
	case !e.Refused:
		return "ok"
	case e.TextPart != "":
		return fmt.Sprintf("an error with the text %q in it", e.TextPart)
	case e.Text == nil:
		return fmt.Sprintf("an error of kind %s", cmp.Or(e.Kind, cw721.KindContract))
	case e.Kind == "":
		return fmt.Sprintf("an error: %s", *e.Text)
	}
	return refusalText(e.Kind, *e.Text)
}

// compare returns how the result of a message differs from the expectation. It returns nil
// if the result is as expected. addressOf returns the address for a name in the expected
// answer, such as "alice", and "" for an unknown name.
func (e *Expect) compare(result messageResult, addressOf func(name string) string) *Mismatch {
	if e.AcceptsAny {
		return nil
	}

	// This mismatch is returned unless the result is as expected.
	mismatch := &Mismatch{
		Subject:  "answer",
		Expected: clip(e.String()),
		Got:      clip(result.String()),
	}

	// A refusal and an answer cannot be compared.
	isRefused := result.Refusal != nil
	if e.Refused != isRefused {
		return mismatch
	}

	// Both are refusals.
	if isRefused {
		if e.matchesRefusal(result.Refusal) {
			return nil
		}
		mismatch.Subject = "refusal"
		return mismatch
	}

	// Both are answers.
	answerMatcher := matcher{addressOf: addressOf}
	e.compareAnswer(&answerMatcher, result)
	if len(answerMatcher.differences) == 0 {
		return nil
	}
	mismatch.Differences = answerMatcher.differences
	mismatch.MoreDifferences = answerMatcher.moreDifferences
	return mismatch
}

// compareAnswer compares the answer to a query, or the response to another message, with
// the expected one. It collects the differences in answerMatcher. An expected part must be
// contained in the answer. An expected answer to a query must be equal as a whole. Of a
// response, only the members that are expected are compared.
func (e *Expect) compareAnswer(answerMatcher *matcher, result messageResult) {
	answerMatcher.isPartial = e.AnswerPart != nil
	switch {
	case e.AnswerPart != nil:
		answerMatcher.compareTexts(e.AnswerPart, result.answerJSON(), answerMatcher.compare)
	case e.Answer != nil && result.answer != nil:
		answerMatcher.compareTexts(e.Answer, result.answer, answerMatcher.compare)
	case e.Answer != nil:
		answerMatcher.compareTexts(e.Answer, result.answerJSON(), answerMatcher.compareMembers)
	}
}

// matchesRefusal reports whether a refusal is the expected one. If neither a kind nor a
// text is expected, only a refusal by the contract or by a receiving contract matches. A
// refusal because a contract or the collection is missing matches only if its text is
// expected.
func (e *Expect) matchesRefusal(refusal *cw721.Error) bool {
	if e.Text != nil || e.TextPart != "" {
		hasKind := e.Kind == "" || e.Kind == refusal.Kind
		hasText := e.Text == nil || *e.Text == refusal.Text
		return hasKind && hasText && strings.Contains(refusal.Text, e.TextPart)
	}

	// An expectation without a text does not mean a contract or collection that is missing.
	// The receiver is plain if a token was sent to an address that has no contract.
	_, receiver, _ := chain.ReceiverBehind(refusal.Kind, refusal.Text)
	isMissing := receiver == chain.ReceiverPlain || refusal.Text == chain.ErrNoCollection.Error()
	if isMissing {
		return false
	}
	if e.Kind == "" {
		return refusal.Kind == cw721.KindContract || receiver == chain.ReceiverRejects
	}
	return e.Kind == refusal.Kind
}

// expectsRefusal reports whether the step expects this refusal of its message.
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

// Check sends the step's query to a view of the chain. It returns how the answer differs
// from the expected one, or nil if it does not. It does not move the clock and changes
// nothing. A step without a query or an expectation has no mismatch. Check fails for an
// unknown name with a [*wire.UnknownNameError], and with the errors of the store.
func (s *Step) Check(view *chain.View) (*Mismatch, error) {
	if s.Kind != Query || s.Expect == nil {
		return nil, nil
	}
	addressOf := func(name string) string {
		address, err := view.Resolve(name)
		if err != nil {
			return ""
		}
		return string(address)
	}
	return s.compareQuery(view.Query, addressOf)
}

// compareQuery sends the step's query by calling query. It returns how the answer or the
// refusal differs from what the step expects, or nil if it does not. It returns an error of
// query that is not a refusal.
func (s *Step) compareQuery(
	query func([]byte) ([]byte, error),
	addressOf func(name string) string,
) (*Mismatch, error) {
	answer, err := query(s.Message)
	refusal := cw721.AsError(err)
	if err != nil && refusal == nil {
		return nil, err
	}
	result := messageResult{
		Receipt: chain.Receipt{Refusal: refusal},
		answer:  answer,
	}
	return s.Expect.compare(result, addressOf), nil
}

// Subjects of a mismatch for which [Mismatch.String] has sentences of their own.
const (
	clockSubject      = "clock"
	comparisonSubject = "comparison"
)

// contractMismatch returns the mismatch of a message to which the built-in contract and a
// compiled one reacted differently. If their answers are equal, the mismatch lists the
// stored records that differ.
func contractMismatch(difference *chain.Difference) *Mismatch {
	mismatch := &Mismatch{
		Subject:  comparisonSubject,
		Expected: clip(string(difference.BuiltIn)),
		Got:      clip(string(difference.Compiled)),
	}
	if mismatch.Expected != mismatch.Got {
		return mismatch
	}

	// The answers are equal, so the records are what differs.
	for _, record := range difference.Records {
		compiled, builtIn := record.ValueTexts()
		mismatch.Differences = append(mismatch.Differences, Difference{
			Path:     "record " + record.Key,
			Expected: clip(builtIn),
			Got:      clip(compiled),
		})
	}
	return mismatch
}

// Mismatch says how the outcome of a step differs from what the step expects.
type Mismatch struct {
	File string
	Line int // from 1; 0 for a step that was not read from a file
	Step int // from 1
	// Subject says what differs: "answer", "refusal", "storage", "clock" or an invariant. It
	// is "comparison" if a compiled contract differs from the built-in one. It is "way" if a
	// compiled contract refuses a sequence of messages that the rules allow.
	Subject string `wire:"what"`
	// Action describes the step, such as "execute mint as alice".
	Action string
	// Message is the message of the step, or "" if it has none.
	Message string
	// Expected and Got describe in one line what should have come and what came.
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
	// Differences has the first places in which answers or records differ.
	Differences []Difference `wire:"differences,optional"`
	// MoreDifferences is the number of further places, which are not in Differences.
	MoreDifferences uint64 `wire:"more,optional"`
	// Rules has a line for each rule that the contract tried in its decision about the
	// message. It is empty if there was no decision.
	Rules []string `wire:"rules,optional"`
}

// Place returns where the step is, such as "apes.yaml:12: step 3".
func (m Mismatch) Place() string {
	return fmt.Sprintf("%s: step %d", placeInFile(m.File, m.Line), m.Step)
}

// String describes the mismatch in a few lines, for people. It can hold control characters
// from texts of the contract, which the caller must escape for a terminal.
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

	// The first line has the place and the finding. Each line below it has a label and a
	// value.
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s: %s", m.Place(), m.Action, finding)
	addLine(&text, "message", m.Message)

	// The whole answers are shown only if it is not known where they differ.
	if len(m.Differences) == 0 {
		addLine(&text, expectedLabel, m.Expected)
		addLine(&text, gotLabel, m.Got)
	}
	for _, d := range m.Differences {
		addLine(&text, "at", d.Path)
		addLine(&text, expectedLabel, d.Expected)
		addLine(&text, gotLabel, d.Got)
	}
	if m.MoreDifferences > 0 {
		addLine(&text, "", fmt.Sprintf("and %d more", m.MoreDifferences))
	}

	// The rules that the contract checked come last.
	for _, rule := range m.Rules {
		addLine(&text, "rule", rule)
	}
	return text.String()
}

// addLine adds a line with a label and a value, such as "expected  ok". The values of all
// lines begin in the same column. It adds nothing if the value is empty.
func addLine(text *strings.Builder, label, value string) {
	if value != "" {
		fmt.Fprintf(text, "\n  %-9s %s", label, value)
	}
}
