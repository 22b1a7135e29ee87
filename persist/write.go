package persist

import (
	"errors"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// Update runs fn and then commits its writes, which are on the disk when it returns. It
// waits for the writer before it, so fn must not call Update or Load of the same
// database. It fails with fn's error, [kv.ErrClosed], [kv.ErrReadOnly], an error that
// wraps [kv.ErrTooBig], a [*SpaceError], a [*DamagedError], or a [*DirError]; then nothing
// is written.
func (d *DB) Update(fn func(kv.Txn) error) error {
	endWrite, err := d.beginWrite()
	if err != nil {
		return err
	}
	defer endWrite()
	defer panicOnFault()()

	// Writes are collected in an overlay over a read transaction, because a write
	// transaction of Badger remembers every key that it reads. No commit can come
	// between the two transactions: there is one writer.
	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	pending := kv.NewOverlay(d.callerReader(txn))
	if err := fn(pending); err != nil {
		return err
	}
	return d.commit(pending)
}

// beginWrite waits until no other goroutine writes, and makes the caller the one writer until
// it calls endWrite. After an error there is nothing to end. It fails with [kv.ErrClosed],
// [kv.ErrReadOnly], a [*DamagedError] or a [*SpaceError].
func (d *DB) beginWrite() (endWrite func(), err error) {
	d.writer.Lock()
	if err := d.beginUse(); err != nil {
		d.writer.Unlock()
		return nil, err
	}
	endWrite = func() {
		d.endUse()
		d.writer.Unlock()
	}

	// A database that can't be written refuses before anything is changed.
	switch {
	case d.abandoned:
		err = kv.ErrClosed
	case d.readOnly:
		err = kv.ErrReadOnly
	default:
		err = d.checkSpace()
	}
	if err != nil {
		endWrite()
	}
	return endWrite, err
}

// commit writes the pending changes and the new number of commits in one transaction, and
// then counts the commit in the seal. Without changes it does nothing.
func (d *DB) commit(pending *kv.Overlay) error {
	txn := d.badger.NewTransaction(true)
	defer txn.Discard()
	w := d.callerWriter(txn)
	if err := pending.Flush(w); err != nil {
		return err
	}
	if !w.hasWritten {
		return nil
	}

	// The number of the commit is part of the commit, so that a lost one is noticed.
	count := d.commits + 1
	err := txn.Set(commitsKey, encodeCommits(count))
	if err == nil {
		err = txn.Commit()
	}
	if err != nil {
		return d.writeError(err)
	}

	d.commits = count
	_ = d.sealInUse(time.Since(d.sealedAt) > sealSyncInterval) // the commit stands without it
	return nil
}

// Load runs fn and writes what fn writes in batches of its own size, so that fn can write any
// number of records. fn cannot read. What it has written is on the disk when Load returns.
// Load fails as Update does, but never with [kv.ErrTooBig]. After an error, any part of the
// records may be stored.
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
	count := d.commits + 1
	err = batch.Set(commitsKey, encodeCommits(count))
	if err == nil {
		err = batch.Flush()
	}
	if err != nil {
		return d.writeError(err)
	}

	// A load counts as one commit, though it has many transactions. Only the synced
	// seal shows whether a broken log has lost some of them.
	d.commits = count
	return dirError(d.dir, d.sealInUse(true))
}

// callerWriter returns a writer of callers' records to a transaction or a batch of Badger.
func (d *DB) callerWriter(to kv.Writer) *callerWriter {
	return &callerWriter{db: d, to: kv.PrefixedWriter(to, callerPrefix)}
}

// callerWriter passes the records that the users of this package write on to Badger. It
// refuses those that are too long, and adds the others to the estimated size of the tables,
// for which there must be space.
type callerWriter struct {
	db         *DB
	to         kv.Writer
	hasWritten bool // there was a write
}

// Set writes a record. An error of Badger may be about an earlier write.
func (w *callerWriter) Set(key, value []byte) error {
	if err := kv.CheckEntry(key, value); err != nil {
		return err
	}
	if err := w.count(len(key) + len(value)); err != nil {
		return err
	}
	return w.db.writeError(w.to.Set(key, value))
}

