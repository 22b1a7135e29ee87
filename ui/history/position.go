package history

import (
	"ephemera/core/chain/history"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// position says where a node of the history is, compared with the head.
type position int

// The positions of a node.
const (
	atHead position = iota // the node is the head
	onPath                 // on the path from the first node to the head: undo leads there
	ahead                  // after the head, because it was undone
	aside                  // on another branch of the tree
)

// positionOf returns where the node id is in the tree, compared with the head.
func positionOf(tree *history.Tree, head, id history.ID) position {
	switch {
	case id == head:
		return atHead
	case tree.IsOnPath(id, head):
		return onPath
	case tree.IsOnPath(head, id):
		return ahead
	}
	return aside
}

// signAndRole returns the sign of a position in the first column of the list, and the
// role of the texts beside it.
func (p position) signAndRole() (sign widget.Line, textRole themes.Role) {
	switch p {
	case atHead:
		return widget.Styled(themes.Live, themes.GlyphLive), themes.Text
	case onPath:
		return widget.Styled(themes.Border, themes.GlyphSide), themes.Text
	case ahead:
		return widget.Muted(themes.GlyphDot), themes.Muted
	}
	return widget.Plain(" "), themes.Faint
}

// String describes a position to the user, such as "on another branch".
func (p position) String() string {
	switch p {
	case atHead:
		return "this is the current moment"
	case onPath:
		return "leads to the current moment"
	case ahead:
		return "undone"
	}
	return "on another branch"
}

// maxStepsRead is how many steps may lie between two nodes whose differences are read.
// Over more steps that would take too long, because each step is undone or redone in
// memory.
const maxStepsRead = 2000

// tooFarSentence is shown in place of differences between nodes that are too far apart.
func tooFarSentence() string {
	return "more than " + human.Thousands(maxStepsRead) + " steps lie between; enter goes there"
}

// countSteps counts the steps that lead from one node of the tree to another: toUndo nodes
// back to their last common ancestor, and then toRedo nodes that are done again.
func countSteps(tree *history.Tree, from, to history.ID) (toUndo, toRedo uint64) {
	commonDepth := tree.Depth(tree.CommonAncestor(from, to))
	toUndo = tree.Depth(from) - commonDepth
	toRedo = tree.Depth(to) - commonDepth
	return toUndo, toRedo
}
