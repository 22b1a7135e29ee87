package chain_test

import (
	"testing"

	"ephemera/core/chain"
	"ephemera/core/kv"
)

// watched is a store that counts the nodes that transactions read and tells of
// every commit.
type watched struct {
	kv.DB
	nodes int
	after func()
}

func (d *watched) Update(fn func(kv.Txn) error) error {
	err := d.DB.Update(func(t kv.Txn) error { return fn(watchedTxn{t, d}) })
	if d.after != nil {
		d.after()
	}
	return err
}

type watchedTxn struct {
	kv.Txn
	d *watched
}

func (t watchedTxn) Get(key []byte) ([]byte, bool, error) {
	if len(key) > 1 && string(key[:2]) == "hn" {
		t.d.nodes++
	}
	return t.Txn.Get(key)
}

// far gives a chain with so many moves of the clock behind it that a walk to
// its beginning takes several transactions.
func far(t *testing.T) (w *world, d *watched, moves int) {
	d = &watched{DB: kv.NewMemory()}
	w, moves = worldOn(t, d), 12_000
	for range moves {
		must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	}
	return w, d, moves
}

func TestALongWayIsFoundOnce(t *testing.T) {
	w, d, moves := far(t)
	d.nodes = 0
	same(t, "how many were undone", moves, len(must(w.c.Goto("1"))(t).Nodes))
	if d.nodes > moves+100 {
		t.Errorf("a way of %d nodes took %d reads of nodes", moves, d.nodes)
	}
}

func TestWhoComesInBetweenDoesNotLeadALongWalkAstray(t *testing.T) {
	w, d, _ := far(t)
	commits := 0
	d.after = func() {
		if commits++; commits == 2 {
			w.mint("late", "alice")
		}
	}
	must(w.c.Goto("1"))(t)
	d.after = nil
	same(t, "the clock", genesis().Clock.Height, w.clock().Height)
	same(t, "the tokens", `{"count":0}`, w.ask(`{"num_tokens":{}}`))
	if r := examined(t, w); !r.Clean() {
		t.Errorf("%+v", r.Faults)
	}
}
