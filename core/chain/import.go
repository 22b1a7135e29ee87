package chain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"iter"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
)

// importingKey marks a store that holds an incomplete import.
var importingKey = []byte("importing")

// checkNotImporting fails with [ErrImporting] if the store holds an incomplete import.
func checkNotImporting(meta kv.Reader) error {
	_, isImporting, err := meta.Get(importingKey)
	if err == nil && isImporting {
		return ErrImporting
	}
	return err
}

// Records yields the records of a contract's storage, with the keys that the contract uses.
// [View.Records] returns it, and [Chain.Import] takes it. The type has a name so that
// packages that pass it on need not import package kv.
type Records = iter.Seq2[kv.Pair, error]

// Records yields the records of the contract's storage in key order.
func (v *View) Records() Records { return v.contract.Scan(kv.Range{}) }

// CheckTokenCount counts the tokens, and fails if the contract stores another number. It
// does not check storage of an unknown layout.
func (v *View) CheckTokenCount() error {
	if errors.As(v.CheckReadable(), new(*UnreadableError)) {
		return nil
	}
	stored, err := cw721.LoadTokenCount(v.contract)
	if err != nil {
		return err
	}

	// Count the tokens one by one, and compare with the stored number.
	found := uint64(0)
	for _, err := range cw721.TokenIDs(v.contract, cw721.Walk{}) {
		if err != nil {
			return err
		}
		found++
	}
	if found != stored {
		return fmt.Errorf("the contract's storage counts %s tokens and holds %s; `ephemera doctor` reports what is wrong", human.Thousands(stored), human.Thousands(found))
	}
	return nil
}

// ImportError reports why records cannot be imported as a collection.
type ImportError struct{ Text string }

func (e *ImportError) Error() string { return e.Text }

// importErrorf returns an [*ImportError] with a formatted text.
func importErrorf(format string, args ...any) error {
	return &ImportError{Text: fmt.Sprintf(format, args...)}
}

// Import fills an empty store with a contract's records, which can be in any order. It
// writes in batches. Until the last one the store is marked as an incomplete import; after
// an error [Chain.Discard] empties it. Import calls progress, which can be nil, with the
// number of records so far.
//
// Records that are not the contract's are kept and counted ([View.OtherRecords]). If g has no
// rules or no flavour, they are those of the code that contract_info names
// ([cw721.IdentifyCode]). The rules stay empty for code of no known release. Converted
// records get the standard rules.
//
// Import fails with [ErrCollection] if there is a chain, with [ErrImporting] if there is an
// incomplete import, and with an [*ImportError] if the records are not a complete collection
// of this contract.
func (c *Chain) Import(g Genesis, records Records, progress func(int)) error {
	im := importer{requested: g, progress: progress}
	g, err := g.WithDefaults()
	if err != nil {
		return err
	}
	im.now = g.Clock.Block()

	// Mark the store first, so that no interrupted import is taken for a collection.
	err = c.db.Update(func(t kv.Txn) error { return newSession(t, g.Config, c.modules).markImport() })
	if err != nil {
		return err
	}
	im.module, err = c.addModule(g.Module, g.Prefix)
	if err != nil {
		return err
	}

	// Write the records in batches, and verify what was written.
	err = c.db.Load(func(w kv.Writer) error { return im.writeRecords(w, records) })
	if err != nil {
		return err
	}
	err = c.db.View(func(r kv.Reader) error { return im.verify(c.db, kv.PrefixedReader(r, contractPart)) })
	if err != nil {
		return err
	}

	// The last transaction writes the chain's own records and removes the mark.
	err = c.db.Update(func(t kv.Txn) error { return im.finish(newSession(t, g.Config, c.modules), g) })
	if err != nil {
		return err
	}
	c.config.Store(&im.config)
	return nil
}

