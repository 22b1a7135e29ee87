package chain

import (
	"cmp"
	"errors"
	"fmt"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
)

// verify checks the records that an import has written. It returns an [*ImportError] if they
// are not a complete collection, or contradict each other and the genesis has no
// OnContradiction; otherwise it repairs the contradiction.
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

// checkNeededRecords returns an [*ImportError] if a record is missing that every collection has.
func checkNeededRecords(records kv.Reader) error {
	version, exists, err := cw721.LoadVersion(records)
	if err != nil {
		return err
	}
	if !exists {
		return importErrorf("the dump has no contract_info record: it is not of a CW721 collection, or pages are missing")
	}

	key, err := cw721.CurrentLayout.MissingRecord(records)
	if err != nil {
		return err
	}
	if key == "" {
		return nil
	}
	remedy := map[string]string{
		"collection_minter": ", or --minter gives the minter",
		"ownership":         ", or --creator gives the creator",
	}
	return importErrorf(
		"the dump of contract %q version %q has no %s record: it is not of a CW721 collection, or pages are missing%s",
		version.Contract,
		version.Number,
		key,
		remedy[key],
	)
}

// checkKeysAreUnique returns an [*ImportError] if two of the imported records had the same key, so
// that fewer are stored than were read.
func (im *importer) checkKeysAreUnique(records kv.Reader) error {
	if !im.isUnordered {
		return nil
	}

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

// describeInconsistencies describes how the stored number of tokens and the owner index differ
// from the tokens: the first and the last difference, and how many there are; "" for none.
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

	if count <= 1 {
		return lastText, nil
	}
	total := human.Thousands(count)
	return fmt.Sprintf("%s; %s (%s differences in all)", lastText, firstText, total), nil
}

// CheckTokenCount counts the tokens, and fails if the contract has stored another number. If
// the layout of the storage is not known, it checks nothing and returns nil.
func (v *View) CheckTokenCount() error {
	if errors.As(v.CheckReadable(), new(*UnreadableError)) {
		return nil
	}
	storedCount, err := cw721.LoadTokenCount(v.records)
	if err != nil {
		return err
	}

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
