package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/spf13/cobra"

	"ephemera/core/chain"
	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/ui/widget"
)

func (a *app) runCommand() *cobra.Command {
	var verbose bool
	var junit, contract string
	cmd := &cobra.Command{
		Use:   "run [-v] [--junit FILE] FILE...",
		Short: "Play scenarios and compare every answer",
		Long: `Plays scenarios, .yaml or .jsonl or .jsonl.gz, each on a new chain in memory,
and compares every answer with what the file expects. One line tells how a
scenario went, and lines below it what was expected and what came.

With --db it plays on that database's collection as it stands, every step
durable: rules and prefix must match, and time goes on from the clock's block.`,
		Example: `  ephemera run -v --junit report.xml lessons/*.yaml`,
		Args:    wants(1, -1, "one or more files"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			module, err := moduleIn(contract)
			if err != nil {
				return err
			}
			p := &playing{app: a, verbose: verbose, module: module}
			err = p.playAll(cmd.Context(), args)
			if junit != "" {
				return errors.Join(err, toFile(junit, forAll, func(w io.Writer) error { return writeJUnit(w, p.ends) }))
			}
			return err
		}),
	}
	contractFlag(cmd, &contract, runsContract)
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print ok and its number after each step, once it is durable")
	cmd.Flags().StringVar(&junit, "junit", "", "write a report to `FILE`, in the form of JUnit")
	return cmd
}

// playing is a run of one or more scenarios.
type playing struct {
	*app
	verbose bool
	module  *chain.Module // nil for the built-in contract
	ends    []ending
	steps   atomic.Int64 // of all scenarios that are under way
}

// stepsTold is after how many steps a terminal is told how far the run is.
const stepsTold = 2000

// progress gives what counts steps, on a terminal that watches.
func (p *playing) progress() func(int) {
	if !isTerminal(p.Stderr) {
		return nil
	}
	return func(int) {
		if n := p.steps.Add(1); n%stepsTold == 0 {
			fmt.Fprintf(p.Stderr, "\r%s steps\x1b[K\r", chain.Thousands(uint64(n)))
		}
	}
}

// ending is how one scenario went. err is why it was not played to its end.
type ending struct {
	file   string
	result scenario.Result
	err    error
}

func (e ending) held() bool { return e.err == nil && e.result.OK() }

// playAll plays the files and tells of them in their order; what one of them
// comes to does not keep the next from its turn. An interruption does.
func (p *playing) playAll(ctx context.Context, files []string) error {
	var all []error
	failed := false
	for i, next := 0, p.start(ctx, files); i < len(files); i++ {
		end := next(i)
		p.ends = append(p.ends, end)
		failed = failed || !end.result.OK()
		all = append(all, end.err, p.tell(end))
		if ctx.Err() != nil {
			break
		}
	}
	if failed {
		all = append(all, &silent{refused})
	}
	return errors.Join(all...)
}

// start gives a function that waits for the end of the file of a number; it is
// called once for each, in order. Scenarios on chains of their own run side by
// side, as many as there are processors; on one database, or where every step
// is told as it comes, one follows the other.
func (p *playing) start(ctx context.Context, files []string) func(int) ending {
	alone := func(i int) ending {
		result, err := p.play(ctx, files[i])
		return ending{files[i], result, err}
	}
	if p.verbose || p.global.onDisk || len(files) == 1 {
		return alone
	}
	ends := make([]chan ending, len(files))
	for i := range ends {
		ends[i] = make(chan ending, 1)
	}
	turns := make(chan int)
	go func() {
		defer close(turns)
		for i := range files {
			turns <- i
		}
	}()
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		go func() {
			for i := range turns {
				ends[i] <- alone(i)
			}
		}()
	}
	return func(i int) ending { return <-ends[i] }
}

func (p *playing) play(ctx context.Context, name string) (scenario.Result, error) {
	none := scenario.Result{Name: name}
	file, err := os.Open(name)
	if err != nil {
		return none, unreadable(name, err)
	}
	defer file.Close()
	reader, err := scenario.Open(name, page{file})
	if err != nil {
		return none, err
	}
	o := scenario.Options{Open: p.inMemory, Module: p.module, OnStep: p.progress()}
	if p.verbose {
		o.OnStep = func(n int) { fmt.Fprintf(p.textOut(), "ok %d\n", n) }
	}
	if !p.global.onDisk {
		result, err := scenario.Run(ctx, reader, o)
		if err == nil && result.OK() && p.module == nil { // lessons are of the built-in contract
			err = p.asLesson(name)
		}
		return result, err
	}
	result := none
	err = p.open(p.where(), func(db *Database) (err error) {
		o.Open, o.Chain = nil, db.Chain
		result, err = scenario.Run(ctx, reader, o)
		return err
	})
	return result, err
}

// asLesson refuses a lesson that learn check refuses. Lessons are written by
// people, in YAML.
func (p *playing) asLesson(name string) error {
	if f, err := scenario.FormatOf(name); err != nil || f != scenario.YAML {
		return nil
	}
	file, err := os.Open(name)
	if err != nil {
		return unreadable(name, err)
	}
	defer file.Close()
	faults, err := lesson.FaultsOf(name, page{file}, p.inMemory)
	if err == nil && len(faults) > 0 {
		err = misused("%s: as a lesson it has a fault: %s", name, faults[0])
	}
	return err
}

// tell prints how a scenario went: one line, and more below for what did not
// hold. Why it was not played to its end is told on stderr.
func (p *playing) tell(e ending) error {
	word := "ok  "
	if !e.held() {
		word = "FAIL"
	}
	_, err := fmt.Fprintf(p.textOut(), "%s %s\n", word, widget.Safe(e.summary()))
	for _, m := range e.result.Mismatches {
		for _, line := range widget.SafeLines(m.String(), linesShown) {
			_, err = fmt.Fprintf(p.textOut(), "     %s\n", line)
		}
	}
	if more := e.result.Failed - len(e.result.Mismatches); more > 0 {
		_, err = fmt.Fprintf(p.textOut(), "     and %d more steps did not hold\n", more)
	}
	return err
}

// linesShown is how many lines a mismatch takes at most.
const linesShown = 200

// summary says in one line how a scenario went.
func (e ending) summary() string {
	r := e.result
	line := fmt.Sprintf("%s: %d steps", r.Name, r.Steps)
	if r.Failed > 0 {
		line += fmt.Sprintf(", %d did not hold", r.Failed)
	}
	if r.Unexpected > 0 {
		line += fmt.Sprintf(", %d refused where nothing was expected", r.Unexpected)
	}
	if e.err != nil {
		line += ", then it stopped"
	}
	return line
}
