package scenarios

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"ephemera/core/chain"
	"ephemera/core/scenario"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// stepEvent is one step as --json and the JUnit report have it.
type stepEvent struct {
	Event string `wire:"event"` // "step"
	File  string `wire:"file"`
	Line  uint64 `wire:"line,optional"`
	Step  uint64 `wire:"step"`
	Doing string `wire:"doing"`
	OK    bool   `wire:"ok"`
	// Refused is what the message was turned down with.
	Refused  *answer.Refusal    `wire:"refused"`
	Mismatch *scenario.Mismatch `wire:"mismatch"`

	took time.Duration
}

// endEvent is how a scenario went, as --json has it.
type endEvent struct {
	Event  string  `wire:"event"` // "scenario"
	File   string  `wire:"file"`
	Name   string  `wire:"name"`
	OK     bool    `wire:"ok"`
	Steps  uint64  `wire:"steps"`
	Failed uint64  `wire:"failed"`
	Error  *string `wire:"error"`
}

func eventOf(s scenario.PlayedStep) stepEvent {
	return stepEvent{
		Event: "step", File: s.File, Line: uint64(s.Step.Line), Step: uint64(s.Number), Doing: s.Step.Describe(),
		OK: s.Mismatch == nil, Refused: answer.RefusalOf(s.Refusal), Mismatch: s.Mismatch,
	}
}

// onStep gives what is told of each step as it comes, or kept for a report; nil
// where nobody asks.
func (p *playing) onStep(end *ending) func(scenario.PlayedStep) {
	watched := command.IsTerminal(p.Stderr)
	if !p.verbose && !p.events && p.junit == "" && !watched {
		return nil
	}
	began := time.Now()
	return func(s scenario.PlayedStep) {
		if n := p.steps.Add(1); watched && n%stepsTold == 0 {
			fmt.Fprintf(p.Stderr, "\r%s steps\x1b[K\r", chain.Thousands(uint64(n)))
		}
		if p.events || p.junit != "" {
			told := eventOf(s)
			told.took, began = time.Since(began), time.Now()
			end.told = append(end.told, told)
		}
		if p.verbose && !p.events {
			word := "ok"
			if s.Mismatch != nil {
				word = "not ok"
			}
			fmt.Fprintf(p.TextOut(), "%s %d - %s\n", word, s.Number, widget.Safe(s.Step.Describe()))
		}
	}
}

// print writes how a scenario went: one line on stdout. What did not hold, and why
// it was not played to its end, is told on stderr.
func (p *playing) print(e ending) error {
	if p.events {
		return p.printEvents(e)
	}
	word, colour := "ok  ", "32"
	if !e.held() {
		word, colour = "FAIL", "31"
	}
	_, err := fmt.Fprintf(p.TextOut(), "%s %s\n", p.Colour(p.Stdout, colour, word), widget.Safe(e.summary()))
	for _, m := range e.result.Mismatches {
		for _, line := range widget.SafeLines(m.String(), command.LinesShown) {
			fmt.Fprintln(p.Stderr, p.colouredRow(line))
		}
	}
	if more := e.result.Failed - len(e.result.Mismatches); more > 0 {
		fmt.Fprintf(p.Stderr, "%s: and %d more steps did not hold\n", e.file, more)
	}
	return err
}

func (p *playing) printEvents(e ending) error {
	for _, step := range e.told {
		if err := p.Answer(step, nil); err != nil {
			return err
		}
	}
	end := endEvent{Event: "scenario", File: e.file, Name: e.result.Name, OK: e.held(), Steps: uint64(e.result.Steps), Failed: uint64(e.result.Failed)}
	if e.err != nil {
		end.Error = new(e.err.Error())
	}
	return p.Answer(end, nil)
}

// colouredRow makes what was expected green and what came red, on a terminal.
func (p *playing) colouredRow(line string) string {
	for label, colour := range map[string]string{"  expected  ": "32", "  got       ": "31"} {
		if rest, ok := strings.CutPrefix(line, label); ok {
			return label + p.Colour(p.Stderr, colour, rest)
		}
	}
	return line
}

// summary says in one line how a scenario went.
func (e ending) summary() string {
	r := e.result
	line := fmt.Sprintf("%s: %d steps", r.Name, r.Steps)
	if r.Failed > 0 {
		line += fmt.Sprintf(", %d did not hold", r.Failed)
	}
	if e.updated > 0 {
		line += fmt.Sprintf(", %d answers written into it", e.updated)
	}
	if e.err != nil {
		line += ", then it stopped"
	}
	return line
}

// The report in the form of JUnit that build servers read: a suite for each
// scenario, a case for each step.
type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"` // the scenario's
	File    string        `xml:"file,attr"`
	Line    uint64        `xml:"line,attr,omitempty"`
	Time    string        `xml:"time,attr"`
	Failure *junitTrouble `xml:"failure"`
	Error   *junitTrouble `xml:"error"`
}

type junitTrouble struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, ends []ending) error {
	var out junitSuites
	seconds := func(s float64) string { return fmt.Sprintf("%.6f", s) }
	for _, e := range ends {
		suite := junitSuite{Name: widget.Safe(e.result.Name), File: widget.Safe(e.file), Failures: e.result.Failed}
		whole := 0.0
		for _, step := range e.told {
			c := junitCase{
				Name: widget.Safe(fmt.Sprintf("step %d: %s", step.Step, step.Doing)), Class: widget.Safe(e.result.Name),
				File: widget.Safe(e.file), Line: step.Line, Time: seconds(step.took.Seconds()),
			}
			if m := step.Mismatch; m != nil {
				c.Failure = &junitTrouble{"the " + m.Subject + " is not as expected", command.Escape(m.String(), false)}
			}
			whole += step.took.Seconds()
			suite.Cases = append(suite.Cases, c)
		}
		if e.err != nil {
			trouble := &junitTrouble{command.Safe(e.err), command.Safe(e.err)}
			suite.Cases = append(suite.Cases, junitCase{Name: "to the end", Class: widget.Safe(e.result.Name), File: widget.Safe(e.file), Time: seconds(0), Error: trouble})
			suite.Errors++
		}
		suite.Tests, suite.Time = len(suite.Cases), seconds(whole)
		out.Suites = append(out.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(out); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
