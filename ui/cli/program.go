// Package cli is Ephemera without a screen: one command for each thing that
// the explorer can do, in the same words, JSON in and JSON out. This package is the
// root: it makes the tree of commands, reads the flags that all of them take, and
// answers help. The commands are in packages by family, none of which imports
// another:
//
//	main ── cli ──┬── act   ask   storage   scenarios   learn
//	              └── command ── answer ── core
//
// A command's answer is one JSON value on stdout, also when the contract
// refuses: a refusal is an answer. The contract's own answers are printed as it
// gives them. why, probe and history answer in words, and with --json as
// the others; run, learn and completions are for people and shells only.
// Everything else that goes wrong is one sentence on stderr. The exit status tells
// the two apart. Without colours, frames and redrawing, this is also the plain line
// mode for people who use a screen reader.
//
// To add a command: a function in the package of its family that makes a
// [cobra.Command], and its name in that package's Commands. Each has an example,
// which a test runs, and a script in testdata/script that shows every member of its
// answer. Pages for `ephemera help TOPIC` are in help.
//
// The wall clock is asked for the block in which a new collection begins, and for
// what is told to people, such as the pace of an import or how long a learner
// takes; it never moves a block.
package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"
	"time"

	"ephemera/ui/cli/command"
	"ephemera/ui/crash"
)

// Run does what the arguments ask for, the program's name left out, and gives
// the exit status. An interruption (SIGINT, SIGTERM, SIGQUIT) ends a command between
// two transactions, and one that does not come to its end, because it waits for a
// pipe or for a terminal that takes nothing, some seconds later; a second one ends it at once. A terminal that goes away
// (SIGHUP) ends it too, however often that is said, unless it was started to
// outlive its terminal.
func Run(p command.Program, args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT)
	defer stop()
	defer context.AfterFunc(ctx, func() {
		stop()
		time.AfterFunc(stuckAfter, func() { os.Exit(command.Interrupted) }) // what was committed is on the disk
	})()
	if !signal.Ignored(syscall.SIGHUP) {
		var end func()
		ctx, end = signal.NotifyContext(ctx, syscall.SIGHUP)
		defer end()
	}
	a := &command.App{Program: p}
	return a.Report(run(a, ctx, args))
}

// stuckAfter is how long an interrupted command may take to end: longer than any
// transaction, and than to remove what an import has left.
const stuckAfter = 4 * time.Second

func run(a *command.App, ctx context.Context, args []string) (err error) {
	a.Ctx = ctx
	defer func() {
		if r := recover(); r != nil {
			err = crash.Caught("running a command", r)
		}
	}()
	root := root(a)
	root.SetArgs(command.JoinWait(args))
	err = root.ExecuteContext(ctx)
	switch {
	case a.OutputErr == nil:
	case errors.Is(err, a.OutputErr):
		return a.OutputErr // once, however many writes have met it
	default:
		return errors.Join(err, a.OutputErr)
	}
	if err != nil && !a.Started && !errors.As(err, new(*command.UsageError)) {
		err = &command.UsageError{Text: err.Error()} // cobra's own, about the arguments
	}
	return err
}
