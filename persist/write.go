package persist

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// Update waits until no other Update or Load runs, so fn must not call either of them on the
// same database.
//
// It fails with the error of fn, with [kv.ErrClosed], with [kv.ErrReadOnly], with an error
// that wraps [kv.ErrTooBig], or with a [*SpaceError], a [*DamagedError] or a [*DirError].
// After an error nothing is written.
func (d *DB) Update(fn func(kv.Txn) error) error {
	endWrite, err := d.beginWrite()
	if err != nil {
		return err
	}
	defer endWrite()
	defer panicOnFault()()

	// A write transaction of Badger remembers every key that it reads. So fn reads in a read
	// transaction, its writes are collected in an overlay, and commit writes them in a second
	// transaction. No other commit can come between the two, because there is one writer.
	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	pending := kv.NewOverlay(rereader{d.callerReader(txn), map[string][]byte{}})
	if err := fn(pending); err != nil {
		return err
	}
	return d.commit(pending)
}

// rereader is a reader of an Update, where no record changes below the overlay. It keeps the
// first values that it reads: a message reads its token to decide and again to record the change.
type rereader struct {
	kv.Reader
	values map[string][]byte // by key
}

func (r rereader) Get(key []byte) (value []byte, ok bool, err error) {
	const maxKept = 64
	if value, ok = r.values[string(key)]; ok {
		return value, true, nil
	}
	value, ok, err = r.Reader.Get(key)
	if ok && len(r.values) < maxKept {
		r.values[string(key)] = value
	}
	return value, ok, err
}

// beginWrite makes the caller the one writer until it calls endWrite. After an error there is
// nothing to end. It fails with [kv.ErrClosed], [kv.ErrReadOnly], a [*DamagedError] or a
// [*SpaceError].
func (d *DB) beginWrite() (endWrite func(), err error) {
	d.writerLock.Lock()
	if err := d.beginUse(); err != nil {
		d.writerLock.Unlock()
		return nil, err
	}
	endWrite = func() {
		d.endUse()
		d.writerLock.Unlock()
	}

	// If the database can't be written, fail before anything is changed.
	switch {
	case d.isAbandoned:
		err = kv.ErrClosed
	case d.isReadOnly:
		err = kv.ErrReadOnly
	default:
		err = requireSpace(d.dir, spaceForMemory)
	}
	if err != nil {
		endWrite()
		return nil, err
	}
	return endWrite, nil
}

// commit writes the pending changes in one transaction, and then counts the commit in the seal.
// Without changes it does nothing.
func (d *DB) commit(pending *kv.Overlay) error {
	txn, err := d.beginCommit()
	if err != nil {
		return err
	}
	defer txn.Discard()
	writer := &callerWriter{db: d, txn: txn}
	if err := pending.Flush(writer); err != nil {
		return err
	}
	if !writer.hasWritten {
		return nil
	}
	if err := d.endCommit(txn); err != nil {
		return err
	}

	// The commit is valid even if the seal cannot be written.
	isSyncDue := time.Since(d.sealedAt) > sealSyncInterval
	_ = d.writeOpenSeal(isSyncDue)
	return nil
}

// beginCommit begins a transaction of Badger with the number of the commit, so that a lost one is
// noticed.
func (d *DB) beginCommit() (*badger.Txn, error) {
	txn := d.badger.NewTransaction(true)
	return txn, d.writeError(txn.Set(commitsKey, encodeCommits(d.commits+1)))
}

// endCommit commits a transaction of beginCommit. If that fails, a part of the commit may be
// in memory or in the log, and Badger would end the process at another write. So the database
// is not used any more. The next opening finds the whole commit in the log or drops it.
func (d *DB) endCommit(txn *badger.Txn) error {
	if err := inTime(txn.Commit); err != nil {
		err = leftError(d.dir, "a write failed (%s), so nothing more is read or written until it is opened again", err)
		d.endUseBy(err)
		return err
	}
	d.commits++
	return nil
}

