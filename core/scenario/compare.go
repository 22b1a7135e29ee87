package scenario

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Check sends the step's query to a view of the chain, and returns how the answer differs from
// the expected one. It does not move the clock. A step without a query or an expectation has no
// mismatch. Check fails for an unknown name with a [*wire.UnknownNameError].
func (s *Step) Check(view *chain.View) (*Mismatch, error) {
	if s.Kind != Query || s.Expect == nil {
		return nil, nil
	}
	return s.compareQuery(view.Query, func(name string) string {
		address, err := view.Resolve(name)
		if err != nil {
			return ""
		}
		return string(address)
	})
}

// compareQuery is [Step.Check] of a query with an expectation.
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

// compare returns how the result of a message differs from the expectation, whatever its kind.
// addressOf returns the address for a name in the expected answer or refusal, or "".
func (e *Expect) compare(result messageResult, addressOf func(name string) string) *Mismatch {
	if e.AcceptsAny {
		return nil
	}

	mismatch := &Mismatch{Subject: "answer"}
	isRefused := result.Refusal != nil
	switch {
	case e.Refused != isRefused:
		// A refusal and an answer cannot be compared.
	case isRefused:
		if e.matchesRefusal(result.Refusal, addressOf) {
			return nil
		}
		mismatch.Subject = "refusal"
		if withKind := e.withKindOf(result.Refusal, addressOf); withKind != nil {
			mismatch.Hint = fmt.Sprintf(
				"a text without a kind is one of the contract or the receiver; write %s if this one is meant",
				valueInYAML(withKind))
		}
	default:
		// An expected part must be contained in the answer, and a whole answer to a query must be
		// equal. Of a response, only the members that are expected are compared.
		m := matcher{addressOf: addressOf, isPartial: e.AnswerPart != nil}
		compareValues := m.compare
		if e.AnswerPart == nil && result.answer == nil {
			compareValues = m.compareMembers
		}
		if expected := slices.Concat(e.Answer, e.AnswerPart); expected != nil {
			m.compareTexts(expected, result.answerJSON(), compareValues)
		}
		if len(m.differences) == 0 {
			return nil
		}
		mismatch.Differences = m.differences
		mismatch.MoreDifferences = m.moreDifferences
	}
	mismatch.Expected = clip(e.String())
	mismatch.answer = result.String()
	mismatch.Got = clip(mismatch.answer)
	return mismatch
}

// matchesRefusal reports whether a refusal is the expected one. Without a kind, the contract
// or a receiving contract must have refused, or the token is missing and a text is expected.
// "$alice" in a text is equal to "$alice" and to the address of alice.
func (e *Expect) matchesRefusal(refusal *cw721.Error, addressOf func(name string) string) bool {
	_, receiver, _ := chain.ReceiverBehind(refusal.Kind, refusal.Text)
	isByContract := refusal.Kind == cw721.KindContract || receiver == chain.ReceiverRejects
	isMissingToken := refusal.Kind == cw721.KindNotFound && e.hasText()
	hasKind := e.Kind == refusal.Kind || e.Kind == "" && (isByContract || isMissingToken)

	text := *cmp.Or(e.Text, e.TextPart, new(""))
	resolvedText := nameInText.ReplaceAllStringFunc(text, func(name string) string {
		return cmp.Or(addressOf(name[1:]), name)
	})
	if e.Text != nil {
		return hasKind && (refusal.Text == text || refusal.Text == resolvedText)
	}
	return hasKind && (strings.Contains(refusal.Text, text) || strings.Contains(refusal.Text, resolvedText))
}

// nameInText matches a name such as $alice in a text. A dot or dash at its end belongs to the
// text.
var nameInText = regexp.MustCompile(`\$([\w.-]|[^\x00-\x7f])*(\w|[^\x00-\x7f])`)

// withKindOf returns an expectation of a text with the kind of a refusal, if nothing but the
// kind keeps it from matching. Otherwise it returns nil.
func (e *Expect) withKindOf(refusal *cw721.Error, addressOf func(name string) string) *Expect {
	withKind := *e
	withKind.Kind = refusal.Kind
	if e.Kind != "" || !e.hasText() || !withKind.matchesRefusal(refusal, addressOf) {
		return nil
	}
	return &withKind
}

// meansRefusal reports whether the step means this refusal of its message, which is then no
// typing mistake. If the step has only the text of the refusal and not its kind, the step
// will fail when it is played, and say so.
func (s *Step) meansRefusal(refusal *cw721.Error) bool {
	e := cmp.Or(s.Expect, &Expect{})
	noAddress := func(string) string { return "" }
	return e.Refused &&
		(e.matchesRefusal(refusal, noAddress) || e.withKindOf(refusal, noAddress) != nil)
}

// String describes the expectation in one line, such as "error contract, a part: minter". A
// bare "error" of a file expects a refusal by the contract, so its description names that
// kind.
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
	case !e.hasText():
		return fmt.Sprintf("an error of kind %s", cmp.Or(e.Kind, cw721.KindContract))
	}

	description := strings.TrimSpace("error " + string(e.Kind))
	if e.Text != nil {
		return description + ", exactly: " + *e.Text
	}
	return description + ", a part: " + *e.TextPart
}

// hasText reports whether a text of the refusal or a part of it is expected.
func (e *Expect) hasText() bool { return e.Text != nil || e.TextPart != nil }

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

// Mismatch says how the outcome of a step differs from what the step expects.
type Mismatch struct {
	File string
	Line int // from 1; 0 for a step that was not read from a file
	Step int // from 1
	// Subject says what differs: "answer", "refusal", "storage", "clock" or an invariant. It
	// is "comparison" if a compiled contract differs from the built-in one. It is "way" if a
	// compiled contract refuses a sequence of messages that the rules allow.
	Subject string `wire:"what"`
	Action  string // describes the step, such as "execute mint as alice"
	Message string // the message of the step, or ""
	// Expected and Got describe in one line what should have come and what came.
	Expected        string       `wire:"expected"`
	Got             string       `wire:"got"`
	Differences     []Difference `wire:"differences,optional"` // the first places that differ
	MoreDifferences uint64       `wire:"more,optional"`        // how many others there are
	Hint            string       `wire:"hint,optional"`        // how to expect the refusal, if only its kind differs
	Rules           []string     `wire:"rules,optional"`       // a line for each that the contract tried

	answer        string // all of Got, if it is the answer to a message
	invariantJSON string // the invariant that does not hold, or ""
}

// Subjects of a mismatch for which [Mismatch.String] has sentences of their own.
const (
	clockSubject      = "clock"
	comparisonSubject = "comparison"
)

// contractMismatch returns the mismatch of a message to which the built-in contract and a
// compiled one reacted differently.
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

	addLine(&text, "hint", m.Hint)

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
