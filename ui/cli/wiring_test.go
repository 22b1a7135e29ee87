package cli_test

import (
	"errors"
	"path/filepath"

	"github.com/adrg/xdg"

	"ephemera/core/chain"
	"ephemera/core/kv"
	"ephemera/persist"
	"ephemera/ui/cli/command"
)

// disk and open are what main hands to the commands: main cannot be imported. What
// main itself hands in is tried by the scripts that start a process.
var disk = command.Disk{Restore: persist.Restore, Rescue: rescue}

func open(w command.Where) (*command.Database, error) {
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
	db.Store = func() (command.Store, error) {
		info, err := disk.Info()
		return command.Store(info), err
	}
	db.Maintenance = command.Maintenance{Backup: disk.Backup, Verify: disk.Verify}
	return db, nil
}

func database(db kv.DB, w command.Where) (*command.Database, error) {
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

func rescue(dir string, check func(*command.Database) error) (command.Rescued, error) {
	done, err := persist.Rescue(dir, func(disk *persist.DB) error {
		db, err := database(disk, command.Where{})
		if err != nil {
			return err
		}
		return check(db)
	})
	return command.Rescued(done), err
}