// markImport marks an empty store as one that holds an incomplete import. It fails with
// [ErrCollection] or [ErrImporting] if the store is not empty.
func (s *session) markImport() error {
	if err := s.checkEmpty(); err != nil {
		return err
	}
	return s.meta.Set(importingKey, []byte{1})
}

// importer is an import in progress.
type importer struct {
	requested Genesis       // as given, without defaults
	module    *StoredModule // whose storage is imported; nil for the built-in contract
	now       cw721.Block
	config    Config    // of the new chain; set by finish
	progress  func(int) // is called with the number of records; can be nil

	recordCount int         // all records so far
	otherCount  uint64      // those that are not the contract's
	tally       cw721.Tally // finds contradictions between the records
	hasMetadata bool        // a token has on-chain metadata
	lastKey     []byte
	isUnordered bool // a key was not greater than the one before
}

// writeRecords writes the records of the contract, and the expiry index that follows from
// them.
func (im *importer) writeRecords(w kv.Writer, records Records) error {
	contract := kv.PrefixedWriter(w, contractPart)
	index := expiry.Deriver{
		Set:       kv.PrefixedWriter(w, expiryPart).Set,
		GrantedAt: func(cw721.Grant) (cw721.Block, error) { return im.now, nil },
	}
	for record, err := range records {
		if err != nil {
			return err
		}
		if err := im.checkRecord(record); err != nil {
			return err
		}
		if err := im.writeRecord(contract, record); err != nil {
			return err
		}

		// The records of a compiled contract can have any form. Then they hold no grants
		// that this program can read.
		err = index.AddRecord(record.Key, record.Value)
		isOtherLayout := im.module != nil && kv.IsCorrupt(err)
		if err != nil && !isOtherLayout {
			return err
		}

		im.recordCount++
		if im.progress != nil && im.recordCount%1000 == 0 {
			im.progress(im.recordCount)
		}
	}
	return index.Finish()
}

// checkRecord returns an [*ImportError] for a record of the built-in contract that cannot be
// decoded. It counts the records that are not the contract's. A compiled contract can have
// any records.
func (im *importer) checkRecord(record kv.Pair) error {
	if im.module != nil {
		return nil
	}
	_, err := cw721.CurrentLayout.DecodeRecord(record.Key, record.Value)
	if cw721.IsUnknownRecord(err) {
		im.otherCount++
		return nil
	}
	if err != nil {
		return importErrorf("record %d: %v", im.recordCount+1, err)
	}
	return nil
}

// writeRecord writes a record of the contract, and updates the fields that the verification
// of the import needs.
func (im *importer) writeRecord(contract kv.Writer, record kv.Pair) error {
	// Keys that always grow are unique. Otherwise they are counted later.
	if bytes.Compare(record.Key, im.lastKey) <= 0 {
		im.isUnordered = true
	}
	im.lastKey = append(im.lastKey[:0], record.Key...)
	im.tally.Add(record.Key, record.Value)
	if cw721.HasMetadata(record.Key, record.Value) {
		im.hasMetadata = true
	}

	err := contract.Set(record.Key, bytes.Clone(record.Value))
	var limit *kv.LimitError
	if errors.As(err, &limit) {
		return importErrorf("record %d: %v", im.recordCount+1, limit)
	}
	return err
}

// verify returns an [*ImportError] if the records are not a complete collection. If they only
// contradict each other, it repairs them, provided that the genesis has a Repair function.
func (im *importer) verify(db kv.DB, contract kv.Reader) error {
	// A compiled contract can keep other records than cw721.
	if im.module == nil {
		if err := checkNeededRecords(contract); err != nil {
			return err
		}
	}
	if err := im.checkKeysAreUnique(contract); err != nil || im.module != nil {
		return err
	}

	// The stored token count and owner index must follow from the tokens.
	isConsistent, err := im.tally.IsConsistent(contract)
	if err != nil || isConsistent {
		return err
	}
	contradictions, err := describeInconsistencies(contract)
	if err != nil || contradictions == "" {
		return err
	}

	// A contradiction most likely means that a page of the dump is missing.
	if im.requested.Repair == nil {
		return importErrorf("the dump is incomplete: %s; expected all of its pages, or --repair to recompute the token count and the owner index from the tokens", contradictions)
	}
	im.requested.Repair("the dump is incomplete: " + contradictions + "; the token count and the owner index are recomputed from its tokens")
	return db.Load(func(w kv.Writer) error {
		_, err := cw721.RepairInconsistencies(contract, kv.PrefixedWriter(w, contractPart))
		return err
	})
}

