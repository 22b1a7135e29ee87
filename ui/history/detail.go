package history

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// nodeDetail is what the detail pane shows of one node. A node is a message or a clock
// move of the history. The head is the node that the chain is at now; undo and redo
// move it.
type nodeDetail struct {
	node           history.Node
	names          []string      // the snapshots of the node
	changes        []string      // sentences about what it changed
	changedRecords []widget.Line // the changed records of the store, key and values

	tokenID *string // of the message, or else of the token last under a cursor; nil for none

	position        position
	isReachedByRedo bool // pressing redo often enough moves the head to the node

	// On the way from the head to the node, stepsUp nodes are undone and then stepsDown
	// nodes done again. If these are too many, the differences are not read.
	stepsUp, stepsDown uint64
	isTooFar           bool
	differences        []string // sentences about what going to the node would change

	// The state of the chain after the node. If unknownReason is not "", the state was
	// not read, for that reason.
	unknownReason string
	layout        *cw721.Layout // that of now if the state was not read
	block         cw721.Block
	collection    chain.Collection
	token         *chain.Token // nil if the token did not exist
}

// subject returns what other screens and dialogs should be about when they are opened
// from this node: the sender, the token and the action of its message. f may be nil.
func (f *nodeDetail) subject() (subject app.Subject) {
	if f == nil {
		return subject
	}
	subject.Account = f.node.Sender
	subject.Token = f.tokenID
	if f.node.Kind == history.KindExecute {
		subject.Action = app.ActionNameOf([]byte(f.node.Message))
	}
	return subject
}

// readNode reads a node and the state after it. selected is what was last under a
// cursor of any screen; its token is described if the message names none. readNode
// returns nil if the node was pruned, that is deleted because the history grew too
// long.
func readNode(v *chain.View, id history.ID, tree *history.Tree, facts app.Facts, selected app.Subject) (f *nodeDetail, err error) {
	f = &nodeDetail{}
	f.node, err = v.Node(id)
	if isPruned(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}

	// Read where the node is, and what the collection was after it.
	err = f.readPosition(v, tree, facts)
	f.tokenID = selected.Token
	if f.node.Kind == history.KindExecute {
		if subject := facts.Words().Subject([]byte(f.node.Message)); subject.Token != nil {
			f.tokenID = subject.Token
		}
	}
	f.readState(v)
	if err == nil {
		err = f.readChanges(v, facts)
	}
	if err != nil && !isPruned(err) { // pruned meanwhile: what was read is shown
		return nil, err
	}
	return f, nil
}

// isPruned reports whether an error says that a node does not exist. The ids on the
// screen did exist, so the node was pruned since.
func isPruned(err error) bool {
	var unknown *history.UnknownNodeError
	return errors.As(err, &unknown)
}

// readPosition reads where the node is in the tree of the history, how many steps lead
// there from the head, and what going there would change.
func (f *nodeDetail) readPosition(v *chain.View, tree *history.Tree, facts app.Facts) (err error) {
	id := f.node.ID

	// Find the way from the head to the node, and whether redo leads there.
	f.position = positionOf(tree, v.Head, id)
	f.stepsUp, f.stepsDown = countSteps(tree, v.Head, id)
	f.isTooFar = isTooFar(tree, v.Head, id)
	if f.position == ahead {
		f.isReachedByRedo, err = v.RedoLeadsTo(tree, id)
	}
	if err != nil || f.isTooFar {
		return err
	}

	// Then what the way would change.
	changes, err := v.Between(v.Head, id)
	if err != nil {
		return err
	}
	f.differences = explain.Describe(v.Layout, changes, facts.DisplayName)
	return nil
}

// readChanges reads what the node changed, in sentences and as stored records, and the
// names of the node. A record is shown as "- " and the old value, "+ " and the new one.
func (f *nodeDetail) readChanges(v *chain.View, facts app.Facts) error {
	changes, err := v.ChangesOf(f.node.ID)
	if err != nil {
		return err
	}
	f.changes = explain.Describe(f.layout, changes, facts.DisplayName)
	for _, c := range changes {
		f.changedRecords = append(f.changedRecords,
			widget.In(themes.Accent, "  "+facts.RecordKey(c.Key)),
			widget.Faint(fmt.Sprintf("    %X", c.Key)),
			widget.Muted("    - ").And(themes.Expired, valueText(c.Old)),
			widget.Muted("    + ").Text(valueText(c.New)))
	}
	names, err := v.NamesByNode()
	f.names = names[f.node.ID]
	return err
}

// valueText returns the text of a stored value. nil means that there was no record.
func valueText(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return string(value)
}

// readState reads the collection and the token as they were after the node. It undoes
// and redoes in memory to get there, so it reads nothing over too many steps. An error
// becomes the unknownReason, since everything else about the node can be shown.
func (f *nodeDetail) readState(v *chain.View) {
	f.layout = v.Layout
	if f.isTooFar {
		f.unknownReason = tooFarText()
		return
	}

	// See the chain as it was after the node.
	err := v.At(f.node.ID, func(v *chain.View) (err error) {
		f.layout = v.Layout
		f.block = v.Clock.Block()
		f.collection, err = v.Collection()
		if err != nil || f.tokenID == nil {
			return err
		}
		token, found, err := v.Token(*f.tokenID)
		if found {
			f.token = &token
		}
		return err
	})
	if err != nil {
		f.unknownReason = err.Error()
	}
}
