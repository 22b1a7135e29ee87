package chain_test

import (
	"errors"
	"fmt"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
)

func idsOf(nodes []history.Node) []history.ID {
	ids := []history.ID{}
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestUndoGoesBeforeTheLastNodeThatChangedAnythingAndSaysWhich(t *testing.T) {
	w := newWorld(t)
	empty := w.state()
	minted := w.mint("1", "alice")
	w.refused("bob", `{"burn":{"token_id":"1"}}`)
	w.refused("bob", `{"burn":{"token_id":"2"}}`)
	full := w.state()
	u := must(w.c.Undo(1))(t)
	same(t, "what was undone", []history.ID{minted}, idsOf(u.Nodes))
	same(t, "who did it", address("creator"), u.Nodes[0].Sender)
	same(t, "the state", empty, w.state())
	r := must(w.c.Redo(1))(t)
	same(t, "what was done again", []history.ID{minted}, idsOf(r.Nodes))
	same(t, "the state", full, w.state())
	if _, err := w.c.Redo(1); !errors.Is(err, history.ErrNothingToRedo) {
		t.Errorf("redo over what was refused gave %v", err)
	}
}

func TestTheEndsOfHistorySaySoAndChangeNothing(t *testing.T) {
	w := newWorld(t)
	before := w.everything()
	for range 2 {
		if _, err := w.c.Undo(1); !errors.Is(err, history.ErrNothingToUndo) {
			t.Errorf("undo at the beginning gave %v", err)
		}
		if _, err := w.c.Redo(1); !errors.Is(err, history.ErrNothingToRedo) {
			t.Errorf("redo at the end gave %v", err)
		}
		for _, n := range []int{0, -1} {
			_, err := w.c.Undo(n)
			outOfRange(t, err)
		}
	}
	same(t, "the store", before, w.everything())
}

func TestUndoOfMoreThanThereIsUndoesWhatThereIs(t *testing.T) {
	w := newWorld(t)
	empty := w.state()
	a, b := w.mint("1", "alice"), w.mint("2", "alice")
	u := must(w.c.Undo(10))(t)
	same(t, "what was undone", []history.ID{b, a}, idsOf(u.Nodes))
	same(t, "the state", empty, w.state())
	r := must(w.c.Redo(10))(t)
	same(t, "what was done again", []history.ID{a, b}, idsOf(r.Nodes))
	w.view(func(v *chain.View) {
		same(t, "the head", v.Head, r.Head)
		same(t, "the revision", v.Revision, r.Revision)
		same(t, "the clock", v.Clock, r.Clock)
	})
}

// A transaction of a walk is full after 5,000 records: here that is where the
// history begins.
func TestUndoThatFillsATransactionToTheBeginningIsAllThatThereIs(t *testing.T) {
	w := newWorld(t)
	for range 4999 {
		must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	}
	same(t, "how many were undone", 4999, len(must(w.c.Undo(6000))(t).Nodes))
}

func TestUndoBringsTheClockAndItsPaceBack(t *testing.T) {
	w := newWorld(t)
	before := w.state()
	must(w.c.Advance(chain.Step{Blocks: 10}))(t)
	must(w.c.Pace(12))(t)
	u := must(w.c.Undo(2))(t)
	same(t, "the clock", clockAt(100, 1000), u.Clock)
	same(t, "the state", before, w.state())
}

func TestUndoNeverEntersTheSetUp(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	ok(t, w.c.Seal())
	sealed := w.state()
	w.mint("2", "alice")
	must(w.c.Undo(5))(t)
	same(t, "the state", sealed, w.state())
	if _, err := w.c.Undo(1); !errors.Is(err, history.ErrNothingToUndo) {
		t.Errorf("undo into the set-up gave %v", err)
	}
}

func TestActingAfterAnUndoStartsABranchAndLosesNothing(t *testing.T) {
	w := newWorld(t)
	root := w.mint("1", "alice")
	left := w.do("alice", `{"transfer_nft":{"recipient":"$bob","token_id":"1"}}`).Node
	onLeft := w.state()
	must(w.c.Undo(1))(t)
	right := w.do("alice", `{"transfer_nft":{"recipient":"$carol","token_id":"1"}}`).Node
	onRight := w.state()
	w.view(func(v *chain.View) {
		same(t, "the branches", []history.ID{left, right}, must(v.Children(root))(t))
	})
	g := must(w.c.Goto(fmt.Sprint(left)))(t)
	same(t, "the way", []history.ID{right, left}, idsOf(g.Nodes))
	same(t, "the left branch", onLeft, w.state())
	must(w.c.Snapshot("right", right))(t)
	must(w.c.Goto("right"))(t)
	same(t, "the right branch", onRight, w.state())
	must(w.c.Undo(1))(t)
	must(w.c.Redo(1))(t)
	same(t, "redo goes the way that undo came", onRight, w.state())
	must(w.c.Goto(fmt.Sprint(left)))(t)
	must(w.c.Undo(1))(t)
	must(w.c.Redo(1))(t)
	same(t, "redo of the other branch", onLeft, w.state())
	g = must(w.c.Goto("right"))(t)
	again := must(w.c.Goto("right"))(t)
	same(t, "the nodes of a walk to where one is", 0, len(again.Nodes))
	same(t, "the head", g.Head, again.Head)
}

func TestSnapshotsAreNamesForNodes(t *testing.T) {
	w := newWorld(t)
	node := w.mint("1", "alice")
	same(t, "the node of a snapshot of now", node, must(w.c.Snapshot("one token", 0))(t))
	w.mint("2", "alice")
	var taken *history.NameError
	if _, err := w.c.Snapshot("one token", 0); !errors.As(err, &taken) {
		t.Errorf("a name in use gave %v", err)
	}
	w.view(func(v *chain.View) {
		same(t, "the snapshots", []history.Name{{Name: "one token", ID: node}}, must(v.Snapshots())(t))
	})
	same(t, "where it leads", node, must(w.c.Goto("one token"))(t).Head)
	if _, err := w.c.Goto("nowhere"); !errors.As(err, &taken) {
		t.Errorf("a name that nothing has gave %v", err)
	}
	var unknown *history.UnknownNodeError
	for _, target := range []string{"0", "99", "18446744073709551615"} {
		if _, err := w.c.Goto(target); !errors.As(err, &unknown) || unknown.Pruned {
			t.Errorf("going to node %s gave %v", target, err)
		}
	}
	if _, err := w.c.Snapshot("later", 99); !errors.As(err, &unknown) {
		t.Errorf("a name for no node gave %v", err)
	}
}

func TestASnapshotThatIsRenamedLeadsToTheSameNode(t *testing.T) {
	w := newWorld(t)
	node := w.mint("1", "alice")
	must(w.c.Snapshot("one", 0))(t)
	must(w.c.Snapshot("once", 0))(t)
	w.mint("2", "alice")
	same(t, "the node of the new name", node, must(w.c.RenameSnapshot("one", "one token"))(t))
	same(t, "where it leads", node, must(w.c.Goto("one token"))(t).Head)
	var refused *history.NameError
	if _, err := w.c.Goto("one"); !errors.As(err, &refused) {
		t.Errorf("the old name gave %v", err)
	}
	before := w.everything()
	for _, pair := range [][2]string{{"one token", "once"}, {"one token", "12"}, {"one token", ""}, {"nothing", "something"}, {"", "x"}} {
		if _, err := w.c.RenameSnapshot(pair[0], pair[1]); !errors.As(err, &refused) {
			t.Errorf("%q for %q gave %v", pair[1], pair[0], err)
		}
	}
	same(t, "the store after names that cannot be had", before, w.everything())
	same(t, "the node of a name for itself", node, must(w.c.RenameSnapshot("one token", "one token"))(t))
	must(w.c.RenameSnapshot("one token", "one"))(t) // the first name is free again
}

func TestASnapshotThatIsDeletedTakesNoNodeAndNoOtherNameAlong(t *testing.T) {
	w := newWorld(t)
	node := w.mint("1", "alice")
	must(w.c.Snapshot("one", 0))(t)
	must(w.c.Snapshot("once", 0))(t)
	nodes, before := nodesOf(w), w.state()
	same(t, "the node that had the name", node, must(w.c.DeleteSnapshot("one"))(t))
	same(t, "the nodes", nodes, nodesOf(w))
	same(t, "the state", before, w.state())
	w.view(func(v *chain.View) {
		same(t, "the snapshots that are left", []history.Name{{Name: "once", ID: node}}, must(v.Snapshots())(t))
	})
	var unknown *history.NameError
	for _, gone := range []string{"one", "nothing", fmt.Sprint(node)} {
		if _, err := w.c.DeleteSnapshot(gone); !errors.As(err, &unknown) {
			t.Errorf("deleting %q gave %v", gone, err)
		}
	}
	same(t, "the node of the name given anew", node, must(w.c.Snapshot("one", 0))(t))
}

func TestUndoGoesOverWhatHappenedAndNotOverNames(t *testing.T) {
	w := newWorld(t)
	node := w.mint("1", "alice")
	must(w.c.Snapshot("one", 0))(t)
	must(w.c.RenameSnapshot("one", "first"))(t)
	must(w.c.Snapshot("two", 0))(t)
	must(w.c.DeleteSnapshot("two"))(t)
	same(t, "what was undone", []history.ID{node}, idsOf(must(w.c.Undo(1))(t).Nodes))
	same(t, "where the name leads after it", node, must(w.c.Goto("first"))(t).Head)
}

func TestTheTicksOfOnePlayAreOneNode(t *testing.T) {
	w := newWorld(t)
	before := w.state()
	first := must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	for range 5 {
		m := must(w.c.Advance(chain.Step{Blocks: 1, Joins: first.Node}))(t)
		same(t, "the node of a tick", first.Node, m.Node)
	}
	same(t, "the clock", clockAt(106, 1030), w.clock())
	after := w.state()
	u := must(w.c.Undo(1))(t)
	same(t, "what was undone", []history.ID{first.Node}, idsOf(u.Nodes))
	same(t, "the state", before, w.state())
	must(w.c.Redo(1))(t)
	same(t, "the state done again", after, w.state())
}

func TestAPlayGoesOnOnlyWhereNothingCountsOnIt(t *testing.T) {
	for name, act := range map[string]func(w *world, played history.ID){
		"after a message":           func(w *world, _ history.ID) { w.mint("1", "alice") },
		"with a branch below":       func(w *world, _ history.ID) { w.mint("1", "alice"); must(w.c.Undo(1))(w.t) },
		"with only a refusal below": func(w *world, played history.ID) { w.refused("bob", `{}`); must(w.c.Goto(fmt.Sprint(played)))(w.t) },
		"with a name":               func(w *world, _ history.ID) { must(w.c.Snapshot("here", 0))(w.t) },
		"with another name": func(w *world, _ history.ID) {
			must(w.c.Snapshot("here", 0))(w.t)
			must(w.c.RenameSnapshot("here", "there"))(w.t)
		},
		"with one of two names": func(w *world, _ history.ID) {
			must(w.c.Snapshot("here", 0))(w.t)
			must(w.c.Snapshot("there", 0))(w.t)
			must(w.c.DeleteSnapshot("here"))(w.t)
		},
		"in the set-up":              func(w *world, _ history.ID) { ok(w.t, w.c.Seal()) },
		"after it was undone":        func(w *world, _ history.ID) { must(w.c.Undo(1))(w.t) },
		"after a change of the pace": func(w *world, _ history.ID) { must(w.c.Pace(9))(w.t) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			first := must(w.c.Advance(chain.Step{Blocks: 1}))(t)
			played := first.Node
			then := w.state()
			act(w, played)
			m := must(w.c.Advance(chain.Step{Blocks: 1, Joins: played}))(t)
			if m.Node == played {
				t.Error("the tick joined the play")
			}
			must(w.c.Goto(fmt.Sprint(played)))(t)
			same(t, "what the play had come to", then, w.state())
		})
	}
	w := newWorld(t)
	minted := w.mint("1", "alice")
	if m := must(w.c.Advance(chain.Step{Blocks: 1, Joins: minted}))(t); m.Node == minted {
		t.Error("a tick joined a message")
	}
}

