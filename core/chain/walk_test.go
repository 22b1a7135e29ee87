package chain_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ephemera/core/chain"
	. "ephemera/core/chain/chaintest"
	"ephemera/core/chain/history"
)

// idsOf returns the ids of nodes in their order.
func idsOf(nodes []history.Node) []history.ID {
	ids := []history.ID{}
	for _, n := range nodes {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestUndoGoesBeforeTheLastNodeThatChangedSomethingAndReturnsIt(t *testing.T) {
	w := New(t)
	empty := w.State()
	minted := w.Mint("1", "alice")
	w.Refused("bob", `{"burn":{"token_id":"1"}}`)
	w.Refused("bob", `{"burn":{"token_id":"2"}}`)
	full := w.State()
	u := Must(w.C.Undo(1))(t)
	Same(t, "what was undone", []history.ID{minted}, idsOf(u.Nodes))
	Same(t, "who did it", Address("creator"), u.Nodes[0].Sender)
	Same(t, "the state", empty, w.State())
	r := Must(w.C.Redo(1))(t)
	Same(t, "what was done again", []history.ID{minted}, idsOf(r.Nodes))
	Same(t, "the state", full, w.State())
	Fails(w.C.Redo(1))(t, "redo over what was refused", history.ErrNothingToRedo)
}

func TestRedoGoesOverRefusedMessagesAfterAChangeOnlyIfUndoDid(t *testing.T) {
	w := New(t)
	moved := Must(w.C.Advance(chain.ClockStep{Blocks: 5}))(t).Node
	w.Refused("bob", `{"burn":{"token_id":"1"}}`)
	last := w.Refused("bob", `{"burn":{"token_id":"2"}}`).Node
	Must(w.C.Undo(1))(t)
	Same(t, "the head after undo and redo", last, Must(w.C.Redo(1))(t).Head)
	Must(w.C.Goto(fmt.Sprint(moved)))(t)
	Must(w.C.Undo(1))(t)
	Same(t, "the head after undo and redo from the change itself", moved, Must(w.C.Redo(1))(t).Head)
	Must(w.C.Goto(fmt.Sprint(last)))(t)
	Must(w.C.Undo(1))(t)
	w.View(func(v *chain.View) {
		Same(t, "whether redo leads to what was refused", true, Must(v.RedoLeadsTo(Must(v.HistoryTree())(t), last))(t))
	})
}

func TestUndoAndRedoGoOverMoreRefusalsThanFitIntoATransaction(t *testing.T) {
	w := New(t)
	minted := w.Mint("1", "alice")
	for range 5200 {
		w.Refused("bob", `{"burn":{"token_id":"1"}}`)
	}
	last := w.Head()
	Same(t, "what was undone", []history.ID{minted}, idsOf(Must(w.C.Undo(1))(t).Nodes))
	Same(t, "the head after undo and redo", last, Must(w.C.Redo(1))(t).Head)
}

func TestUndoAndRedoFailAtTheEndsOfTheHistoryAndChangeNothing(t *testing.T) {
	w := New(t)
	before := w.Everything()
	for range 2 {
		Fails(w.C.Undo(1))(t, "undo at the beginning", history.ErrNothingToUndo)
		Fails(w.C.Redo(1))(t, "redo at the end", history.ErrNothingToRedo)
		for _, n := range []int{0, -1} {
			_, err := w.C.Undo(n)
			expectRangeError(t, err)
		}
	}
	Same(t, "the store", before, w.Everything())
}

func TestUndoAndRedoOfTooManyStepsTakeAllThatThereAre(t *testing.T) {
	w := New(t)
	empty := w.State()
	first := w.Mint("1", "alice")
	second := w.Mint("2", "alice")

	undone := Must(w.C.Undo(10))(t)
	Same(t, "the undone nodes", []history.ID{second, first}, idsOf(undone.Nodes))
	Same(t, "the state after undo", empty, w.State())

	redone := Must(w.C.Redo(10))(t)
	Same(t, "the redone nodes", []history.ID{first, second}, idsOf(redone.Nodes))
	w.View(func(v *chain.View) {
		Same(t, "the head", v.Head, redone.Head)
		Same(t, "the revision", v.Revision, redone.Revision)
		Same(t, "the clock", v.Clock, redone.Clock)
	})
}

func TestUndoNeverEntersTheSetUp(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	OK(t, w.C.Seal())
	sealed := w.State()
	w.Mint("2", "alice")
	Must(w.C.Undo(5))(t)
	Same(t, "the state", sealed, w.State())
	Fails(w.C.Undo(1))(t, "undo into the set-up", history.ErrNothingToUndo)
}

func TestAnInvalidOrUsedNameOfANodeIsRefusedAndChangesNothing(t *testing.T) {
	w := New(t)
	Must(w.C.Snapshot("one", 0))(t)
	Must(w.C.Snapshot("once", 0))(t)
	before := w.Everything()

	invalid := []string{"", "12", "a\nb", "\x1b[31m", "\xff", strings.Repeat("a", 65)}
	for _, name := range append(invalid, "one") {
		FailsAs[*history.NameError](w.C.Snapshot(name, 0))(t, fmt.Sprintf("a snapshot %q", name))
	}
	for _, name := range append(invalid, "once") {
		FailsAs[*history.NameError](w.C.RenameSnapshot("one", name))(t, fmt.Sprintf("the new name %q", name))
	}
	FailsAs[*history.NameError](w.C.RenameSnapshot("nothing", "something"))(t, "a new name for no snapshot")
	for _, name := range []string{"nothing", "1", ""} {
		FailsAs[*history.NameError](w.C.DeleteSnapshot(name))(t, fmt.Sprintf("deleting %q", name))
	}
	FailsAs[*history.NameError](w.C.Goto("nowhere"))(t, "a name that nothing has")
	FailsAs[*history.UnknownNodeError](w.C.Snapshot("later", 99))(t, "a name for no node")
	for _, target := range []string{"0", "99", "18446744073709551615"} {
		var unknown *history.UnknownNodeError
		if _, err := w.C.Goto(target); !errors.As(err, &unknown) || unknown.Pruned {
			t.Errorf("going to node %s gave %v", target, err)
		}
	}

	Same(t, "the store", before, w.Everything())
	Must(w.C.Snapshot(strings.Repeat("a", 64), 0))(t)
	Must(w.C.RenameSnapshot("one", "one"))(t)
}

func TestTheMovesOfTheClockInOnePlayAreOneNode(t *testing.T) {
	w := New(t)
	before := w.State()
	first := Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	for range 5 {
		m := Must(w.C.Advance(chain.ClockStep{Blocks: 1, JoinedNode: first.Node}))(t)
		Same(t, "the node of a tick", first.Node, m.Node)
		Must(w.C.Snapshot("here", 0))(t)
		Must(w.C.DeleteSnapshot("here"))(t) // a name that was deleted does not end the play
	}
	Same(t, "the clock", clockAt(106, 1030), w.Clock())
	after := w.State()
	u := Must(w.C.Undo(1))(t)
	Same(t, "what was undone", []history.ID{first.Node}, idsOf(u.Nodes))
	Same(t, "the state", before, w.State())
	Must(w.C.Redo(1))(t)
	Same(t, "the state done again", after, w.State())
}

func TestAMoveDoesNotJoinANodeThatSomethingDependsOn(t *testing.T) {
	// Each function does something after the clock has moved, in the node played.
	for name, act := range map[string]func(w *World, played history.ID){
		"after a message":           func(w *World, _ history.ID) { w.Mint("1", "alice") },
		"with a branch below":       func(w *World, _ history.ID) { w.Mint("1", "alice"); Must(w.C.Undo(1))(w.T) },
		"with only a refusal below": func(w *World, played history.ID) { w.Refused("bob", `{}`); Must(w.C.Goto(fmt.Sprint(played)))(w.T) },
		"with a name":               func(w *World, _ history.ID) { Must(w.C.Snapshot("here", 0))(w.T) },
		"with another name": func(w *World, _ history.ID) {
			Must(w.C.Snapshot("here", 0))(w.T)
			Must(w.C.RenameSnapshot("here", "there"))(w.T)
		},
		"with one of two names": func(w *World, _ history.ID) {
			Must(w.C.Snapshot("here", 0))(w.T)
			Must(w.C.Snapshot("there", 0))(w.T)
			Must(w.C.DeleteSnapshot("here"))(w.T)
		},
		"in the set-up":              func(w *World, _ history.ID) { OK(w.T, w.C.Seal()) },
		"after it was undone":        func(w *World, _ history.ID) { Must(w.C.Undo(1))(w.T) },
		"after a change of the pace": func(w *World, _ history.ID) { Must(w.C.SetPace(9))(w.T) },
	} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			first := Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
			played := first.Node
			then := w.State()
			act(w, played)
			m := Must(w.C.Advance(chain.ClockStep{Blocks: 1, JoinedNode: played}))(t)
			if m.Node == played {
				t.Error("the move joined the earlier one")
			}
			Must(w.C.Goto(fmt.Sprint(played)))(t)
			Same(t, "the state of the earlier move", then, w.State())
		})
	}

	w := New(t)
	minted := w.Mint("1", "alice")
	if m := Must(w.C.Advance(chain.ClockStep{Blocks: 1, JoinedNode: minted}))(t); m.Node == minted {
		t.Error("a move joined a message")
	}
}

