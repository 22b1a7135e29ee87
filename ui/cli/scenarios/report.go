package scenarios

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"ephemera/core/human"
	"ephemera/core/scenario"
	"ephemera/ui/cli/answer"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// stepEvent is a step in the output of --json and in the JUnit report.
type stepEvent struct {
	Event       string          `wire:"event"` // "step"
	File        string          `wire:"file"`
	Line        uint64          `wire:"line,optional"` // from 1; 0 if it is not known
	Step        uint64          `wire:"step"`          // from 1
	Description string          `wire:"doing"`         // such as "execute mint as alice"
	OK          bool            `wire:"ok"`            // whether the outcome is as expected
	Refusal     *answer.Refusal `wire:"refused"`
	Rules       []string        `wire:"rules,optional"` // a line for each that the contract tried before it refused
	// MessagesTried is how many messages were sent to a compiled contract by a step or an
	// invariant that expects that nobody can do something.
	MessagesTried uint64             `wire:"tried,optional"`
	Mismatch      *scenario.Mismatch `wire:"mismatch"` // with what was expected, or nil

	duration time.Duration // for the JUnit report
}

// scenarioEvent is the outcome of a scenario in the output of --json.
type scenarioEvent struct {
	Event  string  `wire:"event"` // "scenario"
	File   string  `wire:"file"`
	Name   string  `wire:"name"`
	OK     bool    `wire:"ok"`     // whether it was played to its end and every step held
	Steps  uint64  `wire:"steps"`  // the number of steps that were played
	Failed uint64  `wire:"failed"` // the number of steps that did not hold
	Error  *string `wire:"error"`  // why it was not played to its end, or nil
}

// handlePlayedStep is called after each step of a scenario. It keeps in outcome what a
// report, --mutate and --coverage need of the step, and prints the step with --verbose. On a
// terminal it also shows the number of steps so far, now and then.
func (r *runner) handlePlayedStep(outcome *scenarioOutcome, played scenario.PlayedStep) {
	count := r.stepCount.Add(1)
	if count%2000 == 0 && command.IsTerminal(r.Stderr) {
		fmt.Fprintf(r.Stderr, "\r%s steps\x1b[K\r", human.Thousands(uint64(count)))
	}

	if played.Unlisted != "" && !r.toldOfPassive.Swap(true) {
		name := widget.Safe(played.Unlisted)
		r.Errorf("%s:%d: passive only adds to whoever may do it anyway, so %s sends nothing either; active: [%s] lets that account act",
			played.File, played.Step.Line, name, name)
	}

	// Keep what --mutate and --coverage need after the last scenario.
	if r.judgesSuite() {
		outcome.story.Steps = append(outcome.story.Steps, *played.Step)
	}
	if r.wantsCoverage {
		outcome.coverageErr = errors.Join(outcome.coverageErr, outcome.coverage.Add(played))
	}

	// Print or report the step, if either was asked for.
	isPrinted := r.isVerbose && !r.Global.JSON
	isReported := r.Global.JSON || r.junitFile != ""
	if !isPrinted && !isReported {
		return
	}

	// An error of the store is left out here, because the next step fails with it as well.
	rules, _ := played.RefusalRules()
	if isReported {
		now := time.Now()
		outcome.steps = append(outcome.steps, stepEvent{
			Event:         "step",
			File:          played.File,
			Line:          uint64(played.Step.Line),
			Step:          uint64(played.Number),
			Description:   played.Step.Describe(),
			OK:            played.Mismatch == nil,
			Refusal:       answer.RefusalOf(played.Refusal),
			Rules:         rules,
			MessagesTried: uint64(played.MessagesTried),
			Mismatch:      played.Mismatch,
			duration:      now.Sub(outcome.stepStart),
		})
		outcome.stepStart = now
	}
	if !isPrinted {
		return
	}

	// Print a line about the step, and below it the rules by which its message was refused.
	verdict := "ok"
	if played.Mismatch != nil {
		verdict = "not ok"
	}
	fmt.Fprintf(
		r.TextOut(),
		"%s %d - %s%s\n",
		verdict,
		played.Number,
		widget.Safe(played.Step.Describe()),
		messagesTriedSuffix(played.MessagesTried),
	)
	for _, rule := range rules {
		fmt.Fprintf(r.TextOut(), "  %s\n", widget.Safe(rule))
	}
}

