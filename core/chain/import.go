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
	if err != nil {
		return err
	}
	if isImporting {
		return ErrImporting
	}
	return nil
}

// Records yields the records of a contract's storage, with the keys that the contract uses.
// [View.Records] returns it, and [Chain.Import] takes it. The type has a name so that
// packages that pass it on need not import package kv.
type Records = iter.Seq2[kv.Pair, error]

// Records yields the records of the contract's storage in key order.
func (v *View) Records() Records { return v.records.Scan(kv.Range{}) }

// CheckTokenCount counts the tokens, and fails if the contract has stored another number of
// tokens. If the layout of the storage is not known, it checks nothing and returns nil.
func (v *View) CheckTokenCount() error {
	if errors.As(v.CheckReadable(), new(*UnreadableError)) {
		return nil
	}
	storedCount, err := cw721.LoadTokenCount(v.records)
	if err != nil {
		return err
	}

	// Count the tokens one by one, and compare with the stored number.
	tokenCount := uint64(0)
	for _, err := range cw721.TokenIDs(v.records, cw721.Walk{}) {
		if err != nil {
			return err
		}
		tokenCount++
	}
	if tokenCount != storedCount {
		return fmt.Errorf(
			"the contract's storage counts %s tokens and holds %s; `ephemera doctor` reports what is wrong",
			human.Thousands(storedCount),
			human.Thousands(tokenCount),
		)
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
// writes in batches. Until the last batch, the store is marked as an incomplete import.
// After an error, [Chain.Discard] empties it. Import calls progress with the number of
// records so far; progress can be nil.
//
// Records that the contract does not know are kept and counted; see
// [View.UnknownRecordCount].
//
// If genesis has no rules or no flavour, they are those of the code that the record
// contract_info names; see [cw721.IdentifyCode]. The rules stay empty for code of no
// known release. Records that were converted from an older layout get the standard rules.
//
// Import fails with [ErrCollectionExists] if there is a chain, with [ErrImporting] if there
// is an incomplete import, and with an [*ImportError] if the records are not a complete
// collection of this contract.
func (c *Chain) Import(genesis Genesis, records Records, progress func(int)) error {
	im := importer{requestedGenesis: genesis, progress: progress}
	genesis, err := genesis.WithDefaults()
	if err != nil {
		return err
	}

	// Mark the store first, so that an interrupted import is never taken for a collection.
	err = c.db.Update(func(txn kv.Txn) error {
		return newSession(txn, genesis.Config, c.modules).markImport()
	})
	if err != nil {
		return err
	}
	im.module, err = c.addModule(genesis.Module, genesis.Prefix)
	if err != nil {
		return err
	}

	// Write the records in batches, and verify what was written.
	err = c.db.Load(func(writer kv.Writer) error { return im.writeRecords(writer, records) })
	if err != nil {
		return err
	}
	err = c.db.View(func(reader kv.Reader) error {
		written := kv.PrefixedReader(reader, contractPart)
		return im.verify(c.db, written)
	})
	if err != nil {
		return err
	}

	// The last transaction writes the chain's own records and removes the mark.
	err = c.db.Update(func(txn kv.Txn) error {
		return im.finish(newSession(txn, genesis.Config, c.modules), genesis)
	})
	if err != nil {
		return err
	}
	c.config.Store(&im.config)
	return nil
}

// markImport marks an empty store as one that holds an incomplete import. It fails with
// [ErrCollectionExists] or [ErrImporting] if the store is not empty.
func (s *session) markImport() error {
	if err := s.checkStoreIsEmpty(); err != nil {
		return err
	}
	return s.meta.Set(importingKey, []byte{1})
}

// importer is the state of one [Chain.Import]. The first fields are known at its beginning;
// the others grow with every record.
type importer struct {
	requestedGenesis Genesis       // what the caller asked for, without defaults
	module           *StoredModule // the contract of the records; nil for the built-in one
	config           Config        // the config of the new chain; set by finish
	progress         func(int)     // is called with the number of records so far; can be nil

	recordCount  int         // how many records were read
	unknownCount uint64      // how many of them the contract does not know
	tally        cw721.Tally // adds up the tokens, to find contradictions between the records
	hasMetadata  bool        // whether any token has on-chain metadata
	previousKey  []byte      // the key of the previous record; nil for the first
	isUnordered  bool        // whether any key was not greater than the one before
}

// writeRecords writes the records of the contract, and the expiry index that is derived from
// their grants.
func (im *importer) writeRecords(writer kv.Writer, records Records) error {
	recordWriter := kv.PrefixedWriter(writer, contractPart)
	index := expiry.IndexBuilder{SetEntry: kv.PrefixedWriter(writer, expiryPart).Set}
	for record, err := range records {
		if err != nil {
			return err
		}
		if err := im.checkRecord(record); err != nil {
			return err
		}
		if err := im.writeRecord(recordWriter, record); err != nil {
			return err
		}

		// The records of a compiled contract can have any form. If its grants cannot be read,
		// the index does not list them.
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
// decoded. It also counts the records that the contract does not know.
func (im *importer) checkRecord(record kv.Pair) error {
	// A compiled contract can have any records.
	if im.module != nil {
		return nil
	}
	_, err := cw721.CurrentLayout.DecodeRecord(record.Key, record.Value)
	if cw721.IsUnknownRecord(err) {
		im.unknownCount++
		return nil
	}
	if err != nil {
		return importErrorf("record %d: %v", im.recordCount+1, err)
	}
	return nil
}

// writeRecord writes a record of the contract. It also keeps what [importer.verify] needs
// later: whether the keys are in order, the number of tokens, and whether any has metadata.
// It fails with an [*ImportError] if the record is too large for the store.
func (im *importer) writeRecord(writer kv.Writer, record kv.Pair) error {
	// As long as each key is greater than the previous one, no key occurs twice.
	if bytes.Compare(record.Key, im.previousKey) <= 0 {
		im.isUnordered = true
	}
	im.previousKey = append(im.previousKey[:0], record.Key...)
	im.tally.Add(record.Key, record.Value)
	if cw721.HasMetadata(record.Key, record.Value) {
		im.hasMetadata = true
	}

	err := writer.Set(record.Key, bytes.Clone(record.Value))
	var limit *kv.LimitError
	if errors.As(err, &limit) {
		return importErrorf("record %d: %v", im.recordCount+1, limit)
	}
	return err
}

// verify checks the records that an import has written. It returns an [*ImportError] if they
// are not a complete collection, or if they contradict each other. With the function
// OnContradiction in the genesis, verify repairs a contradiction instead.
func (im *importer) verify(db kv.DB, records kv.Reader) error {
	// A compiled contract can keep other records than cw721, so only their keys are checked.
	if im.module != nil {
		return im.checkKeysAreUnique(records)
	}
	_, hasLayout, err := cw721.FindLayout(records)
	if err != nil {
		return err
	}
	if !hasLayout || !im.requestedGenesis.KeepsLayout {
		if err := checkNeededRecords(records); err != nil {
			return err
		}
	}
	if err := im.checkKeysAreUnique(records); err != nil {
		return err
	}

	// The stored token count and owner index must fit the tokens.
	isConsistent, err := im.tally.IsConsistent(records)
	if err != nil || isConsistent {
		return err
	}
	contradictions, err := describeInconsistencies(records)
	if err != nil {
		return err
	}
	if contradictions == "" {
		return nil
	}

	// A contradiction most likely means that a page of the dump is missing.
	if im.requestedGenesis.OnContradiction == nil {
		return importErrorf(
			"the dump is incomplete: %s; expected all of its pages, or --repair to recompute the token count and the owner index from the tokens",
			contradictions,
		)
	}
	sentence := "the dump is incomplete: " + contradictions +
		"; the token count and the owner index are recomputed from its tokens"
	im.requestedGenesis.OnContradiction(sentence)
	return db.Load(func(writer kv.Writer) error {
		_, err := cw721.RepairInconsistencies(records, kv.PrefixedWriter(writer, contractPart))
		return err
	})
}

// checkNeededRecords returns an [*ImportError] if a record is missing that every collection
// has from its creation on.
func checkNeededRecords(records kv.Reader) error {
	version, exists, err := cw721.LoadVersion(records)
	if err != nil {
		return err
	}
	if !exists {
		return importErrorf("the dump has no contract_info record: it is not of a CW721 collection, or pages are missing")
	}

	// Look for the other records that every collection has.
	key, err := cw721.CurrentLayout.MissingRecord(records)
	if err != nil {
		return err
	}
	if key != "" {
		return importErrorf(
			"the dump of contract %q version %q has no %s record: it is not of a CW721 collection, or pages are missing",
			version.Contract,
			version.Number,
			key,
		)
	}
	return nil
}

// checkKeysAreUnique returns an [*ImportError] if two of the imported records had the same
// key. It finds that by the number of stored records, because the later of the two has
// replaced the earlier one.
func (im *importer) checkKeysAreUnique(records kv.Reader) error {
	// If the keys came in ascending order, no two are the same.
	if !im.isUnordered {
		return nil
	}

	// If a record was replaced, fewer records are stored than were read.
	keyCount := 0
	for _, err := range records.Scan(kv.Range{KeysOnly: true}) {
		if err != nil {
			return err
		}
		keyCount++
	}
	if keyCount < im.recordCount {
		return importErrorf(
			"%d of the dump's %d records have a key that another one has, expected every key once: was a page given twice?",
			im.recordCount-keyCount,
			im.recordCount,
		)
	}
	return nil
}

// describeInconsistencies describes how the stored number of tokens and the owner index
// differ from the tokens themselves. Of more than two differences, it names only the first
// and the last, and says how many there are. It returns "" if there are none.
func describeInconsistencies(records kv.Reader) (string, error) {
	firstText := ""
	lastText := "" // a wrong number of tokens is always the last difference
	count := uint64(0)
	for difference, err := range cw721.Inconsistencies(records) {
		if err != nil {
			return "", err
		}
		count++
		firstText = cmp.Or(firstText, difference.Text)
		lastText = difference.Text
	}

	// With one difference, firstText and lastText are the same.
	if count <= 1 {
		return lastText, nil
	}
	total := human.Thousands(count)
	return fmt.Sprintf("%s; %s (%s differences in all)", lastText, firstText, total), nil
}

// finish writes the chain's own records for the imported collection, such as its config, its
// clock and its history. Then it removes the mark of an incomplete import. It fails with a
// [*FieldError] if the contract does not have the rules that the caller requires.
func (im *importer) finish(s *session, genesis Genesis) error {
	if err := im.setRulesOfCode(s); err != nil {
		return err
	}

	// Store which contract runs, and check that it has the rules that were asked for.
	request := rulesRequest{Rules: im.requestedGenesis.Rules, Flavour: s.Flavour}
	if err := s.saveModule(im.module, request); err != nil {
		return err
	}
	if err := s.checkRulesFit(im.requestedGenesis); err != nil {
		return err
	}

	// Store the clock, the accounts and the first node of the history.
	currentBlock := blockState{Clock: genesis.Clock, hasCollection: true}
	if err := s.saveGenesis(currentBlock, genesis.Accounts); err != nil {
		return err
	}
	description := fmt.Sprintf("%d records", im.recordCount)
	if err := s.beginHistory(genesis.Clock, description); err != nil {
		return err
	}
	if im.unknownCount > 0 {
		if err := otherRecordsItem.Save(s.meta, im.unknownCount); err != nil {
			return err
		}
	}
	if genesis.Instantiator != "" {
		if err := instantiatorItem.Save(s.meta, genesis.Instantiator); err != nil {
			return err
		}
	}
	return s.meta.Delete(importingKey)
}

// setRulesOfCode sets the rules and the flavour of the session to those of the release that
// wrote the records, unless the caller asked for others. If that is no known release, the
// rules become empty. setRulesOfCode also stores the resulting config in im.config.
func (im *importer) setRulesOfCode(s *session) error {
	version, _, err := cw721.LoadVersion(s.records)

	// A compiled contract can store anything in this record, which is no error.
	isCompiled := im.module != nil
	if err != nil && !isCompiled {
		return err
	}

	// The name and version in the records tell which release wrote them.
	rules, flavour := cw721.IdentifyCode(version)

	// Records with metadata have this flavour, whatever the contract calls itself.
	if im.hasMetadata {
		flavour = cw721.FlavourOnchain
	}

	// What the caller asked for takes precedence. Converted records come from an older
	// layout, which has no rules of its own.
	isConverted := im.requestedGenesis.Converted != nil && im.requestedGenesis.Converted()
	if im.requestedGenesis.Rules == "" && !isConverted {
		s.Rules = rules
	}
	layout, _, err := cw721.FindLayout(s.records)
	if err != nil {
		return err
	}
	if layout != cw721.CurrentLayout {
		s.Rules = "" // no rule set reads an older layout
	}
	if im.requestedGenesis.Flavour == "" {
		s.Flavour = cmp.Or(flavour, s.Flavour)
	}
	im.config = s.Config
	return nil
}

// beginHistory begins a new history. Its first node is an import, which undo never reverts.
// description tells people what was imported, such as "42 records".
func (s *session) beginHistory(clock Clock, description string) error {
	state := history.State{Revision: 1}
	firstNode := history.Node{
		Kind:    history.KindImport,
		Height:  clock.Height,
		Time:    clock.Time,
		Message: description,
	}
	if _, err := state.Append(s.history, firstNode, nil); err != nil {
		return err
	}
	state.SetupEnd = state.Head
	return state.Save(s.history)
}

// otherRecordsItem has the number of imported records that the contract does not know. It is
// absent if there are none.
var otherRecordsItem = kv.NewItem("other_records", cw721.StoredJSON[uint64]())

// UnknownRecordCount returns how many records of an imported collection the contract does
// not know, for example because an older version or other code wrote them. It returns 0 for
// a collection that was not imported.
func (v *View) UnknownRecordCount() (uint64, error) {
	count, _, err := otherRecordsItem.Load(v.meta)
	return count, err
}

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