// Load commits the records of fn in several batches, and has all of them on the disk when it
// returns. It fails with the errors of Update except for [kv.ErrTooBig]. After an error, some of
// the records may be stored.
func (d *DB) Load(fn func(kv.Writer) error) error {
	endWrite, err := d.beginWrite()
	if err != nil {
		return err
	}
	defer endWrite()

	// A second write while one fails would end the process, so each batch waits for the one
	// before it.
	txn, err := d.beginCommit()
	if err != nil {
		return err
	}
	writer := &callerWriter{db: d, txn: txn, inBatches: true}
	defer func() { writer.txn.Discard() }()
	if err := fn(writer); err != nil {
		return err
	}
	if err := d.endCommit(writer.txn); err != nil {
		return err
	}
	return dirError(d.dir, d.writeOpenSeal(syncToDisk))
}

// callerWriter writes the records of this package's callers to a transaction of Badger, and
// counts their bytes against the space on the disk.
type callerWriter struct {
	db         *DB
	txn        *badger.Txn
	inBatches  bool // a transaction that is full is committed, and another one follows
	hasWritten bool // a write was begun
}

// Set writes a record. An error of Badger may be about an earlier write.
func (w *callerWriter) Set(key, value []byte) error {
	if err := kv.CheckEntry(key, value); err != nil {
		return err
	}
	badgerKey := slices.Concat(callerPrefix, key)
	return w.write(len(key)+len(value), func() error { return w.txn.Set(badgerKey, value) })
}

// Delete deletes a record. An error of Badger may be about an earlier write.
func (w *callerWriter) Delete(key []byte) error {
	badgerKey := slices.Concat(callerPrefix, key)
	return w.write(len(key), func() error { return w.txn.Delete(badgerKey) })
}

// write calls add, which adds a write of so many bytes to w.txn.
func (w *callerWriter) write(bytes int, add func() error) error {
	w.hasWritten = true
	if err := w.db.reserveSpace(bytes); err != nil {
		return err
	}
	err := add()
	if w.inBatches && errors.Is(err, badger.ErrTxnTooBig) {
		if err := w.db.endCommit(w.txn); err != nil {
			return err
		}
		if w.txn, err = w.db.beginCommit(); err != nil {
			return err
		}
		err = add()
	}
	return w.db.writeError(err)
}

// writeError converts an error of Badger about a write into one that wraps [kv.ErrTooBig], or into
// a [*DirError].
func (d *DB) writeError(err error) error {
	if errors.Is(err, badger.ErrTxnTooBig) {
		return fmt.Errorf(
			"%w: the database commits at most %d writes or %d bytes at once, and wrote nothing",
			kv.ErrTooBig, d.badger.MaxBatchCount(), d.badger.MaxBatchSize())
	}
	return dirError(d.dir, err)
}

// Badger writes through mapped files, and a page for which the disk has no space ends the
// process. So each write needs space for everything that it can cause: logs and tables
// are filled bit by bit.
//
// No check can foresee that another process takes all the space at once while Badger
// writes a table. That still ends the process. What was committed is in the logs, and
// opens once there is space.
const (
	// spaceForMemory is the space for the records that are in memory when a write begins. Up
	// to four memory tables are written to the disk: three full ones and the one that is
	// being filled. The other 5 MiB are for the growth of the log and for small files. A
	// table on the disk is as large as in memory if its values cannot be compressed.
	spaceForMemory = 4*memoryTableSize + 5<<20
	// spaceToStart is for what an opening writes: the first pages of new logs.
	spaceToStart = 4 << 20
	// spaceCheckBytes is how many bytes are written until the free space is measured again.
	// It is small, so that other programs cannot use up the space of spaceForMemory between
	// two measurements.
	spaceCheckBytes = 1 << 20
)

// requireSpace fails with a [*SpaceError] if the disk has less free space, where that is known.
func requireSpace(dir string, needed int64) error {
	if free, isMeasured := freeSpaceOn(dir); isMeasured && free < needed {
		return &SpaceError{Dir: dir, Free: free, Needed: needed}
	}
	return nil
}

// reserveSpace counts the bytes of a write. After every spaceCheckBytes it checks the free space,
// and whether a file can be written. It fails with a [*SpaceError] or a [*DirError].
func (d *DB) reserveSpace(bytes int) error {
	d.untriedBytes += int64(bytes)
	if d.untriedBytes < spaceCheckBytes {
		return nil
	}
	if err := requireSpace(d.dir, spaceForMemory); err != nil {
		return err
	}
	if err := tryToWrite(d.dir, spaceCheckBytes); err != nil {
		return dirError(d.dir, err)
	}
	d.untriedBytes = 0
	return nil
}
