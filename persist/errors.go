package persist

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// LockedError reports that the database is open already, in another process or in this one.
type LockedError struct {
	Dir string
	PID int // id of the process that has the database open; 0: unknown
}

// Error names the process, and what the reader can do.
func (e *LockedError) Error() string {
	user := "another process"
	switch e.PID {
	case 0: // unknown
	case os.Getpid():
		user = "this very process"
	default:
		user = fmt.Sprintf("process %d", e.PID)
	}
	return fmt.Sprintf(
		"the database in %s is in use by %s; --wait 5s waits until it is free, and the explorer that has it open can export it",
		e.Dir, user)
}

// InUse marks an error that can go away, for callers that do not import this package.
func (*LockedError) InUse() {}

// MissingError reports that a directory holds no database. Nothing was written.
type MissingError struct {
	Dir string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("there is no database in %s", e.Dir)
}

// NoDatabase marks the error for callers that do not import this package.
func (*MissingError) NoDatabase() {}

// SchemaError reports that a newer program wrote the database.
type SchemaError struct {
	Dir         string
	FoundSchema int // schema version of the database
}

// Error names both schema versions.
func (e *SchemaError) Error() string {
	return fmt.Sprintf(
		"the database in %s was written by a newer version (its schema is %d, this program knows %d); use that version",
		e.Dir, e.FoundSchema, currentSchema)
}

// DamagedError reports that a file of the database is missing or broken. Nothing was changed.
type DamagedError struct {
	Dir     string
	Problem string // what is missing or broken, such as "its log is missing"
	Err     error  // the cause, or nil
}

func damagedError(dir string, cause error, format string, args ...any) error {
	return &DamagedError{Dir: dir, Problem: fmt.Sprintf(format, args...), Err: cause}
}

func lostCommitsError(dir string, countInSeal, countInFiles uint64) error {
	return damagedError(dir, nil, "its seal counts %d commits, and its files hold %d",
		countInSeal, countInFiles)
}

// brokenFileError returns the error for a file that could not be read: a [*DirError] if a call of
// the system has failed, and otherwise a [*DamagedError] with a formatted problem.
func brokenFileError(dir string, err error, format string, args ...any) error {
	if isSystemError(err) {
		return dirError(dir, err)
	}
	return damagedError(dir, err, format, args...)
}

func brokenTableError(dir string, id uint64, err error) error {
	return brokenFileError(dir, err, "the table %s is broken (%s)", tableName(id), firstErrorLine(err))
}

// isSystemError reports whether a call of the system has failed, such as for want of memory or
// permission. Then nothing is known about what is in the files.
func isSystemError(err error) bool {
	return errors.As(err, new(syscall.Errno)) || errors.As(err, new(*fs.PathError))
}

// Error says what is damaged, and what the owner can do.
func (e *DamagedError) Error() string {
	return fmt.Sprintf(
		"the database in %s is damaged: %s; nothing was changed or deleted; %s",
		e.Dir, e.Problem, damageAdvice)
}

func (e *DamagedError) Unwrap() error { return e.Err }

const damageAdvice = "restore a backup into another directory, or run 'ephemera doctor --rescue' to save what can be read"

// SpaceError reports that the disk is too full. Nothing was written.
type SpaceError struct {
	Dir    string
	Free   int64 // bytes
	Needed int64 // bytes
}

// Error says how much space is needed, and what the reader can do.
func (e *SpaceError) Error() string {
	return fmt.Sprintf(
		"the disk of %s is almost full: %s are free, and %s are needed to write safely; nothing was written; make room and try again",
		e.Dir, megabytes(e.Free), megabytes(e.Needed))
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

// DirError reports why a directory cannot be used as a database.
type DirError struct {
	Dir     string
	Problem string
	Err     error // the cause, or nil
}

func (e *DirError) Error() string {
	return fmt.Sprintf("cannot use the database in %s: %s", e.Dir, e.Problem)
}

func (e *DirError) Unwrap() error { return e.Err }

func cannotUseError(dir, problem string) error { return &DirError{Dir: dir, Problem: problem} }

// dirError returns a [*DirError] for an error of the file system or of Badger, which names the
// path if that is another than dir. It returns nil and a [*DirError] unchanged.
func dirError(dir string, err error) error {
	if err == nil || errors.As(err, new(*DirError)) {
		return err
	}

	pathErr, isPathError := errors.AsType[*fs.PathError](err)
	problem, _, _ := strings.Cut(err.Error(), "\n") // Badger adds lines
	switch {
	case isPathError && pathErr.Path == dir:
		problem = pathErr.Err.Error()
	case isPathError:
		problem = pathErr.Path + ": " + pathErr.Err.Error()
	}
	return &DirError{Dir: dir, Problem: problem, Err: err}
}

// openError returns a [*DirError] for a file of dir that could not be opened. If the files may be
// read but not written, it advises --readonly.
func openError(dir string, err error) error {
	_, readErr := os.ReadDir(dir)
	isReadOnlyDisk := errors.Is(err, syscall.EROFS)
	canOnlyRead := errors.Is(err, fs.ErrPermission) && readErr == nil
	if isReadOnlyDisk || canOnlyRead {
		return &DirError{
			Dir:     dir,
			Err:     err,
			Problem: "its files may not be written; --readonly only reads them",
		}
	}
	return dirError(dir, err)
}

// firstErrorLine returns the first line of the text of an error or a panic of Badger that has
// words, without what precedes " err: " in it, cut to 160 bytes. Pages of stack can follow.
func firstErrorLine(errorOrPanic any) string {
	for line := range strings.Lines(fmt.Sprint(errorOrPanic)) {
		if start := strings.LastIndex(line, " err: "); start >= 0 {
			line = line[start+len(" err: "):]
		}
		line = strings.TrimSpace(line)

		// Skip empty lines, and the rulers between two parts of the text.
		if line == "" || strings.HasPrefix(line, "==") {
			continue
		}
		return line[:min(len(line), 160)]
	}
	return "it cannot be read"
}
