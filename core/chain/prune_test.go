package chain_test

import (
	"errors"
	"fmt"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
)

func nodesOf(w *World) []history.ID {
	var ids []history.ID
	w.View(func(v *chain.View) { ids = idsOf(Collect(w.T, v.History(0))) })
	return ids
}

// arePruned expects that there is no way to nodes, as they were pruned.
func arePruned(w *World, ids ...string) {
	w.T.Helper()
	for _, id := range ids {
		var unknown *history.UnknownNodeError
		if _, err := w.C.Goto(id); !errors.As(err, &unknown) || !unknown.Pruned {
			w.T.Errorf("going to node %s gave %v, want that it was pruned", id, err)
		}
	}
}

// nothingBefore looks for what is left of nodes below a number.
func nothingBefore(w *World, id byte) {
	w.T.Helper()
	for key := range w.Everything() {
		if part := key[:2]; (part == "hn" || part == "hd" || part == "hr" || part == "hk") && key[9] < id {
			w.T.Errorf("%q is left of a node that was forgotten", key)
		}
	}
}

func TestPruneKeepsTheYoungestNodesAndTheStateAndSaysHowManyWent(t *testing.T) {
	w := New(t)
	for i := range 9 {
		w.Mint(fmt.Sprint(i), "alice")
	}
	Must(w.C.Snapshot("old", 3))(t)
	Must(w.C.Snapshot("young", 8))(t)
	before := w.State()
	Same(t, "how many went", 6, Must(w.C.Prune(4))(t))
	Same(t, "the nodes that are left", []history.ID{10, 9, 8, 7}, nodesOf(w))
	Same(t, "the state", before, w.State())
	nothingBefore(w, 7)
	w.View(func(v *chain.View) {
		Same(t, "the names that are left", []history.Name{{Name: "young", ID: 8}}, Must(v.Snapshots())(t))
	})
	arePruned(w, "1", "3", "6")
	var unknown *history.UnknownNodeError
	if err := w.C.ViewAt(2, func(*chain.View) error { return nil }); !errors.As(err, &unknown) || !unknown.Pruned {
		t.Errorf("a view of a pruned node gave %v", err)
	}
	Same(t, "what can be undone", []history.ID{10, 9, 8}, idsOf(Must(w.C.Undo(99))(t).Nodes))
	Fails(w.C.Undo(1))(t, "undo at the floor", history.ErrNothingToUndo)
	Must(w.C.Redo(99))(t)
	Same(t, "the state again", before, w.State())
	Same(t, "how many go the next time", 0, Must(w.C.Prune(4))(t))
	Same(t, "and with more to keep", 0, Must(w.C.Prune(400))(t))
	_, err := w.C.Prune(0)
	outOfRange(t, err)
}

// counted compares what the history says of its nodes with those that there are.
func counted(w *World, forgot uint64, dense bool) {
	w.T.Helper()
	w.View(func(v *chain.View) {
		state := Must(v.HistoryState())(w.T)
		Same(w.T, "how many are kept", uint64(len(nodesOf(w))), state.NodeCount())
		Same(w.T, "how many are forgotten", forgot, state.Pruned)
		Same(w.T, "whether none is missing in between", dense, state.IsGapless())
	})
}

func TestAHistoryKnowsHowMuchItForgot(t *testing.T) {
	w := forked(t)
	counted(w, 0, true)
	Must(w.C.Prune(6))(t)
	counted(w, 5, true) // 6, 7 and 8 are left
	w = forked(t)
	Must(w.C.Goto("4"))(t)
	Must(w.C.Prune(6))(t)
	counted(w, 5, false) // 3, 4 and 5 are, and what is forgotten stood on both sides
	w.Mint("more", "carol")
	Must(w.C.Undo(1))(t)
	counted(w, 5, false)
	w = New(t)
	for i := range 9 {
		w.Mint(fmt.Sprint(i), "alice")
	}
	Must(w.C.Prune(4))(t)
	counted(w, 6, true)
	w.Mint("more", "alice")
	counted(w, 6, true)
	Must(w.C.Prune(2))(t)
	counted(w, 9, true)
}

// forked has nodes 1 to 5 in a row, 6 and 7 on a branch from 2, and 8 on one
// from 6.
func forked(t *testing.T) *World {
	w := New(t)
	for i := range 4 {
		w.Mint(fmt.Sprint(i), "alice")
	}
	Must(w.C.Goto("2"))(t)
	w.Mint("a", "bob")
	w.Mint("b", "bob")
	Must(w.C.Goto("6"))(t)
	w.Mint("c", "bob")
	return w
}

func TestPruneForgetsBranchesThatBeganBeforeTheOldestNodeThatIsKept(t *testing.T) {
	w := forked(t)
	Must(w.C.Goto("2"))(t) // from where the way back is kept
	at7 := func() map[string]string { Must(w.C.Goto("7"))(t); return w.State() }
	want := at7()
	Must(w.C.Goto("8"))(t)
	before := w.State()
	Same(t, "how many went", 5, Must(w.C.Prune(3))(t))
	Same(t, "the nodes that are left", []history.ID{8, 7, 6}, nodesOf(w))
	nothingBefore(w, 6)
	Same(t, "the state", before, w.State())
	Same(t, "the other branch", want, at7())
	w.View(func(v *chain.View) {
		Same(t, "the branches below the oldest", []history.ID{7, 8}, below(t, v, 6))
	})
	Must(w.C.Undo(1))(t)
	Fails(w.C.Undo(1))(t, "undo at the floor", history.ErrNothingToUndo)
}

func TestPruneKeepsTheHeadWhereverItIs(t *testing.T) {
	w := forked(t)
	Must(w.C.Goto("4"))(t)
	before := w.State()
	Same(t, "how many went", 6, Must(w.C.Prune(2))(t))
	Same(t, "the nodes that are left", []history.ID{5, 4}, nodesOf(w))
	Same(t, "the state", before, w.State())
	Must(w.C.Redo(1))(t)
	w.Mint("more", "carol")
	w.CheckDerived()
	if _, err := w.C.Undo(5); err != nil {
		t.Errorf("undo after a prune gave %v", err)
	}
	Same(t, "the state again", before, w.State())
}

func TestAPruneThatIsCutOffLeavesAHistoryThatIsPrunedAlready(t *testing.T) {
	db := &failing{DB: Memory(t)}
	w := On(t, db)
	for i := range 600 {
		w.Mint(fmt.Sprint(i), "alice")
	}
	n := 0
	db.when = func(key []byte) bool { // the third batch of nodes cannot be read
		if string(key[:2]) == "hd" {
			n++
		}
		return n > 550
	}
	forgot, err := w.C.Prune(10)
	db.when = nil
	if !errors.Is(err, ErrDisk) || forgot != 400 {
		t.Fatalf("forgot %d, %v; want the first 400 and the trouble", forgot, err)
	}
	arePruned(w, "3", "580", "591") // one that is gone and two that are not yet
	Same(t, "what can be undone", 9, len(Must(w.C.Undo(1000))(t).Nodes))
	Must(w.C.Redo(1000))(t)
	counted(w, 400, false)
	Same(t, "how many the next one frees", 191, Must(w.C.Prune(10))(t))
	counted(w, 591, true)
	Same(t, "how many are left", 10, len(nodesOf(w)))
}
