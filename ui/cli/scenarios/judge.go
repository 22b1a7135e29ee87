package scenarios

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/mutant"
	"ephemera/core/scenario"
	"ephemera/core/suite"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// mutantsEvent is the outcome of --mutate in the output of --json. A mutant is a contract
// that is wrong in one way; it is killed if a scenario fails on it.
type mutantsEvent struct {
	Event  string        `wire:"event"` // "mutants"
	Killed uint64        `wire:"killed"`
	Trials []suite.Trial `wire:"mutants"`
	// NotTried are the mutants of rule sets that no scenario has.
	NotTried []string `wire:"not_tried,optional"`
}

// coverageEvent is the outcome of --coverage in the output of --json.
type coverageEvent struct {
	Event string       `wire:"event"` // "coverage"
	Gaps  uint64       `wire:"gaps"`
	Cases []suite.Case `wire:"cases"`
}

// judgesSuite reports whether the scenarios are played to judge them. A scenario that holds is
// not printed then.
func (r *runner) judgesSuite() bool { return r.mutate || r.coverage }

// checkModes fails for options that exclude each other. Mutants, coverage and shrinking play
// scenarios on new chains with the built-in contract, so neither a database nor a compiled
// contract nor an update goes with them.
func (r *runner) checkModes(contractFile string) error {
	r.mutate = r.mutate || len(r.mutants) > 0
	isElsewhere := r.Global.OnDisk || r.update || contractFile != ""
	if isElsewhere && (r.judgesSuite() || r.shrink) {
		return command.UsageErrorf("--mutate, --coverage, --shrink: expected no --db, --update or --contract beside them")
	}
	return nil
}

// judge prints the coverage of the suite and tries mutants with it, as the options say. All
// scenarios hold with the true contract.
func (r *runner) judge() error {
	var err error
	if r.coverage {
		err = r.printCoverage()
	}
	if r.mutate {
		err = errors.Join(err, r.tryMutants())
	}
	return err
}

// tryMutants plays the suite with the mutants of --mutants, or with all, and prints which step
// kills each.
func (r *runner) tryMutants() error {
	mutants := mutant.All()
	if len(r.mutants) > 0 {
		mutants = nil // only those that are named
	}
	for _, name := range r.mutants {
		m, err := mutant.Find(name)
		if err != nil {
			return command.UsageErrorf("--mutants: %v", err)
		}
		mutants = append(mutants, m)
	}

	var stories []suite.Story
	for _, end := range r.ends {
		stories = append(stories, end.story)
	}

	trials, err := suite.Try(r.Ctx, stories, mutants)
	if err != nil {
		return err
	}
	if len(trials) == 0 {
		return command.UsageErrorf("--mutants: no scenario has the rules %s, which they need", mutants[0].Rules)
	}
	event := mutantsEvent{Event: "mutants", Trials: trials}
	for _, trial := range trials {
		if trial.KilledBy != nil {
			event.Killed++
		}
	}

	// Mutants of rule sets that no story has are missing in the trials.
	for _, m := range mutants {
		isTried := slices.ContainsFunc(trials, func(t suite.Trial) bool { return t.Mutant == m.Name })
		if !isTried {
			event.NotTried = append(event.NotTried, m.Name)
		}
	}
	err = r.AnswerOr(event, func(w *bufio.Writer) { writeMutants(w, event) })
	return command.RefusedIf(r.exitCode && int(event.Killed) < len(trials), err)
}

// writeMutants writes a line for each mutant, the verdict, and a killer of each survivor.
func writeMutants(w io.Writer, event mutantsEvent) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MUTANT\tKILLED BY")
	for _, trial := range event.Trials {
		killedBy := "survives"
		if place := trial.KilledBy; place != nil {
			killedBy = fmt.Sprintf("%s:%d: step %d", widget.Safe(place.File), place.Line, place.Step)
		}
		fmt.Fprintf(table, "%s\t%s\n", trial.Mutant, killedBy)
	}
	table.Flush()

	// The summary and the survivors follow below the table.
	fmt.Fprintf(w, "\n%d of %s killed\n", event.Killed, human.Plural(len(event.Trials), "mutant"))
	if len(event.NotTried) > 0 {
		fmt.Fprintf(w, "not tried, as no scenario has their rules: %s\n", strings.Join(event.NotTried, ", "))
	}
	for _, trial := range event.Trials {
		if trial.KilledBy == nil {
			fmt.Fprintf(w, "\nNo step notices a contract by which %s.\nThis scenario does:\n\n%s", trial.Belief, trial.Killer)
		}
	}
}

