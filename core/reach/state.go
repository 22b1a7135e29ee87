package reach

import (
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"slices"
	"sync"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// base is a view, which serves one goroutine, for many: it reads each record
// once and keeps it.
type base struct {
	mu   sync.RWMutex
	view kv.Reader
	seen map[string]record
}

type record struct {
	value []byte
	ok    bool
}

// Get gives what the view has.
func (b *base) Get(key []byte) ([]byte, bool, error) {
	b.mu.RLock()
	r, known := b.seen[string(key)]
	b.mu.RUnlock()
	if known {
		return r.value, r.ok, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	value, ok, err := b.view.Get(key)
	if err == nil {
		b.seen[string(key)] = record{value, ok}
	}
	return value, ok, err
}

// Scan walks the view while all others wait. Whoever walks must not read
// meanwhile: the walks that messages make, over the attributes of the collection
// and the additional minters, do not.
func (b *base) Scan(r kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.view.Scan(r)(yield)
	}
}

// sent is a message with who sends it.
type sent struct {
	cw721.Info
	msg cw721.ExecuteMsg
	act bool // what the question asks about
	// waits tells that it can be sent at any time, and that it is of no use
	// before its sender owns the token.
	waits bool
}

// node is a state, by the way to it.
type node struct {
	parent *node
	*sent  // what led here; nothing leads to the first state
	at     int
	state  *kv.Overlay // until all messages were tried on it
	digest digest
}

// path lists what leads to the state.
func (n *node) path() (way []*node) {
	for ; n.parent != nil; n = n.parent {
		way = append(way, n)
	}
	slices.Reverse(way)
	return way
}

// digest tells a state from all others: a hash of all that is different in it from
// the view.
type digest = [sha256.Size]byte

func digestOf(state *kv.Overlay) (digest, error) {
	changes, err := state.Changes()
	var all []byte
	for _, c := range changes {
		size := len(c.New)
		if c.New == nil {
			size = -1
		}
		all = append(binary.AppendVarint(kv.AppendPart(all, c.Key), int64(size)), c.New...)
	}
	return sha256.Sum256(all), err
}
