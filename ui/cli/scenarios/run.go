package scenarios

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/core/suite"
	"ephemera/ui/cli/command"
	"ephemera/ui/widget"
)

// runCommand makes the command that plays scenarios and compares every answer with what
// the file expects.
func runCommand(a *command.App) *cobra.Command {
	r := &runner{App: a}
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
		Args: command.ArgCount(1, -1, "one or more files"),
		RunE: a.Action(func(args []string) error {
			return r.runFiles(args, contractFile)
		}),
	}
	command.ContractFlag(cmd, "contract", &contractFile, command.ContractUsage)
	flags := cmd.Flags()
	flags.BoolVarP(&r.verbose, "verbose", "v", false, "print a line for each step once it is durable: ok N, or not ok N")
	flags.StringVar(&r.junitFile, "junit", "", "write a JUnit report to `FILE`, with a test case for each step; an older report is replaced")
	flags.Bool("force", false, "")
	_ = flags.MarkHidden("force") // scripts give it, and a report is replaced anyway; fails only for an unknown flag
	flags.StringVar(&r.filter, "filter", "", "play only scenarios with `TEXT` in their name or file name")
	flags.BoolVar(&r.failFast, "fail-fast", false, "stop at the first step that fails")
	flags.BoolVar(&r.allowsRefused, "yes", false, "let --update write ok where a refusal was expected, without asking")
	flags.BoolVar(&r.update, "update", false, "write the answers into the .yaml files, in place of the expected ones")
	flags.BoolVar(&r.mutate, "mutate", false, "play against wrong contracts, and list those that no step notices")
	flags.StringSliceVar(&r.mutants, "mutants", nil, "like --mutate, with only the mutants of these `NAMES`")
	flags.BoolVar(&r.coverage, "coverage", false, "list the rules that messages exercise, those with gaps first")
	flags.BoolVar(&r.exitCode, "exit-code", false, "exit with status 1 if a mutant survives or there is a gap")
	flags.BoolVar(&r.shrink, "shrink", false, "write the shortest scenario that fails as FILE does to stdout")
	return cmd
}

// runner plays the scenarios of one run command.
type runner struct {
	*command.App
	verbose  bool // --verbose: print a line for each step
	failFast bool // --fail-fast: stop at the first step that fails
	update   bool // --update: write the answers into the files
	// allowsRefused is --yes: --update may turn an expected refusal into ok.
	allowsRefused bool
	replies       *bufio.Scanner // the lines of stdin that answer questions of --update
	junitFile     string         // the report to write; empty for none
	filter        string         // the text of --filter; empty for all scenarios

	mutate   bool     // --mutate: play the scenarios with wrong contracts, too
	mutants  []string // the names of --mutants; empty for all
	coverage bool     // --coverage: list the rules that the scenarios exercise
	exitCode bool     // --exit-code: a mutant that survives or a gap is status 1
	shrink   bool     // --shrink: write the shortest scenario that fails alike

	module    *chain.Module // nil for the built-in contract
	ends      []ending
	stepCount atomic.Int64 // of all scenarios that are played at a time
}

// ending is the outcome of one scenario, or of one row of a scenario that has rows.
type ending struct {
	file   string          // the name in what is printed
	result scenario.Result // what was played and what did not hold
	err    error           // why the scenario was not played to its end, or nil
	// steps are kept for the reports of --json and --junit. stepStart is when the next one
	// began.
	steps     []stepEvent
	stepStart time.Time
	// updates describes each expectation that --update wrote into the file.
	updates []string
	// story and coverage are what --mutate and --coverage judge.
	story       suite.Story
	coverage    suite.Coverage
	coverageErr error // of counting the coverage
}

// isOK reports whether the scenario was played to its end and every step held.
func (e ending) isOK() bool { return e.err == nil && e.result.OK() }

// stoppedBy returns the ending alone. err is why the scenario was not played to its end, or
// nil.
func (e *ending) stoppedBy(err error) []ending {
	e.err = err
	return []ending{*e}
}

