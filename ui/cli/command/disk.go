package command

import (
	"context"
	"errors"
	"io"
	"math"
	"time"

	"ephemera/core/chain"
)

// Database is an open database: the chain in it, and what only its keeper can
// tell or do.
type Database struct {
	*chain.Chain
	// Store tells how it is kept; nil for one in memory.
	Store func() (Store, error)
	// Maintenance does what is done to a database as a whole.
	Maintenance Maintenance
}

// Store is how a database is kept on the disk.
type Store struct {
	Dir      string // told as the directory of the database
	ReadOnly bool   `wire:"readonly"`
	Schema   uint64 `wire:"schema"`
	// Badger is the version of the module; empty where the build has none.
	Badger string `wire:"badger"`
	// Disk, Tables and Log are bytes: all of it, and of its parts.
	Disk   uint64 `wire:"disk_bytes"`
	Tables uint64 `wire:"table_bytes"`
	Log    uint64 `wire:"log_bytes"`
}

// Disk is what is done to the directory of a database that is not open.
type Disk struct {
	// Restore fills a missing or empty directory from a backup. It fails with a
	// [BadFile] for a file that is none.
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

// Verify reads every table against its checksums; in memory there is none.
func (db *Database) Verify() error {
	if db.Maintenance.Verify == nil {
		return nil
	}
	return db.Maintenance.Verify()
}

// Rescued tells what a rescue did.
type Rescued struct {
	// Kept is the directory that has every file as it was.
	Kept string `wire:"kept"`
	// Broken are the files of which not everything could be read.
	Broken []string `wire:"broken"`
	// Relisted is how many tables are in use again.
	Relisted uint64 `wire:"relisted_tables"`
}

// InUse is an error that says that another process has the database.
type InUse interface {
	error
	InUse()
}

// NoDatabase is an error that says that there is no database.
type NoDatabase interface {
	error
	NoDatabase()
}

// BadFile is an error that says that a file is not what it was given for, in a
// sentence about the file.
type BadFile interface {
	error
	BadFile()
}

// tryAgainEvery is how long --wait lets the other process go on.
const tryAgainEvery = 100 * time.Millisecond

// wait is the value of --wait: how long, or true for as long as it takes.
type wait time.Duration

func (w *wait) String() string { return "" }

func (w *wait) Type() string { return "bool" } // for help, as it can stand alone

func (w *wait) Set(text string) error {
	switch d, err := time.ParseDuration(text); {
	case text == "true":
		*w = math.MaxInt64
	case err != nil || d < 0:
		return errors.New("expected a time such as 5s")
	default:
		*w = wait(d)
	}
	return nil
}

// JoinWait makes one argument of --wait and a duration that follows it, as a flag
// that can stand alone takes its value only behind an equals sign.
func JoinWait(args []string) (joined []string) {
	for _, arg := range args {
		if last := len(joined) - 1; last >= 0 && joined[last] == "--wait" && new(wait).Set(arg) == nil {
			joined[last] += "=" + arg
			continue
		}
		joined = append(joined, arg)
	}
	return joined
}

// RetryWhileLocked calls try, and again until it does not fail with an [InUse], the time to
// wait has passed or the context is over.
func RetryWhileLocked(ctx context.Context, wait time.Duration, try func() error) error {
	for began := time.Now(); ; {
		err := try()
		if time.Since(began) >= wait || !Is[InUse](err) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(tryAgainEvery):
		}
	}
}
