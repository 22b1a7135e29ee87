package kv

import (
	"sync"
	"sync/atomic"
)

// Memory is a [DB] that keeps its writes in memory: the demo, lessons, scenarios
// and tests run on it. The writes are lost with the process.
//
// The writes are a copy-on-write tree, so a snapshot for a reader and a discarded
// transaction cost nothing. Readers may be used from several goroutines.
type Memory struct {
	base   DB         // only read; nil for none
	writer sync.Mutex // held by the one writer
	head   *tree      // the writer's tree, at the last commit

	// The last commit as readers see it. A published tree never changes, not
	// even in the bookkeeping of its copies: that is what head is for.
	snapshot atomic.Pointer[tree]
	closed   atomic.Bool
}

// NewMemory returns an empty store.
func NewMemory() *Memory { return NewScratch(nil) }

// NewScratch returns a store that begins with the records of base and never writes
// to it. Nothing else may write to base meanwhile. Closing the store closes base.
func NewScratch(base DB) *Memory {
	m := &Memory{base: base}
	m.publish(newTree())
	return m
}

// publish makes the writes of a tree the last commit.
func (m *Memory) publish(writes *tree) {
	m.head = writes
	m.snapshot.Store(writes.Copy())
}

// View runs fn over the last committed state. It fails with [ErrClosed] or
// with fn's error.
func (m *Memory) View(fn func(Reader) error) error {
	return m.overlay(m.snapshot.Load(), func(o *Overlay) error { return fn(o) })
}

// Update runs fn and then publishes its writes; an error from fn, or a panic,
// discards them. It waits for the writer before it, so fn must not call Update
// or Load of the same store.
func (m *Memory) Update(fn func(Txn) error) error {
	m.writer.Lock()
	defer m.writer.Unlock()

	writes := m.head.Copy()
	if err := m.overlay(writes, func(o *Overlay) error { return fn(o) }); err != nil {
		return err
	}
	m.publish(writes)
	return nil
}

// overlay runs fn over the base with writes above it.
func (m *Memory) overlay(writes *tree, fn func(*Overlay) error) error {
	if m.closed.Load() {
		return ErrClosed
	}
	if m.base == nil {
		return fn(&Overlay{pending: writes})
	}
	return m.base.View(func(r Reader) error { return fn(&Overlay{base: r, pending: writes}) })
}

// Load is an Update: memory needs no batches.
func (m *Memory) Load(fn func(Writer) error) error {
	return m.Update(func(t Txn) error { return fn(t) })
}

// Close releases the data. Readers that are running keep their snapshot.
func (m *Memory) Close() error {
	m.writer.Lock()
	defer m.writer.Unlock()

	m.closed.Store(true)
	m.publish(newTree())
	if m.base == nil {
		return nil
	}
	return m.base.Close()
}
