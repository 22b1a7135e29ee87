package history

import (
	"fmt"

	"ephemera/core/chain/history"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// position says where a node is in the tree of the history, seen from the head, the
// node that the chain is at now. "The way" is the path from the first node to the head.
type position int

// The positions of a node, seen from the head, the node that the chain is at.
const (
	atHead position = iota // the node is the head
	onWay                  // before the head, on the way: undo leads there
	ahead                  // after the head: it was done and then undone
	aside                  // on another branch
)

// positionOf returns where the node id is, seen from the head.
func positionOf(tree *history.Tree, head, id history.ID) position {
	switch {
	case id == head:
		return atHead
	case tree.IsOnWay(id, head):
		return onWay
	case tree.IsOnWay(head, id):
		return ahead
	}
	return aside
}

// style returns the sign of a position in the first column of the list, and the role,
// that is the colour, of the texts beside it.
func (p position) style() (sign widget.Line, text themes.Role) {
	switch p {
	case atHead:
		return widget.In(themes.Live, themes.GlyphLive), themes.Text
	case onWay:
		return widget.In(themes.Border, themes.GlyphSide), themes.Text
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
	case onWay:
		return "leads to the current moment"
	case ahead:
		return "undone"
	}
	return "on another branch"
}

// maxStepsRead is the largest distance in steps over which the differences between two
// nodes are read. Reading them undoes and redoes each step in memory.
const maxStepsRead = 2000

// tooFarText is shown in place of differences between nodes that are too far apart.
func tooFarText() string {
	return fmt.Sprintf("more than %s steps lie between; enter goes there", human.Thousands(maxStepsRead))
}

// isTooFar reports whether the way from a node to another has more than [maxStepsRead]
// steps.
func isTooFar(tree *history.Tree, from, to history.ID) bool {
	up, down := countSteps(tree, from, to)
	return up+down > maxStepsRead
}

// countSteps counts the steps of the way between two nodes of the tree. The way goes up
// from one node to the last ancestor that both have in common, and then down to the
// other: up nodes are undone, and down nodes are done again.
func countSteps(tree *history.Tree, from, to history.ID) (up, down uint64) {
	commonDepth := tree.Depth(tree.Meet(from, to))
	up = tree.Depth(from) - commonDepth
	down = tree.Depth(to) - commonDepth
	return up, down
}
