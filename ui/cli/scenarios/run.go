package scenarios

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/scenario"
	"ephemera/core/suite"
	"ephemera/ui/cli/command"
)

func runCommand(app *command.App) *cobra.Command {
	r := &runner{App: app}
	var contractFile string
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Play scenarios and compare every answer",
		Long: `Plays scenarios, .yaml or .jsonl or .jsonl.gz, each on a new chain in memory, and
compares every answer with the one that the file expects. A directory means all
scenarios in it, except those in hidden directories; - means stdin. Prints a line
for each scenario, and a total. Stderr lists each expectation that failed as
file:line, expected and got, with the rules that the contract tried. With --json
it prints a line for each step and each scenario instead.

With --mutate the scenarios are played again with 28 wrong contracts, each wrong
in one rule: a mutant that no step notices survives. --coverage lists which rules
of the contract the scenarios exercise, and in which blocks. --shrink writes the
steps of FILE that its first failure needs.

With --db it plays on that database's collection as it is, and keeps every step:
rules and prefix must match, and time continues from the clock's block.`,
		Example: `  ephemera run -v --junit report.xml lessons
  ephemera run --json --filter lesson lessons
  ephemera run --mutate --coverage lessons`,
		Args: command.ArgCount(1, command.NoLimit, "one or more files"),
		RunE: app.Action(func(args []string) error {
			return r.runFiles(args, contractFile)
		}),
	}
	command.AddContractFlag(cmd, "contract", &contractFile, command.ContractUsage)
	flags := cmd.Flags()
	flags.BoolVarP(&r.isVerbose, "verbose", "v", false, "print a line for each step once it is durable: ok N, or not ok N")
	flags.StringVar(&r.junitFile, "junit", "", "write a JUnit report to `FILE`, with a test case for each step; an older report is replaced")

	// --force does nothing, because a report is always replaced. It is there for scripts that
	// give it. MarkHidden fails only for an unknown flag.
	flags.Bool("force", false, "")
	_ = flags.MarkHidden("force")

	// Add the flags about which scenarios are played, and how.
	flags.StringVar(&r.filter, "filter", "", "play only scenarios with `TEXT` in their name or file name")
	flags.BoolVar(&r.stopsAtFailure, "fail-fast", false, "stop at the first step that fails")
	flags.BoolVar(&r.allowsAll, "yes", false, "let --update write ok, or another kind of error, where an error was expected, without asking")
	flags.BoolVar(&r.updatesFiles, "update", false, "write the answers into the .yaml files, in place of the expected ones")
	flags.BoolVar(&r.updatesKinds, "update-kinds", false, "like --update, and write other kinds of errors without asking")

	// Add the flags about the scenarios as a test suite.
	flags.BoolVar(&r.wantsMutants, "mutate", false, "play against wrong contracts, and list those that no step notices")
	flags.StringSliceVar(&r.mutants, "mutants", nil, "like --mutate, with only the mutants of these `NAMES`")
	flags.BoolVar(&r.wantsCoverage, "coverage", false, "list the rules that messages exercise, those with gaps first")
	flags.BoolVar(&r.usesExitCode, "exit-code", false, "exit with status 1 if a mutant survives or there is a gap")
	flags.BoolVar(&r.wantsShrinking, "shrink", false, "write the shortest scenario that fails as FILE does to stdout")
	return cmd
}

// runner plays the scenarios of one run command.
type runner struct {
	*command.App
	isVerbose      bool           // --verbose: print a line for each step
	stopsAtFailure bool           // --fail-fast: stop at the first step that fails
	updatesFiles   bool           // --update: write the answers into the files
	updatesKinds   bool           // --update-kinds: --update may change the kind of a refusal
	allowsAll      bool           // --yes: --update may make every change
	stdinLines     *bufio.Scanner // answers to the questions of --update
	junitFile      string         // --junit: the report to write; empty for none, and - for stdout
	filter         string         // --filter: part of a file name or of a scenario's name; empty for all

	wantsMutants   bool     // --mutate: play the scenarios with wrong contracts, too
	mutants        []string // the names of --mutants; nil for all
	wantsCoverage  bool     // --coverage: list the rules that the scenarios exercise
	usesExitCode   bool     // --exit-code: a mutant that survives or a gap is status 1
	wantsShrinking bool     // --shrink: write the shortest scenario that fails alike

	module   *chain.Module     // the compiled contract of --contract, or nil for the built-in one
	outcomes []scenarioOutcome // of all scenarios so far, in the order of the files

	// Scenarios can be played in parallel.
	stepCount     atomic.Int64 // steps that were played so far, in all scenarios
	toldOfPassive atomic.Bool  // a scenario was named that relies on an older meaning of passive
}

