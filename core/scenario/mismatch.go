package scenario

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
)

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
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
	// Differences has the first places in which answers or records differ.
	Differences     []Difference `wire:"differences,optional"`
	MoreDifferences uint64       `wire:"more,optional"` // how many others there are
	// Hint says how to expect the refusal that came, if only its kind is not expected.
	Hint string `wire:"hint,optional"`
	// Rules has a line for each rule that the contract tried in its decision about the
	// message. It is empty if there was no decision.
	Rules []string `wire:"rules,optional"`

	answer        string // all of Got, if it is the answer to a message
	invariantJSON string // the invariant that does not hold, or ""
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