// Delete deletes a record. An error of Badger may be about an earlier write.
func (w *callerWriter) Delete(key []byte) error {
	if err := w.count(len(key)); err != nil {
		return err
	}
	return w.db.writeError(w.to.Delete(key))
}

// count counts the bytes of a write before it is done. It fails as countWrite does.
func (w *callerWriter) count(bytes int) error {
	w.hasWritten = true
	return w.db.countWrite(bytes)
}

// writeError returns an error of Badger about a write as one that wraps [kv.ErrTooBig], if
// the transaction is too big, and otherwise as a [*DirError]. It returns nil for nil.
func (d *DB) writeError(err error) error {
	if errors.Is(err, badger.ErrTxnTooBig) {
		return fmt.Errorf("%w: the database commits at most %d writes or %d bytes at once, and wrote nothing",
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
	// spaceForMemory is for what waits in memory when a write begins: up to three memory
	// tables that become tables, the one that is being filled, whose log grows by one
	// more batch, and a megabyte for small files. A table takes as much as its memory if
	// its values cannot be compressed.
	spaceForMemory = 4*memoryTable + 3<<20 + 2<<20
	// maxCompacted is how many bytes of tables a compaction rewrites at most, and so how
	// much free space it needs: up to 15 new tables, the level below them of about 10 MB,
	// and a table of another level with those below it.
	maxCompacted = 15*memoryTable + 64<<20
	// spaceToStart is for what an opening writes: the first pages of new logs.
	spaceToStart = 4 << 20
	// spaceCheckBytes is how much is written until the free space is measured again. In
	// that time other programs cannot write as much as spaceForMemory reserves.
	spaceCheckBytes = 1 << 20
	// minFreeFiles is how many more files the disk must be able to take. It is more than
	// Badger and other programs create between two checks. A compaction that cannot create
	// the file of a table loses the table.
	minFreeFiles = 1000
)

// checkSpace fails with a [*SpaceError] if a write might fill the disk. Only the goroutine
// that writes calls it. Where the system does not report free space, it never fails.
func (d *DB) checkSpace() error {
	free, files, isMeasured := freeOn(d.dir)
	needed := d.spaceToWrite()
	lacksFiles := files < minFreeFiles
	lacksBytes := free < needed
	wasOpenedWithoutSpace := d.lowSpace // and so without compactions
	if isMeasured && (lacksFiles || lacksBytes || wasOpenedWithoutSpace) {
		return &SpaceError{
			Dir:    d.dir,
			Free:   free,
			Needed: needed,
			Files:  lacksFiles,
			Reopen: !lacksFiles && !lacksBytes,
		}
	}
	d.spaceCheckedAt = d.tableBytes
	return nil
}

// spaceToWrite returns how many bytes must be free on the disk before a write: for what waits
// in memory, and for a compaction, which rewrites tables before it removes the old ones.
func (d *DB) spaceToWrite() int64 {
	return spaceForMemory + min(d.tableBytes, maxCompacted)
}

// countWrite adds the bytes of a write to the estimated size of the tables. After every
// spaceCheckBytes of writes it checks the free space, and fails as checkSpace does.
func (d *DB) countWrite(bytes int) error {
	d.tableBytes += int64(bytes)
	if d.tableBytes-d.spaceCheckedAt < spaceCheckBytes {
		return nil
	}
	return d.checkSpace()
}

// checkSpaceToOpen fails with a [*SpaceError] if there is no space to open the database.
// If there is no space to write afterwards, it sets lowSpace, so that every write is
// refused and Badger compacts no table.
func (d *DB) checkSpaceToOpen(files listing) error {
	needed := int64(spaceToStart)
	for _, log := range files.logs {
		if info, err := log.Info(); err == nil {
			needed += occupied(info) // the opening makes a table of it
		}
	}
	d.tableBytes = files.tableBytes
	free, freeFiles, ok := freeOn(d.dir)
	if !ok {
		return nil
	}
	if free < needed {
		return &SpaceError{Dir: d.dir, Free: free, Needed: needed}
	}
	d.lowSpace = free < d.spaceToWrite() || freeFiles < minFreeFiles
	return nil
}