func TestTheHistoryListsTheNodesOfAllBranchesNewestFirst(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	Must(w.C.Undo(1))(t)
	Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t)
	w.Refused("bob", `{}`)
	w.View(func(v *chain.View) {
		all := Collect(t, v.History(0))
		Same(t, "the nodes", []history.ID{4, 3, 2, 1}, idsOf(all))
		kinds := []history.Kind{}
		for _, n := range all {
			kinds = append(kinds, n.Kind)
		}
		Same(t, "what they are", []history.Kind{history.KindExecute, history.KindClock, history.KindExecute, history.KindInstantiate}, kinds)
		Same(t, "the nodes from the third on", []history.ID{3, 2, 1}, idsOf(Collect(t, v.History(3))))
		Same(t, "the clock before a move", `{"height":100,"time":"1000000000000","seconds_per_block":5}`, all[1].Message)
		Same(t, "the clock after it", `{"height":101,"time":"1005000000000","seconds_per_block":5}`, string(all[1].Answer))
	})
}

// childrenOf returns the nodes that follow a node directly, the oldest first.
func childrenOf(t Tester, v *chain.View, id history.ID) (ids []history.ID) {
	for _, n := range Collect(t, v.History(0)) {
		if n.Parent == id {
			ids = append([]history.ID{n.ID}, ids...)
		}
	}
	return ids
}

