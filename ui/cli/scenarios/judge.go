package scenarios

import (
	"bufio"
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
// that is wrong in one rule. It is killed if a step of a scenario does not hold with it.
type mutantsEvent struct {
	Event          string        `wire:"event"` // "mutants"
	Killed         uint64        `wire:"killed"`
	Trials         []suite.Trial `wire:"mutants"`
	UntriedMutants []string      `wire:"not_tried,optional"` // they exist only in rule sets that no scenario has
}

// coverageEvent is the outcome of --coverage in the output of --json.
type coverageEvent struct {
	Event string       `wire:"event"` // "coverage"
	Gaps  uint64       `wire:"gaps"`  // the number of cases that no message exercises
	Cases []suite.Case `wire:"cases"`
}

// judgesSuite reports whether the output is about how good the scenarios are as tests. Only
// scenarios that fail are then printed.
func (r *runner) judgesSuite() bool { return r.wantsMutants || r.wantsCoverage }

// checkFlagCombination fails for options that exclude each other. --mutate, which --mutants
// implies, --coverage and --shrink play scenarios on new chains with the built-in contract,
// so they go with no database, compiled contract or --update.
func (r *runner) checkFlagCombination(contractFile string) error {
	r.wantsMutants = r.wantsMutants || r.mutants != nil
	if r.mutants != nil && len(r.mutants) == 0 {
		return command.UsageErrorf("--mutants: expected names of mutants, got none")
	}
	if r.usesExitCode && !r.judgesSuite() {
		return command.UsageErrorf("--exit-code: expected --mutate, --mutants or --coverage beside it")
	}
	playsOnNewChains := r.judgesSuite() || r.wantsShrinking
	hasOtherOption := r.Global.OnDisk || r.updatesFiles || contractFile != ""
	if playsOnNewChains && hasOtherOption {
		return command.UsageErrorf("--mutate, --coverage, --shrink: expected no --db, --update or --contract beside them")
	}
	return nil
}

// tryMutants plays the scenarios with each mutant that --mutants names, or with all of them, and
// prints which step kills each. With --exit-code it refuses if a mutant survives.
func (r *runner) tryMutants() error {
	var mutants []mutant.Mutant
	for _, name := range r.mutants {
		m, err := mutant.Find(name)
		if err != nil {
			return command.UsageErrorf("--mutants: %v", err)
		}
		mutants = append(mutants, m)
	}
	if len(mutants) == 0 {
		mutants = mutant.All()
	}

	var stories []suite.Story
	for _, outcome := range r.outcomes {
		stories = append(stories, outcome.story)
	}
	trials, err := suite.TryMutants(r.Ctx, stories, mutants)
	if err != nil {
		return err
	}
	if len(trials) == 0 {
		return command.UsageErrorf(
			"--mutants: no scenario has the rules %s, which they need",
			mutants[0].Rules,
		)
	}

	event := mutantsEvent{Event: "mutants", Trials: trials}
	for _, trial := range trials {
		if trial.KilledBy != nil {
			event.Killed++
		}
	}

	for _, m := range mutants {
		if !slices.ContainsFunc(trials, func(t suite.Trial) bool { return t.Mutant == m.Name }) {
			event.UntriedMutants = append(event.UntriedMutants, m.Name)
		}
	}
	err = r.AnswerOr(event, func(w *bufio.Writer) { writeMutants(w, event) })
	return command.RefusedIf(r.usesExitCode && int(event.Killed) < len(trials), err)
}

// writeMutants writes a table of the mutants, how many were killed, and for each survivor a
// scenario that would kill it.
func writeMutants(w io.Writer, event mutantsEvent) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "MUTANT\tKILLED BY")
	for _, trial := range event.Trials {
		killedBy := "survives"
		if killer := trial.KilledBy; killer != nil {
			killedBy = fmt.Sprintf("%s:%d: step %d", widget.Safe(killer.File), killer.Line, killer.Step)
		}
		fmt.Fprintf(table, "%s\t%s\n", trial.Mutant, killedBy)
	}
	table.Flush()

	// Write the summary and the survivors below the table.
	fmt.Fprintf(w, "\n%d of %s killed\n", event.Killed, human.Plural(len(event.Trials), "mutant"))
	if len(event.UntriedMutants) > 0 {
		fmt.Fprintf(
			w,
			"not tried, as no scenario has their rules: %s\n",
			command.JoinNames(event.UntriedMutants),
		)
	}
	for _, trial := range event.Trials {
		if trial.KilledBy != nil {
			continue
		}
		fmt.Fprintf(
			w,
			"\nNo step notices a contract by which %s.\nThis scenario does:\n\n%s",
			trial.MutantBelief,
			trial.KillingScenario,
		)
	}
}

// printCoverage prints how many messages of the scenarios exercise each case of the
// contract's permissions. With --exit-code it refuses if there is a gap: a case that no
// message exercises.
func (r *runner) printCoverage() error {
	coverage := suite.Coverage{}
	var ruleSets []cw721.Rules
	for _, outcome := range r.outcomes {
		if outcome.coverageErr != nil {
			return outcome.coverageErr
		}
		coverage.Merge(outcome.coverage)
		ruleSets = append(ruleSets, outcome.result.Rules)
	}

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
	return command.RefusedIf(r.usesExitCode && event.Gaps > 0, err)
}

// writeCoverage writes a table with a line for each message and rule, those with a gap first,
// and a column for each state of a check. A cell has the number of messages, "gap" for none,
// or "-" for an impossible case. The number of cases follows.
func writeCoverage(w io.Writer, event coverageEvent) {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(table, "MESSAGE\tRULE")
	for _, state := range scenario.CheckStates {
		fmt.Fprintf(table, "\t%s", strings.ToUpper(string(state)))
	}

	// A line of the table needs the cases of a message and a rule in all states. They are not
	// next to each other in event.Cases, so index their counts by message, rule and state.
	counts := suite.Coverage{}
	for _, counted := range event.Cases {
		key := counted
		key.Count = 0
		counts[key] = counted.Count
	}

	// Write a line for a message and a rule when they occur for the first time.
	isWritten := map[suite.Case]bool{} // the keys have only a message and a rule
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
	exercised := len(event.Cases) - int(event.Gaps)
	fmt.Fprintf(table, "\n\n%d of %s exercised\n", exercised, human.Plural(len(event.Cases), "case"))
	table.Flush()
}
