// Ephemera is a terminal explorer for one CW721 collection. See README.md.
//
// This file only wires: it hands the commands the ways to open a database and
// to start the explorer, and is the only one that sees all of the parts.
package main

import (
	"context"
	"errors"
	"os"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	_ "ephemera/themes/early" // before bubbletea asks the terminal
	"ephemera/ui"
	"ephemera/ui/cli"
	"ephemera/ui/demo"
)

func main() {
	program := cli.Program{
		Open:    open,
		Explore: explore,
		Stdin:   os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
	os.Exit(program.Run(os.Args[1:]))
}

// open opens a database, in memory or on the disk.
func open(w cli.Where) (*cli.Database, error) {
	if w.Memory {
		return database(kv.NewMemory(), w)
	}
	disk, err := persist.Open(w.Dir, persist.Options{ReadOnly: w.ReadOnly})
	if err != nil {
		return nil, err
	}
	db, err := database(disk, w)
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	db.Store = func() (cli.Store, error) { return store(disk) }
	return db, nil
}

func database(db kv.DB, w cli.Where) (*cli.Database, error) {
	discard := func() error { return chain.Discard(db) }
	if w.Discard {
		if err := discard(); err != nil {
			return nil, err
		}
	}
	c, err := chain.Open(db)
	if err != nil {
		return nil, err
	}
	return &cli.Database{Chain: c, Discard: discard}, nil
}

func store(disk *persist.DB) (cli.Store, error) {
	info, err := disk.Info()
	return cli.Store{
		Dir: info.Dir, ReadOnly: info.ReadOnly, Schema: uint64(info.Schema), Badger: info.Badger,
		Disk: uint64(info.Disk), Tables: uint64(info.Tables), Log: uint64(info.Log),
	}, err
}

// explore starts the explorer on a database, or on the demo.
func explore(ctx context.Context, e cli.Explorer) error {
	s := ui.Setup{ThemeName: e.Theme, NoColor: e.NoColor, NoMouse: e.NoMouse}
	s.NoMotion = e.NoMotion
	s.InMemory = e.Demo || e.Where.Memory
	s.Demo = openDemo
	s.Open = func() (ui.Engine, error) {
		db, err := open(e.Where)
		if err != nil {
			return nil, err
		}
		return db.Chain, nil
	}
	if e.Demo {
		s.Open, s.Actor = openDemo, demo.Actor
	}
	return ui.Run(ctx, s)
}

func openDemo() (ui.Engine, error) {
	return demo.Open(func() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) })
}
