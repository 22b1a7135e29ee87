// Package persist keeps a store on disk: Badger behind the port of [kv].
//
// A database is one directory, for one process at a time; several may read a
// closed one. What an Update has committed is on the disk when it returns.
//
// In Badger's key space, the first byte says whose a record is: 0x00 is this
// package's own (the schema version, a count of commits), 0x01 is everything
// that comes through the port. The port sees neither byte. It is there because
// Badger takes no empty key and keeps some names for itself, and a store of [kv]
// does not.
//
// Badger is not careful with files that are missing or broken: it deletes what
// it does not find listed, cuts off what it cannot read, answers without what is
// in a broken block, and ends the process over some. So [Open] locks the
// directory, looks at every file, compares the tables with the MANIFEST and the
// count of commits with a seal that lies beside them, and, when it is due, reads
// every block before Badger opens anything for writing. A full disk ends the
// process too, so writes look for room first.
//
// What is given up: between two checks (a day at most, or one clean end to the
// next for a small database) a block that goes bad reads as if it were
// empty, and a compaction that meets it drops what follows in its table. Of a log
// that goes bad after a kill, what was committed since the last seal (five
// seconds at most) can be lost without a word.
//
// To restore and to rescue build the new database aside and move it in place
// when it is whole, so that an end at any moment leaves the one or the other.
//
// The package must never know what the bytes mean. It knows kv and Badger.
package persist

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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
	shared   bool     // others may read it too, so Badger only reads
	lock     *dirLock // nil where the directory around this one is locked
	badger   *badger.DB

	writer  sync.Mutex // held by the one writer
	gate    txnGate    // keeps Close out of running transactions
	commits atomic.Uint64
	damage  atomic.Pointer[DamagedError] // a table that was found broken while in use

	inTables atomic.Int64 // bytes, about
	space    spaceCheck   // the writer's
	lowSpace bool         // opened on a disk too full to write

	checked    atomic.Int64 // seconds since 1970: when every block was read last
	sealing    sync.Mutex   // held while the seal is written
	sealedOpen bool         // the writer's: the seal says that there is a log
	sealedAs   seal         // how it was found

	stopSealing, sealingStopped chan struct{}
}

var _ kv.DB = (*DB)(nil)

// Open opens the database in dir, and makes one where dir is missing or empty.
// It fails with a [*LockedError] when another process has it open, a
// [*SchemaError] when a newer program wrote it, a [*DamagedError] or an
// [*OlderError] when to open it would lose something, a [*SpaceError] when the
// disk is too full, and a [*DirError] when dir cannot be used; no record in
// dir is changed then.
func Open(dir string, o Options) (*DB, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, &DirError{Dir: dir, Problem: err.Error(), Err: err}
	}
	if o.ReadOnly {
		return openToRead(dir)
	}
	lock, err := lockDir(dir, true)
	if err != nil {
		return nil, err
	}
	d := &DB{dir: dir, lock: lock}
	if err := d.recover(); err != nil {
		lock.release(false)
		return nil, err
	}
	return d, nil
}

