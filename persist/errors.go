package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// LockedError says that the database is open elsewhere.
type LockedError struct {
	Dir string
	PID int // of the process that has it open; 0 where that is not known
}

func (e *LockedError) Error() string {
	by := "another process"
	switch e.PID {
	case 0:
	case os.Getpid():
		by = "this very process"
	default:
		by = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf("the database in %s is in use by %s; --wait 5s waits until it is free, and the explorer that has it open can export it", e.Dir, by)
}

// InUse tells who may wait for it that the database will be free.
func (*LockedError) InUse() {}

// MissingError says that there is no database in a directory. Nothing was written.
type MissingError struct {
	Dir string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no database in %s", e.Dir)
}

// NoDatabase distinguishes a missing database from one that cannot be opened.
func (*MissingError) NoDatabase() {}

// SchemaError says that a newer program wrote the database.
type SchemaError struct {
	Dir   string
	Found int // schema version of the database
	Known int // newest version that this program knows
}

func (e *SchemaError) Error() string {
	return fmt.Sprintf("the database in %s was written by a newer version (its schema is %d, this program knows %d); use that version",
		e.Dir, e.Found, e.Known)
}

// DamagedError says that a file of the database is missing or broken, so that
// to use it would lose what was committed.
type DamagedError struct {
	Dir     string
	Problem string
	Err     error // the cause, or nil
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the database in %s is damaged: %s; nothing was changed or deleted; %s", e.Dir, e.Problem, wayOut)
}

func (e *DamagedError) Unwrap() error { return e.Err }

// wayOut is what can be done about a database that has lost something.
const wayOut = "restore a backup into another directory, or let 'ephemera doctor --rescue' open what is left"

// SpaceError says that the disk is too full to go on. Nothing was written.
type SpaceError struct {
	Dir    string
	Free   int64 // bytes
	Needed int64 // bytes
	// Files tells that what is missing is not bytes, but room for more files.
	Files bool
	// Reopen tells that there is room by now, but that the database was opened
	// when there was none, and has to be opened again.
	Reopen bool
}

func (e *SpaceError) Error() string {
	if e.Reopen {
		return fmt.Sprintf("the disk of %s was almost full when the database was opened, so nothing was written; there is room now: open it again", e.Dir)
	}
	if e.Files {
		return fmt.Sprintf("the disk of %s takes hardly any more files; nothing was written; remove some and try again", e.Dir)
	}
	return fmt.Sprintf("the disk of %s is almost full: %s are free, and %s are needed to write safely; nothing was written; make room and try again",
		e.Dir, megabytes(e.Free), megabytes(e.Needed))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// DirError says why a directory cannot serve as a database, or no longer.
type DirError struct {
	Dir     string
	Problem string
	Err     error // the cause, or nil
}

func (e *DirError) Error() string {
	return fmt.Sprintf("cannot use the database in %s: %s", e.Dir, e.Problem)
}

func (e *DirError) Unwrap() error { return e.Err }

// dirError makes a sentence of an error from the file system or Badger.
func dirError(dir string, err error) *DirError {
	problem := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		problem = path.Err.Error()
		if path.Path != dir {
			problem = path.Path + ": " + problem
		}
	}
	return &DirError{Dir: dir, Problem: problem, Err: err}
}

// unusable makes a sentence of an error from the file system about opening a file
// of dir.
func unusable(dir string, err error) error {
	_, unread := os.ReadDir(dir)
	if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) && unread == nil {
		return &DirError{Dir: dir, Err: err, Problem: "its files may not be written; --readonly only reads them"}
	}
	return dirError(dir, err)
}
