package command

import (
	"context"
	"errors"
	"io"
	"math"
	"time"

	"ephemera/core/chain"
)

// Database is an open database: the chain in it, and what concerns its storage.
type Database struct {
	*chain.Chain
	// Store describes the storage; nil for a database in memory.
	Store func() (Store, error)
	// Maintenance works on the database as a whole.
	Maintenance Maintenance
}

// Store describes a database on the disk.
type Store struct {
	Dir      string // printed with the database, not with its storage
	ReadOnly bool   `wire:"readonly"`
	Schema   uint64 `wire:"schema"`
	// Badger is the version of the module; empty if the build lacks it.
	Badger string `wire:"badger"`
	// Disk, Tables and Log are bytes: all of it, and of its parts.
	Disk   uint64 `wire:"disk_bytes"`
	Tables uint64 `wire:"table_bytes"`
	Log    uint64 `wire:"log_bytes"`
}

// Disk works on the directory of a database that is not open.
type Disk struct {
	// Restore fills a missing or empty directory from a backup. It fails with a
	// [BadFile] for a file that is not a backup.
	Restore func(dir string, r io.Reader, progress func(bytes uint64)) error
	// Rescue replaces a damaged database by what is left of it, if check accepts that.
	Rescue func(dir string, check func(*Database) error) (Rescued, error)
}

// Maintenance works on an open database as a whole. Its functions are nil for a database
// in memory.
type Maintenance struct {
	// Backup writes the whole database as it is now.
	Backup func(w io.Writer, progress func(bytes uint64)) error
	// Verify compares every table with its checksums.
	Verify func() error
}

// Verify compares every table with its checksums. A database in memory has none.
func (db *Database) Verify() error {
	if db.Maintenance.Verify == nil {
		return nil
	}
	return db.Maintenance.Verify()
}

// Rescued reports what a rescue did.
type Rescued struct {
	// Kept is the directory with every file as it was.
	Kept string `wire:"kept"`
	// Broken are the files that could not be read completely.
	Broken []string `wire:"broken"`
	// Relisted is how many tables were read although the list of tables in use lacked them.
	Relisted uint64 `wire:"relisted_tables"`
}

// InUse is the error for a database that another process has open.
type InUse interface {
	error
	InUse()
}

// NoDatabase is the error for a missing database.
type NoDatabase interface {
	error
	NoDatabase()
}

// BadFile is an error whose cause is the content of a file that the user gave. Its text is a
// sentence about the file.
type BadFile interface {
	error
	BadFile()
}

// retryInterval is the time between two attempts of --wait.
const retryInterval = 100 * time.Millisecond

// WaitFlag is the value of --wait: how long to wait for a database that another process has
// open. Without a value the flag has no limit.
type WaitFlag time.Duration

func (w *WaitFlag) String() string { return "" }

// Type makes help show the flag as one without a value.
func (w *WaitFlag) Type() string { return "bool" }

// Set parses the value of --wait: a duration such as "5s", or "true", which is what the
// flag has without a value and which means no limit.
func (w *WaitFlag) Set(text string) error {
	switch d, err := time.ParseDuration(text); {
	case text == "true":
		*w = math.MaxInt64
	case err != nil || d < 0:
		return errors.New("expected a time such as 5s")
	default:
		*w = WaitFlag(d)
	}
	return nil
}

// JoinWait joins --wait and a duration that follows it into one argument. A flag that can
// stand alone takes its value only after an equals sign.
func JoinWait(args []string) (joined []string) {
	for _, arg := range args {
		last := len(joined) - 1
		isAfterWait := last >= 0 && joined[last] == "--wait"
		if isAfterWait && new(WaitFlag).Set(arg) == nil {
			joined[last] += "=" + arg
			continue
		}
		joined = append(joined, arg)
	}
	return joined
}

// RetryWhileLocked calls try again as long as it fails with an [InUse] error, and returns
// what the last call returned. It stops when the time to wait has passed or ctx is done.
func RetryWhileLocked[T any](ctx context.Context, wait time.Duration, try func() (T, error)) (T, error) {
	for began := time.Now(); ; {
		result, err := try()
		if time.Since(began) >= wait || !Is[InUse](err) {
			return result, err
		}
		select {
		case <-ctx.Done():
			return result, ctx.Err()
		case <-time.After(retryInterval):
		}
	}
}
