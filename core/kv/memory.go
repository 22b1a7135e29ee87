package kv

import (
	"sync"
	"sync/atomic"
)

// Memory is a [DB] that keeps its writes in memory, for the demo, lessons, scenarios and
// tests. The writes are lost when the process ends.
//
// The writes are in a copy-on-write tree: a copy shares all nodes with the original until
// one of the two is changed. So a reader's snapshot and a discarded transaction cost
// nothing. Several goroutines may call View at the same time.
type Memory struct {
	base        DB         // the records below the writes, never written; nil if there are none
	writerMutex sync.Mutex // locked by Update and Close

	// committed holds the writes of the last commit. Update copies it, which marks its
	// nodes as shared, so readers must not use this tree but the copy in snapshot.
	committed *tree
	snapshot  atomic.Pointer[tree] // a copy of committed, which never changes
	isClosed  atomic.Bool
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return NewScratch(nil) }

// NewScratch returns a store that begins with the records of base and keeps its own
// writes in memory, without writing to base. As long as the store is used, nothing else
// may write to base. Closing the store closes base. If base is nil, the store is empty.
func NewScratch(base DB) *Memory {
	m := &Memory{base: base}
	m.publish(newTree())
	return m
}

// publish commits the writes of a transaction: every View that begins from now on sees
// them.
func (m *Memory) publish(writes *tree) {
	m.committed = writes
	m.snapshot.Store(writes.Copy())
}

// View runs fn over the last committed state. It fails with [ErrClosed] after Close, and
// with fn's error.
func (m *Memory) View(fn func(Reader) error) error {
	return m.withOverlay(m.snapshot.Load(), func(o *Overlay) error { return fn(o) })
}

// Update runs fn and then commits its writes. If fn fails or panics, Update discards
// them. Update waits for the running writer, so fn must not call Update or Load of the
// same store.
func (m *Memory) Update(fn func(Txn) error) error {
	m.writerMutex.Lock()
	defer m.writerMutex.Unlock()

	writes := m.committed.Copy()
	if err := m.withOverlay(writes, func(o *Overlay) error { return fn(o) }); err != nil {
		return err
	}
	m.publish(writes)
	return nil
}

// withOverlay runs fn with an overlay: the pending writes lie over the records of the base, the
// store that this one was copied from, if there is one. It fails with [ErrClosed] after
// Close.
func (m *Memory) withOverlay(writes *tree, fn func(*Overlay) error) error {
	if m.isClosed.Load() {
		return ErrClosed
	}
	if m.base == nil {
		return fn(&Overlay{pending: writes})
	}
	return m.base.View(func(r Reader) error { return fn(&Overlay{base: r, pending: writes}) })
}

// Load does the same as Update: in memory, a transaction may have any size.
func (m *Memory) Load(fn func(Writer) error) error {
	return m.Update(func(t Txn) error { return fn(t) })
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
