package cli_test

import (
	"errors"
	"io"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
	"ephemera/ui/cli/learn"
)

// play runs the program in this process, which takes a tenth of the time of a new process,
// and returns its exit status.
func play(stdin string, stdout, stderr io.Writer, args ...string) int {
	return cli.Run(command.Program{
		Open: openDatabase, Restore: persist.Restore, Rescue: rescue,
		Progress: learn.ProgressStorage,
		Stdin:    strings.NewReader(stdin), Stdout: stdout, Stderr: stderr,
	}, args)
}

// openDatabase and rescue do what the functions of package main do, which cannot be imported.
// The tests that start a process run those of main.
func openDatabase(w command.OpenOptions) (*command.Database, error) {
	if w.Memory {
		c, err := chain.OpenWith(kv.NewMemory(), w.ChainOptions())
		return &command.Database{Chain: c}, err
	}
	disk, err := persist.Open(w.Dir, persist.Options{ReadOnly: w.ReadOnly, MustExist: !w.Create})
	if err != nil {
		return nil, err
	}
	c, err := chain.OpenWith(disk, w.ChainOptions())
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	store := func() (command.Store, error) {
		info, err := disk.Info()
		return command.Store(info), err
	}
	return &command.Database{Chain: c, Store: store, Backup: disk.Backup, VerifyTables: disk.Verify}, nil
}

func rescue(dir string, check func(*command.Database) error) (command.Rescued, error) {
	done, err := persist.Rescue(dir, func(disk *persist.DB) error {
		c, err := chain.OpenWith(disk, command.OpenOptions{}.ChainOptions())
		if err != nil {
			return err
		}
		return check(&command.Database{Chain: c})
	})
	return command.Rescued(done), err
}
