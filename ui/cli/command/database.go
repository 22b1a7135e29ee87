package command

import (
	"context"
	"errors"
	"io"
	"math"
	"time"

	"ephemera/core/chain"
)

// Database is an open database: the chain in it, and functions for its storage, which are nil
// for a database in memory.
type Database struct {
	*chain.Chain
	Store func() (Store, error)
	// Backup writes the whole database as it is now. It calls progress from time to time
	// with the number of bytes of records written; progress can be nil.
	Backup       func(w io.Writer, progress func(bytes uint64)) error
	VerifyTables func() error // see Verify
}

// Verify compares every table with its checksums. A database in memory has none.
func (db *Database) Verify() error {
	if db.VerifyTables == nil {
		return nil
	}
	return db.VerifyTables()
}

// Store describes a database on the disk.
type Store struct {
	Dir      string // the directory; not part of the JSON, which names it elsewhere
	ReadOnly bool   `wire:"readonly"`
	Schema   uint64 `wire:"schema"`
	Badger   string `wire:"badger"` // the version of the module; empty if the build lacks it
	// Disk is how many bytes the database takes on the disk. Tables and Log are the bytes
	// of its tables and of its logs, and are part of Disk.
	Disk   uint64 `wire:"disk_bytes"`
	Tables uint64 `wire:"table_bytes"`
	Log    uint64 `wire:"log_bytes"`
}

// Rescued reports what a rescue did.
type Rescued struct {
	OldFilesDir  string   `wire:"kept"`   // to which the files of the damaged database were moved, unchanged
	BrokenTables []string `wire:"broken"` // the files that could not be read completely
	// UnlistedCount is how many tables were read although they were missing in the
	// database's own list of its tables.
	UnlistedCount uint64 `wire:"relisted_tables"`
}

// The method InUse, NoDatabase or BadFile of an error does nothing: having it marks the kind of
// the error.

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

// RetryWhileLocked calls open, and repeats that while it fails with an [InUse] error, until wait
// has passed since the first call or ctx is done. It returns the results of the last call.
func RetryWhileLocked[T any](ctx context.Context, wait time.Duration, open func() (T, error)) (T, error) {
	startTime := time.Now()
	for {
		result, err := open()
		if time.Since(startTime) >= wait || !IsError[InUse](err) {
			return result, err
		}
		select {
		case <-ctx.Done():
			return result, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// WaitFlag is the value of --wait: how long to wait for another process.
type WaitFlag time.Duration

func (w *WaitFlag) String() string { return "" }

// Type makes help show the flag as one without a value.
func (w *WaitFlag) Type() string { return "bool" }

// Set parses the value: a duration such as "5s", or "true", which the flag has without a value
// and which means no limit.
func (w *WaitFlag) Set(text string) error {
	if text == "true" {
		*w = math.MaxInt64
		return nil
	}
	duration, err := time.ParseDuration(text)
	if err != nil || duration < 0 {
		return errors.New("expected a time such as 5s")
	}
	*w = WaitFlag(duration)
	return nil
}

// JoinWait joins --wait and a duration after it into one argument: "--wait", "5s" becomes
// "--wait=5s". The library for flags needs this form for a flag that can also be given
// without a value.
func JoinWait(args []string) (joinedArgs []string) {
	for _, arg := range args {
		previous := len(joinedArgs) - 1
		if previous >= 0 && joinedArgs[previous] == "--wait" && new(WaitFlag).Set(arg) == nil {
			joinedArgs[previous] += "=" + arg
			continue
		}
		joinedArgs = append(joinedArgs, arg)
	}
	return joinedArgs
}
