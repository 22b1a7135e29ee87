package history

import (
	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// tip is the last node of a branch, and how it is connected to the head.
type tip struct {
	node            history.Node
	names           []string // the names that the user gave to the node
	position        position
	commonAncestor  history.ID   // the last ancestor that the tip and the head have in common
	ownSteps        uint64       // the number of nodes from commonAncestor to the tip
	firstOfBranch   history.Node // the node after commonAncestor, if the tip is on another branch
	isReachedByRedo bool         // pressing redo often enough moves the head to the tip
}

// tipReader reads the list of tips and their comparisons in the background.
type tipReader struct {
	base history.ID // the node that tips are compared with, or noNode for the head
}

// readRows reads all rows of the list, since it reads the whole tree anyway. The newest tip
// comes first.
func (r tipReader) readRows(
	view *chain.View,
	facts app.Facts,
	filter app.Filter,
	req widget.Request,
) (page widget.Page, err error) {
	tree, err := view.HistoryTree()
	if err != nil {
		return page, err
	}
	names, err := view.NamesByNode()
	if err != nil {
		return page, err
	}

	var rows []widget.Row
	for _, branch := range tree.Branches() {
		branchTip, err := readTip(view, tree, branch.Tip)
		if err != nil {
			return page, err
		}
		branchTip.names = names[branch.Tip]
		listed := listedTip{tip: branchTip, facts: facts, base: r.base}
		row := widget.Row{
			Key:       keyOfNode(branch.Tip),
			OwnerData: branchTip,
			Cells:     widget.Cells(listed.columns()),
		}
		if filter.MatchesRow(row) {
			rows = append(rows, row)
		}
	}
	return widget.WholePage(req, rows), nil
}

// readTip reads the last node of a branch, and how it is connected to the head, but not the
// names of the node.
func readTip(view *chain.View, tree *history.Tree, id history.ID) (t tip, err error) {
	t.node, err = view.Node(id)
	if err != nil {
		return t, err
	}
	t.position = positionOf(tree, view.Head, id)
	t.commonAncestor = tree.CommonAncestor(view.Head, id)
	t.ownSteps = tree.Depth(id) - tree.Depth(t.commonAncestor)

	switch t.position {
	case ahead:
		t.isReachedByRedo, err = view.RedoLeadsTo(tree, id)
	case aside:
		t.firstOfBranch, err = view.Node(tree.Next(t.commonAncestor, id))
	}
	return t, err
}
