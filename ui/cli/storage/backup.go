package storage

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"ephemera/ui/cli/command"
)

func backupCommand(a *command.App) *cobra.Command {
	var restore, force bool
	cmd := &cobra.Command{
		Use:        "backup FILE",
		SuggestFor: []string{"restore"},
		Short:      "Copy the whole database to a file, or restore it from one",
		Long: `Writes the whole database to a file: the collection, its history, the clock and
the accounts. Only its owner may read it; - is stdout, and with --restore stdin.

With --restore, makes a database of such a file in a directory that is missing
or empty: name it with --db. A file that is cut off or damaged restores nothing.`,
		Example: `  ephemera backup apes.backup
  ephemera --db elsewhere backup --restore apes.backup`,
		Args: command.ArgCount(1, 1, "one FILE"),
		RunE: a.Begins(func(cmd *cobra.Command, args []string) error {
			if a.Global.Memory {
				return command.UsageErrorf("--memory: a database in memory is gone with the command, expected one on the disk")
			}
			if restore {
				return restoreFrom(a, cmd.Context(), args[0])
			}
			return backUp(a, cmd.Context(), args[0], force)
		}),
	}
	command.ForceFlag(cmd, &force)
	cmd.Flags().BoolVar(&restore, "restore", false, "make the database from FILE")
	return cmd
}

// copied is how much went into or came out of a backup.
type copied struct {
	Backup string `wire:"backup"`
	Bytes  uint64 `wire:"bytes"` // of the file
}

func backUp(a *command.App, ctx context.Context, name string, force bool) error {
	return a.WithCollection(func(db *command.Database) error {
		if db.Maintenance.Backup == nil {
			return command.UsageErrorf("this database is in memory, and only one on the disk has a backup")
		}
		show, end := a.OnTerminal()
		defer end()
		out := meter{ctx: ctx}
		all := func(w io.Writer) error {
			out.Writer = w
			return db.Maintenance.Backup(&out, func(n uint64) { show("%.0f MB of records", float64(n)/1e6) })
		}
		if name == "-" { // as it is: it is no text
			return all(a.Stdout)
		}
		if err := command.SaveBytes(name, force, all); err != nil {
			return command.AlreadyExists(name, err)
		}
		return a.Answer(copied{Backup: name, Bytes: out.bytes}, nil)
	})
}

func restoreFrom(a *command.App, ctx context.Context, name string) error {
	if a.Global.ReadOnly {
		return command.UsageErrorf("--readonly: a restore writes a database")
	}
	show, end := a.OnTerminal()
	defer end()
	err := command.RetryWhileLocked(ctx, a.Where().Wait, func() error {
		file, err := a.Input(name)
		if err != nil {
			return err
		}
		defer file.Close()
		return a.Disk.Restore(a.Global.DB, stoppable{file, ctx}, func(n uint64) {
			show("%.0f MB of records", float64(n)/1e6)
		})
	})
	var bad command.BadFile
	var unread *command.UsageError
	end()
	switch {
	case err == nil:
		return a.WithCollection(func(db *command.Database) error { return printImported(a, db) }) // also when it is interrupted by now
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &unread):
		return unread // what it holds is not known
	case errors.As(err, &bad):
		return command.UsageErrorf("%s: %v", name, bad)
	}
	return err
}

// stoppable ends reading once the context is over.
type stoppable struct {
	io.Reader
	ctx context.Context
}

func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.Reader.Read(p)
}

// meter counts the bytes that are written, and ends writing once the context is
// over.
type meter struct {
	io.Writer
	ctx   context.Context
	bytes uint64
}

func (m *meter) Write(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.Writer.Write(p)
	m.bytes += uint64(n)
	return n, err
}