// checkNeededRecords returns an [*ImportError] if a record is missing that every collection
// has.
func checkNeededRecords(contract kv.Reader) error {
	version, exists, err := cw721.LoadVersion(contract)
	if err != nil {
		return err
	}
	if !exists {
		return importErrorf("the dump has no contract_info record: it is not of a CW721 collection, or pages are missing")
	}

	// Every collection has these records from its creation on.
	key, err := cw721.CurrentLayout.MissingRecord(contract)
	if err != nil {
		return err
	}
	if key != "" {
		return importErrorf("the dump of contract %q version %q has no %s record: it is not of a CW721 collection, or pages are missing", version.Contract, version.Version, key)
	}
	return nil
}

// checkKeysAreUnique returns an [*ImportError] if two records had the same key, so that the
// later one replaced the earlier one. If the keys came in order, no two are the same.
func (im *importer) checkKeysAreUnique(contract kv.Reader) error {
	if !im.isUnordered {
		return nil
	}

	// A repeated key has replaced a record, so fewer are stored than were read.
	keyCount := 0
	for _, err := range contract.Scan(kv.Range{KeysOnly: true}) {
		if err != nil {
			return err
		}
		keyCount++
	}
	if keyCount < im.recordCount {
		return importErrorf("%d of the dump's %d records have a key that another one has, expected every key once: was a page given twice?", im.recordCount-keyCount, im.recordCount)
	}
	return nil
}

// describeInconsistencies describes how the stored number of tokens and the owner index
// differ from the tokens. The text is empty if they agree.
func describeInconsistencies(contract kv.Reader) (string, error) {
	first := ""
	last := "" // about the number of tokens, if that is wrong
	count := uint64(0)
	for difference, err := range cw721.Inconsistencies(contract) {
		if err != nil {
			return "", err
		}
		count++
		first = cmp.Or(first, difference.Text)
		last = difference.Text
	}

	// With one difference, first and last are the same.
	if count <= 1 {
		return last, nil
	}
	return fmt.Sprintf("%s; %s (%s differences in all)", last, first, human.Thousands(count)), nil
}

// finish writes the chain's own records for the imported collection, such as its config and
// its history, and removes the mark of an incomplete import.
func (im *importer) finish(s *session, g Genesis) error {
	if err := im.followCode(s); err != nil {
		return err
	}

	// Store which contract runs, and check that it has the rules that were asked for.
	requested := requestedCode{Rules: im.requested.Rules, Flavour: s.Flavour}
	if err := s.saveModule(im.module, requested); err != nil {
		return err
	}
	if err := s.checkRulesFit(im.requested); err != nil {
		return err
	}

	// Store the clock, the accounts and the first node of the history.
	now := blockState{Clock: g.Clock, hasCollection: true}
	if err := s.saveGenesis(now, g.Accounts); err != nil {
		return err
	}
	if err := s.beginHistory(g.Clock, fmt.Sprintf("%d records", im.recordCount)); err != nil {
		return err
	}
	if im.otherCount > 0 {
		if err := otherRecordsItem.Save(s.meta, im.otherCount); err != nil {
			return err
		}
	}
	if g.Instantiator != "" {
		if err := instantiatorItem.Save(s.meta, g.Instantiator); err != nil {
			return err
		}
	}
	return s.meta.Delete(importingKey)
}

