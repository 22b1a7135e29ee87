package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"ephemera/core/wire"
)

func (a *app) backupCommand() *cobra.Command {
	var restore bool
	cmd := &cobra.Command{
		Use:        "backup FILE",
		SuggestFor: []string{"restore"},
		Short:      "Copy the whole database to a file, or restore it from one",
		Long: `Writes the whole database to a file: the collection, its history, the clock and
the accounts. The file is replaced as a whole once all of it is written, and
only its owner may read it.

With --restore, makes a database of such a file in a directory that is missing
or empty: name it with --db. A file that is cut off or damaged restores nothing.`,
		Example: `  ephemera backup apes.backup
  ephemera --db elsewhere backup --restore apes.backup`,
		Args: wants(1, 1, "one FILE"),
		RunE: a.begins(func(cmd *cobra.Command, args []string) error {
			if a.global.memory {
				return misused("--memory: a database in memory is gone with the command, expected one on the disk")
			}
			if restore {
				return a.restore(cmd.Context(), args[0])
			}
			return a.backup(cmd.Context(), args[0])
		}),
	}
	cmd.Flags().BoolVar(&restore, "restore", false, "make the database from FILE")
	return cmd
}

// copied is how much went into or came out of a backup.
type copied struct {
	Backup string `wire:"backup"`
	Bytes  uint64 `wire:"bytes"` // of the file
}

func (a *app) backup(ctx context.Context, name string) error {
	return a.onCollection(func(db *Database) error {
		if db.Maintenance.Backup == nil {
			return misused("this database is in memory, and only one on the disk has a backup")
		}
		show, end := a.onTerminal()
		defer end()
		out := meter{ctx: ctx}
		err := toFile(name, func(w io.Writer) error {
			out.Writer = w
			return db.Maintenance.Backup(&out, func(n uint64) { show("%.0f MB of records", float64(n)/1e6) })
		})
		if err != nil {
			return err
		}
		return a.print(wire.Compact(copied{Backup: name, Bytes: out.bytes}))
	})
}

func (a *app) restore(ctx context.Context, name string) error {
	if a.global.readOnly {
		return misused("--readonly: a restore writes a database")
	}
	show, end := a.onTerminal()
	defer end()
	err := WhenFree(ctx, a.global.wait, func() error {
		file, err := os.Open(name)
		if err != nil {
			return unreadable(name, err)
		}
		defer file.Close()
		return a.Disk.Restore(a.global.db, stoppable{page{file, name}, ctx}, func(n uint64) {
			show("%.0f MB of records", float64(n)/1e6)
		})
	})
	var bad *BadFileError
	var unread *usageError
	end()
	switch {
	case err == nil:
		return a.onCollection(a.printImported) // also when it is interrupted by now
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &unread):
		return unread // what it holds is not known
	case errors.As(err, &bad):
		return misused("%s: %v", name, bad)
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
