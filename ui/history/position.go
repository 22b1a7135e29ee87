package history

import (
	"fmt"

	"ephemera/core/chain/history"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// position is where a node is in the tree of the history, seen from the head.
type position int

const (
	atHead position = iota // the chain is in the state after it
	onWay                  // before the head, on the way to it
	ahead                  // after the head: it was undone
	aside                  // on another branch
)

// positionOf returns where a node is.
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

// style returns the sign of a position, and the role of the texts beside it.
func (p position) style() (sign widget.Line, text themes.Role) {
	switch p {
	case atHead:
		return widget.In(themes.Live, themes.GlyphLive), themes.Text
	case onWay:
		return widget.In(themes.Border, themes.GlyphSide), themes.Text
	case ahead:
		return widget.In(themes.Muted, themes.GlyphDot), themes.Muted
	}
	return widget.Plain(" "), themes.Faint
}

func (p position) String() string {
	switch p {
	case atHead:
		return "the chain stands here"
	case onWay:
		return "on the way to where the chain stands"
	case ahead:
		return "undone"
	}
	return "on another branch"
}

// maxStepsRead bounds the steps between two nodes whose differences are read.
const maxStepsRead = 2000

// tooFarText says that differences are not read over so many steps.
func tooFarText() string {
	return fmt.Sprintf("more than %s steps lie between; enter goes there", human.Thousands(uint64(maxStepsRead)))
}

// isTooFar reports whether more than [maxStepsRead] steps lead from a node to another.
func isTooFar(tree *history.Tree, from, to history.ID) bool {
	up, down := countSteps(tree, from, to)
	return up+down > maxStepsRead
}

// countSteps counts the nodes that are undone on the way from a node to another, and
// those that are done again.
func countSteps(tree *history.Tree, from, to history.ID) (up, down uint64) {
	meet := tree.Depth(tree.Meet(from, to))
	return tree.Depth(from) - meet, tree.Depth(to) - meet
}
