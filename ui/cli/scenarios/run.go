package scenarios

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/ui/cli/command"
)

func runCommand(a *command.App) *cobra.Command {
	p := &playing{App: a}
	contract := ""
	cmd := &cobra.Command{
		Use:   "run FILE...",
		Short: "Play scenarios and compare every answer",
		Long: `Plays scenarios, .yaml or .jsonl or .jsonl.gz, each on a new chain in memory,
and compares every answer with what the file expects. FILE can be a directory,
of which all scenarios are played, or - for stdin. One line on stdout tells how a scenario went;
what did not hold stands on stderr as file:line, expected and got. With --json
each step and each scenario is one event a line instead.

With --db it plays on that database's collection as it stands, every step
durable: rules and prefix must match, and time goes on from the clock's block.`,
		Example: `  ephemera run -v --junit report.xml lessons
  ephemera run --json --filter lesson lessons`,
		Args: command.ArgCount(1, -1, "one or more files"),
		RunE: a.Action(func(cmd *cobra.Command, args []string) error {
			if p.update && slices.Contains(args, "-") {
				return command.UsageErrorf("--update: expected a file to write answers into, got stdin")
			}
			if err := command.CheckReplaceable(p.junit, p.force); err != nil {
				return err
			}
			p.events = a.Global.JSON
			defer debug.SetGCPercent(debug.SetGCPercent(runGC))
			files, err := scenarioFiles(args)
			if err == nil {
				p.module, err = command.ReadModule(contract)
			}
			if err == nil {
				err = p.playAll(cmd.Context(), files)
			}
			if p.junit != "" {
				return errors.Join(err, a.FileOrStdout(p.junit, p.force, func(w io.Writer) error { return writeJUnit(w, p.ends) }))
			}
			return err
		}),
	}
	command.ContractFlag(cmd, "contract", &contract, command.ContractUsage)
	f := cmd.Flags()
	f.BoolVarP(&p.verbose, "verbose", "v", false, "name each step once it is durable: ok N, or not ok N")
	f.StringVar(&p.junit, "junit", "", "write a report to `FILE`, in the form of JUnit, a test case a step, for its owner alone")
	f.BoolVar(&p.force, "force", false, "replace a report that is there")
	f.StringVar(&p.filter, "filter", "", "play only scenarios with `TEXT` in their name or that of their file")
	f.BoolVar(&p.failFast, "fail-fast", false, "stop at the first step that does not hold")
	f.BoolVar(&p.update, "update", false, "write the answers that came into the .yaml files, in the place of what was expected")
	return cmd
}

// runGC is how much garbage a run lets come together, in percent of what it needs,
// which is little: a quarter faster, for some 15 MB.
const runGC = 400

