package storage

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

func backupCommand(app *command.App) *cobra.Command {
	var restore, force bool
	cmd := &cobra.Command{
		Use:        "backup FILE",
		SuggestFor: []string{"restore"},
		Short:      "Copy the whole database to a file, or restore it from one",
		Long: `Writes the whole database to a file: the collection, its history, the clock and
the accounts. Only its owner may read it; - is stdout, and with --restore stdin.

With --restore, makes a database from such a file, in a directory that is missing
or empty; --db names the directory. A file that is cut off or damaged restores
nothing.`,
		Example: `  ephemera backup apes.backup
  ephemera --db elsewhere backup --restore apes.backup`,
		Args: command.ArgCount(1, 1, "one FILE"),
		RunE: app.Action(func(args []string) error {
			if restore {
				return restoreFrom(app, args[0])
			}
			return writeBackup(app, args[0], force)
		}),
	}
	command.AddForceFlag(cmd, &force)
	cmd.Flags().BoolVar(&restore, "restore", false, "make the database from FILE")
	return cmd
}

type backupResult struct {
	File  string `wire:"backup"`
	Bytes uint64 `wire:"bytes"` // size of the file
}

// writeBackup writes the whole database to a file, or to stdout if the name is "-".
func writeBackup(app *command.App, name string, force bool) error {
	return app.WithCollection(func(db *command.Database) error {
		show, end := app.TerminalLine()
		defer end()
		showProgress := func(bytes uint64) { show("%.0f MB of records", float64(bytes)/1e6) }

		// The writer ends the backup when the user interrupts the program.
		writer := cancellableWriter{ctx: app.Ctx}
		backupTo := func(w io.Writer) error {
			writer.Writer = w
			return db.Backup(&writer, showProgress)
		}
		if name == "-" {
			return backupTo(app.Stdout) // not app.Answers(), which escapes text
		}
		if err := command.SaveBytes(name, force, backupTo); err != nil {
			return err
		}
		return app.Answer(backupResult{File: name, Bytes: writer.bytes}, nil)
	})
}

// restoreFrom makes a database from the backup in a file, and prints the collection. Its error
// says as precisely as possible whether the user has interrupted the program, the file cannot
// be read, or it is no complete backup. An interruption after the restore is no failure.
func restoreFrom(app *command.App, name string) error {
	if app.Global.OpenOptions.ReadOnly {
		return command.UsageErrorf("--readonly: a restore writes a database")
	}
	show, end := app.TerminalLine()
	openOptions := app.Global.OpenOptions
	showProgress := func(bytes uint64) { show("%.0f MB of records", float64(bytes)/1e6) }
	_, err := command.RetryWhileLocked(app.Ctx, openOptions.Wait, func() (none struct{}, err error) {
		file, err := app.Input(name)
		if err != nil {
			return none, err
		}
		defer file.Close()
		reader := cancellableReader{Reader: file, ctx: app.Ctx}
		return none, app.Restore(openOptions.Dir, reader, showProgress)
	})
	end()
	if err == nil {
		return app.WithCollection(func(db *command.Database) error { return printImported(app, db) })
	}
	if app.Ctx.Err() != nil {
		return app.Ctx.Err()
	}

	// If the file cannot be read, it may be a complete backup.
	if usageError, ok := errors.AsType[*command.UsageError](err); ok {
		return usageError
	}
	if badFile, ok := errors.AsType[command.BadFile](err); ok {
		return command.UsageErrorf("%s: %v", name, badFile)
	}
	return err
}

// cancellableReader lets a user interrupt a long copy: it fails once ctx is done.
type cancellableReader struct {
	io.Reader
	ctx context.Context
}

// Read fails once the context is done.
func (r cancellableReader) Read(buffer []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(buffer)
}

// cancellableWriter does that too, and counts the bytes written.
type cancellableWriter struct {
	io.Writer
	ctx   context.Context
	bytes uint64
}

// Write fails once the context is done.
func (w *cancellableWriter) Write(content []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	written, err := w.Writer.Write(content)
	w.bytes += uint64(written)
	return written, err
}