// garbagePercent is the percentage of garbage that a run collects before the garbage
// collector starts. It makes a run a quarter faster, for some 15 MB.
const garbagePercent = 400

// runFiles plays the scenarios in files and directories, and writes the JUnit report.
func (r *runner) runFiles(names []string, contractFile string) error {
	r.replies = bufio.NewScanner(r.Stdin)
	if r.update && slices.Contains(names, "-") {
		return command.UsageErrorf("--update: expected a file to write answers into, got stdin")
	}
	if err := r.checkModes(contractFile); err != nil {
		return err
	}
	if r.shrink {
		return r.shrinkFile(names)
	}

	// Find the scenarios and the contract before anything is played.
	files, err := scenarioFiles(names)
	if err != nil {
		return err
	}
	if r.module, err = command.ReadModule(contractFile); err != nil {
		return err
	}

	// Play them, and write the report also if some failed.
	defer debug.SetGCPercent(debug.SetGCPercent(garbagePercent))
	err = r.playAll(files)
	if r.junitFile == "" {
		return err
	}
	if r.junitFile == "-" {
		return errors.Join(err, r.Write(func(w *bufio.Writer) error { return writeJUnit(w, r.ends) }))
	}
	return errors.Join(err, command.WriteSharedFile(r.junitFile, func(w io.Writer) error { return writeJUnit(w, r.ends) }))
}

// scenarioFiles returns the named files, and the scenarios in the named directories, but
// not those in hidden directories such as .github. A file that does not exist is returned,
// too: playing it fails.
func scenarioFiles(names []string) (files []string, err error) {
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			files = append(files, name)
			continue
		}

		// A directory stands for the scenarios in it.
		err := filepath.WalkDir(name, func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return command.Unreadable(path, err)
			}
			isHidden := path != name && strings.HasPrefix(entry.Name(), ".")
			if isHidden && entry.IsDir() {
				return filepath.SkipDir
			}
			if _, err := scenario.FormatOf(path); err == nil && !entry.IsDir() {
				files = append(files, path)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(files) == 0 {
		return nil, command.UsageErrorf("%s: holds no scenario, expected files that end in .yaml, .yml, .jsonl or .jsonl.gz", strings.Join(names, ", "))
	}
	return files, nil
}

// playAll plays the files and prints their endings in the order of the files. It goes
// on after a scenario that fails, but not after an interruption or with --fail-fast.
func (r *runner) playAll(files []string) error {
	var errs []error
	hasFailed := false // whether a step of any scenario did not hold
	unplayedFiles := len(files)
	wait := r.start(files)
	for i := range files {
		ends := wait(i)
		if len(ends) == 0 { // --filter leaves the file out
			continue
		}
		unplayedFiles--
		hasFailedHere := false
		for _, end := range ends {
			r.ends = append(r.ends, end)
			hasFailed = hasFailed || !end.result.OK()
			hasFailedHere = hasFailedHere || !end.isOK()
			errs = append(errs, end.err)
			if !r.judgesSuite() || !end.isOK() {
				errs = append(errs, r.print(end))
			}
		}
		stopsAtFailure := r.failFast && hasFailedHere
		if r.Ctx.Err() != nil || stopsAtFailure {
			break
		}
	}

	if len(r.ends) == 0 {
		return command.UsageErrorf("--filter: no scenario has %q in its name", r.filter)
	}
	if !r.Global.JSON && !r.judgesSuite() {
		_, err := fmt.Fprintln(r.TextOut(), r.total(unplayedFiles))
		errs = append(errs, err)
	}
	if hasFailed {
		errs = append(errs, &command.SilentExit{Exit: command.Refused})
	}

	// Only a suite that holds with the true contract is judged.
	if err := errors.Join(errs...); err != nil || !r.judgesSuite() {
		return err
	}
	return r.judge()
}

