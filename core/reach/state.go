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
	seen map[string][]byte // nil: there is none
}

// Get gives what the view has.
func (b *base) Get(key []byte) ([]byte, bool, error) {
	b.mu.RLock()
	value, known := b.seen[string(key)]
	b.mu.RUnlock()
	if known {
		return value, value != nil, nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	value, ok, err := b.view.Get(key)
	if ok && value == nil {
		value = []byte{}
	}
	if err == nil {
		b.seen[string(key)] = value
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
	by   cw721.Address
	msg  cw721.ExecuteMsg
	json []byte
	act  bool // what the question asks about
	// waits tells that it can be sent at any time, and that it is of no use
	// before its sender owns the token.
	waits bool
}

// hit is a message that the contract carries out at a moment.
type hit struct {
	*sent
	at int
}

// node is a state, by the way to it.
type node struct {
	parent *node
	hit                // that led here; none leads to the first state
	state  *kv.Overlay // until all messages were tried on it
	digest digest
	// before is the earliest moment at which the state had been reached already:
	// what can be done from then on was tried.
	before int
}

// path lists what leads to the state.
func (n *node) path() (way []hit) {
	for ; n.parent != nil; n = n.parent {
		way = append(way, n.hit)
	}
	slices.Reverse(way)
	return way
}

// digest tells a state from all others: a hash of all that is different in it from
// the view.
type digest [sha256.Size]byte

func (s *search) digest(state *kv.Overlay, at int) (digest, error) {
	changes, err := state.Changes()
	var all []byte
	for _, c := range changes {
		size := len(c.New)
		if c.New == nil {
			size = -1
		}
		all = append(binary.AppendVarint(kv.AppendPart(all, c.Key), int64(size)), c.New...)
	}
	if s.everyMoment {
		all = append(all, byte(at))
	}
	return sha256.Sum256(all), err
}
