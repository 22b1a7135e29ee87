package chain_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/persist"
)

// copyTo brings every record of a store to another.
func copyTo(t *testing.T, to, from kv.DB) {
	t.Helper()
	ok(t, from.View(func(r kv.Reader) error {
		return to.Load(func(w kv.Writer) error {
			for p, err := range copied(r.Scan(kv.Range{})) {
				if err != nil {
					return err
				}
				if err := w.Set(p.Key, p.Value); err != nil {
					return err
				}
			}
			return nil
		})
	}))
}

// onDisk gives a database in a directory.
func onDisk(t *testing.T, dir string) *persist.DB {
	t.Helper()
	return must(persist.Open(dir, persist.Options{}))(t)
}

// cut is a store that goes away after some transactions.
type cut struct {
	kv.DB
	left int
}

func (c *cut) Update(fn func(kv.Txn) error) error {
	if c.left--; c.left < 0 {
		return errDisk
	}
	return c.DB.Update(fn)
}

// mints is how many are more than any transaction of a store on disk holds.
func mints() int {
	if testing.Short() {
		return 6_000
	}
	return 20_000
}

func TestALongUndoIsDoneWholeOrStopsAtANode(t *testing.T) {
	w, many := newWorld(t), mints()
	empty := w.state()
	for i := range many {
		r := must(w.c.Execute(address("creator"), fmt.Appendf(nil, `{"mint":{"token_id":"%d","owner":%q}}`, i, address("alice"))))(t)
		ok(t, r.Err())
	}
	full := w.state()
	disk := onDisk(t, filepath.Join(t.TempDir(), "db"))
	t.Cleanup(func() { ok(t, disk.Close()) })
	copyTo(t, disk, w.db)
	for name, db := range map[string]kv.DB{"in memory": w.db, "on disk": disk} {
		t.Run(name, func(t *testing.T) {
			store := &cut{DB: db, left: 3}
			w := &world{t: t, db: store, c: must(chain.Open(store))(t)}
			u, err := w.c.Undo(many)
			if !errors.Is(err, errDisk) || len(u.Nodes) == 0 || len(u.Nodes) == many {
				t.Fatalf("cut off after %d nodes with %v", len(u.Nodes), err)
			}
			same(t, "the head", u.Head, w.head())
			same(t, "the tokens that are left", many-len(u.Nodes), w.tokens("alice"))
			w.checkDerived()

			store.left = many
			rest := must(w.c.Undo(many))(t)
			same(t, "how many the rest is", many-len(u.Nodes), len(rest.Nodes))
			same(t, "the state", empty, w.state())

			store.left = 3
			r, err := w.c.Redo(many)
			if !errors.Is(err, errDisk) || len(r.Nodes) == 0 {
				t.Fatalf("redo cut off after %d nodes with %v", len(r.Nodes), err)
			}
			same(t, "the tokens that are back", len(r.Nodes), w.tokens("alice"))

			store.left = many
			must(w.c.Goto(fmt.Sprint(many + 1)))(t)
			same(t, "the state at the end", full, w.state())
			must(w.c.Goto("1"))(t)
			same(t, "the state at the beginning", empty, w.state())
			again := must(w.c.Redo(many))(t)
			same(t, "how many were done again", many, len(again.Nodes))
			same(t, "the state at the end", full, w.state())
		})
	}
}

func (w *world) tokens(owner string) (n int) {
	w.t.Helper()
	w.view(func(v *chain.View) { n = must(v.Holdings(address(owner)))(w.t) })
	return n
}

func TestUndoPassesOverAnyNumberOfRefusedMessages(t *testing.T) {
	w := newWorld(t)
	empty := w.state()
	minted := w.mint("1", "alice")
	for range 6000 {
		must(w.c.Execute(address("bob"), []byte(`{}`)))(t)
	}
	u := must(w.c.Undo(1))(t)
	same(t, "what was undone", minted, u.Nodes[0].ID)
	same(t, "the state", empty, w.state())
}

func TestEverythingIsThereAfterClosingAndOpening(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	db := onDisk(t, dir)
	w := worldOn(t, db)
	minted := w.mint("1", "alice")
	w.do("alice", `{"approve":{"spender":"$bob","token_id":"1","expires":{"at_height":103}}}`)
	m := must(w.c.Advance(chain.Step{Before: true}))(t)
	must(w.c.Snapshot("live", 0))(t)
	must(w.c.Undo(2))(t)
	w.do("alice", `{"transfer_nft":{"recipient":"$carol","token_id":"1"}}`)
	before := w.everything()
	ok(t, db.Close())

	db = onDisk(t, dir)
	t.Cleanup(func() { ok(t, db.Close()) })
	w = &world{t: t, db: db, c: must(chain.Open(db))(t)}
	same(t, "the store", before, w.everything())
	same(t, "where the name leads", m.Node, must(w.c.Goto("live"))(t).Head)
	same(t, "the clock", cw721.Height(102), w.clock().Height)
	w.checkDerived()
	w.view(func(v *chain.View) { same(t, "the branches", 2, len(must(v.Children(minted))(t))) })
}