// start returns a function that waits for the endings of file i. It must be called once
// for each file, in their order. Scenarios on chains of their own are played in
// parallel, one for each processor. Scenarios on one database, scenarios whose steps are
// printed as they end, and those about which --update asks are played one after the other.
func (r *runner) start(files []string) (wait func(i int) []ending) {
	isSerial := r.verbose || r.failFast || r.update || r.Global.OnDisk
	if isSerial || len(files) == 1 {
		return func(i int) []ending { return r.play(files[i]) }
	}

	// Each file has a channel with room for its endings, so that a player never waits for the
	// caller.
	ends := make([]chan []ending, len(files))
	for i := range ends {
		ends[i] = make(chan []ending, 1)
	}
	processors := make(chan struct{}, runtime.GOMAXPROCS(0)) // full while all processors play
	go func() {
		for i, file := range files {
			processors <- struct{}{}
			go func() {
				ends[i] <- r.play(file)
				<-processors
			}()
		}
	}()
	return func(i int) []ending { return <-ends[i] }
}

// play plays the scenario in a file, and returns its ending. It returns an ending for each
// row of a scenario that has rows, and none for a scenario that --filter leaves out.
func (r *runner) play(name string) (ends []ending) {
	end := ending{file: name, result: scenario.Result{Name: name}}
	file, err := r.ScenarioInput(name)
	if err != nil {
		return end.stoppedBy(err)
	}
	defer file.Close()
	end.file = file.Name()
	reader, err := scenario.Open(end.file, file)
	if err != nil {
		return end.stoppedBy(err)
	}
	if !r.matchesFilter(end.file, reader.Header.Name) {
		return nil
	}

	// A file without rows is one story, and otherwise each row is a story.
	isStdin := name == "-"
	rows := reader.Rows()
	if len(rows) == 0 {
		return end.stoppedBy(r.playStory(&end, reader, isStdin))
	}
	if r.update || r.Global.OnDisk {
		return end.stoppedBy(command.UsageErrorf("%s: has rows, which --update and --db cannot play", end.file))
	}
	for i := range rows {
		row := ending{file: end.file}
		row.err = reader.StartRow(i)
		if row.err == nil {
			row.err = r.playStory(&row, reader, isStdin)
		}
		ends = append(ends, row)
	}
	return ends
}

// playStory plays a scenario, or one row of a scenario, and fills end. It returns why the
// scenario was not played to its end, or nil.
func (r *runner) playStory(end *ending, reader *scenario.Reader, isStdin bool) (err error) {
	end.stepStart = time.Now()
	options := scenario.Options{
		Open:     r.OpenInMemory,
		Module:   r.module,
		OnStep:   func(s scenario.PlayedStep) { r.noteStep(end, s) },
		FailFast: r.failFast,
		Import:   importNextTo(end.file),
	}

	// Updating a file and playing on a database have their own ways.
	if r.update {
		return r.playForUpdate(end, reader, options)
	}
	if r.Global.OnDisk {
		return r.playOnDatabase(end, reader, options)
	}

	// The story is kept for --mutate, and the checks for --coverage.
	end.story = suite.Story{File: end.file, Import: options.Import}
	end.story.Header = reader.Header
	end.coverage = suite.Coverage{}
	end.result, err = scenario.Run(r.Ctx, reader, options)
	end.story.Rules = end.result.Rules
	isLesson := isYAML(end.file) && len(reader.Rows()) == 0 && r.module == nil && !isStdin && !r.judgesSuite() // lessons run on the built-in contract
	if err == nil && end.result.OK() && isLesson {
		return r.checkLesson(end.file)
	}
	return err
}

// playOnDatabase plays a scenario on the database of the command line, and creates it
// if necessary.
func (r *runner) playOnDatabase(end *ending, reader *scenario.Reader, options scenario.Options) error {
	where := r.Global.Where
	where.Create = true
	return r.UseDatabase(where, func(db *command.Database) (err error) {
		options.Open = nil
		options.Chain = db.Chain
		end.result, err = scenario.Run(r.Ctx, reader, options)
		return err
	})
}