// scenarioOutcome is the outcome of one scenario. A scenario with rows of values is played
// once for each row, and has an outcome for each.
type scenarioOutcome struct {
	file        string          // the name of the file in the output
	result      scenario.Result // what was played and what did not hold
	err         error           // why the scenario was not played to its end, or nil
	steps       []stepEvent     // the steps that were played, for --json and --junit
	stepStart   time.Time       // when the current step began
	updates     []string        // describe each expectation that --update wrote into the file
	story       suite.Story     // the steps that were played, for --mutate
	coverage    suite.Coverage  // the checks that the contract made, for --coverage
	coverageErr error           // of collecting the coverage
}

func (o scenarioOutcome) isOK() bool { return o.err == nil && o.result.OK() }

// onlyOutcomeWith returns a list of this outcome alone, with an error, for a file that has no
// other.
func (o scenarioOutcome) onlyOutcomeWith(err error) []scenarioOutcome {
	o.err = err
	return []scenarioOutcome{o}
}

// runFiles is the run command. It plays the scenarios in the named files and directories,
// and writes the JUnit report. With --shrink it shrinks a scenario instead.
func (r *runner) runFiles(names []string, contractFile string) error {
	r.stdinLines = bufio.NewScanner(r.Stdin)
	r.updatesFiles = r.updatesFiles || r.updatesKinds
	if r.updatesFiles && slices.Contains(names, "-") {
		return command.UsageErrorf("--update: expected a file to write answers into, got stdin")
	}
	if err := r.checkFlagCombination(contractFile); err != nil {
		return err
	}
	if r.wantsShrinking {
		return r.shrinkFile(names)
	}

	// Find the scenarios and the contract before anything is played.
	files, err := scenarioFiles(names)
	if err != nil {
		return err
	}
	r.module, err = command.ReadModule(contractFile)
	if err != nil {
		return err
	}

	// With a later garbage collection, scenarios are played a quarter faster, with some 15 MB
	// more memory.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	playErr := r.playAll(files)

	// The report is also written if scenarios failed.
	switch r.junitFile {
	case "":
		return playErr
	case "-":
		err = r.Write(func(w *bufio.Writer) error { return writeJUnit(w, r.outcomes) })
	default:
		err = command.WriteSharedFile(r.junitFile, func(w io.Writer) error {
			return writeJUnit(w, r.outcomes)
		})
	}
	return errors.Join(playErr, err)
}

// scenarioFiles returns the named files and the scenarios below the named directories, except
// in hidden ones such as .github. It also returns a named file that does not exist, so that
// playing it reports the error. It fails if it finds no file.
func scenarioFiles(names []string) (files []string, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			files = append(files, name)
			continue
		}

		err = filepath.WalkDir(name, func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return command.ReadError(path, err)
			}
			if entry.IsDir() && path != name && strings.HasPrefix(entry.Name(), ".") {
				return filepath.SkipDir
			}
			_, err = scenario.FormatOf(path)
			if err == nil && !entry.IsDir() {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, command.UsageErrorf(
			"%s: holds no scenario, expected files that end in .yaml, .yml, .jsonl or .jsonl.gz",
			command.JoinNames(names),
		)
	}
	return files, nil
}

// playAll plays the scenarios in the files and prints their outcomes in the order of the
// files. It continues after a scenario that fails, unless --fail-fast is set or the user
// interrupts it. With --mutate or --coverage it judges the scenarios last, if all of them
// hold.
func (r *runner) playAll(files []string) error {
	var errs []error
	hasFailed := false // whether a step of any scenario did not hold
	unplayedFiles := len(files)
	waitForFile := r.startPlaying(files)
	for i := range files {
		outcomes := waitForFile(i)
		if len(outcomes) == 0 { // --filter leaves the file out
			continue
		}
		unplayedFiles--

		// Keep the outcomes, and print them. If the scenarios are to be judged as a test
		// suite, print only those that prevent that.
		hasFailedHere := false // whether a scenario of this file did not hold or was stopped
		for _, outcome := range outcomes {
			r.outcomes = append(r.outcomes, outcome)
			hasFailed = hasFailed || !outcome.result.OK()
			hasFailedHere = hasFailedHere || !outcome.isOK()
			errs = append(errs, outcome.err)
			if !r.judgesSuite() || !outcome.isOK() {
				errs = append(errs, r.printOutcome(outcome))
			}
		}
		if r.Ctx.Err() != nil || r.stopsAtFailure && hasFailedHere {
			break
		}
	}

	if len(r.outcomes) == 0 {
		return command.UsageErrorf("--filter: no scenario has %q in its name", r.filter)
	}
	if !r.Global.JSON && !r.judgesSuite() {
		_, err := fmt.Fprintln(r.TextOut(), r.describeTotal(unplayedFiles))
		errs = append(errs, err)
	}
	if hasFailed {
		errs = append(errs, &command.SilentExit{Status: command.StatusRefused})
	}

	// Only scenarios that hold with the true contract are judged as a test suite.
	if err := errors.Join(errs...); err != nil || !r.judgesSuite() {
		return err
	}
	var err error
	if r.wantsCoverage {
		err = r.printCoverage()
	}
	if r.wantsMutants {
		err = errors.Join(err, r.tryMutants())
	}
	return err
}
