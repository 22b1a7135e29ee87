package chain

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

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

// ImportError reports why records cannot be imported as a collection.
type ImportError struct{ Text string }

func (e *ImportError) Error() string { return e.Text }

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
		s := newSession(txn, genesis.Config, c.modules)
		if err := s.checkStoreIsEmpty(); err != nil {
			return err
		}
		return s.meta.Set(importingKey, []byte{1})
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
		return im.verify(c.db, kv.PrefixedReader(reader, contractPart))
	})
	if err != nil {
		return err
	}

	// The last transaction writes the chain's own records and removes the mark.
	var config Config
	err = c.db.Update(func(txn kv.Txn) error {
		s := newSession(txn, genesis.Config, c.modules)
		err := im.finish(s, genesis)
		config = s.Config
		return err
	})
	if err != nil {
		return err
	}
	c.config.Store(&config)
	return nil
}

// importer is the state of one [Chain.Import].
type importer struct {
	requestedGenesis Genesis       // what the caller asked for, without defaults
	module           *StoredModule // the contract of the records; nil for the built-in one
	progress         func(int)     // is called with the number of records so far; can be nil

	recordCount  int         // how many records were read
	unknownCount uint64      // how many of them the contract does not know
	tally        cw721.Tally // adds up the tokens, to find contradictions between the records
	keptTokens   uint64      // how many tokens have members that cw721 does not know
	keptNames    []string    // the names of the first of these members, each once
	hasMetadata  bool        // whether any token has on-chain metadata
	previousKey  []byte      // the key of the previous record; nil for the first
	isUnordered  bool        // whether any key was not greater than the one before
}

// writeRecords writes the records of the contract, and the expiry index that is derived from
// their grants. It keeps in the importer what [importer.verify] needs later. It fails with an
// [*ImportError] for a record of the built-in contract that cannot be decoded, and for one that
// is too large for the store.
func (im *importer) writeRecords(writer kv.Writer, records Records) error {
	recordWriter := kv.PrefixedWriter(writer, contractPart)
	index := expiry.IndexBuilder{SetEntry: kv.PrefixedWriter(writer, expiryPart).Set}
	for record, err := range records {
		if err != nil {
			return err
		}
		im.recordCount++

		// A compiled contract can have any records.
		content, err := cw721.CurrentLayout.DecodeRecord(record.Key, record.Value)
		switch {
		case im.module != nil: // counts none
		case cw721.IsUnknownRecord(err):
			im.unknownCount++
		case err != nil:
			return importErrorf("record %d: %v", im.recordCount, err)
		}
		if token, isToken := content.(cw721.Token); isToken {
			im.countKeptMembers(token)
			im.hasMetadata = im.hasMetadata || token.HasMetadata()
		}

		// As long as each key is greater than the previous one, no key occurs twice.
		im.isUnordered = im.isUnordered || bytes.Compare(record.Key, im.previousKey) <= 0
		im.previousKey = append(im.previousKey[:0], record.Key...)
		im.tally.Add(record.Key, record.Value)

		err = recordWriter.Set(record.Key, bytes.Clone(record.Value))
		var limit *kv.LimitError
		if errors.As(err, &limit) {
			return importErrorf("record %d: %v", im.recordCount, limit)
		}
		if err != nil {
			return err
		}

		// If the grants of a compiled contract cannot be read, the index does not list them.
		err = index.AddRecord(record.Key, record.Value)
		isOtherLayout := im.module != nil && kv.IsCorrupt(err)
		if err != nil && !isOtherLayout {
			return err
		}
		if im.progress != nil && im.recordCount%1000 == 0 {
			im.progress(im.recordCount)
		}
	}
	return index.Finish()
}

// maxKeptNames is how many names of members an import lists.
const maxKeptNames = 8

func (im *importer) countKeptMembers(token cw721.Token) {
	if len(token.KeptMembers) > 0 {
		im.keptTokens++
	}
	for _, member := range token.KeptMembers {
		isListed := slices.Contains(im.keptNames, member.Name) || len(im.keptNames) > maxKeptNames
		switch {
		case isListed:
		case len(im.keptNames) == maxKeptNames:
			im.keptNames = append(im.keptNames, "and others")
		default:
			im.keptNames = append(im.keptNames, member.Name)
		}
	}
}

// finish writes the chain's own records, and removes the mark of an incomplete import. It fails
// with a [*FieldError] if the contract does not have the rules that the caller requires.
func (im *importer) finish(s *session, genesis Genesis) error {
	if err := im.setRulesOfCode(s); err != nil {
		return err
	}

	request := rulesRequest{Rules: im.requestedGenesis.Rules, Flavour: s.Flavour}
	err := cmp.Or(
		s.saveModule(im.module, request),
		s.checkRulesFit(im.requestedGenesis),
		s.saveGenesis(blockState{Clock: genesis.Clock, hasCollection: true}, genesis.Accounts),
		s.beginHistory(genesis.Clock, fmt.Sprintf("%d records", im.recordCount)),
		s.meta.Delete(importingKey))
	if onKept := im.requestedGenesis.OnKeptMembers; onKept != nil && im.keptTokens > 0 {
		verb := "have"
		if im.keptTokens == 1 {
			verb = "has"
		}
		onKept(fmt.Sprintf("%s %s members that cw721 doesn't know: %s; they are kept, and not judged",
			human.Plural(im.keptTokens, "token"), verb, strings.Join(im.keptNames, ", ")))
	}
	if im.unknownCount > 0 {
		err = cmp.Or(err, otherRecordsItem.Save(s.meta, im.unknownCount))
	}
	if genesis.Instantiator != "" {
		err = cmp.Or(err, instantiatorItem.Save(s.meta, genesis.Instantiator))
	}
	return err
}

// setRulesOfCode sets the rules and the flavour of the session to those of the release that
// wrote the records, unless the caller asked for others. For no known release, the rules
// become empty.
func (im *importer) setRulesOfCode(s *session) error {
	// A compiled contract can store anything in the record of the version.
	version, _, err := cw721.LoadVersion(s.records)
	if err != nil && im.module == nil {
		return err
	}
	rules, flavour := cw721.IdentifyCode(version)
	if im.hasMetadata { // whatever the contract calls itself
		flavour = cw721.FlavourOnchain
	}

	// Converted records come from an older layout, which has no rules of its own.
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
	return nil
}

// beginHistory begins a new history. Its first node is an import, which undo never reverts.
// description says what was imported, such as "42 records".
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

var otherRecordsItem = kv.NewItem("other_records", cw721.StoredJSON[uint64]())

// UnknownRecordCount returns how many imported records the contract does not know.
func (v *View) UnknownRecordCount() (uint64, error) {
	count, _, err := otherRecordsItem.Load(v.meta)
	return count, err
}
