package cli_test

import (
	"errors"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	_ "ephemera/themes/early"
	"ephemera/ui/cli"
)

// TestMain lets the test binary stand for the program: scripts run it as
// "ephemera", in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"ephemera": func() {
			program := cli.Program{Open: open, Disk: disk, Progress: cli.KeepProgress(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(program.Run(os.Args[1:]))
		},
		"panicking-ephemera": func() {
			program := cli.Program{Open: open, Explore: exploreToPanic, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
			os.Exit(program.Run(os.Args[1:]))
		},
	})
}

// open does what main does: main cannot be imported.
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
	db.Store = func() (cli.Store, error) {
		info, err := disk.Info()
		return cli.Store{Dir: info.Dir, ReadOnly: info.ReadOnly, Schema: uint64(info.Schema)}, err
	}
	db.Care = care(disk)
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
