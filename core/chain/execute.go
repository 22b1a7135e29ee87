package chain

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Execute executes a message of a sender in the current block. A refusal is no error: it is in
// the receipt and in the history. Only a message of more than 160 KiB, which is always
// refused, is not in the history. Execute fails with a [*wire.UnknownNameError] for an unknown
// "$name" in the message.
func (c *Chain) Execute(sender cw721.Address, msg []byte) (Receipt, error) {
	return c.run(executeOperation, sender, msg)
}

// ExecuteInBatch executes one message of a batch as [Chain.Execute] does. [Chain.Undo] and
// [Chain.Redo] count the messages of a batch as one step. batch is the history node of its
// first message, or 0 if msg is that message.
func (c *Chain) ExecuteInBatch(batch history.ID, sender cw721.Address, msg []byte) (Receipt, error) {
	op := executeOperation
	op.isInBatch = true
	op.batch = batch
	return c.run(op, sender, msg)
}

// Instantiate executes the instantiate message on a chain that has no collection yet. It
// fails as [Chain.Execute] does, and with [ErrCollectionExists] if there is a collection.
func (c *Chain) Instantiate(sender cw721.Address, msg []byte) (Receipt, error) {
	return c.run(instantiateOperation, sender, msg)
}

func (c *Chain) run(op operation, sender cw721.Address, msg []byte) (Receipt, error) {
	return updateWithResult(c, func(s *session) (Receipt, error) { return s.run(op, sender, msg) })
}

// operation describes how one message is executed and recorded in the history.
type operation struct {
	kind        history.Kind // of the message's node in the history
	messageKind messageKind  // by which the message is decoded
	// method is the contract's method for the operation, such as [Contract.Execute].
	method    func(Contract, call) (Answer, error)
	code      Contract      // executes the message; nil means the contract that the chain runs
	newModule *StoredModule // runs after a migration; nil if the contract stays the same
	isInBatch bool          // the message is sent together with others
	batch     history.ID    // the first node of the batch; 0 if this message is the first
}

// The operations to execute a message and to create the collection. [Chain.Migrate] has a
// third one.
var (
	executeOperation = operation{
		kind:        history.KindExecute,
		messageKind: executeMessage,
		method:      Contract.Execute,
	}
	instantiateOperation = operation{
		kind:        history.KindInstantiate,
		messageKind: instantiateMessage,
		method:      Contract.Instantiate,
	}
)

func (op operation) createsCollection() bool { return op.kind == history.KindInstantiate }

// run executes a message and records it, or its refusal, in the history.
func (s *session) run(op operation, sender cw721.Address, messageText []byte) (Receipt, error) {
	currentBlock, err := loadBlockState(s.meta)
	if err != nil {
		return Receipt{}, err
	}
	switch {
	case op.createsCollection() && currentBlock.hasCollection:
		return Receipt{}, ErrCollectionExists
	case !op.createsCollection() && !currentBlock.hasCollection:
		return Receipt{}, ErrNoCollection
	}

	// A message that is too large for a transaction is refused, and not recorded.
	receipt := Receipt{Block: currentBlock.Block(), Sender: sender, Message: messageText}
	if len(messageText) > maxMessageBytes {
		limit := &kv.LimitError{Kind: "message", Size: len(messageText), Max: maxMessageBytes}
		receipt.Refusal = cw721.AsError(asRefusal(limit))
		return receipt, nil
	}

	// Read the message as the contract that executes it does.
	code, err := s.contractFor(op)
	if err != nil {
		return Receipt{}, err
	}
	message, err := readMessage(code, op.messageKind, messageText, storedBook(s.Prefix, s.accounts))
	if err != nil {
		return Receipt{}, err
	}
	receipt.Message = message.JSON
	receipt.IgnoredMembers = message.IgnoredMembers

	// Execute it in an overlay, so that a refused message changes nothing.
	writes := kv.NewOverlay(s.store)
	err = s.runContract(op, code, message, &receipt, writes)
	if err == nil && receipt.Refusal == nil {
		err = s.saveMeta(op, currentBlock, sender, writes)
	}
	if err == nil {
		err = s.commit(op, &receipt, writes)
	}
	return receipt, err
}

// contractFor returns the contract that executes the message of an operation. It fails with a
// [*NoRulesError] if that is the built-in contract and no rule set is in force.
func (s *session) contractFor(op operation) (Contract, error) {
	if op.code != nil {
		return op.code, nil
	}
	code, err := s.runningContract()
	if err != nil {
		return code, err
	}
	if _, isBuiltIn := code.(builtIn); isBuiltIn {
		err = s.checkRules(s.records)
	}
	if noRules, isNoRules := errors.AsType[*NoRulesError](err); isNoRules {
		noRules.Reason += "; to execute messages, import it with its compiled contract or with a rule set"
	}
	return code, err
}

