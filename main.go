// Ephemera is a terminal explorer for one CW721 collection. See README.md.
//
// This file connects the parts: it gives the commands the functions to open a database and
// to start the explorer. No other file imports all parts.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	_ "ephemera/themes/early" // before bubbletea asks the terminal
	"ephemera/ui"
	"ephemera/ui/app"
	"ephemera/ui/cli"
	"ephemera/ui/cli/command"
	"ephemera/ui/cli/learn"
	"ephemera/ui/cli/preferences"
	"ephemera/ui/cli/storage"
	"ephemera/ui/demo"
)

func main() {
	program := command.Program{
		Open:     open,
		Disk:     command.Disk{Restore: persist.Restore, Rescue: rescue},
		Explore:  explore,
		Progress: learn.ProgressStorage(),
		Learner:  learn.LearnerStorage,
		Stdin:    os.Stdin,
		Stdout:   os.Stdout,
		Stderr:   os.Stderr,
	}
	os.Exit(cli.Run(program, os.Args[1:]))
}

// open opens a database in memory or on the disk, and the chain in it.
func open(where command.Where) (*command.Database, error) {
	if where.Memory {
		c, err := chain.OpenWith(kv.NewMemory(), where.Options())
		return &command.Database{Chain: c}, err
	}
	disk, err := persist.Open(where.Dir, persist.Options{ReadOnly: where.ReadOnly, MustExist: !where.Create})
	if err != nil {
		return nil, err
	}
	var db kv.DB = disk
	if where.TryWrites {
		db = kv.NewScratch(disk)
	}
	c, err := chain.OpenWith(db, where.Options())
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	store := func() (command.Store, error) {
		info, err := disk.Info()
		return command.Store(info), err
	}
	return &command.Database{
		Chain:       c,
		Store:       store,
		Maintenance: command.Maintenance{Backup: disk.Backup, Verify: disk.Verify},
	}, nil
}

// rescue rescues a database. check decides whether the chain in what is left is fit for use.
func rescue(dir string, check func(*command.Database) error) (command.Rescued, error) {
	done, err := persist.Rescue(dir, func(disk *persist.DB) error {
		c, err := chain.OpenWith(disk, command.Where{}.Options())
		if err != nil {
			return err
		}
		return check(&command.Database{Chain: c})
	})
	return command.Rescued(done), err
}

// explore runs the explorer on a database or on the demo, until the person leaves it.
func explore(ctx context.Context, where command.Where, o app.Options) error {
	var db *command.Database // set by Open, which comes before any import or export

	o.MemoryOnly = o.Demo || where.Memory
	o.ReadOnly = where.ReadOnly
	where.TryWrites = where.ReadOnly
	o.Open = func() (_ app.Engine, err error) {
		err = command.RetryWhileLocked(ctx, where.Wait, func() error { db, err = open(where); return err })
		if err != nil {
			return nil, err
		}
		return db.Chain, nil
	}
	o.OpenDemo = openDemo
	o.Scratch = scratch
	o.Lessons = learn.Lessons
	o.Progress = learn.ProgressStorage()
	o.Save = command.SaveFile
	o.ReadModule = command.ReadModule
	o.HiddenColumns = preferences.HiddenColumns()
	o.KeepColumns = preferences.KeepColumns
	o.Export = func(v *chain.View, w io.Writer, withClock bool) error {
		if db != nil {
			if err := db.Verify(); err != nil {
				return err
			}
		}
		return storage.Export(ctx, v, w, withClock)
	}
	o.Import = func(path string, g chain.Genesis, progress func(int)) error { return db.ImportFile(path, g, progress) }

	switch {
	case o.Demo:
		o.Open = openDemo
		o.FirstActor = demo.Actor
	case !where.Memory:
		o.FirstActor = preferences.LastAccount(where.Dir)
		o.KeepActor = func(account string) error { return preferences.KeepAccount(where.Dir, account) }
		o.Backup = func(path string, replace bool) error {
			return command.SaveBytes(path, replace, func(w io.Writer) error { return db.Maintenance.Backup(w, nil) })
		}
	}
	return ui.Run(ctx, o)
}

func openDemo() (app.Engine, error) {
	return demo.Open(scratch)
}

// scratch opens an empty chain in memory.
func scratch() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }
