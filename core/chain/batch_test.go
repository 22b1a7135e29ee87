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

// onDisk gives a database in a directory.
func onDisk(t *testing.T, dir string) *persist.DB {
	t.Helper()
	return Must(persist.Open(dir, persist.Options{}))(t)
}

// cut is a store that goes away after some transactions.
type cut struct {
	kv.DB
	left int
}

func (c *cut) Update(fn func(kv.Txn) error) error {
	if c.left--; c.left < 0 {
		return ErrDisk
	}
	return c.DB.Update(fn)
}

func TestALongUndoIsDoneWholeOrStopsAtANode(t *testing.T) {
	const many = 6_000 // more than any transaction of a store on disk holds
	w := New(t)
	empty := w.State()
	for i := range many {
		r := Must(w.C.Execute(Address("creator"), fmt.Appendf(nil, `{"mint":{"token_id":"%d","owner":%q}}`, i, Address("alice"))))(t)
		OK(t, r.Err())
	}
	full := w.State()
	disk := onDisk(t, filepath.Join(t.TempDir(), "db"))
	t.Cleanup(func() { OK(t, disk.Close()) })
	CopyTo(t, disk, w.DB)
	for name, db := range map[string]kv.DB{"in memory": w.DB, "on disk": disk} {
		t.Run(name, func(t *testing.T) {
			store := &cut{DB: db, left: 3}
			w := Blank(t, store)
			u, err := w.C.Undo(many)
			if !errors.Is(err, ErrDisk) || len(u.Nodes) == 0 || len(u.Nodes) == many {
				t.Fatalf("cut off after %d nodes with %v", len(u.Nodes), err)
			}
			Same(t, "the head", u.Head, w.Head())
			Same(t, "the tokens that are left", many-len(u.Nodes), tokens(w, "alice"))
			w.CheckDerived()

			store.left = many
			rest := Must(w.C.Undo(many))(t)
			Same(t, "how many the rest is", many-len(u.Nodes), len(rest.Nodes))
			Same(t, "the state", empty, w.State())

			store.left = 3
			r, err := w.C.Redo(many)
			if !errors.Is(err, ErrDisk) || len(r.Nodes) == 0 {
				t.Fatalf("redo cut off after %d nodes with %v", len(r.Nodes), err)
			}
			Same(t, "the tokens that are back", len(r.Nodes), tokens(w, "alice"))

			store.left = many
			Must(w.C.Goto(fmt.Sprint(many + 1)))(t)
			Same(t, "the state at the end", full, w.State())
			Must(w.C.Goto("1"))(t)
			Same(t, "the state at the beginning", empty, w.State())
			again := Must(w.C.Redo(many))(t)
			Same(t, "how many were done again", many, len(again.Nodes))
			Same(t, "the state at the end", full, w.State())
		})
	}
}

func tokens(w *World, owner string) (n int) {
	w.T.Helper()
	w.View(func(v *chain.View) { n = Must(v.Holdings(Address(owner)))(w.T) })
	return n
}
