// Package persist keeps a store on disk: Badger behind the port of [kv].
//
// A database is one directory, for one process at a time. What an Update has
// committed is on the disk when it returns.
//
// In Badger's key space, the first byte says whose a record is: 0x00 is this
// package's own (the schema version), 0x01 is everything that comes through
// the port. The port sees neither byte. It is there because Badger takes no
// empty key and keeps some names for itself, and a store of [kv] does not.
//
// The package must never know what the bytes mean. It knows kv and Badger.
package persist

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// Options says how a database is opened.
type Options struct {
	// ReadOnly refuses every write with [kv.ErrReadOnly], and makes no
	// database where there is none.
	ReadOnly bool
}

// DB is an open database. It is a [kv.DB].
//
// A View that begins while a commit is on its way to the disk waits for that
// one commit, and for nothing else.
type DB struct {
	dir      string
	readOnly bool
	badger   *badger.DB

	writer sync.Mutex // held by the one writer
	gate   gate       // keeps Close out of running transactions
}

var _ kv.DB = (*DB)(nil)

// Open opens the database in dir, and makes one where dir is missing or empty.
// It fails with a [*LockedError] when another process has it open, a
// [*SchemaError] when a newer program wrote it, and a [*DirError] when dir
// cannot be used; nothing in dir is changed then.
func Open(dir string, o Options) (*DB, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, &DirError{Dir: dir, Problem: err.Error(), Err: err}
	}
	found, err := inspect(dir)
	if err != nil {
		return nil, err
	}
	if found == nothing {
		if o.ReadOnly {
			return nil, &DirError{Dir: dir, Problem: "there is none, and read-only use makes none"}
		}
		if err := create(dir); err != nil {
			return nil, err
		}
	}
	// Read-only use is a promise about this program's writes. Badger's own
	// read-only mode is kept for where nothing can be written, because it
	// cannot open what was not closed cleanly.
	sealed := o.ReadOnly && !writable(dir)
	b, err := openBadger(dir, sealed)
	if err != nil {
		return nil, err
	}
	if err := checkSchema(b, dir, sealed); err != nil {
		_ = b.Close() // the error that matters is the first
		return nil, err
	}
	return &DB{dir: dir, readOnly: o.ReadOnly, badger: b}, nil
}

// create makes the directory of a new database, which is for its user alone.
// Badger leaves the modes of its files to the umask, so the directory is what
// keeps others out.
func create(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return dirError(dir, err)
	}
	// It may have been there, empty. If it is another user's, what its modes
	// are is theirs to say.
	_ = os.Chmod(dir, 0o700)
	return nil
}

// openBadger opens Badger and turns its error texts into sentences.
func openBadger(dir string, sealed bool) (*badger.DB, error) {
	b, err := badger.Open(options(dir).WithReadOnly(sealed))
	if err != nil {
		return nil, explain(dir, err)
	}
	return b, nil
}

// Close waits for running transactions and closes the database. It must not be
// called inside one. A second call does nothing.
func (d *DB) Close() error {
	if !d.gate.shut() {
		return nil
	}
	if err := d.badger.Close(); err != nil {
		return dirError(d.dir, err)
	}
	return nil
}
