package scenarios

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// junitSuites is a JUnit report, which build servers read. It has a suite for each
// scenario and a case for each step.
type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

// junitSuite is one scenario in a JUnit report.
type junitSuite struct {
	Name     string      `xml:"name,attr"`
	File     string      `xml:"file,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"` // seconds
	Cases    []junitCase `xml:"testcase"`
}

// junitCase is one step of a scenario in a JUnit report. A step that does not hold has a
// Failure. An Error means that the scenario could not be played further.
type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"` // the name of the scenario
	File    string        `xml:"file,attr"`
	Line    uint64        `xml:"line,attr,omitempty"`
	Time    string        `xml:"time,attr"` // seconds
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Output  string        `xml:"system-out,omitempty"` // by which rules the contract refused, as expected
}

// junitMessage says why a step failed: a short message, and the whole text.
type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, outcomes []scenarioOutcome) error {
	var report junitSuites
	for _, outcome := range outcomes {
		report.Suites = append(report.Suites, junitSuiteOf(outcome))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitSuiteOf describes a scenario. If it was not played to its end, its last case has the
// reason.
func junitSuiteOf(outcome scenarioOutcome) junitSuite {
	name := widget.Safe(outcome.result.Name)
	file := widget.Safe(outcome.file)
	suite := junitSuite{Name: name, File: file, Failures: outcome.result.FailedSteps}

	var total time.Duration
	for _, step := range outcome.steps {
		testCase := junitCase{
			Name:  widget.Safe(fmt.Sprintf("step %d: %s", step.Step, step.Description)),
			Class: name,
			File:  file,
			Line:  step.Line,
			Time:  junitSeconds(step.duration),
		}
		mismatch := step.Mismatch
		if mismatch == nil {
			testCase.Output = command.Escape(strings.Join(step.Rules, "\n"), false)
		} else {
			testCase.Failure = &junitMessage{
				Message: "the " + mismatch.Subject + " is not as expected",
				Text:    command.Escape(mismatch.String(), false),
			}
		}
		suite.Cases = append(suite.Cases, testCase)
		total += step.duration
	}

	if outcome.err != nil {
		text := command.Safe(outcome.err)
		suite.Cases = append(suite.Cases, junitCase{
			Name:  "to the end",
			Class: name,
			File:  file,
			Time:  junitSeconds(0),
			Error: &junitMessage{Message: text, Text: text},
		})
		suite.Errors++
	}
	suite.Tests = len(suite.Cases)
	suite.Time = junitSeconds(total)
	return suite
}

// junitSeconds returns a duration in seconds, such as "0.001500".
func junitSeconds(duration time.Duration) string { return fmt.Sprintf("%.6f", duration.Seconds()) }
