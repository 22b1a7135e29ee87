package history

import (
	"cmp"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// comparison says how the state of the chain after a tip, the last node of a branch,
// differs from that after another node.
type comparison struct {
	tip
	base        history.ID // the other node; noNode is the head, where the chain is now
	differences []string   // sentences, such as "ape-01 goes from alice to bob"
}

// compareTip reads how the state of the chain at a tip differs from that at the node
// base. If base is noNode, it compares with the head, the node that the chain is at now.
// If too many steps lie between the two nodes, reading would take too long, and the only
// sentence of the result says so.
func compareTip(
	view *chain.View,
	facts app.Facts,
	compared tip,
	base history.ID,
) (comparison, error) {
	result := comparison{tip: compared, base: base}
	from := cmp.Or(base, view.Head)
	to := compared.node.ID
	tree, err := view.HistoryTree()
	if err != nil {
		return result, err
	}
	if areTooFarApart(tree, from, to) {
		result.differences = []string{tooFarSentence()}
		return result, nil
	}

	// Describe how the blocks and the records differ.
	changes, err := view.ChangesBetween(from, to)
	if err != nil {
		return result, err
	}
	blockSentences, err := describeBlocks(view, from, to)
	if err != nil {
		return result, err
	}
	recordSentences := explain.Describe(view.Layout, changes, facts.DisplayName)
	result.differences = append(blockSentences, recordSentences...)
	return result, nil
}

// describeBlocks describes how the block after one node differs from the block after
// another, such as "height 1,102 → 1,110, … UTC". It returns nil if they are the same.
func describeBlocks(view *chain.View, from, to history.ID) ([]string, error) {
	before, err := view.MomentOfNode(from)
	if err != nil {
		return nil, err
	}
	after, err := view.MomentOfNode(to)
	if err != nil {
		return nil, err
	}
	if before.Block == after.Block {
		return nil, nil
	}
	sentence := fmt.Sprintf("height %s → %s, %s → %s UTC",
		human.Thousands(before.Block.Height), human.Thousands(after.Block.Height),
		app.TimeToSecond(before.Block.Time), app.TimeToSecond(after.Block.Time))
	return []string{sentence}, nil
}

// comparisonLines returns the detail of a tip, which lists the differences. In a narrow
// box it also says how the tip is connected to the head, because the list then leaves out
// that column.
func comparisonLines(state *app.State, tipComparison comparison, width int) []widget.Line {
	from := "the current moment"
	if tipComparison.base != noNode {
		from = fmt.Sprintf("#%d", tipComparison.base)
	}
	heading := widget.Header(fmt.Sprintf("From %s to #%d", from, tipComparison.node.ID))
	const narrow = 68
	if width < narrow {
		heading = heading.Muted("  " + tipComparison.positionText(state.Words()))
	}
	return append([]widget.Line{heading}, bulletLines(tipComparison.differences)...)
}