// approveInBatch sends an approval of each token to a spender as one batch, as alice, and
// returns the nodes. An unknown token is refused.
func approveInBatch(w *World, spender string, tokens ...string) (nodes []history.ID) {
	w.T.Helper()
	batch := history.ID(0)
	for _, id := range tokens {
		msg := fmt.Appendf(nil, `{"approve":{"token_id":%q,"spender":"$%s"}}`, id, spender)
		receipt := Must(w.C.ExecuteInBatch(batch, Address("alice"), msg))(w.T)
		nodes = append(nodes, receipt.Node)
		batch = nodes[0]
	}
	return nodes
}

func TestUndoAndRedoTakeABatchAsOneStepThoughItsMessagesAreNodes(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	w.Mint("2", "alice")
	before := w.State()
	first := approveInBatch(w, "bob", "none", "1", "none", "2", "none")
	afterFirst := w.State()
	second := approveInBatch(w, "carol", "2", "1")
	w.Do("alice", `{"approve":{"token_id":"1","spender":"$creator"}}`)
	full := w.State()

	Same(t, "how many nodes two steps of undo took", 3, len(Must(w.C.Undo(2))(t).Nodes))
	Same(t, "the state before the second batch", afterFirst, w.State())

	undone := Must(w.C.Undo(1))(t)
	Same(t, "what undo took of the first batch", []history.ID{first[3], first[1]}, idsOf(undone.Nodes))
	Same(t, "the state before the first batch", before, w.State())

	redone := Must(w.C.Redo(1))(t)
	Same(t, "what redo took of the first batch", []history.ID{first[1], first[3]}, idsOf(redone.Nodes))
	Same(t, "the head behind the refused message at the end of the batch", first[4], redone.Head)
	Same(t, "the state after the first batch", afterFirst, w.State())

	Must(w.C.Redo(2))(t)
	Same(t, "the state at the end", full, w.State())
	w.View(func(v *chain.View) {
		Same(t, "the batch of its last message", second[0], Must(v.Node(second[1]))(t).Batch)
	})
}

func TestUndoOfABatchStopsAtAMoveOfTheClockBetweenItsMessages(t *testing.T) {
	w := New(t)
	w.Mint("1", "alice")
	batch := approveInBatch(w, "bob", "1")[0]
	moved := Must(w.C.Advance(chain.ClockStep{Blocks: 1}))(t).Node
	Must(w.C.ExecuteInBatch(batch, Address("alice"), []byte(`{"revoke":{"token_id":"1","spender":"$bob"}}`)))(t)

	Same(t, "the head", moved, Must(w.C.Undo(1))(t).Head)
}