// printCoverage prints how often the suite exercises each case of the contract's permissions.
func (r *runner) printCoverage() error {
	coverage := suite.Coverage{}
	var ruleSets []cw721.Rules
	for _, end := range r.ends {
		if end.coverageErr != nil {
			return end.coverageErr
		}
		coverage.Merge(end.coverage)
		ruleSets = append(ruleSets, end.result.Rules)
	}

	// A case that was never reached is a gap.
	cases, err := coverage.Cases(ruleSets)
	if err != nil {
		return err
	}

	event := coverageEvent{Event: "coverage", Cases: cases}
	for _, counted := range cases {
		if counted.Count == 0 {
			event.Gaps++
		}
	}
	err = r.AnswerOr(event, func(w *bufio.Writer) { writeCoverage(w, event) })
	return command.RefusedIf(r.exitCode && event.Gaps > 0, err)
}

// writeCoverage writes a line for each message and rule, those with a gap first, with a column
// for each state, and the number of cases that are exercised.
func writeCoverage(w io.Writer, event coverageEvent) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "MESSAGE\tRULE")
	for _, state := range scenario.CheckStates {
		fmt.Fprintf(table, "\t%s", strings.ToUpper(string(state)))
	}

	// A table line needs the counts of a message and a rule in all states, but the cases are
	// in another order.
	counts := suite.Coverage{}
	for _, counted := range event.Cases {
		counts[suite.Case{Message: counted.Message, Rule: counted.Rule, State: counted.State}] = counted.Count
	}

	isWritten := map[suite.Case]bool{} // by message and rule; the other fields are zero
	for _, counted := range event.Cases {
		row := suite.Case{Message: counted.Message, Rule: counted.Rule}
		if isWritten[row] {
			continue
		}
		isWritten[row] = true
		fmt.Fprintf(table, "\n%s\t%s", widget.Safe(row.Message), row.Rule)
		for _, state := range scenario.CheckStates {
			row.State = state
			count, isPossible := counts[row]
			switch {
			case !isPossible:
				fmt.Fprint(table, "\t-")
			case count == 0:
				fmt.Fprint(table, "\tgap")
			default:
				fmt.Fprintf(table, "\t%d", count)
			}
		}
	}
	fmt.Fprintf(table, "\n\n%d of %s exercised\n", len(event.Cases)-int(event.Gaps), human.Plural(len(event.Cases), "case"))
	table.Flush()
}

// shrinkFile prints the smallest scenario that fails as a file does, in the format of the
// file, and on stderr how much smaller it is. Of a scenario with rows it shrinks the first row
// that fails, with the values of the row put in.
func (r *runner) shrinkFile(names []string) error {
	if len(names) != 1 {
		return command.UsageErrorf("--shrink: expected one file, got %d", len(names))
	}
	file, err := r.ScenarioInput(names[0])
	if err != nil {
		return err
	}
	defer file.Close()
	reader, err := scenario.Open(file.Name(), file)
	if err != nil {
		return err
	}

	rows := reader.Rows()
	if len(rows) == 0 {
		return r.shrinkStory(reader, "")
	}
	for i, name := range rows {
		if err := reader.StartRow(i); err != nil {
			return err
		}
		err := r.shrinkStory(reader, ", "+name)
		if !errors.Is(err, scenario.ErrNoFailure) {
			return err
		}
	}
	return command.UsageErrorf("%s: %v", reader.File, scenario.ErrNoFailure)
}

// shrinkStory shrinks the rest of a scenario, or of a row, whose name follows that of the file
// in the line on stderr. It fails with an error that wraps [scenario.ErrNoFailure] if all
// steps hold.
func (r *runner) shrinkStory(reader *scenario.Reader, row string) error {
	whole, err := reader.ReadAll()
	if err != nil {
		return err
	}
	small, replays, err := scenario.ShrinkFailure(r.Ctx, *whole, scenario.Options{Open: r.OpenInMemory, Import: importNextTo(reader.File)})
	if errors.Is(err, scenario.ErrNoFailure) {
		return &command.UsageError{Text: fmt.Sprintf("%s: %v", reader.File, err), Err: err}
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "%s: %d of %s left, after %s\n", widget.Safe(reader.File+row),
		len(small.Steps), human.Plural(len(whole.Steps), "step"), human.Plural(replays, "replay"))

	format := scenario.Lines
	if isYAML(reader.File) {
		format = scenario.YAML
	}
	return r.Write(func(w *bufio.Writer) error { return small.Write(w, format) })
}
