package cli_test

import (
	"errors"
	"io"

	"ephemera/persist"
	"ephemera/ui/cli"
)

// What main hands in, once more: main cannot be imported.

var disk = cli.Disk{Restore: restore, Rescue: rescue}

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
