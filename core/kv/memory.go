package kv

import (
	"sync"
	"sync/atomic"
)

// Memory is a [DB] that keeps its writes in memory, for the demo, lessons, scenarios and
// tests. The writes are lost when the process ends.
//
// The writes are in a copy-on-write tree, of which a copy costs almost nothing: it shares
// all nodes with the original until one of the two is changed. Readers and transactions
// work on copies.
type Memory struct {
	base        DB         // the records to which the writes are added, never written; nil if there are none
	writerMutex sync.Mutex // locked by Update and Close

	committed *tree                // not for readers: copying a tree, as Update does, changes it
	snapshot  atomic.Pointer[tree] // a copy of committed for readers, which never changes
	isClosed  atomic.Bool
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return NewScratch(nil) }

// NewScratch returns a store that begins with the records of base, to which it never writes.
// While the store is used, nothing else may write to base either. Closing the store closes
// base. If base is nil, the store begins empty.
func NewScratch(base DB) *Memory {
	store := &Memory{base: base}
	store.publish(newTree())
	return store
}

func (m *Memory) publish(writes *tree) {
	m.committed = writes
	m.snapshot.Store(writes.Copy())
}

// View runs fn over the last committed state. Several goroutines may call it at the same time.
func (m *Memory) View(fn func(Reader) error) error {
	return m.withOverlay(m.snapshot.Load(), func(overlay *Overlay) error { return fn(overlay) })
}

// Update waits for the running writer, so fn must not call Update or Load of the same store.
// If fn panics, Update discards its writes.
func (m *Memory) Update(fn func(Txn) error) error {
	m.writerMutex.Lock()
	defer m.writerMutex.Unlock()

	// Work on a copy, which is dropped if fn fails.
	writes := m.committed.Copy()
	err := m.withOverlay(writes, func(overlay *Overlay) error { return fn(overlay) })
	if err != nil {
		return err
	}
	m.publish(writes)
	return nil
}

// withOverlay runs fn with a view of the base and of the given writes, to which those of fn are
// added. It fails with [ErrClosed] after Close, and with fn's error.
func (m *Memory) withOverlay(writes *tree, fn func(*Overlay) error) error {
	if m.isClosed.Load() {
		return ErrClosed
	}
	if m.base == nil {
		return fn(&Overlay{pendingWrites: writes})
	}
	return m.base.View(func(reader Reader) error {
		return fn(&Overlay{base: reader, pendingWrites: writes})
	})
}

// Load does the same as Update: in memory, a transaction may have any size.
func (m *Memory) Load(fn func(Writer) error) error {
	return m.Update(func(txn Txn) error { return fn(txn) })
}

// Close drops the writes and closes the base. Running readers keep their snapshots.
func (m *Memory) Close() error {
	m.writerMutex.Lock()
	defer m.writerMutex.Unlock()

	m.isClosed.Store(true)
	m.publish(newTree())
	if m.base == nil {
		return nil
	}
	return m.base.Close()
}
