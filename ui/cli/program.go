// Package cli is the program as a command line: the tree of all commands, the flags
// that all of them take, and help. The commands do what the explorer does, in the same
// words. They are in packages by family, none of which imports another:
//
//	main ── cli ──┬── act   ask   storage   scenarios   learn
//	              └── command ── answer ── core
//
// A command prints one JSON value to stdout, also if the contract refuses: a refusal is an
// answer. On a terminal, and with --text, it prints words or plain lines; the contract's own
// answers are printed as they are. Some commands, such as why and history, answer in words
// unless --json is given. Any other failure is one sentence on stderr. Nothing is redrawn,
// framed or coloured, so the commands suit screen readers, too.
//
// To add a command: write a function in the package of its family that makes a
// [cobra.Command], and list it in that package's Commands and under a heading in root.go. It
// needs an example, which a test runs, and a script that shows every member of its answer, in
// testdata/script of that package or of this one. A flag of one command is beside it; those
// that several share, and which commands have them, are in flags.go. The pages of `ephemera
// help TOPIC` are in help.
//
// The wall clock gives the block of a new collection, and durations for people, such
// as the rate of an import. It never moves a block.
package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
	"ephemera/ui/crash"
)

// Run runs the command line args, without the program's name, and returns the exit
// status.
//
// SIGINT, SIGTERM and SIGQUIT stop a command between two transactions. If the command does
// not stop, for example because it waits for a pipe, the program ends after stopTimeout. A
// second signal ends the program at once.
//
// SIGHUP, which is sent when the terminal closes, only stops a command. It is ignored if the
// program was started with SIGHUP ignored, as nohup does.
func Run(program command.Program, args []string) int {
	ctx, stopNotify := signal.NotifyContext(
		context.Background(),
		os.Interrupt,
		syscall.SIGTERM,
		syscall.SIGQUIT,
	)
	defer stopNotify()

	// A second signal then ends the program, and so does stopTimeout. Committed transactions are
	// on the disk, so nothing is lost.
	stopWatching := context.AfterFunc(ctx, func() {
		stopNotify()
		time.AfterFunc(stopTimeout, func() { os.Exit(command.StatusInterrupted) })
	})
	defer stopWatching()

	// SIGHUP stops the command too. AfterFunc does not watch this second context, so SIGHUP
	// starts no timeout.
	commandCtx, stopHangup := withHangup(ctx)
	defer stopHangup()
	app := &command.App{Program: program, Ctx: commandCtx}
	return app.Report(runCommandLine(app, args))
}

// withHangup returns a context that is done after SIGHUP too, unless SIGHUP is ignored.
func withHangup(ctx context.Context) (context.Context, context.CancelFunc) {
	if signal.Ignored(syscall.SIGHUP) {
		return ctx, func() {}
	}
	return signal.NotifyContext(ctx, syscall.SIGHUP)
}

// stopTimeout is longer than any transaction takes, and longer than removing the rest
// of an interrupted import. Only tests change it.
var stopTimeout = 4 * time.Second

// runCommandLine returns the error of a command, or its panic as an error, joined with the error of
// writing to stdout.
func runCommandLine(app *command.App, args []string) (err error) {
	defer func() {
		if panicValue := recover(); panicValue != nil {
			err = crash.Caught("running a command", panicValue)
		}
	}()

	root := rootCommand(app)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		removeBackquotes(root)
	}
	err = app.Execute(root, command.JoinWait(args)) // "--wait 5s" becomes "--wait=5s"
	if app.OutputErr != nil && errors.Is(err, app.OutputErr) {
		return app.OutputErr // err may contain it many times
	}
	return errors.Join(err, app.OutputErr)
}
