// Ephemera is a terminal explorer for one CW721 collection. See README.md.
//
// This file only wires: it hands the commands the ways to open a database and
// to start the explorer, and is the only one that sees all of the parts.
package main

import (
	"context"
	"io"
	"os"

	"ephemera/core/chain"
	"ephemera/database"
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
		Open:     database.Open,
		Disk:     database.Disk,
		Explore:  explore,
		Progress: learn.KeepProgress(),
		Learner:  learn.KeepLearner,
		Stdin:    os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
	os.Exit(cli.Run(program, os.Args[1:]))
}

// explore starts the explorer on a database, or on the demo.
func explore(ctx context.Context, e command.Explorer) error {
	s := ui.Setup{ThemeName: e.Theme, NoColor: e.NoColor, NoMouse: e.NoMouse}
	s.NoMotion, s.Module, s.Media, s.Times = e.NoMotion, e.Module, e.Media, e.Times
	s.InMemory = e.Demo || e.Where.Memory
	s.ReadOnly, e.Where.Tries = e.Where.ReadOnly, e.Where.ReadOnly
	s.Demo = openDemo
	s.Scratch, s.Lessons, s.Progress = database.Scratch, learn.Lessons, learn.KeepProgress()
	s.Save, s.ReadModule = command.SaveFile, command.ModuleIn
	s.Export = func(v *chain.View, w io.Writer, withClock bool) error { return storage.Export(ctx, v, w, withClock) }
	s.HiddenColumns, s.KeepColumns = preferences.HiddenColumns(), preferences.KeepColumns
	var db *command.Database // set by Open, which comes before any import
	s.Open = func() (_ app.Engine, err error) {
		err = command.WhenFree(ctx, e.Where.Wait, func() error { db, err = database.Open(e.Where); return err })
		if err != nil {
			return nil, err
		}
		return db.Chain, nil
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
	return demo.Open(database.Scratch)
}
