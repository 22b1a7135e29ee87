package chain

import (
	"bytes"
	"errors"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// markKey is the key in the whole store of the mark of an incomplete import.
var markKey = slices.Concat(metaPart, importingKey)

// Discard empties a store that holds an incomplete import, and leaves any other as it is. It can
// be repeated after an interruption.
func Discard(db kv.DB) error {
	isMarked := false
	err := db.View(func(reader kv.Reader) (err error) {
		_, isMarked, err = reader.Get(markKey)
		return err
	})
	if err != nil || !isMarked {
		return err
	}

	// Remove the mark last, so that the store stays marked until it is empty.
	if err := removeAll(db, nil); err != nil {
		return err
	}
	return db.Update(func(txn kv.Txn) error { return txn.Delete(markKey) })
}

// Discard is the function [Discard] on the chain's store.
func (c *Chain) Discard() error { return Discard(c.db) }

// removeAll deletes every record whose key begins with prefix, except the mark of an incomplete
// import.
func removeAll(db kv.DB, prefix []byte) error {
	keys := kv.PrefixRange(prefix)
	keys.KeysOnly = true
	return loadFromSnapshot(db, func(reader kv.Reader, writer kv.Writer) error {
		for record, err := range reader.Scan(keys) {
			if err != nil {
				return err
			}
			if bytes.Equal(record.Key, markKey) {
				continue
			}
			if err := writer.Delete(bytes.Clone(record.Key)); err != nil {
				return err
			}
		}
		return nil
	})
}

// loadFromSnapshot is [kv.DB.Load] with a reader of the store as it was before, so that fn can
// change records while it scans them.
func loadFromSnapshot(db kv.DB, fn func(reader kv.Reader, writer kv.Writer) error) error {
	return db.Load(func(writer kv.Writer) error {
		// Other writers wait for this load, so the snapshot stays the newest.
		return db.View(func(reader kv.Reader) error { return fn(reader, writer) })
	})
}

// Salvage makes a valid collection of the records that remain in a damaged store. It drops the
// history and begins a new one, and computes the number of tokens and the owner index again
// from the tokens. It does not rebuild the expiry index. It writes in batches, so no other
// call may use the store meanwhile.
func (c *Chain) Salvage() error {
	// Remove the old history, because undo would lead to states that never existed.
	if err := removeAll(c.db, historyPart); err != nil {
		return err
	}

	err := loadFromSnapshot(c.db, func(reader kv.Reader, writer kv.Writer) error {
		records := kv.PrefixedReader(reader, contractPart)
		_, err := cw721.RepairInconsistencies(records, kv.PrefixedWriter(writer, contractPart))
		return err
	})
	if err != nil {
		return err
	}

	return c.update(func(s *session) error {
		currentBlock, err := loadBlockState(s.meta)
		if err != nil {
			return err
		}
		return s.beginHistory(currentBlock.Clock, "what was rescued")
	})
}

// Close closes the store and releases the compiled contracts. It removes an incomplete import.
func (c *Chain) Close() error {
	err := errors.Join(c.discardUnused(), c.db.Close())
	c.modules.close()
	return err
}

// discardUnused removes what nobody needs when a store without a chain is closed: the records
// of an incomplete import, or the whole store if it was made only for this chain.
func (c *Chain) discardUnused() error {
	if _, exists := c.Config(); exists {
		return nil
	}

	// Let the store delete its own files when it is closed, if opening it has created them and
	// no other [Chain] has made a chain in it.
	hasChain := false
	viewErr := c.db.View(func(reader kv.Reader) (err error) {
		_, hasChain, err = configItem.Load(kv.PrefixedReader(reader, metaPart))
		return err
	})
	store, canAbandon := c.db.(kv.Abandoner)
	if viewErr == nil && !hasChain && canAbandon && store.Abandon() {
		return nil
	}

	// Otherwise remove only the records of the incomplete import.
	err := Discard(c.db)
	if errors.Is(err, kv.ErrClosed) { // it was closed before
		return nil
	}
	return err
}
