package history

import (
	"fmt"
	"strings"

	"ephemera/core/chain/history"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// listedTip is what the row of a tip is made from.
type listedTip struct {
	tip
	facts app.Facts
	base  history.ID // the node that tips are compared with
}

// columns returns the columns of the list of branches, with the cells of the tip.
func (t listedTip) columns() []widget.Column {
	sign, _ := t.position.signAndRole()
	branch := sign.Muted(fmt.Sprintf(" #%-5d ", t.node.ID)).Text(t.facts.DescribeNode(t.node))
	if len(t.names) > 0 {
		branch = branch.Append(themes.Accent, " ["+strings.Join(t.names, "] [")+"]")
	}
	if t.node.ID == t.base {
		branch = branch.Append(themes.Warn, "  compared with")
	}
	return []widget.Column{
		{Title: "   BRANCH", Width: 36, Flex: 2, Cell: branch},
		{Title: "HANGS", Width: 28, Flex: 1, DropRank: 1, Cell: widget.Muted(t.positionText(t.facts))},
	}
}

// positionText describes how a tip is connected to the head. "3 of its own, off #7 with burn
// ape-01" means that node 7 is the last one that the branch and the head have in common, and
// that "burn ape-01" begins the branch.
func (t tip) positionText(facts app.Facts) string {
	steps := human.Thousands(t.ownSteps)
	switch {
	case t.position == atHead:
		return t.position.String()
	case t.isReachedByRedo:
		return steps + " ahead: redo goes there"
	case t.position == ahead:
		return steps + " ahead"
	}
	branchStart := facts.DescribeNode(t.firstOfBranch)
	return fmt.Sprintf("%s of its own, off #%d with %s", steps, t.commonAncestor, branchStart)
}
