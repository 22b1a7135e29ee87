package history

import (
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// readPosition reads where the node is in the tree of the history, how many steps lead
// there from the head, and what going there would change.
func (d *nodeDetail) readPosition(view *chain.View, tree *history.Tree, facts app.Facts) (err error) {
	id := d.node.ID
	d.position = positionOf(tree, view.Head, id)
	d.stepsToUndo, d.stepsToRedo = countSteps(tree, view.Head, id)
	d.isTooFar = d.stepsToUndo+d.stepsToRedo > maxStepsRead
	if d.position == ahead {
		d.isReachedByRedo, err = view.RedoLeadsTo(tree, id)
		if err != nil {
			return err
		}
	}
	if d.isTooFar {
		return nil
	}
	changes, err := view.ChangesBetween(view.Head, id)
	if err != nil {
		return err
	}
	d.differences = explain.Describe(view.Layout, changes, facts.DisplayName)
	return nil
}

// positionLines describes where the node is in the tree of the history. Unless the node
// is the head, it also says how many steps lead there.
func (d *nodeDetail) positionLines() []widget.Line {
	positionLine, _ := d.position.signAndRole()
	positionLine = positionLine.Muted(" " + d.position.String())
	if d.isReachedByRedo {
		positionLine = positionLine.Muted("; redo leads here")
	}
	if d.position == atHead {
		return []widget.Line{positionLine}
	}

	goThere := widget.Styled(themes.Key, "enter").Muted(" goes there" + d.stepsText())
	return []widget.Line{positionLine, goThere}
}

// stepsText describes the steps from the current node to this one, as the end of a
// sentence, such as ": undoes 2 steps, then does 1 step". It is "" if they are the same.
func (d *nodeDetail) stepsText() string {
	undoSteps := human.Plural(d.stepsToUndo, "step")
	redoSteps := human.Plural(d.stepsToRedo, "step")
	switch {
	case d.stepsToUndo > 0 && d.stepsToRedo > 0:
		return fmt.Sprintf(": undoes %s, then does %s", undoSteps, redoSteps)
	case d.stepsToUndo > 0:
		return ": undoes " + undoSteps
	case d.stepsToRedo > 0:
		return fmt.Sprintf(": does %s again", redoSteps)
	}
	return ""
}

// writeDifferences writes what going from the current moment to the node would change.
func (d *nodeDetail) writeDifferences(text *widget.Text) {
	if d.position == atHead || len(d.differences) == 0 {
		return
	}
	writeHeading(text, "What going there changes")
	text.Add(bulletLines(d.differences)...)
}
