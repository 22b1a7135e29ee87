package scenario

import (
	"cmp"
	"errors"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// collectPath walks back from the last node of the part to the node where the scenario
// begins. It sets path, firstReceivers, startBlock and dumpNode, and sets the part's
// LastNode if it is 0. It fails with a [*RecordError] if the nodes cannot be recorded.
func (r *recording) collectPath() error {
	r.startBlock = r.view.Clock.Block() // for a history without nodes
	r.part.LastNode = cmp.Or(r.part.LastNode, r.view.Head)
	for id := r.part.LastNode; id != 0; {
		node, err := r.recordableNode(id)
		if err != nil {
			return err
		}
		if id == r.part.StartAt {
			return r.beginAfter(node)
		}

		// An earlier node replaces what a later one said about the same contract.
		if contract, receiver, ok := r.receiverShownBy(node); ok {
			r.firstReceivers[contract] = receiver
		}
		r.startBlock = node.Block()

		// An import is not a step. The scenario begins with its state.
		if node.Kind == history.KindImport {
			r.dumpNode = id
			break
		}
		r.path = append(r.path, id)
		id = node.Parent
	}

	// The walk has not met the first node of the part if that is on another branch.
	firstID := cmp.Or(r.part.StartAt, r.part.FirstNode)
	if firstID != 0 && !slices.Contains(r.path, firstID) {
		return recordErrorf(
			"#%d does not lead to #%d, so there is nothing between the two to record",
			firstID, r.part.LastNode)
	}
	return nil
}

// recordableNode reads a node of the history, which is one message or clock move. It fails
// with a [*RecordError] if the node was removed from the history to save space, or if a
// scenario cannot hold what it did, which is a migration.
func (r *recording) recordableNode(id history.ID) (history.Node, error) {
	node, err := r.view.Node(id)
	unknown, isUnknown := errors.AsType[*history.UnknownNodeError](err)
	wasForgotten := isUnknown && unknown.Pruned
	if wasForgotten && len(r.path) > 0 {
		oldest := r.path[len(r.path)-1]
		return node, recordErrorf(
			"the history before node %d was forgotten, so it cannot be recorded from the beginning",
			oldest)
	}
	if err != nil {
		return node, err
	}

	// The dump holds what StartAt did, even if that was a migration.
	isMigration := node.Kind == history.KindMigrate && node.Refusal == nil
	if isMigration && id != r.part.StartAt {
		return node, recordErrorf(
			"#%d is a migration to another contract, which a scenario cannot hold",
			id)
	}
	return node, nil
}

// beginAfter makes the scenario begin with the state that a node of the history left
// behind. It fails with a [*RecordError] if there was no collection in that state.
func (r *recording) beginAfter(node history.Node) (err error) {
	r.dumpNode = node.ID
	if r.startBlock, err = blockAfter(node); err != nil {
		return err
	}
	return r.view.At(node.ID, func(view *chain.View) error {
		if !view.HasCollection() {
			return recordErrorf(
				"#%d is before the collection was created, expected a later node",
				node.ID)
		}
		return nil
	})
}

// blockAfter returns the current block after a node of the history: the block to which a
// clock move leads, or the block in which a message was executed. It fails with a
// [*RecordError] for a clock move that cannot be read.
func blockAfter(node history.Node) (cw721.Block, error) {
	if node.Kind != history.KindClock {
		return node.Block(), nil
	}
	_, moved, ok := chain.ClocksOf(node)
	if !ok {
		return cw721.Block{}, recordErrorf("the clock move of node %d cannot be read", node.ID)
	}
	return moved.Block(), nil
}

// receiverShownBy returns what a node shows about a contract that receives tokens. If its
// message is send_nft, it returns the receiving contract, and whether that accepted or
// rejected the token. ok is false for another message, and for an outcome that does not
// depend on the receiving contract.
func (r *recording) receiverShownBy(
	node history.Node,
) (contract cw721.Address, receiver chain.Receiver, ok bool) {
	if node.Kind != history.KindExecute || r.view.Config.SkipsDelivery {
		return "", "", false
	}
	msg, _, err := r.view.Contract().DecodeExecute([]byte(node.Message), nil)
	send, isSend := msg.(*cw721.SendNft)
	if err != nil || !isSend || send.Contract == r.view.Self {
		return "", "", false
	}
	if node.Refusal == nil {
		return send.Contract, chain.ReceiverAccepts, true
	}
	_, receiver, ok = chain.ReceiverBehind(node.Refusal.Kind, node.Refusal.Text)
	return send.Contract, receiver, ok
}