// openToRead opens a database beside others that read it. One that was not closed
// is opened for writing first, which makes tables of its logs.
func openToRead(dir string) (*DB, error) {
	lock, err := lockDir(dir, false)
	if errors.Is(err, os.ErrNotExist) {
		return nil, &DirError{Dir: dir, Problem: missing}
	}
	if err != nil {
		return nil, err
	}
	d := &DB{dir: dir, readOnly: true, shared: true, lock: lock}
	whole, err := d.closedInOrder()
	if err == nil && whole && sharedReaders {
		err = d.openFound()
	}
	if err != nil {
		lock.release(false)
		return nil, err
	}
	if whole && sharedReaders {
		return d, nil
	}
	lock.release(false)
	if lock, err = lockDir(dir, true); err != nil {
		if read := (*DirError)(nil); errors.As(err, &read) {
			return nil, &DirError{Dir: dir, Err: err,
				Problem: "it was not closed cleanly, and may not be written to put that right; copy it to where you may write, and open the copy"}
		}
		return nil, err
	}
	d = &DB{dir: dir, readOnly: true, lock: lock}
	if err := d.recover(); err != nil {
		lock.release(false)
		return nil, err
	}
	if !sharedReaders {
		return d, nil
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	return openToRead(dir)
}

const missing = "there is none, and read-only use makes none"

// closedInOrder says whether Badger can read the database as it is.
func (d *DB) closedInOrder() (bool, error) {
	f, err := listFiles(d.dir)
	if err == nil {
		err = f.refuseForeign(d.dir)
	}
	if err != nil {
		return false, err
	}
	if f.pending {
		return false, nil
	}
	if !f.database {
		return false, &DirError{Dir: d.dir, Problem: missing}
	}
	if err := f.check(d.dir, false); err != nil {
		return false, err
	}
	listed, err := readManifest(d.dir)
	return len(f.logs) == 0 && (err != nil || len(listed) >= len(f.tables)), nil
}

// recover opens a database for writing, after what an end in the middle of
// something has left to do.
func (d *DB) recover() error {
	if err := finishMove(d.dir); err != nil {
		return err
	}
	return d.openFound()
}

// openFound opens what is in the directory.
func (d *DB) openFound() error {
	f, err := listFiles(d.dir)
	if err == nil {
		err = f.refuseForeign(d.dir)
	}
	if err == nil {
		err = f.check(d.dir, !d.shared)
	}
	if err != nil {
		return err
	}
	if !f.database {
		if d.readOnly {
			return &DirError{Dir: d.dir, Problem: missing}
		}
		if err := d.create(); err != nil {
			return err
		}
	}
	l, err := lookOver(d.dir, f)
	if err != nil {
		return err
	}
	return d.open(l)
}

// open hands the database to Badger.
func (d *DB) open(l lookover) (err error) {
	if !d.shared {
		if err := d.roomToOpen(l.files); err != nil {
			return err
		}
		if !keysReadable(d.dir) {
			l.files.empty = append(l.files.empty, filepath.Join(d.dir, badger.KeyRegistryFileName))
		}
		if err := removeAll(d.dir, l.files.empty); err != nil {
			return err
		}
	}
	d.badger, err = openBadger(d.options())
	if err != nil && strings.Contains(err.Error(), valueKind) && !d.shared {
		if err := removeAll(d.dir, l.files.values); err != nil {
			return err
		}
		d.badger, err = openBadger(d.options())
	}
	if err != nil {
		return explain(d.dir, err)
	}
	if err = d.checkCommits(l.seal.commits, len(l.files.logs), l.facts.version); err == nil {
		err = d.checkSchema()
	}
	if err != nil {
		_ = d.badger.Close() // the error that matters is the first
		return err
	}
	d.sealedAs = l.seal
	d.checked.Store(l.seal.checked)
	if l.due {
		d.checked.Store(time.Now().Unix())
	}
	if !d.shared {
		d.stopSealing, d.sealingStopped = make(chan struct{}), make(chan struct{})
		go d.keepSealing(d.stopSealing, d.sealingStopped)
	}
	return nil
}

// removeAll removes files that hold nothing and that Badger makes anew, where it
// would fail over one that is broken.
func removeAll(dir string, paths []string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return dirError(dir, err)
		}
	}
	return nil
}

func (d *DB) options() badger.Options {
	o := options(d.dir).WithReadOnly(d.shared)
	if d.lowSpace {
		o = o.WithNumCompactors(0) // they would fill what is left
	}
	return o
}

// create begins a database. Badger leaves the modes of its files to the umask, so
// the directory is what keeps others out. The seal comes before any file of
// Badger's, as files without one are a database that has lost it.
func (d *DB) create() error {
	// It may have been there, empty. If it is another user's, what its modes
	// are is theirs to say.
	_ = os.Chmod(d.dir, 0o700)
	if free, _, ok := freeOn(d.dir); ok && free < roomToStart {
		return &SpaceError{Dir: d.dir, Free: free, Needed: roomToStart}
	}
	if err := (seal{}).write(d.dir); err != nil {
		return unusable(d.dir, err)
	}
	return nil
}

// openBadger opens Badger. It panics on some files that it cannot read.
func openBadger(o badger.Options) (b *badger.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &DamagedError{Dir: o.Dir, Problem: firstWords(r)}
		}
	}()
	return badger.Open(o.WithBypassLockGuard(true))
}

// Close waits for running transactions and closes the database. It must not be
// called inside one. A second call does nothing. It fails with a [*DirError].
func (d *DB) Close() error {
	if !d.gate.close() {
		return nil
	}
	if d.lock != nil {
		defer d.lock.release(true)
	}
	if d.shared {
		if err := d.badger.Close(); err != nil {
			return dirError(d.dir, err)
		}
		return nil
	}
	close(d.stopSealing)
	<-d.sealingStopped
	// To close makes a table of the log, so the seal must not speak of one any
	// more. Without a seal the directory would be refused.
	if err := d.sealClosed(false); err != nil {
		return dirError(d.dir, errors.Join(err, d.badger.Close()))
	}
	if err := d.badger.Close(); err != nil {
		return dirError(d.dir, err)
	}
	_ = d.sealClosed(true) // without it the next opening checks the tables
	return nil
}
