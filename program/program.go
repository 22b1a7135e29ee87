// Package program puts the parts of Ephemera together: it hands the commands
// the ways to open a database, in memory or on the disk, and to start the
// explorer.
//
// It is the only package that sees all of the parts, and holds nothing but
// their wiring, so that main and the tests that play the whole program have the
// same. Nothing imports it but those. It must never decide anything: what a
// command or a screen does is theirs.
package program

import (
	"errors"
	"io"
	"os"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	"ephemera/ui/cli"
)

// New gives the program as a person runs it, on the standard streams.
func New() cli.Program {
	return cli.Program{
		Open:     Open,
		Disk:     cli.Disk{Restore: restore, Rescue: rescue},
		Explore:  explore,
		Progress: cli.KeepProgress(),
		Stdin:    os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
	}
}

// Open opens a database, in memory or on the disk. It fails as [persist.Open]
// and [chain.Open] do, and leaves nothing open then.
func Open(w cli.Where) (*cli.Database, error) {
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

func store(disk *persist.DB) (cli.Store, error) {
	info, err := disk.Info()
	return cli.Store{
		Dir: info.Dir, ReadOnly: info.ReadOnly, Schema: uint64(info.Schema), Badger: info.Badger,
		Disk: uint64(info.Disk), Tables: uint64(info.Tables), Log: uint64(info.Log),
	}, err
}

// care is what is done to an open database as a whole.
func care(disk *persist.DB) cli.Care {
	return cli.Care{
		Backup: func(w io.Writer, progress func(uint64)) error {
			return disk.Backup(w, func(n int64) { progress(uint64(n)) })
		},
		Verify: func() error { return disk.Verify(nil) },
	}
}

func restore(dir string, r io.Reader, progress func(uint64)) error {
	err := persist.Restore(dir, r, func(n int64) { progress(uint64(n)) })
	if bad := (*persist.BackupError)(nil); errors.As(err, &bad) {
		return &cli.BadFileError{Err: bad}
	}
	return err
}

func rescue(dir string) (cli.Rescued, error) {
	done, err := persist.Rescue(dir)
	return cli.Rescued{Kept: done.Kept, Broken: done.Broken, Relisted: uint64(done.Relist)}, err
}
