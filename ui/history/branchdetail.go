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

// comparison says how the state of the chain after a tip differs from that after another node.
type comparison struct {
	tip
	base        history.ID // the other node; noNode is the head
	differences []string   // sentences, such as "ape-01 goes from alice to bob"
}

// compare reads how the state of the chain at the tip of a row differs from that at the base.
// If too many steps lie between the two nodes, reading would take too long, and the only
// sentence of the result says so.
func (r tipReader) compare(view *chain.View, facts app.Facts, row widget.Row) (comparison, error) {
	result := comparison{tip: row.OwnerData.(tip), base: r.base}
	from := cmp.Or(r.base, view.Head)
	to := result.node.ID
	tree, err := view.HistoryTree()
	if err != nil {
		return result, err
	}
	if toUndo, toRedo := countSteps(tree, from, to); toUndo+toRedo > maxStepsRead {
		result.differences = []string{tooFarSentence()}
		return result, nil
	}
	changes, err := view.ChangesBetween(from, to)
	if err != nil {
		return result, err
	}

	// First say how the blocks differ.
	before, err := view.MomentOfNode(from)
	if err != nil {
		return result, err
	}
	after, err := view.MomentOfNode(to)
	if err != nil {
		return result, err
	}
	if before.Block != after.Block {
		result.differences = append(result.differences, fmt.Sprintf("height %s → %s, %s → %s UTC",
			human.Thousands(before.Block.Height), human.Thousands(after.Block.Height),
			app.TimeToSecond(before.Block.Time), app.TimeToSecond(after.Block.Time)))
	}
	recordSentences := explain.Describe(view.Layout, changes, facts.DisplayName)
	result.differences = append(result.differences, recordSentences...)
	return result, nil
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
		heading = heading.Muted("  " + tipComparison.positionText(state.Facts))
	}
	return append([]widget.Line{heading}, bulletLines(tipComparison.differences)...)
}
