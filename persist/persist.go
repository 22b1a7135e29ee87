// Package persist keeps a store on disk: Badger behind the port of [kv].
//
// A database is one directory, for one process at a time. What an Update has
// committed is on the disk when it returns.
//
// In Badger's key space, the first byte says whose a record is: 0x00 is this
// package's own (the schema version, a count of commits), 0x01 is everything
// that comes through the port. The port sees neither byte. It is there because
// Badger takes no empty key and keeps some names for itself, and a store of [kv]
// does not.
//
// Badger is not careful with files that are missing or broken: it deletes what
// it does not find listed, cuts off what it cannot read, and ends the process.
// So [Open] reads the files first, compares how far they lead with a seal that
// lies beside them, and hands a database to Badger only when nothing is lost
// by that. What it has found in a table is noted in the seal, so that after a
// clean end only the end of that table is looked at. A full disk ends the
// process too, so writes look for room first.
//
// A block that goes bad later is noticed when it is read: the read fails, and
// so does everything after it. Badger would answer without what is in the
// block. Of the some thousand bytes of a block, four are beyond that, which say
// how long its checksum is and of what kind: where one of them alone is wrong, a
// read may still be short, and a compaction leave the block out. Verify and
// Backup find that too, and what is not read at all.
//
// The package must never know what the bytes mean. It knows kv and Badger.
package persist

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

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
	frozen   bool // nothing of it can be written, so Badger only reads
	badger   *badger.DB

	writer  sync.Mutex // held by the one writer
	recent  recent     // used by the writer alone
	gate    gate       // keeps Close out of running transactions
	commits atomic.Uint64

	health  health
	tables  atomic.Int64 // bytes in tables, about
	looked  glance       // the writer's
	cramped bool         // opened on a disk too full to write

	before     looker     // the look at the files before they were opened
	seal       sync.Mutex // held while the seal is written
	sealedOpen bool       // the writer's: the seal says that there is a log

	stopSealing chan struct{}
	sealing     chan struct{} // closed when the seal is left alone
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
	return openFound(dir, o)
}

// openFound opens the database in a directory that is there.
func openFound(dir string, o Options) (*DB, error) {
	d, err := lookedAt(dir, o)
	if err == nil && d.before.memory > 0 && !d.frozen {
		if err = d.drain(); err == nil {
			d, err = lookedAt(dir, o)
		}
	}
	if err == nil {
		err = d.open()
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// lookedAt looks at the files while nobody writes them, and makes them fit for
// Badger.
func lookedAt(dir string, o Options) (*DB, error) {
	release, err := holdOff(dir)
	if err != nil {
		return nil, err
	}
	defer release() // Badger locks it for itself
	d := &DB{dir: dir, readOnly: o.ReadOnly}
	d.health.seen.Store(brokenBlocks.Load())
	return d, d.lookAndHeal()
}

func (d *DB) lookAndHeal() (err error) {
	if d.before, err = look(d.dir, false); err != nil {
		return err
	}
	// Read-only use is a promise about this program's writes. Badger's own
	// read-only mode is kept for where nothing can be written, because it
	// cannot open what was not closed cleanly.
	if d.frozen = d.readOnly && !writable(d.dir); d.frozen {
		return nil
	}
	if err := d.roomToOpen(); err != nil {
		if d.frozen = d.readOnly; d.frozen {
			return nil
		}
		return err
	}
	if err := heal(d.dir, d.before.files, d.before.found.commits > 0); err != nil {
		return dirError(d.dir, err)
	}
	return nil
}

// drain makes tables of logs that need a larger memory table than this version
// has. Badger ends the process over one that does not fit.
func (d *DB) drain() (err error) {
	if d.badger, err = openBadger(d.options()); err != nil {
		return explain(d.dir, err)
	}
	d.commits.Store(d.before.found.commits)
	return d.shut()
}

// open opens what was looked at.
func (d *DB) open() (err error) {
	if d.badger, err = openBadger(d.options()); err != nil {
		return d.refused(explain(d.dir, err))
	}
	if d.before.found.schema == 0 {
		err = checkSchema(d.badger, d.dir, d.frozen)
	}
	if err == nil {
		err = d.countCommits()
	}
	if broken := d.intact(); broken != nil {
		err = broken // whatever else is wrong comes of that
	}
	if err != nil {
		_ = d.closeBadger() // the error that matters is the first
		return err
	}
	if !d.frozen {
		d.stopSealing, d.sealing = make(chan struct{}), make(chan struct{})
		go d.keepSealing(d.stopSealing, d.sealing)
	}
	return nil
}

// refused says why Badger did not open the database. Where it came upon a table
// that the look took on trust, it has begun a log by then, which goes again.
func (d *DB) refused(err error) error {
	damaged := (*DamagedError)(nil)
	if d.before.closely || !errors.As(err, &damaged) {
		return err
	}
	release, locked := holdAlone(d.dir)
	if locked != nil {
		return err
	}
	defer release()
	if dropBegunLogs(d.dir) != nil {
		return err
	}
	if _, closer := look(d.dir, true); closer != nil {
		return closer
	}
	return err
}

// countCommits counts on from what was found. Between the look and Badger's lock
// somebody else can have written, and has sealed that.
func (d *DB) countCommits() error {
	now, err := readSeal(d.dir)
	if err != nil {
		return dirError(d.dir, err)
	}
	d.commits.Store(max(now.commits, d.before.found.commits))
	return nil
}

func (d *DB) options() badger.Options {
	o := options(d.dir).WithReadOnly(d.frozen)
	if d.cramped {
		o = o.WithNumCompactors(0) // they would fill what is left
	}
	if d.before.memory > 0 {
		o = o.WithMemTableSize(d.before.memory)
	}
	return o
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

// openBadger opens Badger. It panics on some files that it cannot read.
func openBadger(o badger.Options) (b *badger.DB, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &DamagedError{Dir: o.Dir, Problem: firstWords(r)}
		}
	}()
	return badger.Open(o)
}

// Close waits for running transactions and closes the database. It must not be
// called inside one. A second call does nothing. It fails with a [*DirError],
// or with a [*DamagedError] when a broken table shows only now.
func (d *DB) Close() error {
	if !d.gate.shut() {
		return nil
	}
	told := d.known() != nil
	if d.sealing != nil {
		close(d.stopSealing)
		<-d.sealing
	}
	err := d.shut()
	if damage := (*DamagedError)(nil); err != nil && !errors.As(err, &damage) {
		return err
	} else if told {
		err = nil
	}
	if d.sealing != nil {
		_ = d.sealNow(false) // once more, with the last tables
	}
	return err
}

// shut seals that there is no log, and closes Badger, which makes it so. It fails
// with a [*DirError] or a [*DamagedError].
func (d *DB) shut() error {
	if !d.frozen && d.sealNow(false) != nil {
		if err := d.unseal(); err != nil {
			return dirError(d.dir, errors.Join(err, d.closeBadger()))
		}
	}
	err := d.closeBadger()
	if damage := (*DamagedError)(nil); err != nil && !errors.As(err, &damage) {
		return dirError(d.dir, err)
	}
	return err
}

// closeBadger closes Badger, but does not wait for a compaction that is held:
// then it fails with a [*DamagedError], and leaves the rest to the end of the
// process. What was committed is on the disk either way.
func (d *DB) closeBadger() error {
	done := make(chan error, 1)
	go func() { done <- d.badger.Close() }()
	for {
		n, next := held.so()
		if n > 0 {
			if err := d.intact(); err != nil {
				return err
			}
			// Those that are held by now are of other databases.
		}
		select {
		case err := <-done:
			return err
		case <-next:
		}
	}
}
