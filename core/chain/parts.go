package chain

import (
	"bytes"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Parts are readers of the parts of a chain's store. They are for package doctor, which
// checks whether the parts fit each other.
type Parts struct {
	Config     Config        // the config that the chain was made with
	Contract   kv.Reader     // the contract's records
	History    kv.Reader     // the tree of all messages and clock moves
	Expiry     kv.Reader     // the index of what will expire
	Accounts   kv.Reader     // the address book
	Layout     *cw721.Layout // the layout of the contract's records; see [View.Layout]
	IsCompiled bool          // the chain runs a compiled contract
	// IsUnreadable is true if the records of a compiled contract have no known layout, so
	// that only the contract can read them.
	IsUnreadable bool

	stored parts[kv.Reader]
}

// StoredConfig reads the config that is in the store. ok is false if there is none.
func (p Parts) StoredConfig() (config Config, ok bool, err error) {
	return configItem.Load(p.stored.meta)
}

// StoredClock reads the record of the clock, which also says whether there is a collection. ok
// is false if there is no such record.
func (p Parts) StoredClock() (clock Clock, hasCollection, ok bool, err error) {
	state, ok, err := blockStateItem.Load(p.stored.meta)
	return state.Clock, state.hasCollection, ok, err
}

// Inspect calls fn with all parts of the store, as of one commit, and returns its error.
func (c *Chain) Inspect(fn func(Parts) error) error {
	config, err := c.existingConfig()
	if err != nil {
		return err
	}
	return c.db.View(func(reader kv.Reader) error {
		parts := partsOf(reader, kv.PrefixedReader)

		// If the record that names the compiled contract is broken, go on as if there were
		// none, so that the other parts can still be checked.
		_, isCompiled, err := moduleItem.Load(parts.meta)
		if err != nil && !kv.IsCorrupt(err) {
			return err
		}
		layout, isKnown, err := transaction[kv.Reader]{config, parts, c.modules}.layout()
		if err != nil {
			return err
		}
		return fn(Parts{
			Config:       config,
			Contract:     parts.records,
			History:      parts.history,
			Expiry:       parts.expiry,
			Accounts:     parts.accounts,
			Layout:       layout,
			IsCompiled:   isCompiled,
			IsUnreadable: isCompiled && !isKnown,
			stored:       parts,
		})
	})
}

// CheckModule fails with a [*kv.CorruptError] if the code of the compiled contract that the
// chain runs does not have its checksum.
func (p Parts) CheckModule() error {
	module, isCompiled, err := moduleItem.Load(p.stored.meta)
	if err != nil || !isCompiled {
		return err
	}
	_, err = readModule(p.stored.store, module)
	return err
}

// Writers write to two of the [Parts]. They commit in batches.
type Writers struct {
	Contract kv.Writer // the contract's records
	Expiry   kv.Writer // the index of what will expire
}

// Repair is [Chain.Inspect] with writers. If fn reports that it wrote something, Repair increases
// the chain's revision, so that others see the change.
func (c *Chain) Repair(fn func(parts Parts, w Writers) (wrote bool, err error)) error {
	wrote := false
	err := c.db.Load(func(writer kv.Writer) error {
		writers := Writers{
			Contract: kv.PrefixedWriter(writer, contractPart),
			Expiry:   kv.PrefixedWriter(writer, expiryPart),
		}

		// Other writers wait for this load, so what fn reads does not change meanwhile.
		return c.Inspect(func(parts Parts) (err error) {
			wrote, err = fn(parts, writers)
			return err
		})
	})
	if err != nil || !wrote {
		return err
	}
	return c.update((*session).countCommit)
}

// mutantRecords is the beginning of the keys that only a mutant of the contract writes.
// These are the keys of a [kv.Map] named "mutant".
var mutantRecords = []byte("\x00\x06mutant")

// mutantTxn is a transaction on the contract's records for a mutant, the contract with one
// deliberate mistake. The records that only the mutant has go into another part of the store, so
// that undo reverts them, but nobody sees them among the contract's records.
type mutantTxn struct {
	kv.Txn        // of the contract's records
	ownTxn kv.Txn // of the records that only the mutant has
}

func (t mutantTxn) partOf(key []byte) kv.Txn {
	if bytes.HasPrefix(key, mutantRecords) {
		return t.ownTxn
	}
	return t.Txn
}

func (t mutantTxn) Get(key []byte) ([]byte, bool, error) { return t.partOf(key).Get(key) }

func (t mutantTxn) Set(key, value []byte) error { return t.partOf(key).Set(key, value) }

func (t mutantTxn) Delete(key []byte) error { return t.partOf(key).Delete(key) }
