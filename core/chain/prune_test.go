package chain_test

import (
	"errors"
	"fmt"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
)

func nodesOf(w *world) []history.ID {
	var ids []history.ID
	w.view(func(v *chain.View) { ids = idsOf(collect(w.t, v.History(0))) })
	return ids
}

// nothingBefore looks for what is left of nodes below a number.
func nothingBefore(w *world, id byte) {
	w.t.Helper()
	for key := range w.everything() {
		if part := key[:2]; (part == "hn" || part == "hd" || part == "hr" || part == "hk") && key[9] < id {
			w.t.Errorf("%q is left of a node that was forgotten", key)
		}
	}
}

func TestPruneKeepsTheYoungestNodesAndTheStateAndSaysHowManyWent(t *testing.T) {
	w := newWorld(t)
	for i := range 9 {
		w.mint(fmt.Sprint(i), "alice")
	}
	must(w.c.Snapshot("old", 3))(t)
	must(w.c.Snapshot("young", 8))(t)
	before := w.state()
	same(t, "how many went", 6, must(w.c.Prune(4))(t))
	same(t, "the nodes that are left", []history.ID{10, 9, 8, 7}, nodesOf(w))
	same(t, "the state", before, w.state())
	nothingBefore(w, 7)
	w.view(func(v *chain.View) {
		same(t, "the names that are left", []history.Name{{Name: "young", ID: 8}}, must(v.Snapshots())(t))
	})
	var unknown *history.UnknownNodeError
	for _, id := range []string{"1", "3", "6"} {
		if _, err := w.c.Goto(id); !errors.As(err, &unknown) || !unknown.Pruned {
			t.Errorf("going to node %s gave %v, want that it was pruned", id, err)
		}
	}
	if err := w.c.ViewAt(2, func(*chain.View) error { return nil }); !errors.As(err, &unknown) || !unknown.Pruned {
		t.Errorf("a view of a pruned node gave %v", err)
	}
	same(t, "what can be undone", []history.ID{10, 9, 8}, idsOf(must(w.c.Undo(99))(t).Nodes))
	if _, err := w.c.Undo(1); !errors.Is(err, history.ErrNothingToUndo) {
		t.Errorf("undo at the floor gave %v", err)
	}
	must(w.c.Redo(99))(t)
	same(t, "the state again", before, w.state())
	same(t, "how many go the next time", 0, must(w.c.Prune(4))(t))
	same(t, "and with more to keep", 0, must(w.c.Prune(400))(t))
	_, err := w.c.Prune(0)
	outOfRange(t, err)
}

// counted compares what the history says of its nodes with those that there are.
func counted(w *world, forgot uint64, dense bool) {
	w.t.Helper()
	w.view(func(v *chain.View) {
		state := must(v.HistoryState())(w.t)
		same(w.t, "how many are kept", uint64(len(nodesOf(w))), state.Kept())
		same(w.t, "how many are forgotten", forgot, state.Forgot)
		same(w.t, "whether none is missing in between", dense, state.Dense())
	})
}

func TestAHistoryKnowsHowMuchItForgot(t *testing.T) {
	w := forked(t)
	counted(w, 0, true)
	must(w.c.Prune(6))(t)
	counted(w, 5, true) // 6, 7 and 8 are left
	w = forked(t)
	must(w.c.Goto("4"))(t)
	must(w.c.Prune(6))(t)
	counted(w, 5, false) // 3, 4 and 5 are, and what is forgotten stood on both sides
	w.mint("more", "carol")
	must(w.c.Undo(1))(t)
	counted(w, 5, false)
	w = newWorld(t)
	for i := range 9 {
		w.mint(fmt.Sprint(i), "alice")
	}
	must(w.c.Prune(4))(t)
	counted(w, 6, true)
	w.mint("more", "alice")
	counted(w, 6, true)
	must(w.c.Prune(2))(t)
	counted(w, 9, true)
}

// forked has nodes 1 to 5 in a row, 6 and 7 on a branch from 2, and 8 on one
// from 6.
func forked(t *testing.T) *world {
	w := newWorld(t)
	for i := range 4 {
		w.mint(fmt.Sprint(i), "alice")
	}
	must(w.c.Goto("2"))(t)
	w.mint("a", "bob")
	w.mint("b", "bob")
	must(w.c.Goto("6"))(t)
	w.mint("c", "bob")
	return w
}

func TestPruneForgetsBranchesThatBeganBeforeTheOldestNodeThatIsKept(t *testing.T) {
	w := forked(t)
	must(w.c.Goto("2"))(t) // from where the way back is kept
	at7 := func() map[string]string { must(w.c.Goto("7"))(t); return w.state() }
	want := at7()
	must(w.c.Goto("8"))(t)
	before := w.state()
	same(t, "how many went", 5, must(w.c.Prune(3))(t))
	same(t, "the nodes that are left", []history.ID{8, 7, 6}, nodesOf(w))
	nothingBefore(w, 6)
	same(t, "the state", before, w.state())
	same(t, "the other branch", want, at7())
	w.view(func(v *chain.View) {
		same(t, "the branches below the oldest", []history.ID{7, 8}, must(v.Children(6))(t))
	})
	must(w.c.Undo(1))(t)
	if _, err := w.c.Undo(1); !errors.Is(err, history.ErrNothingToUndo) {
		t.Errorf("undo at the floor gave %v", err)
	}
}

func TestPruneKeepsTheHeadWhereverItIs(t *testing.T) {
	w := forked(t)
	must(w.c.Goto("4"))(t)
	before := w.state()
	same(t, "how many went", 6, must(w.c.Prune(2))(t))
	same(t, "the nodes that are left", []history.ID{5, 4}, nodesOf(w))
	same(t, "the state", before, w.state())
	must(w.c.Redo(1))(t)
	w.mint("more", "carol")
	w.checkDerived()
	if _, err := w.c.Undo(5); err != nil {
		t.Errorf("undo after a prune gave %v", err)
	}
	same(t, "the state again", before, w.state())
}

func TestAPruneThatIsCutOffLeavesAHistoryThatIsPrunedAlready(t *testing.T) {
	db := &failing{DB: memory(t)}
	w := worldOn(t, db)
	for i := range 600 {
		w.mint(fmt.Sprint(i), "alice")
	}
	n := 0
	db.when = func(key []byte) bool { // the third batch of nodes cannot be read
		if string(key[:2]) == "hd" {
			n++
		}
		return n > 550
	}
	forgot, err := w.c.Prune(10)
	db.when = nil
	if !errors.Is(err, errDisk) || forgot != 400 {
		t.Fatalf("forgot %d, %v; want the first 400 and the trouble", forgot, err)
	}
	var unknown *history.UnknownNodeError
	for _, id := range []string{"3", "580", "591"} { // one that is gone and two that are not yet
		if _, err := w.c.Goto(id); !errors.As(err, &unknown) || !unknown.Pruned {
			t.Errorf("going to node %s gave %v, want that it was pruned", id, err)
		}
	}
	same(t, "what can be undone", 9, len(must(w.c.Undo(1000))(t).Nodes))
	must(w.c.Redo(1000))(t)
	counted(w, 400, false)
	same(t, "how many the next one frees", 191, must(w.c.Prune(10))(t))
	counted(w, 591, true)
	same(t, "how many are left", 10, len(nodesOf(w)))
}