// runContract executes a message, and delivers the messages that the contract sends. What they
// change goes into writes, and the outcome, which can be a refusal, into the receipt.
func (s *session) runContract(
	op operation,
	code Contract,
	message Message,
	receipt *Receipt,
	writes *kv.Overlay,
) error {
	code = withLog(code, &receipt.LogLines)
	comparison := s.compareWithBuiltIn(code)
	if comparison != nil && s.modules.Compare {
		code = comparison
	}

	// A mutant has a part of the store of its own.
	env := cw721.Env{Block: receipt.Block, Self: s.Self}
	info := cw721.Info{Sender: receipt.Sender}
	contractTxn := kv.PrefixedTxn(writes, contractPart)
	if s.modules.Mutate != nil {
		contractTxn = mutantTxn{Txn: contractTxn, ownTxn: kv.PrefixedTxn(writes, mutantPart)}
	}

	// The messages that the contract sends are part of the execution. If one of them is
	// refused, the whole message is.
	answer, err := op.method(code, call{contractTxn, env, info, message})
	if err == nil {
		deliveries := delivery{session: s, code: code, env: env}
		err = deliveries.deliverAll(contractTxn, &answer)
	}
	if comparison != nil {
		receipt.Difference = comparison.difference
	}
	receipt.Decision = answer.Decision

	receipt.Refusal, err = separateRefusal(err)
	if err != nil {
		return err
	}
	if receipt.Refusal == nil {
		receipt.Response = answer.Response
	}
	return nil
}

// saveMeta writes what an operation changes in the chain's own records.
func (s *session) saveMeta(
	op operation,
	currentBlock blockState,
	sender cw721.Address,
	writes *kv.Overlay,
) error {
	meta := kv.PrefixedTxn(writes, metaPart)
	switch {
	case op.createsCollection():
		currentBlock.hasCollection = true
		return cmp.Or(blockStateItem.Save(meta, currentBlock), instantiatorItem.Save(meta, sender))
	case op.newModule != nil: // the stored rules were requested for the contract before it
		return cmp.Or(moduleItem.Save(meta, *op.newModule), rulesRequestItem.Remove(meta))
	}
	return nil
}

// commit copies what a message wrote to the store, updates the expiry index, and records the
// message in the history with all these changes. Of a refused message it only records the refusal.
func (s *session) commit(op operation, receipt *Receipt, writes *kv.Overlay) error {
	if receipt.Refusal != nil {
		return s.recordMessage(op, receipt, nil)
	}
	changes, err := writes.Changes()
	if err != nil {
		return err
	}
	if err := kv.Apply(s.store, changes); err != nil {
		return err
	}

	// A compiled contract may write records that cannot be read.
	receipt.Changes = contractChanges(changes)
	indexedChanges := receipt.Changes
	if s.modules.hasStoredModules.Load() {
		indexedChanges = readableChanges(indexedChanges)
	}
	indexChanges, err := expiry.IndexChanges(s.expiry, receipt.Block, indexedChanges)
	if err != nil {
		return err
	}
	for i := range indexChanges {
		indexChanges[i].Key = slices.Concat(expiryPart, indexChanges[i].Key)
	}
	if err := kv.Apply(s.store, indexChanges); err != nil {
		return err
	}
	return s.recordMessage(op, receipt, append(indexChanges, changes...))
}

// maxMessageBytes is the largest size of a message. The writes of such a message usually fit
// into one transaction of a store. If the contract writes large records as well, the store may
// still return [kv.ErrTooBig].
const maxMessageBytes = 160 << 10

// separateRefusal returns err as its first result if it is a refusal, or a key or a value that
// is too large for the store, and otherwise as its second.
func separateRefusal(err error) (*cw721.Error, error) {
	if refusal := cw721.AsError(asRefusal(err)); refusal != nil {
		return refusal, nil
	}
	return nil, err
}

// recordMessage adds a message to the history. It sets Node and Revision of the receipt.
func (s *session) recordMessage(op operation, receipt *Receipt, changes []kv.Change) error {
	node := history.Node{
		Kind:    op.kind,
		Height:  receipt.Block.Height,
		Time:    receipt.Block.Time,
		Sender:  receipt.Sender,
		Message: string(receipt.Message),
		Log:     strings.Join(receipt.LogLines, "\n"),
	}
	if refusal := receipt.Refusal; refusal != nil {
		node.Refusal = &history.Refusal{Kind: refusal.Kind, Text: refusal.Text, Field: refusal.Field}
	} else {
		node.Answer = wire.Append(make([]byte, 0, typicalAnswerBytes), receipt.Response)
	}
	if receipt.Difference != nil {
		node.Difference = wire.Encode(*receipt.Difference)
	}

	return s.updateHistory(func(state *history.State) error {
		// The batch of the first message is its own node, which gets the next number.
		if op.isInBatch {
			node.Batch = cmp.Or(op.batch, state.Last+1)
		}
		node, err := state.Append(s.history, node, changes)
		if err != nil {
			return err
		}

		// Undo must not revert the creation of the collection.
		if op.createsCollection() && receipt.Refusal == nil {
			state.SetupEnd = node.ID
		}
		receipt.Node = node.ID
		receipt.Revision = state.Revision
		return nil
	})
}

// Most responses fit into a buffer of this size.
const typicalAnswerBytes = 512
