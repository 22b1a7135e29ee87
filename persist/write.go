package persist

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/dgraph-io/badger/v4"

	"ephemera/core/kv"
)

// Update runs fn and then commits its writes, which are on the disk when it
// returns. It waits for the writer before it, so fn must not call Update or
// Load of the same database. It fails with fn's error, [kv.ErrClosed],
// [kv.ErrReadOnly], one that wraps [kv.ErrTooBig], a [*SpaceError], a
// [*DamagedError], or a [*DirError]; nothing is written then.
func (d *DB) Update(fn func(kv.Txn) error) error {
	leave, err := d.begin()
	if err != nil {
		return err
	}
	defer leave()
	if err := d.room(); err != nil {
		return err
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // as in View
	// The writes wait in an overlay, as a transaction that writes keeps a mark of
	// every key that it reads. Nothing can come between the two: there is one
	// writer.
	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	pending := kv.NewOverlay(reader{txn, d})
	if err := fn(pending); err != nil {
		return err
	}
	return d.commit(pending)
}

// begin makes the caller the one writer until it calls leave.
func (d *DB) begin() (leave func(), err error) {
	if d.readOnly {
		return nil, d.refuse()
	}
	d.writer.Lock()
	if err := d.gate.enter(); err != nil {
		d.writer.Unlock()
		return nil, err
	}
	if err := d.usable(); err != nil {
		d.gate.leave()
		d.writer.Unlock()
		return nil, err
	}
	return func() { d.gate.leave(); d.writer.Unlock() }, nil
}

// refuse gives the reason why a read-only database takes no write.
func (d *DB) refuse() error {
	if err := d.gate.enter(); err != nil {
		return err
	}
	d.gate.leave()
	return kv.ErrReadOnly
}

func (d *DB) commit(pending *kv.Overlay) error {
	txn := d.badger.NewTransaction(true)
	defer txn.Discard()
	n := d.commits.Load() + 1
	w := txnWriter{txn: txn}
	err := pending.Flush(&w)
	if err == nil && w.bytes == 0 {
		return nil
	}
	if err == nil {
		err = txn.Set(commitsKey, encodeCommits(n))
	}
	if err == nil {
		err = txn.Commit()
	}
	if errors.Is(err, badger.ErrTxnTooBig) {
		return fmt.Errorf("%w: the database commits at most %d writes or %d bytes at once, and wrote nothing",
			kv.ErrTooBig, d.badger.MaxBatchCount(), d.badger.MaxBatchSize())
	}
	if err != nil {
		return dirError(d.dir, err)
	}
	d.commits.Store(n)
	// Before the first commit a log is not missed; from then on it is.
	if !d.sealedOpen {
		d.sealedOpen = d.sealOpen() == nil
	}
	d.inTables.Add(w.bytes)
	return nil
}

// txnWriter brings checked writes to Badger. It keeps the slices, and counts
// bytes.
type txnWriter struct {
	txn   *badger.Txn
	bytes int64
}

func (w *txnWriter) Set(key, value []byte) error {
	w.bytes += int64(1 + len(key) + len(value))
	return w.txn.Set(portKey(key), value)
}

func (w *txnWriter) Delete(key []byte) error {
	w.bytes += int64(1 + len(key))
	return w.txn.Delete(portKey(key))
}

// Load writes in batches: after an error, any part of it may be there. Nothing
// can be read through it. It fails as Update does, but for size.
func (d *DB) Load(fn func(kv.Writer) error) error {
	leave, err := d.begin()
	if err != nil {
		return err
	}
	defer leave()
	if err := d.room(); err != nil {
		return err
	}
	batch := d.badger.NewWriteBatch()
	defer batch.Cancel()
	if err := fn(&batchWriter{db: d, batch: batch}); err != nil {
		return err
	}
	n := d.commits.Load() + 1
	if err := batch.Set(commitsKey, encodeCommits(n)); err != nil {
		return dirError(d.dir, err)
	}
	if err := batch.Flush(); err != nil {
		return dirError(d.dir, err)
	}
	d.commits.Store(n)
	// A load has one count for many transactions, so what is lost of it in a
	// broken log shows only against the seal.
	if err := d.sealOpen(); err != nil {
		return dirError(d.dir, err)
	}
	d.sealedOpen = true
	return nil
}

// batchWriter is Badger's batch as a [kv.Writer]. From time to time it looks
// for room on the disk.
type batchWriter struct {
	db    *DB
	batch *badger.WriteBatch
	bytes int64 // since it last looked for room
}

func (w *batchWriter) Set(key, value []byte) error {
	if err := kv.CheckEntry(key, value); err != nil {
		return err
	}
	if err := w.count(len(key) + len(value)); err != nil {
		return err
	}
	return w.explained(w.batch.Set(portKey(key), value))
}

func (w *batchWriter) Delete(key []byte) error {
	if err := w.count(len(key)); err != nil {
		return err
	}
	return w.explained(w.batch.Delete(portKey(key)))
}

// explained makes a sentence of what Badger says, which may be about an earlier
// batch.
func (w *batchWriter) explained(err error) error {
	if err != nil {
		return dirError(w.db.dir, err)
	}
	return nil
}

func (w *batchWriter) count(n int) error {
	if w.bytes += int64(n); w.bytes < checkSpaceEvery {
		return nil
	}
	w.db.inTables.Add(w.bytes)
	w.bytes = 0
	return w.db.room()
}