// followCode sets the rules and the flavour to those of the code that wrote the records,
// unless the genesis has them. The rules stay empty for code of no known release. It also
// stores the resulting config in im.config.
func (im *importer) followCode(s *session) error {
	version, _, err := cw721.LoadVersion(s.contract)
	isCompiled := im.module != nil
	if err != nil && !isCompiled { // the contract_info of a compiled contract can be anything
		return err
	}

	// The name and version in the records tell which release wrote them.
	rules, flavour := cw721.IdentifyCode(version)
	if im.hasMetadata {
		flavour = cw721.FlavourOnchain // whatever the contract calls itself
	}

	// What the caller asked for has precedence. Converted records are those of no release.
	isConverted := im.requested.Converted != nil && im.requested.Converted()
	if im.requested.Rules == "" && !isConverted {
		s.Rules = rules
	}
	if im.requested.Flavour == "" {
		s.Flavour = cmp.Or(flavour, s.Flavour)
	}
	im.config = s.Config
	return nil
}

// beginHistory makes an import the first node of a new history. Undo never goes before it.
// description is for people.
func (s *session) beginHistory(now Clock, description string) error {
	state := history.State{Revision: 1}
	first := history.Node{Kind: history.KindImport, Height: now.Height, Time: now.Time, Message: description}
	if _, err := state.Append(s.history, first, nil); err != nil {
		return err
	}
	state.SetupEnd = state.Head
	return state.Save(s.history)
}

// otherRecordsItem counts the records of an import that are not the contract's.
var otherRecordsItem = kv.NewItem("other_records", cw721.StoredJSON[uint64]())

// OtherRecords returns how many imported records the contract does not know, for example
// because an older version or other code wrote them.
func (v *View) OtherRecords() (uint64, error) {
	n, _, err := otherRecordsItem.Load(v.meta)
	return n, err
}

// Discard empties a store that holds an incomplete import. It changes no other store. It
// removes the mark of an incomplete import last, so that an interrupted Discard can be
// repeated.
func Discard(db kv.DB) error {
	// Only the mark of an incomplete import permits to delete anything.
	mark := storeKey(metaPart, importingKey)
	isMarked := false
	err := db.View(func(r kv.Reader) (err error) {
		_, isMarked, err = r.Get(mark)
		return err
	})
	if err != nil || !isMarked {
		return err
	}
	if err := removeAll(db, nil, mark); err != nil {
		return err
	}
	return db.Update(func(t kv.Txn) error { return t.Delete(mark) })
}

// Discard empties the chain's store if it holds an incomplete import.
func (c *Chain) Discard() error { return Discard(c.db) }

// removeAll deletes every record whose key begins with a prefix, except the one under the
// key exception, which can be nil. It reads the keys from a snapshot of the store, and deletes
// in batches, as one transaction could not hold them all.
func removeAll(db kv.DB, prefix, exception []byte) error {
	keys := kv.PrefixRange(prefix)
	keys.KeysOnly = true
	return loadFromSnapshot(db, func(r kv.Reader, w kv.Writer) error {
		return deleteRange(r, w, keys, exception)
	})
}

// deleteRange deletes from w the records that r has in a range of keys, except the one under
// the key exception.
func deleteRange(r kv.Reader, w kv.Writer, keys kv.Range, exception []byte) error {
	for record, err := range r.Scan(keys) {
		if err != nil {
			return err
		}
		if bytes.Equal(record.Key, exception) {
			continue
		}
		if err := w.Delete(bytes.Clone(record.Key)); err != nil {
			return err
		}
	}
	return nil
}

// loadFromSnapshot calls fn with a writer that commits in batches, and with a reader of the
// store as it was before.
func loadFromSnapshot(db kv.DB, fn func(r kv.Reader, w kv.Writer) error) error {
	return db.Load(func(w kv.Writer) error {
		// Other writers wait for this load, so the snapshot stays the newest.
		return db.View(func(r kv.Reader) error { return fn(r, w) })
	})
}
