package history

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
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
	node            history.Node
	names           []string      // the names that the user gave to the node
	changeSentences []string      // sentences about what the node changed
	changedRecords  []widget.Line // the stored records that it changed, with keys and values

	tokenID *string // the id of the token that the message names; nil if it names none

	// What expired in a move of the clock, at most [app.MaxListLines] grants.
	expired        []expiry.Entry
	hasMoreExpired bool

	// Where the node is in the tree of the history, and how it is reached from the head.
	position        position
	isReachedByRedo bool     // pressing redo often enough moves the head to the node
	stepsToUndo     uint64   // how many nodes must be undone first
	stepsToRedo     uint64   // how many nodes must then be done again
	isTooFar        bool     // there are too many of these steps to read the differences
	differences     []string // sentences about what going to the node would change

	// The state of the chain after the node.
	unknownReason string        // why the state was not read; "" if it was
	layout        *cw721.Layout // how the storage is laid out; that of now if the state was not read
	block         cw721.Block
	collection    chain.Collection
	token         *chain.Token // the token with the id tokenID; nil if it did not exist
}

// subject returns what other screens and dialogs should be about when they are opened
// from this node: the sender, the token and the action of its message, or the first grant that
// expired in a move of the clock. d may be nil.
func (d *nodeDetail) subject() (subject app.Subject) {
	if d == nil {
		return subject
	}
	if len(d.expired) > 0 {
		first := d.expired[0]
		subject.Account = first.Spender
		if first.Kind == cw721.GrantApproval {
			subject.Token = &first.Token
		}
		return subject
	}
	subject.Account = d.node.Sender
	subject.Token = d.tokenID
	if d.node.Kind == history.KindExecute {
		subject.Action = app.ActionNameOf([]byte(d.node.Message))
	}
	return subject
}

// readNode reads a node and the state of the chain after it, with the token that its
// message names. It returns nil for a node that was pruned, that is deleted because the
// history grew too long.
func readNode(
	view *chain.View,
	id history.ID,
	tree *history.Tree,
	facts app.Facts,
) (detail *nodeDetail, err error) {
	detail = &nodeDetail{}
	detail.node, err = view.Node(id)
	if isPruned(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}

	if detail.node.Kind == history.KindExecute {
		subject := facts.Words().SubjectOfMessage([]byte(detail.node.Message))
		detail.tokenID = subject.Token
	}

	// If the node is pruned while it is read, show the parts that could still be read. So
	// that error is not returned.
	err = detail.readPosition(view, tree, facts)
	detail.readState(view)
	if err == nil {
		err = detail.readChanges(view, facts)
	}
	if err != nil && !isPruned(err) {
		return nil, err
	}
	return detail, nil
}

// isPruned reports whether an error says that a node does not exist. The ids on the
// screen did exist, so the node was pruned since.
func isPruned(err error) bool {
	var unknown *history.UnknownNodeError
	return errors.As(err, &unknown)
}

// readPosition reads where the node is in the tree of the history, how many steps lead
// there from the head, and what going there would change. The head is the node that the
// chain is at now.
func (d *nodeDetail) readPosition(
	view *chain.View,
	tree *history.Tree,
	facts app.Facts,
) (err error) {
	id := d.node.ID

	// Count the steps, and ask whether redo alone leads there.
	d.position = positionOf(tree, view.Head, id)
	d.stepsToUndo, d.stepsToRedo = countSteps(tree, view.Head, id)
	d.isTooFar = areTooFarApart(tree, view.Head, id)
	if d.position == ahead {
		d.isReachedByRedo, err = view.RedoLeadsTo(tree, id)
		if err != nil {
			return err
		}
	}
	if d.isTooFar {
		return nil
	}

	// Describe what going there would change.
	changes, err := view.ChangesBetween(view.Head, id)
	if err != nil {
		return err
	}
	d.differences = explain.Describe(view.Layout, changes, facts.DisplayName)
	return nil
}

// readChanges reads what the node changed, in sentences and as stored records, and the
// names of the node. A record is shown as "- " and the old value, "+ " and the new one.
func (d *nodeDetail) readChanges(view *chain.View, facts app.Facts) error {
	changes, err := view.ChangesOf(d.node.ID)
	if err != nil {
		return err
	}
	d.changeSentences = explain.Describe(d.layout, changes, facts.DisplayName)
	if d.node.Kind == history.KindImport { // whose changes the history does not keep
		d.changeSentences = []string{explain.DescribeNode(view.Config.Contract(), d.node, facts.DisplayName)}
	}
	for _, change := range changes {
		d.changedRecords = append(d.changedRecords,
			widget.Styled(themes.Accent, "  "+facts.RecordKey(change.Key)),
			widget.Faint(fmt.Sprintf("    %X", change.Key)),
			widget.Muted("    - ").Append(themes.Expired, valueText(change.OldValue)),
			widget.Muted("    + ").Text(valueText(change.NewValue)))
	}

	names, err := view.NamesByNode()
	if err != nil {
		return err
	}
	d.names = names[d.node.ID]
	return nil
}

// valueText returns the text of a stored value. nil means that there was no record.
func valueText(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return string(value)
}

// readState reads the collection and the token as they were after the node. If the node
// is too far from the head, it reads nothing, because each step between them would be
// undone or redone in memory. An error is stored as d.unknownReason and not returned,
// because everything else about the node can still be shown.
func (d *nodeDetail) readState(view *chain.View) {
	d.layout = view.Layout
	if d.isTooFar {
		d.unknownReason = tooFarSentence()
		return
	}

	if err := view.At(d.node.ID, d.readStateFrom); err != nil {
		d.unknownReason = err.Error()
	}
}

// readStateFrom reads the collection, the token and what expired in the node from a view of
// the chain as it was after the node.
func (d *nodeDetail) readStateFrom(view *chain.View) (err error) {
	d.layout = view.Layout
	d.block = view.Clock.Block()
	d.collection, err = view.Collection()
	if err != nil {
		return err
	}
	if clockBefore, _, isMove := chain.ClocksOf(d.node); isMove {
		expired := view.ExpiredSince(clockBefore.Block())
		d.expired, d.hasMoreExpired, err = app.ReadAtMost(expired, app.MaxListLines)
		return err
	}
	if d.tokenID == nil {
		return nil
	}

	token, found, err := view.Token(*d.tokenID)
	if err != nil || !found {
		return err
	}
	d.token = &token
	return nil
}
