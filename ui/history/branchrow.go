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

// tableRow returns the row of a tip in the list. If the tip is base, the node that tips
// are compared with, the row says so.
func (t tip) tableRow(words app.Words, base history.ID) widget.Row {
	return widget.Row{
		Key:       keyOfNode(t.node.ID),
		OwnerData: t,
		Cells: []widget.Line{
			t.cellLine(words, base),
			widget.Muted(t.positionText(words)),
		},
	}
}

// cellLine returns the cell of a tip in the list: its sign, number, message and names,
// such as "● #12  bob: transfer ape-04 → bob [before the sale]".
func (t tip) cellLine(words app.Words, base history.ID) widget.Line {
	sign, _ := t.position.signAndRole()
	line := sign.Muted(fmt.Sprintf(" #%-5d ", t.node.ID)).Text(words.DescribeNode(t.node))
	if len(t.names) > 0 {
		line = line.Append(themes.Accent, " ["+strings.Join(t.names, "] [")+"]")
	}
	if t.node.ID == base {
		line = line.Append(themes.Warn, "  compared with")
	}
	return line
}

// positionText describes how a tip is connected to the head, the node that the chain is
// at now. "3 of its own, off #7 with burn ape-01" means that node 7 is the last one that
// the branch and the head have in common, and that "burn ape-01" begins the branch.
func (t tip) positionText(words app.Words) string {
	steps := human.Thousands(t.ownSteps)
	switch {
	case t.position == atHead:
		return t.position.String()
	case t.isReachedByRedo:
		return steps + " ahead: redo goes there"
	case t.position == ahead:
		return steps + " ahead"
	}
	branchStart := words.DescribeNode(t.firstOfBranch)
	return fmt.Sprintf("%s of its own, off #%d with %s", steps, t.commonAncestor, branchStart)
}
