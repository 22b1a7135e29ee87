package chain_test

import (
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/check"
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
func far(t *testing.T) (w *World, d *watched, moves int) {
	d = &watched{DB: kv.NewMemory()}
	w, moves = On(t, d), 12_000
	for range moves {
		Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	}
	return w, d, moves
}

func TestALongWayIsFoundOnce(t *testing.T) {
	w, d, moves := far(t)
	d.nodes = 0
	Same(t, "how many were undone", moves, len(Must(w.C.Goto("1"))(t).Nodes))
	if d.nodes > moves+100 {
		t.Errorf("a way of %d nodes took %d reads of nodes", moves, d.nodes)
	}
}

func TestWhoComesInBetweenDoesNotLeadALongWalkAstray(t *testing.T) {
	w, d, _ := far(t)
	commits := 0
	d.after = func() {
		if commits++; commits == 2 {
			w.Mint("late", "alice")
		}
	}
	Must(w.C.Goto("1"))(t)
	d.after = nil
	Same(t, "the clock", Genesis().Clock.Height, w.Clock().Height)
	Same(t, "the tokens", `{"count":0}`, w.Ask(`{"num_tokens":{}}`))
	if r := Must(check.Run(w.C, nil))(t); !r.IsClean() {
		t.Errorf("%+v", r.Faults)
	}
}
