package chain_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/persist"
)

// openOnDisk opens the database in a directory.
func openOnDisk(t *testing.T, dir string) *persist.DB {
	t.Helper()
	return Must(persist.Open(dir, persist.Options{}))(t)
}

// failingStore is a store whose writes fail after some transactions.
type failingStore struct {
	kv.DB
	remaining int // transactions that succeed
}

// Update runs a transaction, or fails if none remains.
func (s *failingStore) Update(fn func(kv.Txn) error) error {
	if s.remaining == 0 {
		return ErrDisk
	}
	s.remaining--
	return s.DB.Update(fn)
}

func TestALongUndoSucceedsOrStopsAtANode(t *testing.T) {
	const many = 6_000 // more than fit into one transaction of a store on disk
	w := New(t)
	empty := w.State()
	for i := range many {
		msg := fmt.Appendf(nil, `{"mint":{"token_id":"%d","owner":%q}}`, i, Address("alice"))
		OK(t, Must(w.C.Execute(Address("creator"), msg))(t).Err())
	}
	full := w.State()

	disk := openOnDisk(t, filepath.Join(t.TempDir(), "db"))
	t.Cleanup(func() { OK(t, disk.Close()) })
	CopyTo(t, disk, w.DB)
	for name, db := range map[string]kv.DB{"in memory": w.DB, "on disk": disk} {
		t.Run(name, func(t *testing.T) {
			store := &failingStore{DB: db, remaining: 3}
			w := Blank(t, store)
			undone, err := w.C.Undo(many)
			if !errors.Is(err, ErrDisk) || len(undone.Nodes) == 0 || len(undone.Nodes) == many {
				t.Fatalf("undo stopped after %d nodes with %v", len(undone.Nodes), err)
			}
			Same(t, "the head", undone.Head, w.Head())
			Same(t, "the number of tokens after a part of undo", many-len(undone.Nodes), tokenCountOf(w, "alice"))
			w.CheckDerived()

			store.remaining = many
			remainder := Must(w.C.Undo(many))(t)
			Same(t, "the number of other nodes to undo", many-len(undone.Nodes), len(remainder.Nodes))
			Same(t, "the state after undo", empty, w.State())

			store.remaining = 3
			redone, err := w.C.Redo(many)
			if !errors.Is(err, ErrDisk) || len(redone.Nodes) == 0 {
				t.Fatalf("redo stopped after %d nodes with %v", len(redone.Nodes), err)
			}
			Same(t, "the number of tokens after a part of redo", len(redone.Nodes), tokenCountOf(w, "alice"))

			store.remaining = many
			Must(w.C.Goto(fmt.Sprint(many + 1)))(t)
			Same(t, "the state at the last node", full, w.State())
			Must(w.C.Goto("1"))(t)
			Same(t, "the state at the first node", empty, w.State())
			again := Must(w.C.Redo(many))(t)
			Same(t, "the number of redone nodes", many, len(again.Nodes))
			Same(t, "the state after redo", full, w.State())
		})
	}
}

// tokenCountOf returns how many tokens an account owns.
func tokenCountOf(w *World, owner string) (n int) {
	w.T.Helper()
	w.View(func(v *chain.View) { n = Must(v.Holdings(Address(owner)))(w.T) })
	return n
}
