package chain

import (
	"cmp"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Execute executes a message of a sender in the current block. If the message is refused,
// the refusal is in the receipt and in the history, and Execute does not fail. Only a
// message of more than 160 KiB, which is always refused, is not in the history. Execute
// fails with a [*wire.UnknownNameError] for an unknown "$name" in the message.
func (c *Chain) Execute(sender cw721.Address, msg []byte) (Receipt, error) {
	return c.run(executeOperation, sender, msg)
}

// ExecuteInBatch executes one message of a batch as [Chain.Execute] does. A batch is
// several messages that a user sends together, and [Chain.Undo] and [Chain.Redo] count it
// as one step. batch is the history node of the first message of the batch, or 0 if msg is
// that message.
func (c *Chain) ExecuteInBatch(
	batch history.ID,
	sender cw721.Address,
	msg []byte,
) (Receipt, error) {
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

// run executes a message in a transaction of its own and returns its receipt.
func (c *Chain) run(op operation, sender cw721.Address, msg []byte) (Receipt, error) {
	return updateWithResult(c, func(s *session) (Receipt, error) { return s.run(op, sender, msg) })
}

// operation describes how one message is executed and recorded in the history. There are
// operations to execute, to instantiate and to migrate a contract.
type operation struct {
	kind        history.Kind // of the message's node in the history
	messageKind messageKind  // by which the message is decoded
	// method is the contract's method for the operation, such as [Contract.Execute].
	method func(code Contract, txn kv.Txn, env cw721.Env, info cw721.Info, msg Message) (Answer, error)
	// code executes the message; nil means the contract that the chain runs.
	code Contract
	// newModule is the compiled contract that the chain runs after a migration; nil if
	// the contract stays the same.
	newModule *StoredModule
	// isInBatch is true for a message of a batch, which are messages that are sent together.
	isInBatch bool
	// batch is the node of the first message of the batch; 0 if this message is the first.
	batch history.ID
}

// The operations to execute a message and to create the collection. A migration also depends
// on the new contract; see [session.migrationTo].
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

// run executes a message and records it in the history. If the message is refused, run
// discards everything that it wrote, and records the refusal.
func (s *session) run(op operation, sender cw721.Address, messageText []byte) (Receipt, error) {
	currentBlock, err := loadBlockState(s.meta)
	if err != nil {
		return Receipt{}, err
	}
	if err := op.checkCollection(currentBlock); err != nil {
		return Receipt{}, err
	}

	receipt := Receipt{Block: currentBlock.Block(), Sender: sender, Message: messageText}

	// A message that is too large for a transaction is refused, and not recorded.
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
	err = s.executeAndRecord(op, code, message, currentBlock, &receipt)
	return receipt, err
}

// executeAndRecord executes a message from the receipt's sender, adds the outcome to the
// receipt, and records both in the history. If the message is executed, it also writes what
// the message changed. If it is refused, nothing else is written.
func (s *session) executeAndRecord(
	op operation,
	code Contract,
	message Message,
	currentBlock blockState,
	receipt *Receipt,
) error {
	// Execute it in an overlay, so that nothing is written yet.
	writes := kv.NewOverlay(s.store)
	if err := s.runContract(op, code, message, receipt, writes); err != nil {
		return err
	}

	// A refused message changes nothing.
	if receipt.Refusal != nil {
		return s.recordMessage(op, receipt, nil)
	}
	if err := s.saveMeta(op, currentBlock, receipt.Sender, writes); err != nil {
		return err
	}
	return s.commit(op, receipt, writes)
}

// checkCollection returns [ErrCollectionExists] if the operation would create a second
// collection, and [ErrNoCollection] if it needs a collection and there is none.
func (op operation) checkCollection(currentBlock blockState) error {
	switch {
	case op.createsCollection() && currentBlock.hasCollection:
		return ErrCollectionExists
	case !op.createsCollection() && !currentBlock.hasCollection:
		return ErrNoCollection
	}
	return nil
}

// createsCollection reports whether the operation creates the collection.
func (op operation) createsCollection() bool { return op.kind == history.KindInstantiate }

// contractFor returns the contract that executes the message of an operation. It fails
// with a [*NoRulesError] if that is the built-in contract and no rule set is in force.
func (s *session) contractFor(op operation) (Contract, error) {
	if op.code != nil {
		return op.code, nil
	}
	code, err := s.modules.contract(s.store, s.Config)
	if err != nil {
		return code, err
	}

	// The built-in contract follows a rule set. A compiled contract has its own rules.
	if _, isBuiltIn := code.(builtIn); isBuiltIn {
		return code, s.checkRules(s.records)
	}
	return code, nil
}

// runContract lets the contract execute a message, and then delivers the messages that the
// contract sends. What they change goes into the overlay writes, and the outcome into the
// receipt. A refusal is an outcome, so any error of runContract is trouble with the store.
func (s *session) runContract(
	op operation,
	code Contract,
	message Message,
	receipt *Receipt,
	writes *kv.Overlay,
) error {
	// Collect what the contract logs. With the option Compare, run the message on the
	// built-in contract as well.
	code = withLog(code, &receipt.LogLines)
	comparison := s.modules.compareWithBuiltIn(code, s.Config)
	if comparison != nil && s.modules.Compare {
		code = comparison
	}

	// Give the contract its part of the store. A mutant, which is a contract with a
	// deliberate mistake, also gets a part of its own.
	env := cw721.Env{Block: receipt.Block, Self: s.Self}
	info := cw721.Info{Sender: receipt.Sender}
	contractTxn := kv.PrefixedTxn(writes, contractPart)
	if s.modules.Mutate != nil {
		contractTxn = mutantTxn{Txn: contractTxn, ownTxn: kv.PrefixedTxn(writes, mutantPart)}
	}

	// The messages that the contract sends are part of the execution. If one of them is
	// refused, the whole message is.
	answer, err := op.method(code, contractTxn, env, info, message)
	if err == nil {
		deliveries := delivery{session: s, code: code, env: env}
		err = deliveries.deliverAll(contractTxn, &answer)
	}
	if comparison != nil {
		receipt.Difference = comparison.difference
	}
	receipt.Decision = answer.Decision

	// A refusal goes into the receipt, and any other error to the caller.
	receipt.Refusal, err = separateRefusal(err)
	if err != nil {
		return err
	}
	if receipt.Refusal == nil {
		receipt.Response = answer.Response
	}
	return nil
}

// saveMeta writes what an operation changes in the chain's own records. An instantiation
// stores that there is a collection now, and who created it. A migration stores which
// compiled contract runs from now on. Any other operation changes none of these records.
func (s *session) saveMeta(
	op operation,
	currentBlock blockState,
	sender cw721.Address,
	writes *kv.Overlay,
) error {
	meta := kv.PrefixedTxn(writes, metaPart)
	if op.createsCollection() {
		currentBlock.hasCollection = true
		if err := blockStateItem.Save(meta, currentBlock); err != nil {
			return err
		}
		if err := instantiatorItem.Save(meta, sender); err != nil {
			return err
		}
	}

	// Only a migration has a new module.
	if op.newModule == nil {
		return nil
	}
	if err := moduleItem.Save(meta, *op.newModule); err != nil {
		return err
	}

	// The stored rules were requested for the contract before the migration.
	return rulesRequestItem.Remove(meta)
}

// commit copies what a message wrote from the overlay to the store, updates the expiry
// index, and records the message in the history with all these changes, so that undo can
// revert them.
func (s *session) commit(op operation, receipt *Receipt, writes *kv.Overlay) error {
	changes, err := writes.Changes()
	if err != nil {
		return err
	}
	if err := kv.Apply(s.store, changes); err != nil {
		return err
	}

	// Update the index of what will expire in the same transaction, so that it never differs
	// from the contract's records.
	receipt.Changes = contractChanges(changes)
	indexChanges, err := s.updateExpiryIndex(receipt.Changes, receipt.Block)
	if err != nil {
		return err
	}
	allChanges := append(indexChanges, changes...)
	return s.recordMessage(op, receipt, allChanges)
}

// updateExpiryIndex updates the index of what will expire after the contract's records have
// changed in the current block. It writes the changes of the index and returns them, with the
// keys that they have in the whole store.
func (s *session) updateExpiryIndex(
	changes []kv.Change,
	currentBlock cw721.Block,
) ([]kv.Change, error) {
	// A compiled contract may write records that cannot be read.
	if s.modules.hasStoredModules.Load() {
		changes = readableChanges(changes)
	}
	indexChanges, err := expiry.IndexChanges(s.expiry, currentBlock, changes)
	if err != nil {
		return nil, err
	}
	for i := range indexChanges {
		indexChanges[i].Key = storeKey(expiryPart, indexChanges[i].Key)
	}
	return indexChanges, kv.Apply(s.store, indexChanges)
}

// maxMessageBytes is the largest size of a message, in bytes. The writes of a message of
// this size usually fit into one transaction of a store, with its node in the history. If
// the contract writes large records as well, the store may still return [kv.ErrTooBig].
const maxMessageBytes = 160 << 10

// separateRefusal returns err as its first result if it is a refusal, and otherwise as its
// second. A key or a value that is too large for the store also counts as a refusal.
func separateRefusal(err error) (*cw721.Error, error) {
	if refusal := cw721.AsError(asRefusal(err)); refusal != nil {
		return refusal, nil
	}
	return nil, err
}

// recordMessage adds a message to the history as a node, with the response or the refusal.
// changes is everything that the message changed in the store; nil for a refused message.
// recordMessage sets Node and Revision of the receipt.
func (s *session) recordMessage(op operation, receipt *Receipt, changes []kv.Change) error {
	return s.updateHistory(func(state *history.State) error {
		newNode := receipt.newNode(op.kind)

		// The batch of the first message is its own node, which gets the next number.
		if op.isInBatch {
			newNode.Batch = cmp.Or(op.batch, state.Last+1)
		}
		node, err := state.Append(s.history, newNode, changes)
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
