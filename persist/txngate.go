package persist

import (
	"sync"

	"ephemera/core/kv"
)

// txnGate counts the transactions that run, so that Close pulls no file from
// under them. A lock for readers and writers would not do: a View inside a
// View would wait for the Close that waits for it.
type txnGate struct {
	mu      sync.Mutex
	running int
	closed  bool
	done    chan struct{} // closed when the last transaction ends after close
}

// enter fails with [kv.ErrClosed] once the gate is closed.
func (g *txnGate) enter() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return kv.ErrClosed
	}
	g.running++
	return nil
}

func (g *txnGate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.running--; g.running == 0 && g.closed {
		close(g.done)
	}
}

// close lets no transaction begin any more and waits for those that run. It
// gives false, at once, when the gate is closed already.
func (g *txnGate) close() bool {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return false
	}
	g.closed = true
	g.done = make(chan struct{})
	if g.running == 0 {
		close(g.done)
	}
	g.mu.Unlock()
	<-g.done
	return true
}
