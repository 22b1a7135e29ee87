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

// nodeFacts is what was read of a node.
type nodeFacts struct {
	node            history.Node
	names           []string
	changes         []string      // in words
	changedRecords  []widget.Line // as they are stored
	tokenID         string        // of the message, or else of the last selection
	hasToken        bool
	position        position
	isReachedByRedo bool

	// stepsUp and stepsDown lead from the head to the node. Over too many steps, the
	// differences from the head are not read.
	stepsUp, stepsDown uint64
	isTooFar           bool
	differences        []string // in words

	// The state after the node. If it is not known, unknownReason says why.
	unknownReason string
	block         cw721.Block
	collection    chain.Collection
	token         *chain.Token // nil if it did not exist
}

// subject returns the token and the sender of the message.
func (f *nodeFacts) subject() (subject app.Subject) {
	if f == nil {
		return subject
	}
	subject.Account = f.node.Sender
	if f.hasToken {
		subject.Token = &f.tokenID
	}
	if f.node.Kind == history.KindExecute {
		subject.Action = app.ActionNameOf([]byte(f.node.Message))
	}
	return subject
}

// readNode reads a node and the state after it. It returns nil if the node was pruned.
func readNode(v *chain.View, id history.ID, tree *history.Tree, facts app.Facts, selected app.Subject) (f *nodeFacts, err error) {
	f = &nodeFacts{}
	f.node, err = v.Node(id)
	if isPruned(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}

	err = f.readPosition(v, tree, facts)
	if err == nil {
		err = f.readChanges(v, facts)
	}
	if err != nil && !isPruned(err) {
		return nil, err
	}
	about := selected
	if f.node.Kind == history.KindExecute {
		if subject := facts.Words().About([]byte(f.node.Message)); subject.Token != nil {
			about = subject
		}
	}
	if about.Token != nil {
		f.hasToken = true
		f.tokenID = *about.Token
	}
	f.readState(v)
	return f, nil
}

// isPruned reports whether an error says that a node was pruned.
func isPruned(err error) bool {
	var unknown *history.UnknownNodeError
	return errors.As(err, &unknown)
}

// readPosition reads where the node is in the tree, and what differs there from the
// head.
func (f *nodeFacts) readPosition(v *chain.View, tree *history.Tree, facts app.Facts) (err error) {
	id := f.node.ID
	f.position = positionOf(tree, v.Head, id)
	f.stepsUp, f.stepsDown = countSteps(tree, v.Head, id)
	f.isTooFar = isTooFar(tree, v.Head, id)
	if f.position == ahead {
		f.isReachedByRedo, err = v.RedoLeadsTo(tree, id)
	}
	if err != nil || f.isTooFar {
		return err
	}
	changes, err := v.Between(v.Head, id)
	if err != nil {
		return err
	}
	f.differences = explain.Describe(changes, facts.DisplayName)
	return nil
}

// readChanges reads the names of the node and what it changed.
func (f *nodeFacts) readChanges(v *chain.View, facts app.Facts) error {
	changes, err := v.ChangesOf(f.node.ID)
	if err != nil {
		return err
	}
	f.changes = explain.Describe(changes, facts.DisplayName)
	for _, c := range changes {
		f.changedRecords = append(f.changedRecords,
			widget.In(themes.Accent, "  "+facts.RecordKey(c.Key)),
			widget.In(themes.Faint, fmt.Sprintf("    %X", c.Key)),
			widget.In(themes.Muted, "    - ").And(themes.Expired, valueText(c.Old)),
			widget.In(themes.Muted, "    + ").And(themes.Text, valueText(c.New)))
	}
	names, err := v.NamesByNode()
	f.names = names[f.node.ID]
	return err
}

// valueText returns the text of a stored value; nil is no value.
func valueText(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return string(value)
}

// readState reads the state after the node, unless that is too far.
func (f *nodeFacts) readState(v *chain.View) {
	if f.isTooFar {
		f.unknownReason = tooFarText()
		return
	}
	err := v.At(f.node.ID, func(v *chain.View) (err error) {
		f.block = v.Clock.Block()
		f.collection, err = v.Collection()
		if err != nil || !f.hasToken {
			return err
		}
		token, found, err := v.Token(f.tokenID)
		if found {
			f.token = &token
		}
		return err
	})
	if err != nil {
		f.unknownReason = err.Error()
	}
}
