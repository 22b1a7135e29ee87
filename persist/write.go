package persist

import (
	"errors"
	"fmt"
	"iter"
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
	txn := d.badger.NewTransaction(true)
	defer txn.Discard()
	walks := walker{db: d}
	defer walks.discard()
	pending := kv.NewOverlay(recalling{writersReader{reader{txn, d}, &walks}, &d.recent})
	if err := fn(pending); err != nil {
		return err
	}
	return d.commit(txn, pending)
}

// writersReader is what a writer reads. The writes wait in an overlay, so the
// transaction that will take them answers what is on the disk until then; it
// keeps a mark of every key that it comes by, so walks, which can be long, have
// one of their own. Nothing can come between the two: there is one writer.
type writersReader struct {
	reader
	walks *walker
}

func (r writersReader) Scan(rng kv.Range) iter.Seq2[kv.Pair, error] {
	return r.walks.reader().Scan(rng)
}

// walker is a read transaction that begins when it is asked for: to begin one
// wakes goroutines of Badger's.
type walker struct {
	db  *DB
	txn *badger.Txn
}

func (w *walker) reader() reader {
	if w.txn == nil {
		w.txn = w.db.badger.NewTransaction(false)
	}
	return reader{w.txn, w.db}
}

func (w *walker) discard() {
	if w.txn != nil {
		w.txn.Discard()
	}
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
	// A compaction that came upon a broken block is held, and after many writes
	// more Badger would wait for it.
	if err := d.intact(); err != nil {
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

func (d *DB) commit(txn *badger.Txn, pending *kv.Overlay) error {
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
		d.recent = recent{} // nobody knows what is on the disk now
		return d.unwritten(err)
	}
	d.commits.Store(n)
	d.sealAsOpen()
	d.tables.Add(w.bytes)
	return pending.Flush(&d.recent)
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
	d.recent = recent{}
	batch := d.badger.NewWriteBatch()
	defer batch.Cancel()
	if err := fn(&batchWriter{db: d, batch: batch}); err != nil {
		return err
	}
	n := d.commits.Load() + 1
	if err := batch.Set(commitsKey, encodeCommits(n)); err != nil {
		return d.unwritten(err)
	}
	if err := batch.Flush(); err != nil {
		return d.unwritten(err)
	}
	d.commits.Store(n)
	// A load has one count for many transactions, so what is lost of it in a
	// broken log shows only against the seal.
	if err := d.sealNow(true); err != nil {
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
	bytes int64 // since it looked last
}

func (w *batchWriter) Set(key, value []byte) error {
	if err := kv.CheckEntry(key, value); err != nil {
		return err
	}
	if err := w.count(len(key) + len(value)); err != nil {
		return err
	}
	return w.told(w.batch.Set(portKey(key), value))
}

func (w *batchWriter) Delete(key []byte) error {
	if err := w.count(len(key)); err != nil {
		return err
	}
	return w.told(w.batch.Delete(portKey(key)))
}

// told makes a sentence of what Badger says, which may be about an earlier
// batch.
func (w *batchWriter) told(err error) error {
	if err != nil {
		return w.db.unwritten(err)
	}
	return nil
}

func (w *batchWriter) count(n int) error {
	if w.bytes += int64(n); w.bytes < lookEvery {
		return nil
	}
	w.db.tables.Add(w.bytes)
	w.bytes = 0
	if err := w.db.intact(); err != nil {
		return err
	}
	return w.db.room()
}
