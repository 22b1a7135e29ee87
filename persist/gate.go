package persist

import (
	"sync"

	"ephemera/core/kv"
)

// gate counts the transactions that run, so that Close pulls no file from
// under them. A lock for readers and writers would not do: a View inside a
// View would wait for the Close that waits for it.
type gate struct {
	mu     sync.Mutex
	inside int
	closed bool
	empty  chan struct{} // closed when the last one leaves a closed gate
}

// enter fails with [kv.ErrClosed] once the gate is shut.
func (g *gate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return kv.ErrClosed
	}
	g.inside++
	return nil
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.inside--; g.inside == 0 && g.closed {
		close(g.empty)
	}
}

// shut lets nobody in any more and waits until everybody is out. It says
// false, at once, when the gate is shut already.
func (g *gate) shut() bool {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return false
	}
	g.closed = true
	g.empty = make(chan struct{})
	if g.inside == 0 {
		close(g.empty)
	}
	g.mu.Unlock()
	<-g.empty
	return true
}