// scenarioFiles lists the files that are named, and those of directories.
func scenarioFiles(names []string) (files []string, err error) {
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			files = append(files, name) // playing it tells what is wrong with it
			continue
		}
		err := filepath.WalkDir(name, func(path string, entry os.DirEntry, err error) error {
			if err != nil {
				return command.Unreadable(path, err)
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

// playing is a run of one or more scenarios.
type playing struct {
	*command.App
	verbose, events, failFast, update, force bool
	junit, filter                            string

	module *chain.Module // nil for the built-in contract
	ends   []ending
	steps  atomic.Int64 // of all scenarios that are under way
}

// stepsTold is after how many steps a terminal is told how far the run is.
const stepsTold = 2000

// ending is how one scenario went. err is why it was not played to its end.
type ending struct {
	file    string
	skipped bool // it is not among those that were asked for
	result  scenario.Result
	err     error
	told    []stepEvent
	updated int // answers that were written into the file
}

func (e ending) held() bool { return e.err == nil && e.result.OK() }

// playAll plays the files and tells of them in their order; what one of them
// comes to does not keep the next from its turn. An interruption does, and so
// does --fail-fast.
func (p *playing) playAll(ctx context.Context, files []string) error {
	var all []error
	failed, played := false, false
	for i, next := 0, p.start(ctx, files); i < len(files); i++ {
		end := next(i)
		if end.skipped {
			continue
		}
		played = true
		p.ends = append(p.ends, end)
		failed = failed || !end.result.OK()
		all = append(all, end.err, p.print(end))
		if ctx.Err() != nil || p.failFast && !end.held() {
			break
		}
	}
	if !played {
		return command.UsageErrorf("--filter: no scenario has %q in its name", p.filter)
	}
	if failed {
		all = append(all, &command.SilentExit{Exit: command.Refused})
	}
	return errors.Join(all...)
}

// start gives a function that waits for the end of the file of a number; it is
// called once for each, in order. Scenarios on chains of their own run side by
// side, as many as there are processors; on one database, or where every step
// is told as it comes, one follows the other.
func (p *playing) start(ctx context.Context, files []string) func(int) ending {
	alone := func(i int) ending {
		end := ending{file: files[i]}
		end.err = p.play(ctx, &end)
		return end
	}
	if p.verbose || p.failFast || p.Global.OnDisk || len(files) == 1 {
		return alone
	}
	ends := make([]chan ending, len(files))
	for i := range ends {
		ends[i] = make(chan ending, 1)
	}
	var turn atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for i := int(turn.Add(1)) - 1; i < len(files); i = int(turn.Add(1)) - 1 {
				ends[i] <- alone(i)
			}
		}()
	}
	return func(i int) ending { return <-ends[i] }
}

func (p *playing) play(ctx context.Context, end *ending) error {
	end.result.Name = end.file
	stdin := end.file == "-"
	file, err := p.ScenarioInput(end.file)
	if err != nil {
		return err
	}
	defer file.Close()
	end.file = file.Name()
	reader, err := scenario.Open(end.file, file)
	if err != nil {
		return err
	}
	if !p.wanted(end.file, reader.Header.Name) {
		end.skipped = true
		return nil
	}
	o := scenario.Options{Open: p.OpenInMemory, Module: p.module, OnStep: p.onStep(end), FailFast: p.failFast, Import: p.importState(end.file)}
	if p.update {
		return p.playForUpdate(ctx, end, reader, o)
	}
	if p.Global.OnDisk {
		where := p.Where()
		where.Create = true
		err = p.UseDatabase(where, func(db *command.Database) (err error) {
			o.Open, o.Chain = nil, db.Chain
			end.result, err = scenario.Run(ctx, reader, o)
			return err
		})
	} else {
		end.result, err = scenario.Run(ctx, reader, o)
		if err == nil && end.result.OK() && p.module == nil && !stdin { // lessons are of the built-in contract
			err = p.asLesson(end.file)
		}
	}
	return err
}

// asLesson refuses a lesson that learn check refuses. Lessons are written by
// people, in YAML.
func (p *playing) asLesson(name string) error {
	if !isYAML(name) {
		return nil
	}
	file, err := command.OpenFile(name)
	if err != nil {
		return err
	}
	defer file.Close()
	faults, err := lesson.FaultsOfFile(name, file, p.OpenInMemory)
	if err == nil && len(faults) > 0 {
		err = command.UsageErrorf("%s: as a lesson it has a fault: %s", name, faults[0])
	}
	return err
}

func isYAML(name string) bool {
	f, err := scenario.FormatOf(name)
	return err == nil && f == scenario.YAML
}

// playForUpdate plays a scenario on a chain of its own and writes the answers that
// came into its file.
func (p *playing) playForUpdate(ctx context.Context, end *ending, reader *scenario.Reader, o scenario.Options) (err error) {
	if !isYAML(end.file) { // only people keep what they expect by hand
		return command.UsageErrorf("%s: expected a .yaml file to write answers into", end.file)
	}
	updates := scenario.Updates{}
	o.OnStep = updates.AddAnswerOf
	if end.result, err = scenario.Run(ctx, reader, o); err != nil || len(updates) == 0 {
		return err
	}
	old, err := p.ReadFile(end.file)
	if err != nil {
		return err
	}
	text, err := updates.Apply(end.file, old)
	if err != nil {
		return err
	}
	if err = command.WriteFileBytes(end.file, text); err == nil {
		end.updated = len(updates)
		end.result.Failed -= end.updated
		end.result.Mismatches = slices.DeleteFunc(end.result.Mismatches, func(m scenario.Mismatch) bool { return updates[m.Step] != nil })
	}
	return err
}

// wanted tells whether --filter lets a scenario through.
func (p *playing) wanted(file, name string) bool {
	text := strings.ToLower(p.filter)
	return strings.Contains(strings.ToLower(file), text) || strings.Contains(strings.ToLower(name), text)
}

// importState fills the chain of a scenario that begins with a dump, whose name
// stands in the scenario and is read from the directory of its file.
func (p *playing) importState(file string) func(*chain.Chain, chain.Genesis, string) error {
	return func(c *chain.Chain, g chain.Genesis, name string) error {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(file), name)
		}
		db := command.Database{Chain: c}
		return db.ImportFile(name, g, nil)
	}
}
