package scenarios

import (
	"bufio"
	"context"
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

// mutantEvent is what the suite does with a mutant, in the output of --json.
type mutantEvent struct {
	Event    string `wire:"event"` // "mutant"
	Mutant   string `wire:"mutant"`
	Believes string `wire:"believes"`
	Killed   bool   `wire:"killed"`
	// File, Line and Step are the step that kills the mutant.
	File string `wire:"file,optional"`
	Line uint64 `wire:"line,optional"`
	Step uint64 `wire:"step,optional"`
	// Killer is a scenario in YAML that would kill a mutant that survives.
	Killer *string `wire:"killer"`
}

// mutantsEvent is the last event of --mutate.
type mutantsEvent struct {
	Event  string `wire:"event"` // "mutants"
	Killed uint64 `wire:"killed"`
	Tried  uint64 `wire:"tried"`
}

// coverageEvent says how many messages met one state of a rule, in the output of --json.
type coverageEvent struct {
	Event    string              `wire:"event"` // "coverage"
	Message  string              `wire:"message"`
	Rule     cw721.Rule          `wire:"rule"`
	State    scenario.CheckState `wire:"state"`
	Messages uint64              `wire:"messages"`
}

// judgesSuite reports whether the scenarios are played to judge them. A scenario that holds is
// not printed then.
func (r *runner) judgesSuite() bool { return r.mutate || r.coverage }

// checkJudging fails for options that exclude each other. Mutants and coverage are those of
// the built-in contract, on a chain of each scenario's own.
func (r *runner) checkJudging(contractFile string) error {
	r.mutate = r.mutate || len(r.mutants) > 0
	isElsewhere := r.Global.OnDisk || contractFile != ""
	switch {
	case r.judgesSuite() && (isElsewhere || r.update):
		return command.UsageErrorf("--mutate, --coverage: expected no --db, --contract or --update beside them")
	case r.shrink && (r.judgesSuite() || r.Global.OnDisk || r.update):
		return command.UsageErrorf("--shrink: expected no --mutate, --coverage, --db or --update beside it")
	}
	return nil
}

// keepForJudging returns a function that keeps a played step for --mutate, counts the rules
// that it exercises for --coverage, and then calls onStep, which can be nil.
func (r *runner) keepForJudging(end *ending, onStep func(scenario.PlayedStep)) func(scenario.PlayedStep) {
	end.coverage = suite.Coverage{}
	return func(p scenario.PlayedStep) {
		if r.mutate {
			end.story.Steps = append(end.story.Steps, *p.Step)
		}
		if r.coverage {
			end.coverageErr = errors.Join(end.coverageErr, end.coverage.Add(p))
		}
		if onStep != nil {
			onStep(p)
		}
	}
}

// judge prints the coverage of the suite and tries mutants with it, as the options say. All
// scenarios hold with the true contract.
func (r *runner) judge(ctx context.Context) error {
	var errs []error
	if r.coverage {
		errs = append(errs, r.printCoverage())
	}
	if r.mutate {
		errs = append(errs, r.tryMutants(ctx))
	}
	return errors.Join(errs...)
}

// chosenMutants returns the mutants of --mutants, or all.
func (r *runner) chosenMutants() ([]mutant.Mutant, error) {
	if len(r.mutants) == 0 {
		return mutant.All(), nil
	}
	var chosen []mutant.Mutant
	for _, name := range r.mutants {
		m, err := mutant.Find(name)
		if err != nil {
			return nil, command.UsageErrorf("--mutants: %v", err)
		}
		chosen = append(chosen, m)
	}
	return chosen, nil
}

// tryMutants plays the suite with each mutant and prints which step kills it. For a mutant
// that survives it prints a scenario that would kill it.
func (r *runner) tryMutants(ctx context.Context) error {
	mutants, err := r.chosenMutants()
	if err != nil {
		return err
	}
	var stories []suite.Story
	for _, end := range r.ends {
		stories = append(stories, end.story)
	}
	trials, err := suite.Try(ctx, stories, mutants)
	if err != nil {
		return err
	}
	if len(trials) == 0 {
		return command.UsageErrorf("--mutants: no scenario has the rules %s, in which alone they exist", mutants[0].Rules)
	}

	survivors := slices.DeleteFunc(slices.Clone(trials), func(t suite.Trial) bool { return t.Killer != nil })
	killers := map[string]string{}
	for _, survivor := range survivors {
		if killers[survivor.Mutant.Name], err = suite.Killer(survivor.Mutant); err != nil {
			return err
		}
	}
	if r.Global.JSON {
		err = r.printMutantEvents(trials, killers)
	} else {
		err = r.WriteText(func(w *bufio.Writer) error { return writeMutants(w, trials, killers) })
	}
	return command.RefusedIf(r.exitCode && len(survivors) > 0, err)
}

// writeMutants writes a line for each mutant, the verdict, and a killer of each survivor.
func writeMutants(w io.Writer, trials []suite.Trial, killers map[string]string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MUTANT\tKILLED BY")
	for _, trial := range trials {
		killedBy := "survives"
		if place := trial.Killer; place != nil {
			killedBy = fmt.Sprintf("%s:%d: step %d", widget.Safe(place.File), place.Line, place.Step)
		}
		fmt.Fprintf(table, "%s\t%s\n", trial.Mutant.Name, killedBy)
	}
	if err := table.Flush(); err != nil {
		return err
	}

	fmt.Fprintf(w, "\n%d of %s killed\n", len(trials)-len(killers), human.Plural(len(trials), "mutant"))
	for _, trial := range trials {
		if trial.Killer == nil {
			fmt.Fprintf(w, "\nNo step notices a contract by which %s.\nThis scenario does:\n\n%s", trial.Mutant.Belief, killers[trial.Mutant.Name])
		}
	}
	return nil
}

// printMutantEvents prints an event for each mutant, and one for all.
func (r *runner) printMutantEvents(trials []suite.Trial, killers map[string]string) error {
	for _, trial := range trials {
		event := mutantEvent{Event: "mutant", Mutant: trial.Mutant.Name, Believes: trial.Mutant.Belief}
		if place := trial.Killer; place != nil {
			event.Killed = true
			event.File = place.File
			event.Line = uint64(place.Line)
			event.Step = uint64(place.Step)
		} else {
			event.Killer = new(killers[trial.Mutant.Name])
		}
		if err := r.Answer(event, nil); err != nil {
			return err
		}
	}
	killed := len(trials) - len(killers)
	return r.Answer(mutantsEvent{Event: "mutants", Killed: uint64(killed), Tried: uint64(len(trials))}, nil)
}

// printCoverage prints how often the suite exercises each rule of the contract.
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
	rows, err := coverage.Rows(ruleSets)
	if err != nil {
		return err
	}

	if r.Global.JSON {
		err = r.printCoverageEvents(rows)
	} else {
		err = r.WriteText(func(w *bufio.Writer) error { return writeCoverage(w, rows) })
	}
	hasGaps := slices.ContainsFunc(rows, func(row suite.CoverageRow) bool { return row.Gaps() > 0 })
	return command.RefusedIf(r.exitCode && hasGaps, err)
}

