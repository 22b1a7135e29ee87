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

// Records is a walk over a contract's storage, with the keys that the contract uses:
// [View.Records] returns it and [Chain.Import] takes it. It has a name so that callers that
// pass it on need not import package kv.
type Records = iter.Seq2[kv.Pair, error]

// Records walks the contract's storage in key order.
func (v *View) Records() Records { return v.contract.Scan(kv.Range{}) }

// CheckTokenCount fails if the number of tokens differs from the one that the contract
// stores. Storage of another layout passes.
func (v *View) CheckTokenCount() error {
	if errors.As(v.CheckReadable(), new(*UnreadableError)) {
		return nil
	}
	stored, err := cw721.LoadTokenCount(v.contract)
	if err != nil {
		return err
	}
	found := uint64(0)
	for _, err := range cw721.TokenIDs(v.contract, cw721.Walk{}) {
		if err != nil {
			return err
		}
		found++
	}
	if found != stored {
		return fmt.Errorf("the contract's storage counts %s tokens and holds %s; `ephemera doctor` says what is wrong", human.Thousands(stored), human.Thousands(found))
	}
	return nil
}

// ImportError says why records cannot become a collection.
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
// Records that are not the contract's are kept and counted ([View.OtherRecords]). Empty
// rules and flavour in g follow the records' contract_info ([cw721.IdentifyCode]), and rules
// stay empty for code of no known release; converted records get the standard rules. Import fails with [ErrCollection] if there is a chain,
// with [ErrImporting] over an incomplete import, and with an [*ImportError] if the records
// are not a complete collection of this contract.
func (c *Chain) Import(g Genesis, records Records, progress func(int)) error {
	in := importer{asked: g, progress: progress}
	g, err := g.WithDefaults()
	if err != nil {
		return err
	}
	in.now = g.Clock.Block()

	err = c.db.Update(func(t kv.Txn) error {
		s := newSession(t, g.Config, c.modules)
		if err := s.checkEmpty(); err != nil {
			return err
		}
		return s.meta.Set(importingKey, []byte{1})
	})
	if err != nil {
		return err
	}
	if in.module, err = c.addModule(g.Module, g.Prefix); err != nil {
		return err
	}
	err = c.db.Load(func(w kv.Writer) error { return in.writeRecords(w, records) })
	if err != nil {
		return err
	}
	err = c.db.View(func(r kv.Reader) error {
		return in.verify(c.db, kv.PrefixedReader(r, contractPart))
	})
	if err != nil {
		return err
	}
	err = c.db.Update(func(t kv.Txn) error { return in.finish(newSession(t, g.Config, c.modules), g) })
	if err != nil {
		return err
	}
	c.config.Store(&in.config)
	return nil
}

// importer is an import in progress.
type importer struct {
	asked    Genesis       // as given, without defaults
	module   *StoredModule // whose storage is imported; nil for the built-in contract
	now      cw721.Block
	config   Config    // of the new chain; set by finish
	progress func(int) // can be nil

	recordCount int
	otherCount  uint64 // of the records that are not the contract's
	tally       cw721.Tally
	hasMetadata bool // a token has on-chain metadata
	lastKey     []byte
	isUnordered bool // a key was not greater than the one before
}

// writeRecords writes the records of the contract, and the expiry index that follows from
// them.
func (in *importer) writeRecords(w kv.Writer, records Records) error {
	contract := kv.PrefixedWriter(w, contractPart)
	index := expiry.Deriver{
		Set:       kv.PrefixedWriter(w, expiryPart).Set,
		GrantedAt: func(cw721.Grant) (cw721.Block, error) { return in.now, nil },
	}
	for record, err := range records {
		if err != nil {
			return err
		}
		if err := in.checkRecord(record); err != nil {
			return err
		}
		if err := in.writeRecord(contract, record); err != nil {
			return err
		}
		err = index.AddRecord(record.Key, record.Value)
		isOtherLayout := in.module != nil && kv.IsCorrupt(err)
		if err != nil && !isOtherLayout {
			return err
		}

		in.recordCount++
		if in.progress != nil && in.recordCount%1000 == 0 {
			in.progress(in.recordCount)
		}
	}
	return index.Finish()
}

// checkRecord returns an [*ImportError] for a record of the built-in contract that cannot be
// decoded. It counts the records that are not the contract's. A compiled contract can have
// any records.
func (in *importer) checkRecord(record kv.Pair) error {
	if in.module != nil {
		return nil
	}
	_, err := cw721.CurrentLayout.DecodeRecord(record.Key, record.Value)
	if cw721.IsUnknownRecord(err) {
		in.otherCount++
		return nil
	}
	if err != nil {
		return importErrorf("record %d: %v", in.recordCount+1, err)
	}
	return nil
}

// writeRecord writes a record of the contract, and notes what is needed to verify the
// import.
func (in *importer) writeRecord(contract kv.Writer, record kv.Pair) error {
	if bytes.Compare(record.Key, in.lastKey) <= 0 {
		in.isUnordered = true
	}
	in.lastKey = append(in.lastKey[:0], record.Key...)
	in.tally.Add(record.Key, record.Value)
	if cw721.HasMetadata(record.Key, record.Value) {
		in.hasMetadata = true
	}

	err := contract.Set(record.Key, bytes.Clone(record.Value))
	var limit *kv.LimitError
	if errors.As(err, &limit) {
		return importErrorf("record %d: %v", in.recordCount+1, limit)
	}
	return err
}

