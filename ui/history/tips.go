package history

import (
	"cmp"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/widget"
)

// tip is the last node of a branch.
type tip struct {
	node     history.Node
	names    []string
	position position
	// leaves is the last node on the way to the tip that is on the way to the head too.
	// steps is how many nodes come after it, and next is the first of them.
	leaves          history.ID
	steps           uint64
	next            history.Node
	isReachedByRedo bool
}

// tipReader reads the tips of all branches in one view.
type tipReader struct {
	view     *chain.View
	tree     *history.Tree
	branches []history.Branch // the youngest tip first
	names    map[history.ID][]string
}

func newTipReader(v *chain.View) (*tipReader, error) {
	tree, err := v.HistoryTree()
	if err != nil {
		return nil, err
	}
	names, err := v.NamesByNode()
	return &tipReader{view: v, tree: tree, branches: tree.Branches(), names: names}, err
}

// readPage answers a request for tips. makeRow makes the row of a tip, which is keyed by
// its node.
func (r *tipReader) page(req widget.Request, makeRow func(tip) widget.Row) (widget.Page, error) {
	indexOf := func(key string) (index int, exists bool) {
		return slices.BinarySearchFunc(r.branches, nodeOfKey(key), func(b history.Branch, id history.ID) int {
			return cmp.Compare(id, b.Tip)
		})
	}
	return widget.LoadKeys(req, len(r.branches), indexOf, func(i int) (widget.Row, error) {
		t, err := r.read(r.branches[i].Tip)
		return makeRow(t), err
	})
}

// read reads a tip.
func (r *tipReader) read(id history.ID) (t tip, err error) {
	head := r.view.Head
	t.node, err = r.view.Node(id)
	if err != nil {
		return t, err
	}
	t.names = r.names[id]
	t.position = positionOf(r.tree, head, id)
	t.leaves = r.tree.Meet(head, id)
	t.steps = r.tree.Depth(id) - r.tree.Depth(t.leaves)

	switch t.position {
	case ahead:
		t.isReachedByRedo, err = r.view.RedoLeadsTo(r.tree, id)
	case aside:
		t.next, err = r.view.Node(r.tree.Next(t.leaves, id))
	}
	return t, err
}
