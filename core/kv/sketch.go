package kv

import (
	"sync"
	"sync/atomic"
)

// Sketch is a [DB] over another that it only reads: what is written to it stays
// in memory, and is gone with it. Nothing else may write to the store below.
type Sketch struct {
	base     DB
	writer   sync.Mutex // held by the one writer
	head     *tree      // the writer's: what was written, deletions too
	snapshot atomic.Pointer[tree]
}

// NewSketch gives a store that holds what base does.
func NewSketch(base DB) *Sketch {
	s := &Sketch{base: base, head: newTree()}
	s.snapshot.Store(s.head.Copy())
	return s
}

// View runs fn over the store below with the writes over it.
func (s *Sketch) View(fn func(Reader) error) error {
	written := s.snapshot.Load()
	return s.base.View(func(r Reader) error { return fn(&Overlay{r, written}) })
}

// Update runs fn and then publishes its writes; an error from fn, or a panic,
// discards them.
func (s *Sketch) Update(fn func(Txn) error) error {
	s.writer.Lock()
	defer s.writer.Unlock()
	work := s.head.Copy()
	if err := s.base.View(func(r Reader) error { return fn(&Overlay{r, work}) }); err != nil {
		return err
	}
	s.head = work
	s.snapshot.Store(work.Copy())
	return nil
}

// Load is an Update: memory needs no batches.
func (s *Sketch) Load(fn func(Writer) error) error {
	return s.Update(func(t Txn) error { return fn(t) })
}

// Close closes the store below, behind a writer at work.
func (s *Sketch) Close() error {
	s.writer.Lock()
	defer s.writer.Unlock()
	return s.base.Close()
}