// verify returns an [*ImportError] if the records are not a complete collection. If they
// only contradict each other and the import may repair that, it repairs them.
func (in *importer) verify(db kv.DB, contract kv.Reader) error {
	if in.module == nil {
		if err := checkNeededRecords(contract); err != nil {
			return err
		}
	}
	if err := in.checkKeysAreUnique(contract); err != nil || in.module != nil {
		return err
	}

	isConsistent, err := in.tally.IsConsistent(contract)
	if err != nil || isConsistent {
		return err
	}
	contradictions, err := describeInconsistencies(contract)
	if err != nil || contradictions == "" {
		return err
	}
	if in.asked.Repair == nil {
		return importErrorf("the dump is not whole: %s; expected all of its pages, or --repair to derive the number and the owner index from the tokens", contradictions)
	}
	in.asked.Repair("the dump is not whole: " + contradictions + "; the number of tokens and the owner index are derived anew from its tokens")
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
	key, err := cw721.CurrentLayout.MissingRecord(contract)
	if err != nil {
		return err
	}
	if key != "" {
		return importErrorf("the dump of contract %q version %q has no %s record: it is not of a CW721 collection, or pages are missing", version.Contract, version.Version, key)
	}
	return nil
}

// checkKeysAreUnique returns an [*ImportError] if a key came more than once, so that the
// later record replaced the earlier one. Keys that came in order are unique.
func (in *importer) checkKeysAreUnique(contract kv.Reader) error {
	if !in.isUnordered {
		return nil
	}
	keyCount := 0
	for _, err := range contract.Scan(kv.Range{KeysOnly: true}) {
		if err != nil {
			return err
		}
		keyCount++
	}
	if keyCount < in.recordCount {
		return importErrorf("%d of the dump's %d records have a key that another one has, expected every key once: was a page given twice?", in.recordCount-keyCount, in.recordCount)
	}
	return nil
}

// describeInconsistencies says how the number of tokens and the owner index differ from the
// tokens. It is empty if they agree.
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
	if count <= 1 {
		return last, nil
	}
	return fmt.Sprintf("%s; %s (%s differences in all)", last, first, human.Thousands(count)), nil
}

// finish writes what the chain itself keeps about the import, and removes the mark of an
// incomplete one.
func (in *importer) finish(s *session, g Genesis) error {
	if err := in.followCode(s); err != nil {
		return err
	}
	requested := requestedCode{Rules: in.asked.Rules, Flavour: s.Flavour}
	if err := s.saveModule(in.module, requested); err != nil {
		return err
	}
	if err := s.checkRulesFit(in.asked); err != nil {
		return err
	}
	now := blockState{Clock: g.Clock, hasCollection: true}
	if err := s.saveGenesis(now, g.Accounts); err != nil {
		return err
	}
	if err := s.beginHistory(g.Clock, fmt.Sprintf("%d records", in.recordCount)); err != nil {
		return err
	}
	if in.otherCount > 0 {
		if err := otherRecordsItem.Save(s.meta, in.otherCount); err != nil {
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

// followCode sets the rules and the flavour that the genesis leaves open to those of the
// code that wrote the records, and keeps the config of the new chain. The rules stay empty
// for code of no known release.
func (in *importer) followCode(s *session) error {
	version, _, err := cw721.LoadVersion(s.contract)
	isCompiled := in.module != nil
	if err != nil && !isCompiled { // the contract_info of a compiled contract can be anything
		return err
	}
	rules, flavour := cw721.IdentifyCode(version)
	if in.hasMetadata {
		flavour = cw721.FlavourOnchain // whatever the contract calls itself
	}

	isConverted := in.asked.Converted != nil && in.asked.Converted()
	if in.asked.Rules == "" && !isConverted {
		s.Rules = rules
	}
	if in.asked.Flavour == "" {
		s.Flavour = cmp.Or(flavour, s.Flavour)
	}
	in.config = s.Config
	return nil
}

// beginHistory makes the import the first node of the history. Undo never goes before it.
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

// OtherRecords returns how many records of an import are none that a cw721 writes, for
// example those of an older version or of other code.
func (v *View) OtherRecords() (uint64, error) {
	n, _, err := otherRecordsItem.Load(v.meta)
	return n, err
}

// Discard empties a store that holds an incomplete import. It changes no other store. It
// removes the mark of an incomplete import last, so that an interrupted Discard can be
// repeated.
func Discard(db kv.DB) error {
	mark := append(metaPart[:1:1], importingKey...)
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
// key exception, which can be nil. It writes in batches.
func removeAll(db kv.DB, prefix, exception []byte) error {
	keys := kv.PrefixRange(prefix)
	keys.KeysOnly = true
	remove := func(r kv.Reader, w kv.Writer) error {
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
	return loadFromSnapshot(db, remove)
}

// loadFromSnapshot calls fn with a writer that commits in batches, and with a reader of the
// store as it was before.
func loadFromSnapshot(db kv.DB, fn func(r kv.Reader, w kv.Writer) error) error {
	return db.Load(func(w kv.Writer) error {
		// Other writers wait for this load, so the snapshot stays the newest.
		return db.View(func(r kv.Reader) error { return fn(r, w) })
	})
}