// printOutcome writes the summary of a scenario to stdout and its mismatches to stderr, or with
// --json events to stdout.
func (r *runner) printOutcome(outcome scenarioOutcome) error {
	result := outcome.result
	if r.Global.JSON {
		for _, step := range outcome.steps {
			if err := r.Answer(step, nil); err != nil {
				return err
			}
		}
		event := scenarioEvent{
			Event:  "scenario",
			File:   outcome.file,
			Name:   result.Name,
			OK:     outcome.isOK(),
			Steps:  uint64(result.Steps),
			Failed: uint64(result.FailedSteps),
		}
		if outcome.err != nil {
			event.Error = new(outcome.err.Error())
		}
		return r.Answer(event, nil)
	}

	verdict := "ok  "
	if !outcome.isOK() {
		verdict = "FAIL"
	}
	_, err := fmt.Fprintf(r.TextOut(), "%s %s\n", verdict, widget.Safe(outcome.summary()))
	for _, update := range outcome.updates {
		fmt.Fprintf(r.TextOut(), "  %s\n", widget.Safe(update))
	}

	// The mismatches go to stderr, so that stdout stays a list of scenarios.
	for _, mismatch := range result.Mismatches {
		for _, line := range widget.SafeLines(mismatch.String(), command.LinesShown) {
			fmt.Fprintln(r.Stderr, r.colourMismatchLine(line))
		}
	}
	if unlistedCount := result.FailedSteps - len(result.Mismatches); unlistedCount > 0 {
		fmt.Fprintf(r.Stderr, "%s: and %d more steps did not hold\n", outcome.file, unlistedCount)
	}
	return err
}

// colourMismatchLine makes an expected value green and the value that came instead red, if
// stderr is a terminal. It returns other lines unchanged.
func (r *runner) colourMismatchLine(line string) string {
	for label, colour := range map[string]string{"  expected  ": "32", "  got       ": "31"} {
		if value, hasLabel := strings.CutPrefix(line, label); hasLabel {
			return label + r.Colour(r.Stderr, colour, value)
		}
	}
	return line
}

// summary describes the outcome of a scenario in one line, such as "Who may burn: 12 steps,
// 1 did not hold".
func (o scenarioOutcome) summary() string {
	result := o.result
	line := fmt.Sprintf("%s: %s", result.Name, human.Plural(result.Steps, "step"))
	if result.FailedSteps > 0 {
		line += fmt.Sprintf(", %d did not hold", result.FailedSteps)
	}
	line += messagesTriedSuffix(result.MessagesTried)
	if len(o.updates) > 0 {
		line += fmt.Sprintf(", %s written into it", human.Plural(len(o.updates), "answer"))
	}
	if o.err != nil {
		line += ", then it stopped"
	}
	return line
}

// messagesTriedSuffix returns the end of a line, such as ", 12 messages tried on the
// contract", or "" for 0; see stepEvent.MessagesTried.
func messagesTriedSuffix(count int) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(", %s tried on the contract", human.Plural(count, "message"))
}

// describeTotal describes the outcome of all scenarios in one line, such as "total: 3
// scenarios, 12 steps, 1 did not hold". Each row of a scenario counts as a scenario.
// unplayedFiles is the number of files that --filter or --fail-fast left out.
func (r *runner) describeTotal(unplayedFiles int) string {
	stepCount := 0
	failedCount := 0  // steps that did not hold
	stoppedCount := 0 // scenarios that were not played to their end
	for _, outcome := range r.outcomes {
		stepCount += outcome.result.Steps
		failedCount += outcome.result.FailedSteps
		if outcome.err != nil {
			stoppedCount++
		}
	}

	line := fmt.Sprintf(
		"total: %s, %s",
		human.Plural(len(r.outcomes), "scenario"),
		human.Plural(stepCount, "step"),
	)
	if failedCount == 0 && stoppedCount == 0 {
		line += ", all held"
	}
	if failedCount > 0 {
		line += fmt.Sprintf(", %d did not hold", failedCount)
	}
	if stoppedCount > 0 {
		line += fmt.Sprintf(", %d stopped", stoppedCount)
	}
	if unplayedFiles > 0 {
		line += fmt.Sprintf(", %s not played", human.Plural(unplayedFiles, "file"))
	}
	return line
}
