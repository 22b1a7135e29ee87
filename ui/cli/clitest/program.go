// Package clitest runs the program in the process of a test, and plays scripts with it, for the
// tests of the packages that hold commands.
package clitest

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

// Play runs the program in this process, which takes a tenth of the time of a new process,
// and returns its exit status.
func Play(stdin string, stdout, stderr io.Writer, args ...string) int {
	return cli.Run(command.Program{
		Open: Open, Disk: Disk,
		Progress: learn.ProgressStorage,
		Stdin:    strings.NewReader(stdin), Stdout: stdout, Stderr: stderr,
	}, args)
}

// Disk and Open do what the functions of package main do, which cannot be imported. The
// tests that start a process run those of main.
var Disk = command.Disk{Restore: persist.Restore, Rescue: rescue}

// Open opens a database; see [command.Program].
func Open(w command.OpenOptions) (*command.Database, error) {
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
	return &command.Database{Chain: c, Store: store, Maintenance: command.Maintenance{Backup: disk.Backup, Verify: disk.Verify}}, nil
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
