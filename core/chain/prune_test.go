package chain_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
)

// nodesOf returns the nodes of the history, the newest first.
func nodesOf(w *World) []history.ID {
	var ids []history.ID
	w.View(func(v *chain.View) { ids = idsOf(Collect(w.T, v.History(0))) })
	return ids
}

// expectPruned expects that going to nodes fails because they were pruned.
func expectPruned(w *World, ids ...string) {
	w.T.Helper()
	for _, id := range ids {
		var unknown *history.UnknownNodeError
		if _, err := w.C.Goto(id); !errors.As(err, &unknown) || !unknown.Pruned {
			w.T.Errorf("going to node %s gave %v, want that it was pruned", id, err)
		}
	}
}

// expectNothingBefore expects that the store has no records of nodes before a node, whose
// number fits in a byte.
func expectNothingBefore(w *World, id byte) {
	w.T.Helper()
	partsOfNodes := []string{"hn", "hd", "hr", "hk"} // each is followed by 8 bytes of the number
	for key := range w.Everything() {
		if slices.Contains(partsOfNodes, key[:2]) && key[9] < id {
			w.T.Errorf("%q remains of a pruned node", key)
		}
	}
}

func TestPruneKeepsTheNewestNodesAndTheState(t *testing.T) {
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
	expectNothingBefore(w, 7)
	w.View(func(v *chain.View) {
		Same(t, "the names that are left", []history.Name{{Name: "young", ID: 8}}, Must(v.Snapshots())(t))
	})
	expectPruned(w, "1", "3", "6")
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
	expectRangeError(t, err)
}

// expectNodeCounts expects that the history has counted its nodes rightly, that some number
// of them were pruned, and whether the remaining ones have consecutive numbers.
func expectNodeCounts(w *World, pruned uint64, isGapless bool) {
	w.T.Helper()
	w.View(func(v *chain.View) {
		state := Must(v.HistoryState())(w.T)
		Same(w.T, "the number of nodes", uint64(len(nodesOf(w))), state.NodeCount())
		Same(w.T, "the number of pruned nodes", pruned, state.PrunedCount)
		Same(w.T, "whether the nodes have no gaps", isGapless, state.IsGapless())
	})
}

func TestTheHistoryCountsItsNodesAndThePrunedOnes(t *testing.T) {
	w := branchedHistory(t)
	expectNodeCounts(w, 0, true)
	Must(w.C.Prune(6))(t)
	expectNodeCounts(w, 5, true) // 6, 7 and 8 remain

	w = branchedHistory(t)
	Must(w.C.Goto("4"))(t)
	Must(w.C.Prune(6))(t)
	expectNodeCounts(w, 5, false) // 3, 4 and 5 remain, and nodes on both sides were pruned
	w.Mint("more", "carol")
	Must(w.C.Undo(1))(t)
	expectNodeCounts(w, 5, false)

	w = New(t)
	for i := range 9 {
		w.Mint(fmt.Sprint(i), "alice")
	}
	Must(w.C.Prune(4))(t)
	expectNodeCounts(w, 6, true)
	w.Mint("more", "alice")
	expectNodeCounts(w, 6, true)
	Must(w.C.Prune(2))(t)
	expectNodeCounts(w, 9, true)
}

// branchedHistory returns a chain whose history has nodes 1 to 5 in a row, 6 and 7 on a
// branch from 2, and 8 on a branch from 6.
func branchedHistory(t *testing.T) *World {
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

func TestPruneDeletesBranchesThatBeganBeforeTheOldestRemainingNode(t *testing.T) {
	w := branchedHistory(t)
	Must(w.C.Goto("2"))(t) // node 2 then remembers where redo leads
	stateAt7 := func() map[string]string {
		Must(w.C.Goto("7"))(t)
		return w.State()
	}
	want := stateAt7()
	Must(w.C.Goto("8"))(t)
	before := w.State()
	Same(t, "how many went", 5, Must(w.C.Prune(3))(t))
	Same(t, "the nodes that are left", []history.ID{8, 7, 6}, nodesOf(w))
	expectNothingBefore(w, 6)
	Same(t, "the state", before, w.State())
	Same(t, "the state of the other branch", want, stateAt7())
	w.View(func(v *chain.View) {
		Same(t, "the branches below the oldest", []history.ID{7, 8}, childrenOf(t, v, 6))
	})
	Must(w.C.Undo(1))(t)
	Fails(w.C.Undo(1))(t, "undo at the floor", history.ErrNothingToUndo)
}

func TestPruneKeepsTheHeadWhereverItIs(t *testing.T) {
	w := branchedHistory(t)
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

func TestAnInterruptedPruneHasCutTheHistoryAlready(t *testing.T) {
	db := &unreadableStore{DB: Memory(t)}
	w := On(t, db)
	for i := range 600 {
		w.Mint(fmt.Sprint(i), "alice")
	}

	reads := 0
	db.failsAt = func(key []byte) bool { // in the third transaction that deletes nodes
		if string(key[:2]) == "hd" {
			reads++
		}
		return reads > 550
	}
	deleted, err := w.C.Prune(10)
	db.failsAt = nil
	if !errors.Is(err, ErrDisk) || deleted != 400 {
		t.Fatalf("pruning deleted %d nodes, %v; want 400 and a failure of the store", deleted, err)
	}

	expectPruned(w, "3", "580", "591") // only the first of these has been deleted
	Same(t, "the number of nodes that can be undone", 9, len(Must(w.C.Undo(1000))(t).Nodes))
	Must(w.C.Redo(1000))(t)
	expectNodeCounts(w, 400, false)
	Same(t, "the number of nodes that the next prune deletes", 191, Must(w.C.Prune(10))(t))
	expectNodeCounts(w, 591, true)
	Same(t, "the number of remaining nodes", 10, len(nodesOf(w)))
}
