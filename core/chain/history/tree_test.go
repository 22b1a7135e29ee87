package history

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ephemera/core/kv"
)

// drawHistory makes a history of random branches, goes undo and redo in it, and may
// prune it, not always to the end.
func drawHistory(t *rapid.T, tx kv.Txn) (s State) {
	for range rapid.IntRange(0, 40).Draw(t, "acts") {
		switch rapid.SampledFrom([]string{"append", "append", "undo", "goto", "goto"}).Draw(t, "act") {
		case "append":
			var changes []kv.Change
			if rapid.Bool().Draw(t, "changes") {
				changes = []kv.Change{{Key: []byte("k"), NewValue: []byte("v")}}
			}
			_, err := s.Append(tx, Node{Kind: KindExecute}, changes)
			noError(t, err)
		case "undo":
			start := s.Head
			path, err := s.Undo(tx)
			if err == nil {
				s.Head = remember(t, tx, path, func(Node) ID { return start })
			}
		case "goto":
			if s.Last == 0 {
				continue
			}
			to := ID(rapid.Uint64Range(1, uint64(s.Last)).Draw(t, "to"))
			up, _, err := s.Path(tx, to)
			noError(t, err)
			remember(t, tx, up, func(n Node) ID { return n.ID })
			s.Head = to
		}
		noError(t, s.Save(tx))
	}
	if s.Head == 0 || rapid.Bool().Draw(t, "whole") {
		return s
	}

	root, err := s.OldestToKeep(tx, rapid.IntRange(1, int(s.Last)).Draw(t, "keep"))
	noError(t, err)
	if root != 0 {
		s.PruneBefore(root)
	}
	doomed, err := s.PrunableNodes(tx)
	noError(t, err)
	isInterrupted := rapid.Bool().Draw(t, "interrupted")
	if isInterrupted {
		doomed = doomed[:rapid.IntRange(0, len(doomed)).Draw(t, "dropped")]
	}
	noError(t, s.DeleteNodes(tx, doomed))
	noError(t, s.Save(tx))
	return s
}

// remember records the undo of nodes, and returns the node before them.
func remember(t *rapid.T, tx kv.Txn, path []Node, start func(Node) ID) (head ID) {
	for _, n := range path {
		noError(t, RememberRedo(tx, n, start(n)))
		head = n.Parent
	}
	return head
}

func noError(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keptNodes returns the nodes of a history that are the oldest or lead up to it, by
// their ids.
func keptNodes(t *rapid.T, r kv.Reader, s State) map[ID]Node {
	kept := map[ID]Node{}
	for id := ID(1); id <= s.Last; id++ {
		n, err := Get(r, id)
		if err != nil {
			continue
		}
		_, followsKept := kept[n.Parent]
		if s.Oldest == id || s.Oldest == 0 && n.Parent == 0 || followsKept {
			kept[id] = n
		}
	}
	return kept
}

// wayTo lists the nodes on the way to a node, the node first.
func wayTo(kept map[ID]Node, id ID) (way []ID) {
	for n, isKept := kept[id]; isKept; n, isKept = kept[n.Parent] {
		way = append(way, n.ID)
	}
	return way
}

// branchesOf finds the branches of a history by counting the children of every node.
func branchesOf(kept map[ID]Node) (branches []Branch) {
	children := map[ID]int{}
	for _, n := range kept {
		children[n.Parent]++
	}
	for id := range kept {
		if children[id] > 0 {
			continue
		}
		branch := Branch{Tip: id}
		for _, on := range wayTo(kept, id) {
			if children[on] > 1 {
				branch.Fork = on
				break
			}
			branch.Nodes++
		}
		branches = append(branches, branch)
	}
	slices.SortFunc(branches, func(a, b Branch) int { return int(b.Tip) - int(a.Tip) })
	return branches
}

// isRedone reports whether redo passes a node, by going redo until it ends.
func isRedone(r kv.Reader, s State, id ID) bool {
	for {
		path, err := s.Redo(r)
		if err != nil {
			return false
		}
		if slices.ContainsFunc(path, func(n Node) bool { return n.ID == id }) {
			return true
		}
		s.Head = path[len(path)-1].ID
	}
}

func TestATreeHasTheShapeOfItsNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_ = kv.NewMemory().Update(func(tx kv.Txn) error {
			s := drawHistory(t, tx)
			kept := keptNodes(t, tx, s)

			tree, err := LoadTree(tx)

			noError(t, err)
			if diff := cmp.Diff(branchesOf(kept), tree.Branches()); diff != "" {
				t.Errorf("branches (-want +got):\n%s", diff)
			}
			for id := ID(1); id <= s.Last+1; id++ {
				_, isKept := kept[id]
				same(t, "the depth of", id, 0, uint64(len(wayTo(kept, id))), tree.Depth(id))
				if !isKept {
					continue
				}
				for other := range kept {
					checkPair(t, tree, kept, id, other)
				}
				got, err := s.RedoLeadsTo(tx, tree, id)
				noError(t, err)
				same(t, "whether redo leads from the head to", s.Head, id, isRedone(tx, s, id), got)
			}
			return nil
		})
	})
}

// checkPair compares what a tree says of two nodes with the ways to them.
func checkPair(t *rapid.T, tree *Tree, kept map[ID]Node, id, other ID) {
	way := wayTo(kept, other)
	place := slices.Index(way, id)
	same(t, "whether the first is on the way to the second:", id, other, place >= 0, tree.IsOnPath(id, other))

	var next, meet ID
	if place > 0 {
		next = way[place-1]
	}
	same(t, "the node after the first on the way to the second:", id, other, next, tree.Next(id, other))

	for _, on := range wayTo(kept, id) {
		if meet == 0 && slices.Contains(way, on) {
			meet = on
		}
	}
	same(t, "where the ways part to", id, other, meet, tree.CommonAncestor(id, other))
}

func same[T comparable](t *rapid.T, what string, a, b ID, want, got T) {
	if got != want {
		t.Errorf("%s %d, %d: got %v, want %v", what, a, b, got, want)
	}
}
