// Package database gives the commands their databases: it is where the storage on
// the disk, the chain in it and what the commands ask of both meet. It knows no
// screen and no command.
package database

import (
	"errors"
	"io"
	"path/filepath"

	"github.com/adrg/xdg"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	"ephemera/ui/cli/command"
)

// Disk does what is done to a database that is not open.
var Disk = command.Disk{Restore: restore, Rescue: rescue}

// Open opens a database, in memory or on the disk.
func Open(w command.Where) (*command.Database, error) {
	if w.Memory {
		return over(kv.NewMemory(), w)
	}
	disk, err := persist.Open(w.Dir, persist.Options{ReadOnly: w.ReadOnly})
	if err != nil {
		return nil, inUse(err)
	}
	var tried kv.DB = disk
	if w.Tries {
		tried = kv.NewSketch(disk)
	}
	db, err := over(tried, w)
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	db.Store = func() (command.Store, error) {
		info, err := disk.Info()
		return command.Store(info), err
	}
	db.Maintenance = command.Maintenance{Backup: disk.Backup, Verify: disk.Verify}
	return db, nil
}

// over opens the chain in a store. Compiled contracts are kept in the cache
// directory of XDG for the next start.
func over(db kv.DB, w command.Where) (*command.Database, error) {
	discard := func() error { return chain.Discard(db) }
	if w.Discard {
		if err := discard(); err != nil {
			return nil, err
		}
	}
	modules := filepath.Join(xdg.CacheHome, "ephemera", "wasm")
	c, err := chain.OpenWith(db, chain.Options{CacheDir: modules, TimeLimit: w.CallLimit, Compare: w.Compare})
	if err != nil {
		return nil, err
	}
	return &command.Database{Chain: c, Discard: discard}, nil
}

// Scratch opens an empty chain in memory.
func Scratch() (*chain.Chain, error) { return chain.Open(kv.NewMemory()) }

func restore(dir string, r io.Reader, progress func(uint64)) error {
	err := persist.Restore(dir, r, progress)
	if bad := (*persist.BackupError)(nil); errors.As(err, &bad) {
		return &command.BadFileError{Err: bad}
	}
	return inUse(err)
}

func rescue(dir string, check func(*command.Database) error) (command.Rescued, error) {
	done, err := persist.Rescue(dir, func(disk *persist.DB) error {
		db, err := over(disk, command.Where{})
		if err != nil {
			return err
		}
		return check(db)
	})
	return command.Rescued(done), inUse(err)
}

// inUse lets a command wait for who has the database.
func inUse(err error) error {
	if errors.As(err, new(*persist.LockedError)) {
		return &command.InUseError{Err: err}
	}
	return err
}