// checkLesson fails for a lesson that "learn check" refuses.
func (r *runner) checkLesson(name string) error {
	file, err := command.OpenFile(name)
	if err != nil {
		return err
	}
	defer file.Close()
	faults, err := lesson.FaultsOfFile(name, file, r.OpenInMemory)
	if err == nil && len(faults) > 0 {
		err = command.UsageErrorf("%s: as a lesson it has a fault: %s", name, faults[0])
	}
	return err
}

// isYAML reports whether the name of a file is that of a scenario in YAML.
func isYAML(name string) bool {
	format, err := scenario.FormatOf(name)
	return err == nil && format == scenario.YAML
}

// playForUpdate plays a scenario on a chain of its own, and writes the answers into its
// file. It fails for JSON Lines, which nobody edits by hand.
func (r *runner) playForUpdate(end *ending, reader *scenario.Reader, options scenario.Options) (err error) {
	if !isYAML(end.file) {
		return command.UsageErrorf("%s: expected a .yaml file to write answers into", end.file)
	}
	updates := scenario.Updates{} // of the steps with other answers than expected
	options.OnStep = updates.AddAnswerOf
	end.result, err = scenario.Run(r.Ctx, reader, options)
	if err != nil || len(updates) == 0 {
		return err
	}

	var descriptions []string
	for _, number := range slices.Sorted(maps.Keys(updates)) {
		update := updates[number]
		isAllowed, err := r.allows(update)
		if err != nil {
			return err
		}
		if !isAllowed {
			return command.UsageErrorf("%s; nothing was written, because the contract now permits what was refused: expected --yes if that is right", update)
		}
		descriptions = append(descriptions, update.String())
	}

	oldText, err := r.ReadFile(end.file)
	if err != nil {
		return err
	}
	newText, err := updates.Apply(end.file, oldText)
	if err != nil {
		return err
	}
	err = command.WriteSharedFile(end.file, func(w io.Writer) error {
		_, err := w.Write(newText)
		return err
	})
	if err != nil {
		return err
	}

	// The steps hold now with what was written.
	end.updates = descriptions
	end.result.Failed -= len(updates)
	end.result.Mismatches = slices.DeleteFunc(end.result.Mismatches, func(m scenario.Mismatch) bool {
		_, isUpdated := updates[m.Step]
		return isUpdated
	})
	return nil
}

// allows reports whether an expectation may be changed. A change from a refusal to ok needs
// --yes or, on a terminal, a yes of the user. It fails if r.Ctx is cancelled.
func (r *runner) allows(update scenario.Update) (bool, error) {
	if !update.AllowsRefused() || r.allowsRefused {
		return true, nil
	}
	canAsk := command.IsTerminal(r.Stdin) && command.IsTerminal(r.Stderr)
	if !canAsk {
		return false, nil
	}
	fmt.Fprintf(r.Stderr, "%s\nThe contract permits now what was refused. Write ok? [y/N] ", widget.Safe(update.String()))
	reply, err := command.ReadUntilDone(r.Ctx, func() (string, error) {
		r.replies.Scan() // the end of the input is no yes
		return r.replies.Text(), r.replies.Err()
	})
	isYes := strings.HasPrefix(strings.ToLower(strings.TrimSpace(reply)), "y")
	return isYes, err
}

// matchesFilter reports whether --filter selects a scenario.
func (r *runner) matchesFilter(file, name string) bool {
	text := strings.ToLower(r.filter)
	return strings.Contains(strings.ToLower(file), text) || strings.Contains(strings.ToLower(name), text)
}

// importNextTo returns an importer of dumps whose paths are relative to a scenario's
// file.
func importNextTo(file string) scenario.Importer {
	return func(c *chain.Chain, g chain.Genesis, name string) error {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		db := command.Database{Chain: c}
		return db.ImportFile(name, g, nil)
	}
}