// writeCoverage writes a line for each message and rule, with a column for each state.
func writeCoverage(w io.Writer, rows []suite.CoverageRow) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "MESSAGE\tRULE")
	for _, state := range suite.States {
		fmt.Fprintf(table, "\t%s", strings.ToUpper(string(state)))
	}

	gaps, cases := 0, 0
	for _, row := range rows {
		fmt.Fprintf(table, "\n%s\t%s", widget.Safe(row.Message), row.Rule)
		gaps += row.Gaps()
		cases += len(row.Counts)
		for _, state := range suite.States {
			count, isPossible := row.Counts[state]
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
	fmt.Fprintf(table, "\n\n%d of %s exercised\n", cases-gaps, human.Plural(cases, "case"))
	return table.Flush()
}

// printCoverageEvents prints an event for each state of each row.
func (r *runner) printCoverageEvents(rows []suite.CoverageRow) error {
	for _, row := range rows {
		for _, state := range suite.States {
			count, isPossible := row.Counts[state]
			if !isPossible {
				continue
			}
			event := coverageEvent{Event: "coverage", Message: row.Message, Rule: row.Rule, State: state, Messages: uint64(count)}
			if err := r.Answer(event, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// shrinkFile prints the smallest scenario that fails as a file does, in the format of the
// file, and on stderr how much smaller it is.
func (r *runner) shrinkFile(ctx context.Context, names []string, contractFile string) error {
	if len(names) != 1 {
		return command.UsageErrorf("--shrink: expected one file, got %d", len(names))
	}
	file, err := r.ScenarioInput(names[0])
	if err != nil {
		return err
	}
	defer file.Close()
	whole, err := scenario.Load(file.Name(), file)
	if err != nil {
		return err
	}
	module, err := command.ReadModule(contractFile)
	if err != nil {
		return err
	}

	options := scenario.Options{Open: r.OpenInMemory, Module: module, Import: importNextTo(file.Name())}
	small, replays, err := scenario.ShrinkFailure(ctx, *whole, options)
	if errors.Is(err, scenario.ErrNoFailure) {
		return command.UsageErrorf("%s: %v", file.Name(), err)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(r.Stderr, "%s: %d of %s left, after %s\n", widget.Safe(file.Name()),
		len(small.Steps), human.Plural(len(whole.Steps), "step"), human.Plural(replays, "replay"))

	format := scenario.Lines
	if isYAML(file.Name()) {
		format = scenario.YAML
	}
	return r.Write(func(w *bufio.Writer) error { return small.Write(w, format) })
}
