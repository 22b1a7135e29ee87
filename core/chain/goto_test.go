package chain_test

import (
	"bytes"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/doctor"
	"ephemera/core/kv"
)

// observedStore is a store that counts how many nodes of the history transactions read, and
// calls a function after each commit.
type observedStore struct {
	kv.DB
	nodesRead   int
	afterCommit func() // can be nil
}

// Update runs a transaction and then calls afterCommit.
func (s *observedStore) Update(fn func(kv.Txn) error) error {
	err := s.DB.Update(func(t kv.Txn) error { return fn(observedTxn{t, s}) })
	if s.afterCommit != nil {
		s.afterCommit()
	}
	return err
}

// observedTxn is a transaction of an observedStore.
type observedTxn struct {
	kv.Txn
	store *observedStore
}

// Get reads a record, and counts it if it is a node of the history.
func (t observedTxn) Get(key []byte) ([]byte, bool, error) {
	if bytes.HasPrefix(key, []byte("hn")) {
		t.store.nodesRead++
	}
	return t.Txn.Get(key)
}

// longHistory returns a chain that recorded so many moves of the clock that going back to the
// first node takes several transactions.
func longHistory(t *testing.T) (w *World, store *observedStore, moves int) {
	store = &observedStore{DB: kv.NewMemory()}
	w = On(t, store)
	moves = 12_000
	for range moves {
		Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	}
	return w, store, moves
}

func TestALongPathIsSearchedOnce(t *testing.T) {
	w, store, moves := longHistory(t)
	store.nodesRead = 0
	Same(t, "the number of undone nodes", moves, len(Must(w.C.Goto("1"))(t).Nodes))
	if store.nodesRead > moves+100 {
		t.Errorf("a path of %d nodes took %d reads of nodes", moves, store.nodesRead)
	}
}

func TestAWriteDuringALongWalkDoesNotChangeWhereItLeads(t *testing.T) {
	w, store, _ := longHistory(t)
	commits := 0
	store.afterCommit = func() {
		commits++
		if commits == 2 {
			w.Mint("late", "alice")
		}
	}
	Must(w.C.Goto("1"))(t)
	store.afterCommit = nil
	Same(t, "the clock", Genesis().Clock.Height, w.Clock().Height)
	Same(t, "the tokens", `{"count":0}`, w.Ask(`{"num_tokens":{}}`))
	if r := Must(doctor.Run(w.C, nil))(t); !r.IsClean() {
		t.Errorf("%+v", r.Faults)
	}
}
