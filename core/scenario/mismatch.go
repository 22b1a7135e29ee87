package scenario

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
)

// clockMismatch is what a mismatch is about when the clock did not move.
const clockMismatch = "clock"

// comparison is what a mismatch is about when two contracts are compared.
const comparison = "comparison"

// otherwise tells where the built-in contract and a compiled one differ: in
// their answers, or else in the records.
func otherwise(d *chain.Difference) *Mismatch {
	m := &Mismatch{What: comparison, Expected: clip(string(d.BuiltIn)), Got: clip(string(d.Compiled))}
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
	// What was not as expected: "answer", "refusal", "storage", "clock", or
	// "comparison" where the built-in contract did otherwise than a compiled one.
	What string `wire:"what"`
	// Doing says who did what: "execute mint as alice". Message is what was
	// sent; "" for a step without a message.
	Doing, Message string
	// Expected and Got are the two in one line each.
	Expected string `wire:"expected"`
	Got      string `wire:"got"`
	// Differences are the first places where an answer or storage differ, and
	// More is how many others there are.
	Differences []Difference `wire:"differences,optional"`
	More        uint64       `wire:"more,optional"`
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
	what := "the " + m.What + " is not as expected"
	if m.What == clockMismatch {
		what = "the clock cannot go there"
	}
	expected, got := "expected", "got"
	if m.What == comparison {
		what = "the compiled contract does otherwise than the built-in one"
		expected, got = "built in", "compiled"
	}
	fmt.Fprintf(&b, "%s: %s: %s", m.Place(), m.Doing, what)
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
		row("at", d.At)
		row(expected, d.Expected)
		row(got, d.Got)
	}
	if m.More > 0 {
		row("", fmt.Sprintf("and %d more", m.More))
	}
	return b.String()
}