func TestAPlayGoesOnWhereItsNameWasDeleted(t *testing.T) {
	w := newWorld(t)
	before := w.state()
	played := must(w.c.Advance(chain.Step{Blocks: 1}))(t).Node
	must(w.c.Snapshot("here", 0))(t)
	must(w.c.DeleteSnapshot("here"))(t)
	same(t, "the node of the next tick", played, must(w.c.Advance(chain.Step{Blocks: 1, Joins: played}))(t).Node)
	must(w.c.Undo(1))(t)
	same(t, "the state after the whole play was undone", before, w.state())
}

func TestTheHistoryListsEverythingYoungestFirst(t *testing.T) {
	w := newWorld(t)
	w.mint("1", "alice")
	must(w.c.Undo(1))(t)
	must(w.c.Advance(chain.Step{Blocks: 1}))(t)
	w.refused("bob", `{}`)
	w.view(func(v *chain.View) {
		all := collect(t, v.History(0))
		same(t, "the nodes", []history.ID{4, 3, 2, 1}, idsOf(all))
		kinds := []history.Kind{}
		for _, n := range all {
			kinds = append(kinds, n.Kind)
		}
		same(t, "what they are", []history.Kind{history.KindExecute, history.KindClock, history.KindExecute, history.KindInstantiate}, kinds)
		same(t, "the nodes from the third on", []history.ID{3, 2, 1}, idsOf(collect(t, v.History(3))))
		same(t, "the clock before a move", `{"height":100,"time":"1000000000000","seconds_per_block":5}`, all[1].Message)
		same(t, "the clock after it", `{"height":101,"time":"1005000000000","seconds_per_block":5}`, string(all[1].Answer))
	})
}
