package program

import (
	"context"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/ui"
	"ephemera/ui/cli"
	"ephemera/ui/demo"
)

// explore starts the explorer on a database, or on the demo.
func explore(ctx context.Context, e cli.Explorer) error {
	s := ui.Setup{ThemeName: e.Theme, NoColor: e.NoColor, NoMouse: e.NoMouse}
	s.NoMotion = e.NoMotion
	s.InMemory = e.Demo || e.Where.Memory
	s.ReadOnly = e.Where.ReadOnly
	s.Demo = openDemo
	s.Scratch, s.Progress = scratch, cli.KeepProgress()
	s.Save = cli.SaveFile
	var db *cli.Database // set by Open, which comes before any import
	s.Open = func() (_ ui.Engine, err error) {
		if db, err = Open(e.Where); err != nil {
			return nil, err
		}
		return db.Chain, nil
	}
	s.Import = func(path string, g chain.Genesis, progress func(int)) error { return db.ImportFile(path, g, progress) }
	if e.Demo {
		s.Open, s.Actor, s.MadeUp = openDemo, demo.Actor, true
	}
	return ui.Run(ctx, s)
}

func openDemo() (ui.Engine, error) { return demo.Open(scratch) }

// scratch opens an empty chain in memory.
func scratch() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }
