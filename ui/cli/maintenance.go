package cli

import (
	"fmt"
	"io"
)

// Disk is what is done to the directory of a database that is not open.
type Disk struct {
	// Restore fills a missing or empty directory from a backup. It fails with
	// a [*BadFileError] for a file that is none.
	Restore func(dir string, r io.Reader, progress func(bytes uint64)) error
	// Rescue makes a damaged database anew of what is left, if check, which is
	// given that, finds it fit for use.
	Rescue func(dir string, check func(*Database) error) (Rescued, error)
}

// Maintenance is what is done to an open database as a whole; its functions are nil
// for one in memory.
type Maintenance struct {
	// Backup writes all of it as it is now.
	Backup func(w io.Writer, progress func(bytes uint64)) error
	// Verify reads every table against its checksums.
	Verify func() error
}

// BadFileError says that a file is not what it was given for. Its text is a
// sentence about the file.
type BadFileError struct{ Err error }

func (e *BadFileError) Error() string { return e.Err.Error() }

func (e *BadFileError) Unwrap() error { return e.Err }

// onTerminal gives a function that shows how far something is, on one line of
// a terminal, and one that takes the line away. Elsewhere they do nothing.
func (a *app) onTerminal() (show func(format string, args ...any), end func()) {
	if !isTerminal(a.Stderr) {
		return func(string, ...any) {}, func() {}
	}
	show = func(format string, args ...any) { fmt.Fprintf(a.Stderr, "\r"+format+"\x1b[K", args...) }
	return show, func() { fmt.Fprint(a.Stderr, "\r\x1b[K") }
}
