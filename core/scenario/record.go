package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/dump"
)

// RecordToFile writes the history to a scenario file as [Record] does. The ending of its
// name decides the format. If the scenario does not begin with an empty chain, the state
// that it needs is written to a dump in the same directory, NAME.state.json. save must
// create a file and call write to fill it. RecordToFile calls beforeStep before every step,
// and ends with its error. It returns the number of steps.
func RecordToFile(
	source Source,
	name string,
	part HistoryPart,
	save func(name string, write func(io.Writer) error) error,
	beforeStep func() error,
) (steps int, err error) {
	format, err := FormatOf(name)
	if err != nil {
		return 0, err
	}
	dir, base := path.Split(strings.TrimSuffix(name, ".gz"))
	part.DumpName = strings.TrimSuffix(base, path.Ext(base)) + ".state.json"

	// Record tells which node's state the dump must hold, so the scenario is written first. But
	// the dump is saved before the scenario is complete. So there is no scenario without the
	// dump that it needs.
	err = save(name, func(w io.Writer) error {
		var dumpNode history.ID
		err := source.View(func(view *chain.View) (err error) {
			steps, dumpNode, err = Record(w, format, view, part, beforeStep)
			return err
		})
		if err != nil || dumpNode == 0 {
			return err
		}
		return save(dir+part.DumpName, func(w io.Writer) error {
			return source.ViewAt(dumpNode, func(view *chain.View) error {
				return dump.Write(w, nil, view.Records())
			})
		})
	})
	return steps, err
}

// Source provides the history to record.
type Source interface {
	// View calls a function with the current state of the chain.
	View(func(*chain.View) error) error
	// ViewAt calls a function with the state that a node of the history left.
	ViewAt(history.ID, func(*chain.View) error) error
}

// Record writes a part of a chain's history as a scenario that plays the same. It writes
// every message with its block, its sender and its answer, and also the refused ones. It
// leaves out what was undone. It calls beforeStep before every step, unless it is nil, and
// ends with its error.
//
// Record returns the number of steps. It also returns the node whose state the caller must
// save as a dump, because the scenario begins with that state. The node is part.StartAt, or
// the import with which the history begins, or 0 if no dump is needed.
//
// Record fails with the errors of w. It fails with a [*RecordError] if the beginning of the
// history was removed, the part begins on another branch, or no step can fail. In the last
// case it has written the scenario.
func Record(
	w io.Writer,
	f Format,
	view *chain.View,
	part HistoryPart,
	beforeStep func() error,
) (steps int, dumpNode history.ID, err error) {
	r := &recording{
		view:           view,
		part:           part,
		firstReceivers: map[cw721.Address]chain.Receiver{},
		names:          map[cw721.Address]string{},
		addresses:      map[string]cw721.Address{},
	}
	if err := r.collectPath(); err != nil {
		return 0, 0, err
	}
	header, err := r.buildHeader()
	if err != nil {
		return 0, 0, err
	}

	// The checker finds messages that the reader of YAML would refuse as mistakes.
	checker := messageChecker{contract: view.Contract()}
	_, checker.isCompiled, err = view.Module()
	if err != nil {
		return 0, 0, err
	}

	canFail := false
	err = Write(w, f, header, func(write func(Step) error) error {
		return r.eachStep(func(step Step) error {
			steps++
			canFail = canFail || step.CanFail()

			// A YAML file is refused for a mistake in a message, unless the step says that
			// the mistake is on purpose.
			if f == YAML {
				_, mistake := checker.findMistake(&step)
				step.Ignored = mistake != ""
			}
			if beforeStep != nil {
				if err := beforeStep(); err != nil {
					return err
				}
			}
			return write(step)
		})
	})
	if err == nil && !canFail {
		err = recordErrorf(
			"no message was sent in this part of the history, so there is nothing that a run could check")
	}
	return steps, r.dumpNode, err
}

// HistoryPart is the part of a history to record as a scenario, with options. A history is
// a tree of nodes. Each node is one event, such as a message or a clock move. The zero
// HistoryPart is the whole path from the first node to the current one.
type HistoryPart struct {
	// FirstNode is the first node whose answer is expected. Earlier nodes only prepare the
	// collection: they become steps without an expectation, and their refused messages are
	// left out. 0 is the first node of the history.
	FirstNode history.ID
	LastNode  history.ID // can be on any branch; 0 is the current node of the history
	// FullAnswers makes each step expect its whole answer. Otherwise a step whose message was
	// accepted only expects that it is accepted.
	FullAnswers bool
	// StartAt is the node with whose state the scenario begins. A dump holds that state, and
	// only the nodes after StartAt become steps. 0 is a scenario without such a dump.
	StartAt history.ID
	// DumpName is the file name of the dump with which the scenario begins, for its header.
	// The dump holds the state of StartAt, or of the import with which the history begins.
	DumpName string
	// AddsQueries adds queries and their answers after the history: the owner and the
	// approvals of each token, the operators and the roles. LastNode must be 0 then,
	// because the answers are those of the current state.
	AddsQueries bool
	// FinalSteps follow the steps of the history. If there are any, only they have
	// expectations, and the whole history prepares the collection for them.
	FinalSteps []Step
	// RowNames has a name for each of FinalSteps, or is empty. With names, the scenario has a
	// single final step, and a row of values with each name. The final steps must have the
	// same members then.
	RowNames []string
}

// RecordError is the reason why a history cannot be recorded as a scenario.
type RecordError struct{ Text string }

// Error returns the reason, such as "#3 is a migration to another contract, …".
func (e *RecordError) Error() string { return e.Text }

// recordErrorf returns a [*RecordError] with a formatted text.
func recordErrorf(format string, args ...any) error {
	return &RecordError{fmt.Sprintf(format, args...)}
}

// recording is the part of a history that is being recorded as a scenario.
type recording struct {
	view       *chain.View
	part       HistoryPart
	path       []history.ID // the nodes that become steps, from the last one back to the first
	startBlock cw721.Block  // the block in which the scenario begins
	// firstReceivers says whether each contract accepted or rejected the first token that it
	// received. The history has only these answers, not what the user had set.
	firstReceivers map[cw721.Address]chain.Receiver
	dumpNode       history.ID        // with whose state the scenario begins; 0 for an empty chain
	rowValues      map[string]string // of the only final step in a scenario with rows; see [Step.RowValues]

	names           map[cw721.Address]string
	addresses       map[string]cw721.Address // by name
	addressReplacer *strings.Replacer        // replaces addresses in a message by "$name"
}

// resolveName returns the address of a name; see [cw721.NameLookup].
func (r *recording) resolveName(name string) (address string, ok bool) {
	found, ok := r.addresses[name]
	return string(found), ok
}

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

// beginAfter makes the scenario begin with the state that a node left. It fails with a
// [*RecordError] if there was no collection in that state.
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

// blockAfter returns the current block after a node: the block to which a clock move leads, or
// in which a message was executed.
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
