package chain

import (
	"bytes"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Parts are the parts of a chain's store, such as the contract's records and the history, each
// with its own keys. They are for package check, which compares them.
type Parts struct {
	Config                              Config
	Contract, History, Expiry, Accounts kv.Reader
	// Layout is the layout of the contract's records; see [View.Layout].
	Layout *cw721.Layout
	// IsCompiled is set if the chain runs a compiled contract, and Unreadable if the records
	// of that contract have no known layout.
	IsCompiled, Unreadable bool

	all, meta kv.Reader
}

// StoredConfig reads the config that is in the store; ok is false if there is none.
func (p Parts) StoredConfig() (cfg Config, ok bool, err error) { return configItem.Load(p.meta) }

// StoredClock reads the clock that is in the store, and whether its record says that there is a
// collection. ok is false if there is no such record.
func (p Parts) StoredClock() (clock Clock, hasCollection, ok bool, err error) {
	now, ok, err := blockStateItem.Load(p.meta)
	return now.Clock, now.hasCollection, ok, err
}

// Inspect calls fn with all parts of the store, as of one commit. It returns the error of fn,
// and fails with [ErrNoCollection] if there is no chain.
func (c *Chain) Inspect(fn func(Parts) error) error {
	cfg, err := c.mustConfig()
	if err != nil {
		return err
	}
	return c.db.View(func(r kv.Reader) error {
		// A damaged module record must not hide the other parts from the check.
		parts := readParts(r)
		_, isCompiled, err := moduleItem.Load(parts.meta)
		if err != nil && !kv.IsCorrupt(err) {
			return err
		}
		layout, isKnown, err := c.modules.layoutIn(parts.contract)
		if err != nil {
			return err
		}
		return fn(Parts{
			Config:     cfg,
			Contract:   parts.contract,
			History:    parts.history,
			Expiry:     parts.expiry,
			Accounts:   parts.accounts,
			Layout:     layout,
			IsCompiled: isCompiled,
			Unreadable: isCompiled && !isKnown,
			all:        r,
			meta:       parts.meta,
		})
	})
}

// CheckModule fails with a [*kv.CorruptError] if the code of the compiled contract that the
// chain runs does not have its checksum.
func (p Parts) CheckModule() error {
	module, isCompiled, err := moduleItem.Load(p.meta)
	if err != nil || !isCompiled {
		return err
	}
	_, err = readModule(p.all, module)
	return err
}

// Writers write to two of the [Parts]. They commit in batches.
type Writers struct{ Contract, Expiry kv.Writer }

// Repair calls fn with all parts of the store, like [Chain.Inspect], and with writers. It
// increases the revision if fn reports that it wrote something.
func (c *Chain) Repair(fn func(p Parts, w Writers) (wrote bool, err error)) error {
	wrote := false
	err := c.db.Load(func(w kv.Writer) error {
		// The writer waits for this load, so the snapshot stays the newest.
		return c.Inspect(func(p Parts) (err error) {
			wrote, err = fn(p, Writers{kv.PrefixedWriter(w, contractPart), kv.PrefixedWriter(w, expiryPart)})
			return err
		})
	})
	if err != nil || !wrote {
		return err
	}
	return c.update((*session).countCommit)
}

// mutantRecords begins the keys of records that only a mutant of the contract writes: the
// keys of a [kv.Map] named "mutant".
var mutantRecords = []byte("\x00\x06mutant")

// mutantTxn is the contract's part of a transaction as a mutant sees it. A mutant is the
// contract with one deliberate mistake, and may keep records of its own for that. They are
// in another part of the transaction: they are undone with the message, but no view of the
// contract's records shows them.
type mutantTxn struct {
	kv.Txn        // of the contract's records
	own    kv.Txn // of the records that only the mutant has
}

// partOf returns the part of the transaction that has the record with a key: the mutant's
// own part, or the contract's.
func (t mutantTxn) partOf(key []byte) kv.Txn {
	if bytes.HasPrefix(key, mutantRecords) {
		return t.own
	}
	return t.Txn
}

// Get reads a record.
func (t mutantTxn) Get(key []byte) ([]byte, bool, error) { return t.partOf(key).Get(key) }

// Set writes a record.
func (t mutantTxn) Set(key, value []byte) error { return t.partOf(key).Set(key, value) }

// Delete deletes a record.
func (t mutantTxn) Delete(key []byte) error { return t.partOf(key).Delete(key) }
