package chain

import (
	"bytes"
	"errors"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Discard empties a store that holds an incomplete import, and leaves any other store as it
// is. If Discard is interrupted, it can be repeated.
func Discard(db kv.DB) error {
	// Only a store with the mark of an incomplete import may be emptied.
	markKey := storeKey(metaPart, importingKey)
	isMarked := false
	err := db.View(func(reader kv.Reader) (err error) {
		_, isMarked, err = reader.Get(markKey)
		return err
	})
	if err != nil || !isMarked {
		return err
	}

	// Remove the mark last, so that the store stays marked until it is empty.
	if err := removeAll(db, everyKey, markKey); err != nil {
		return err
	}
	return db.Update(func(txn kv.Txn) error { return txn.Delete(markKey) })
}

// Discard empties the chain's store if it holds an incomplete import.
func (c *Chain) Discard() error { return Discard(c.db) }

// Arguments of [removeAll]: the prefix of all keys, and no key that it spares.
var (
	everyKey    []byte // the empty prefix, with which every key begins
	noException []byte
)

// removeAll deletes every record whose key begins with prefix, except the one under the
// key exception, if one is given. It deletes in batches, because one transaction could
// not hold all records.
func removeAll(db kv.DB, prefix, exception []byte) error {
	keys := kv.PrefixRange(prefix)
	keys.KeysOnly = true
	return loadFromSnapshot(db, func(reader kv.Reader, writer kv.Writer) error {
		for record, err := range reader.Scan(keys) {
			if err != nil {
				return err
			}
			if bytes.Equal(record.Key, exception) {
				continue
			}
			if err := writer.Delete(bytes.Clone(record.Key)); err != nil {
				return err
			}
		}
		return nil
	})
}

// loadFromSnapshot calls fn with a writer that commits in batches, and with a reader that
// sees the store as it was before the first batch. So fn can change records while it scans
// them.
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
	if err := removeAll(c.db, historyPart, noException); err != nil {
		return err
	}

	// Derive the token count and the owner index from the tokens.
	err := loadFromSnapshot(c.db, func(reader kv.Reader, writer kv.Writer) error {
		records := kv.PrefixedReader(reader, contractPart)
		_, err := cw721.RepairInconsistencies(records, kv.PrefixedWriter(writer, contractPart))
		return err
	})
	if err != nil {
		return err
	}

	// Begin a new history at the present clock.
	return c.update(func(s *session) error {
		currentBlock, err := loadBlockState(s.meta)
		if err != nil {
			return err
		}
		return s.beginHistory(currentBlock.Clock, "what was rescued")
	})
}

// Close closes the store and releases the compiled contracts. If an import was begun and not
// finished, Close first removes what the import has written, because that is of no use.
func (c *Chain) Close() error {
	err := errors.Join(c.discardUnused(), c.db.Close())
	c.modules.close()
	return err
}

// discardUnused removes what nobody needs when a store without a chain is closed: the records
// of an incomplete import, or the whole store if it was made only for this chain. If there is
// a chain, discardUnused does nothing.
func (c *Chain) discardUnused() error {
	if _, exists := c.Config(); exists {
		return nil
	}

	// Let the store delete its own files when it is closed, if opening it has created them.
	if c.abandonStore() {
		return nil
	}

	// Otherwise remove only the records of the incomplete import. The store may have been
	// closed before.
	err := Discard(c.db)
	if errors.Is(err, kv.ErrClosed) {
		return nil
	}
	return err
}

// abandonStore lets a store that was made only for this chain delete its own files when it is
// closed. It returns false, and does nothing, if the store has a chain or is no such store.
func (c *Chain) abandonStore() bool {
	hasChain, err := c.hasStoredChain()
	if err != nil || hasChain {
		return false
	}
	store, canAbandon := c.db.(kv.Abandoner)
	return canAbandon && store.Abandon()
}

// hasStoredChain reports whether the store holds a chain, which another [Chain] on the same
// store may have made.
func (c *Chain) hasStoredChain() (exists bool, err error) {
	err = c.db.View(func(reader kv.Reader) (err error) {
		_, exists, err = configItem.Load(kv.PrefixedReader(reader, metaPart))
		return err
	})
	return exists, err
}
