// Ephemera is a terminal explorer for one CW721 collection. See README.md.
//
// This file only wires: it hands the commands the ways to open a database and
// to start the explorer, and is the only one that sees all of the parts.
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
		Progress: learn.KeepProgress(),
		Learner:  learn.KeepLearner,
		Stdin:    os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
	os.Exit(cli.Run(program, os.Args[1:]))
}

// open opens a database, in memory or on the disk.
func open(w command.Where) (*command.Database, error) {
	if w.Memory {
		c, err := chain.OpenWith(kv.NewMemory(), w.Options())
		return &command.Database{Chain: c}, err
	}
	disk, err := persist.Open(w.Dir, persist.Options{ReadOnly: w.ReadOnly, MustExist: !w.Create})
	if err != nil {
		return nil, err
	}
	var over kv.DB = disk
	if w.Tries {
		over = kv.NewScratch(disk)
	}
	c, err := chain.OpenWith(over, w.Options())
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
		c, err := chain.OpenWith(disk, command.Where{}.Options())
		if err != nil {
			return err
		}
		return check(&command.Database{Chain: c})
	})
	return command.Rescued(done), err
}

// explore starts the explorer on a database, or on the demo.
func explore(ctx context.Context, e command.Explorer) error {
	s := ui.Setup{ThemeName: e.Theme, NoColor: e.NoColor, NoMouse: e.NoMouse}
	s.NoMotion, s.Module, s.Media, s.Times = e.NoMotion, e.Module, e.Media, e.Times
	s.InMemory = e.Demo || e.Where.Memory
	s.ReadOnly, e.Where.Tries = e.Where.ReadOnly, e.Where.ReadOnly
	s.Demo = openDemo
	s.Scratch, s.Lessons, s.Progress = scratch, learn.Lessons, learn.KeepProgress()
	s.Save, s.ReadModule = command.SaveFile, command.ModuleIn
	s.HiddenColumns, s.KeepColumns = preferences.HiddenColumns(), preferences.KeepColumns
	var db *command.Database // set by Open, which comes before any import
	s.Open = func() (_ app.Engine, err error) {
		err = command.RetryWhileLocked(ctx, e.Where.Wait, func() error { db, err = open(e.Where); return err })
		if err != nil {
			return nil, err
		}
		return db.Chain, nil
	}
	s.Export = func(v *chain.View, w io.Writer, withClock bool) error {
		if db != nil {
			if err := db.Verify(); err != nil {
				return err
			}
		}
		return storage.Export(ctx, v, w, withClock)
	}
	s.Import = func(path string, g chain.Genesis, progress func(int)) error { return db.ImportFile(path, g, progress) }
	switch {
	case e.Demo:
		s.Open, s.Actor, s.MadeUp = openDemo, demo.Actor, true
	case !e.Where.Memory:
		s.Actor = preferences.LastAccount(e.Where.Dir)
		s.Backup = func(path string, replace bool) error {
			return command.SaveBytes(path, replace, func(w io.Writer) error { return db.Maintenance.Backup(w, nil) })
		}
		s.Left = func(account string) error { return preferences.KeepAccount(e.Where.Dir, account) }
	}
	return ui.Run(ctx, s)
}

func openDemo() (app.Engine, error) {
	return demo.Open(scratch)
}

// scratch opens an empty chain in memory.
func scratch() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }
