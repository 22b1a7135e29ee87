package persist

import (
	"errors"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// Update calls fn and then commits what fn has written. When Update returns, the commit is
// on the disk. Update waits until no other Update or Load runs, so fn must not call either
// of them on the same database.
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
	pending := kv.NewOverlay(d.callerReader(txn))
	if err := fn(pending); err != nil {
		return err
	}
	return d.commit(pending)
}

// beginWrite waits until no other goroutine writes, and makes the caller the one writer
// until it calls endWrite. After an error there is nothing to end. It fails with
// [kv.ErrClosed], [kv.ErrReadOnly], a [*DamagedError] or a [*SpaceError].
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
		err = d.checkSpace()
	}
	if err != nil {
		endWrite()
		return nil, err
	}
	return endWrite, nil
}

// commit writes the pending changes and the new number of commits in one transaction, and
// then counts the commit in the seal. Without changes it does nothing.
func (d *DB) commit(pending *kv.Overlay) error {
	txn := d.badger.NewTransaction(true)
	defer txn.Discard()
	writer := d.callerWriter(txn)
	if err := pending.Flush(writer); err != nil {
		return err
	}
	if !writer.hasWritten {
		return nil
	}

	if err := d.countAndCommit(txn, txn.Commit); err != nil {
		return err
	}

	// The commit is valid even if the seal cannot be written.
	isSyncDue := time.Since(d.sealedAt) > sealSyncInterval
	_ = d.writeOpenSeal(isSyncDue)
	return nil
}

// countAndCommit writes the new number of commits with writer and then calls commit. The
// number of the commit is part of the commit, so that a lost one is noticed.
func (d *DB) countAndCommit(writer kv.Writer, commit func() error) error {
	commitCount := d.commits + 1
	if err := writer.Set(commitsKey, encodeCommits(commitCount)); err != nil {
		return d.writeError(err)
	}
	if err := commit(); err != nil {
		return d.writeError(err)
	}
	d.commits = commitCount
	return nil
}

// Load calls fn, which can write any number of records and cannot read. The records are
// committed in several batches. When Load returns, all of them are on the disk. Load fails
// with the errors of Update except for [kv.ErrTooBig]. After an error, some of the records
// may be stored.
func (d *DB) Load(fn func(kv.Writer) error) error {
	endWrite, err := d.beginWrite()
	if err != nil {
		return err
	}
	defer endWrite()

	batch := d.badger.NewWriteBatch()
	defer batch.Cancel()
	if err := fn(d.callerWriter(batch)); err != nil {
		return err
	}

	if err := d.countAndCommit(batch, batch.Flush); err != nil {
		return err
	}

	// A load counts as one commit, though it has many transactions. If a broken log loses
	// some of them, only the seal shows it. So the seal is always synced here.
	return dirError(d.dir, d.writeOpenSeal(syncToDisk))
}

// callerWriter returns a writer of callers' records to a transaction or a batch of Badger.
func (d *DB) callerWriter(to kv.Writer) *callerWriter {
	return &callerWriter{db: d, badgerWriter: kv.PrefixedWriter(to, callerPrefix)}
}

// callerWriter writes the records of this package's callers to Badger. It refuses records
// that are too long. It adds the size of the others to the estimated size of the tables,
// and fails if the disk has no space for that.
type callerWriter struct {
	db           *DB
	badgerWriter kv.Writer // a transaction or a batch of Badger
	hasWritten   bool      // a write was begun
}

// Set writes a record. An error of Badger may be about an earlier write.
func (w *callerWriter) Set(key, value []byte) error {
	if err := kv.CheckEntry(key, value); err != nil {
		return err
	}
	if err := w.noteWrite(len(key) + len(value)); err != nil {
		return err
	}
	return w.db.writeError(w.badgerWriter.Set(key, value))
}

// Delete deletes a record. An error of Badger may be about an earlier write.
func (w *callerWriter) Delete(key []byte) error {
	if err := w.noteWrite(len(key)); err != nil {
		return err
	}
	return w.db.writeError(w.badgerWriter.Delete(key))
}

// noteWrite sets hasWritten and counts the bytes of a write, before the write is done. It
// fails with a [*SpaceError] if the disk is too full.
func (w *callerWriter) noteWrite(bytes int) error {
	w.hasWritten = true
	return w.db.reserveSpace(bytes)
}

// writeError converts an error of Badger about a write. If the transaction is too big, the
// result wraps [kv.ErrTooBig]. Otherwise it is a [*DirError], or nil if err is nil.
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
// are filled bit by bit, and a compaction writes new tables before it removes the old ones.
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
	// maxCompacted is how many bytes of tables a compaction rewrites at most, and so how
	// much free space it needs. It rewrites up to 15 new tables, the level below them of
	// about 10 MB, and a table of another level with those below it.
	maxCompacted = 15*memoryTableSize + 64<<20
	// spaceToStart is for what an opening writes: the first pages of new logs.
	spaceToStart = 4 << 20
	// spaceCheckBytes is how many bytes are written until the free space is measured again.
	// It is small, so that other programs cannot use up the space of spaceForMemory between
	// two measurements.
	spaceCheckBytes = 1 << 20
	// minFreeFiles is how many more files the disk must be able to take. It is more than
	// Badger and other programs create between two checks. A compaction that cannot create
	// the file of a table loses the table.
	minFreeFiles = 1000
)

// checkSpace fails with a [*SpaceError] if a write might fill the disk. Only the goroutine
// that writes calls it. Where the system does not report free space, it never fails.
func (d *DB) checkSpace() error {
	free, freeFiles, isMeasured := freeSpaceOn(d.dir)
	needed := d.spaceToWrite()
	lacksFiles := freeFiles < minFreeFiles
	lacksBytes := free < needed

	// If the disk was too full at the opening, Badger runs without compactions.
	mayFill := lacksFiles || lacksBytes || d.hasLowSpace
	if isMeasured && mayFill {
		return &SpaceError{
			Dir:        d.dir,
			Free:       free,
			Needed:     needed,
			LacksFiles: lacksFiles,
			MustReopen: !lacksFiles && !lacksBytes,
		}
	}
	d.checkedTableBytes = d.tableBytes
	return nil
}

// spaceToWrite returns how many bytes must be free on the disk before a write: for the
// records that are still in memory, and for a compaction, which writes new tables before
// it removes the old ones.
func (d *DB) spaceToWrite() int64 {
	return spaceForMemory + min(d.tableBytes, maxCompacted)
}

// reserveSpace adds the bytes of a write to the estimated size of the tables. After every
// spaceCheckBytes of writes it checks the free space, and fails with a [*SpaceError] if
// it is too small.
func (d *DB) reserveSpace(bytes int) error {
	d.tableBytes += int64(bytes)
	if d.tableBytes-d.checkedTableBytes < spaceCheckBytes {
		return nil
	}
	return d.checkSpace()
}

// checkSpaceToOpen fails with a [*SpaceError] if there is no space to open the database.
// If there is no space to write afterwards, it sets hasLowSpace, so that every write is
// refused and Badger compacts no table.
func (d *DB) checkSpaceToOpen(files listing) error {
	free, freeFiles, isMeasured := freeSpaceOn(d.dir)
	if !isMeasured {
		return nil
	}

	// The opening makes a table of each log.
	needed := int64(spaceToStart)
	for _, log := range files.logs {
		if info, err := log.Info(); err == nil {
			needed += bytesOnDisk(info)
		}
	}
	if free < needed {
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed}
	}
	d.hasLowSpace = free < d.spaceToWrite() || freeFiles < minFreeFiles
	return nil
}
