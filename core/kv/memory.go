package kv

import (
	"iter"
	"sync"
	"sync/atomic"
)

// Memory is a [DB] without a disk: the demo, lessons, scenarios and tests run
// on it. It is lost with the process.
//
// It is a copy-on-write tree, so a snapshot for a reader and a discarded
// transaction cost nothing. Readers may be used from several goroutines.
type Memory struct {
	writer sync.Mutex // held by the one writer
	head   *tree      // the writer's tree, at the last commit

	// The last commit as readers see it. A published tree never changes, not
	// even in the bookkeeping of its copies: that is what head is for.
	snapshot atomic.Pointer[tree]
	closed   atomic.Bool
}

// NewMemory gives an empty store.
func NewMemory() *Memory {
	m := &Memory{head: newTree()}
	m.snapshot.Store(m.head.Copy())
	return m
}

// View runs fn over the last committed state. It fails with [ErrClosed] or
// with fn's error.
func (m *Memory) View(fn func(Reader) error) error {
	if m.closed.Load() {
		return ErrClosed
	}
	return fn(memoryTxn{m.snapshot.Load()})
}

// Update runs fn and then publishes its writes; an error from fn, or a panic,
// discards them. It waits for the writer before it, so fn must not call Update
// or Load of the same store.
func (m *Memory) Update(fn func(Txn) error) error {
	m.writer.Lock()
	defer m.writer.Unlock()
	if m.closed.Load() {
		return ErrClosed
	}
	work := m.head.Copy()
	if err := fn(memoryTxn{work}); err != nil {
		return err
	}
	m.head = work
	m.snapshot.Store(work.Copy())
	return nil
}

// Load is an Update: memory needs no batches.
func (m *Memory) Load(fn func(Writer) error) error {
	return m.Update(func(t Txn) error { return fn(t) })
}

// Close lets go of the data. Readers that are at work keep their snapshot.
func (m *Memory) Close() error {
	m.writer.Lock()
	defer m.writer.Unlock()
	m.closed.Store(true)
	m.head = newTree()
	m.snapshot.Store(m.head.Copy())
	return nil
}

// memoryTxn reads and writes one tree. It serves View too: a [Reader] has no
// way to write.
type memoryTxn struct{ tree *tree }

func (t memoryTxn) Get(key []byte) ([]byte, bool, error) {
	e, ok := t.tree.Get(entry{key: key})
	return e.value, ok, nil
}

func (t memoryTxn) Scan(r Range) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for e := range walk(t.tree, r) {
			if !yield(e.pair(r), nil) {
				return
			}
		}
	}
}

func (t memoryTxn) Set(key, value []byte) error {
	if err := CheckEntry(key, value); err != nil {
		return err
	}
	t.tree.Set(newEntry(key, value))
	return nil
}

func (t memoryTxn) Delete(key []byte) error {
	t.tree.Delete(entry{key: key})
	return nil
}
