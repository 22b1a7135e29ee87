package persist

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// patience is how long a call of Badger may take that never returns if a table or a log
// cannot be written. Badger tries such a write for ever. Tests shorten it.
var patience = 10 * time.Second

// errLeft marks an error after which Badger still runs and may write, so that this process
// keeps the lock until it ends. The database is as after a kill: the commits are in the
// logs, of which the next opening makes tables.
var errLeft = errors.New("it takes too long")

// inTime calls a function of Badger, and fails with errLeft if that goes on after patience.
func inTime(call func() error) error {
	returned := make(chan error, 1)
	go func() { returned <- call() }()
	select {
	case err := <-returned:
		return err
	case <-time.After(patience):
		return errLeft
	}
}

// leftError returns a [*DirError] that wraps errLeft. Its text is format with the cause for %s.
func leftError(dir, format string, cause error) error {
	described, _ := errors.AsType[*DirError](dirError(dir, cause))
	return &DirError{
		Dir:     dir,
		Problem: fmt.Sprintf(format, described.Problem),
		Err:     errors.Join(errLeft, cause),
	}
}

func (d *DB) leave(cause error) error {
	return leftError(d.dir,
		"it could not be closed (%s); all that was acknowledged is in its log, and the next command that opens it finishes the rest",
		cause)
}

// Abandon makes Close remove the database if this opening created it, and reports whether it
// did. Every later write then fails with [kv.ErrClosed].
func (d *DB) Abandon() bool {
	d.writerLock.Lock()
	defer d.writerLock.Unlock()
	d.isAbandoned = d.wasCreated
	return d.isAbandoned
}

// Close waits for running transactions, so it must not be called inside one. A second call does
// nothing. It fails with a [*DirError] if the database has changed and cannot be closed now.
// Nothing is lost then.
func (d *DB) Close() error {
	if d.isClosing.Swap(true) {
		return nil
	}

	// Wait for the writer. If its commit has failed, readers may wait for Badger for ever.
	d.writerLock.Lock()
	failure := d.failure.Load()
	d.writerLock.Unlock()
	var err error
	if failure != nil && errors.Is(*failure, errLeft) {
		err = *failure
	} else {
		d.useLock.Lock()
		err = d.closeBadger()
	}

	// An abandoned database leaves no files behind, so an error of closing does not matter.
	if d.isAbandoned {
		err = removeDatabase(d.dir)
	}
	if d.lock != nil && !errors.Is(err, errLeft) {
		d.lock.release(!d.isAbandoned)
	}
	if failure == nil && d.sealedAt.IsZero() && !d.isAbandoned { // nothing was changed
		return nil
	}
	return dirError(d.dir, err)
}

// closeBadger closes Badger, merges the tables and writes the last seal. If it fails with
// errLeft, Badger is still open.
func (d *DB) closeBadger() error {
	if d.isShared {
		_ = d.badger.Close() // it has written nothing
		return nil
	}
	defer d.sealFile.Close()

	// When Badger closes, it makes a table of the log and removes the log. A full disk would
	// end the process, and any other error would make Badger try for ever.
	files, err := listFiles(d.dir)
	if err != nil {
		return d.leave(err)
	}
	if err := tryToWrite(d.dir, files.logBytes()); err != nil {
		return d.leave(err)
	}

	// A database is refused if its seal says that there is a log and there is none. So write a
	// seal without a log before Badger removes it.
	if err := d.writeClosedSeal(false); err != nil {
		return d.leave(err)
	}
	if err := inTime(d.badger.Close); errors.Is(err, errLeft) {
		return d.leave(err)
	}

	// Badger has made its last table, so no other error of it matters. If one of these fails,
	// the next opening reads every table, and the next closing tries again.
	if d.mergeTables() == nil {
		_ = d.writeClosedSeal(true)
	}
	return nil
}

// tryToWrite creates a file of a size as Badger creates a table, and removes it. It fails where
// Badger would end the process or try for ever. It does not sync the file, because file systems
// report a full disk or quota when a file is written.
func tryToWrite(dir string, size int64) error {
	path := filepath.Join(dir, newSealFileName)
	return errors.Join(os.WriteFile(path, make([]byte, size), 0o600), os.Remove(path))
}
