package scenarios

import (
	"encoding/xml"
	"fmt"
	"io"

	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

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
				c.Failure = &junitTrouble{"the " + m.What + " is not as expected", command.Escape(m.String(), false)}
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
