package persist

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

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
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // as in View
	// The writes wait in an overlay, as a transaction that writes keeps a mark of
	// every key that it reads. Nothing can come between the two: there is one
	// writer.
	txn := d.badger.NewTransaction(false)
	defer txn.Discard()
	base := &writerReader{reader: reader{txn, d}, known: d.known}
	pending := kv.NewOverlay(base)
	if err := fn(pending); err != nil {
		return err
	}
	d.known = nil
	if err := d.commit(pending, base); err != nil {
		return err
	}
	d.known = base.read
	return nil
}

// writerReader knows what the transaction before has read, as it then left it: most
// messages read some of the same records, and Badger looks for each in every level.
// It knows what its own transaction has read as well, so that the changes of a
// message cost no second look.
type writerReader struct {
	reader
	known, read []entry
}

// mostKnown is more records than an ordinary message reads.
const mostKnown = 16

func (r *writerReader) Get(key []byte) ([]byte, bool, error) {
	e := entry{key: key}
	if i := slices.IndexFunc(r.read, e.sameKey); i >= 0 {
		return r.read[i].value, !r.read[i].deleted, nil
	}
	if i := slices.IndexFunc(r.known, e.sameKey); i >= 0 {
		e = r.known[i]
	} else {
		value, ok, err := r.reader.Get(key)
		if err != nil {
			return nil, false, err
		}
		e.value, e.deleted = value, !ok
	}
	if len(r.read) < mostKnown {
		r.read = append(r.read, e)
	}
	return e.value, !e.deleted, nil
}

// begin makes the caller the one writer, who has found room, until it calls leave.
func (d *DB) begin() (leave func(), err error) {
	d.writer.Lock()
	leave = func() { d.leave(); d.writer.Unlock() }
	if err := d.enter(); err != nil {
		d.writer.Unlock()
		return nil, err
	}
	switch {
	case d.dropped:
		err = kv.ErrClosed
	case d.readOnly:
		err = kv.ErrReadOnly
	default:
		err = d.room()
	}
	if err != nil {
		leave()
	}
	return leave, err
}

func (d *DB) commit(pending *kv.Overlay, base *writerReader) error {
	txn := d.badger.NewTransaction(true)
	defer txn.Discard()
	n := d.commits.Load() + 1
	w := txnWriter{txn: txn, base: base}
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
	d.inTables.Add(w.bytes)
	_ = d.sealOpen(time.Since(d.sealedAt) > sealEvery)
	return nil
}

// txnWriter brings checked writes to Badger. It keeps the slices, counts bytes, and
// notes what becomes of records that were read.
type txnWriter struct {
	txn   *badger.Txn
	base  *writerReader
	bytes int64
}

func (w *txnWriter) Set(key, value []byte) error {
	w.note(entry{key: key, value: value})
	return w.txn.Set(portKey(key), value)
}

func (w *txnWriter) Delete(key []byte) error {
	w.note(entry{key: key, deleted: true})
	return w.txn.Delete(portKey(key))
}

func (w *txnWriter) note(e entry) {
	w.bytes += int64(1 + len(e.key) + len(e.value))
	for i := range w.base.read {
		if e.sameKey(w.base.read[i]) {
			w.base.read[i] = e
		}
	}
}

// Load writes in batches: after an error, any part of it may be there. Nothing
// can be read through it. It fails as Update does, but for size.
func (d *DB) Load(fn func(kv.Writer) error) error {
	leave, err := d.begin()
	if err != nil {
		return err
	}
	defer leave()
	d.known = nil
	batch := d.badger.NewWriteBatch()
	defer batch.Cancel()
	if err := fn(batchWriter{d, batch}); err != nil {
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
	// A load has one count for many transactions, so that what a broken log has
	// lost of it shows only against the seal, which therefore is synced.
	if err := d.sealOpen(true); err != nil {
		return dirError(d.dir, err)
	}
	return nil
}

// batchWriter is Badger's batch as a [kv.Writer]. From time to time it looks
// for room on the disk. What Badger says may be about an earlier batch.
type batchWriter struct {
	db    *DB
	batch *badger.WriteBatch
}

func (w batchWriter) Set(key, value []byte) error {
	if err := kv.CheckEntry(key, value); err != nil {
		return err
	}
	return w.write(len(key)+len(value), func() error { return w.batch.Set(portKey(key), value) })
}

func (w batchWriter) Delete(key []byte) error {
	return w.write(len(key), func() error { return w.batch.Delete(portKey(key)) })
}

func (w batchWriter) write(n int, fn func() error) error {
	if err := w.db.roomFor(n); err != nil {
		return err
	}
	if err := fn(); err != nil {
		return dirError(w.db.dir, err)
	}
	return nil
}
