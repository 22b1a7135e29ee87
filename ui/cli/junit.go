package cli

import (
	"encoding/xml"
	"io"

	"ephemera/ui/widget"
)

// The report in the form of JUnit that build servers read: a suite for the run,
// a case for each scenario.
type junitSuites struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name     string         `xml:"name,attr"`
	File     string         `xml:"classname,attr"`
	Failures []junitTrouble `xml:"failure"`
	Errors   []junitTrouble `xml:"error"`
}

type junitTrouble struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, ends []ending) error {
	suite := junitSuite{Name: "ephemera", Tests: len(ends)}
	for _, e := range ends {
		c := junitCase{Name: widget.Safe(e.result.Name), File: widget.Safe(e.file)}
		for _, m := range e.result.Mismatches {
			c.Failures = append(c.Failures, junitTrouble{widget.Safe(m.Place() + ": the " + m.What + " is not as expected"), escaped(m.String(), false)})
		}
		if e.err != nil {
			c.Errors = append(c.Errors, junitTrouble{safe(e.err), safe(e.err)})
			suite.Errors++
		}
		if e.result.Failed > 0 {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", "  ")
	if err := out.Encode(junitSuites{Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
