package doctor

import (
	"bytes"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
)

// Repair corrects the expiry index, which lists all grants by their expiry, so that it fits the
// contract's records. It returns how many records it wrote or deleted. It writes in batches,
// and an interrupted repair can be repeated.
//
// An entry of the index also has the block in which the grant was given. No record of the
// contract has this block, so Repair takes it from another entry of the same grant. If there
// is none, the block is not known.
//
// Repair calls progress with the number of records read so far; progress can be nil.
func Repair(c *chain.Chain, progress func(recordsRead int)) (writtenCount int, err error) {
	err = c.Repair(func(parts chain.Parts, writers chain.Writers) (bool, error) {
		checker := newChecker(parts, progress)
		writtenCount, err = checker.compareExpiry(writers.Expiry)
		return writtenCount > 0, err
	})
	return writtenCount, err
}

// compareExpiry compares the stored expiry index with the contract's records. It adds a
// fault for every entry that is missing, wrong or superfluous, and returns how many there
// are. It also counts the grants and the owners of tokens.
//
// If writer is not nil, compareExpiry also corrects the entries through writer.
func (c *checker) compareExpiry(writer kv.Writer) (wrongCount int, err error) {
	// correct counts a wrong entry and, if there is a writer, writes the right value. A nil
	// value deletes the entry.
	correct := func(key, value []byte) error {
		wrongCount++
		switch {
		case writer == nil:
			return nil
		case value == nil:
			return writer.Delete(bytes.Clone(key))
		}
		return writer.Set(key, value)
	}

	for pair, err := range c.parts.Expiry.Scan(kv.Range{}) {
		if err != nil {
			return wrongCount, err
		}
		c.countRecord()
		isStray, err := c.reportIfStray(pair)
		if err != nil {
			return wrongCount, err
		}
		if !isStray {
			continue
		}
		if err := correct(pair.Key, nil); err != nil {
			return wrongCount, err
		}
	}

	// Then derive the right entries from the contract's records, and compare each with the
	// stored one.
	index := expiry.IndexBuilder{Stored: c.parts.Expiry, SetEntry: func(key, derivedValue []byte) error {
		storedValue, _, err := c.parts.Expiry.Get(key)
		if err != nil || bytes.Equal(storedValue, derivedValue) {
			return err
		}
		c.addIndexFault(key, storedValue, derivedValue)
		return correct(key, derivedValue)
	}}
	for pair, err := range c.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return wrongCount, err
		}
		c.countRecord()
		err := index.AddRecord(pair.Key, pair.Value)
		if kv.IsCorrupt(err) {
			c.reportUnreadableGrants(pair, err)
			continue
		}
		if err != nil {
			return wrongCount, err
		}
	}
	err = index.Finish()
	c.Grants = index.GrantCount
	c.Owners = uint64(index.OwnerCount())
	return wrongCount, err
}

// reportUnreadableGrants adds a fault for a record of the contract whose grants cannot be
// decoded. err says why. If the whole record is broken, it adds nothing, because checkRecord
// has reported that already.
func (c *checker) reportUnreadableGrants(pair kv.Pair, err error) {
	if _, recordErr := c.parts.Layout.DecodeRecord(pair.Key, pair.Value); recordErr != nil {
		return
	}
	c.addFault(PartRecords, remedyBackup,
		"the grants in the %s cannot be read: %v",
		c.parts.Layout.RecordName(pair.Key), err)
}

// reportIfStray adds a fault if a record of the expiry index should not exist, and then returns
// true. Such a record cannot be decoded, lists a grant that the contract does not have, or has
// the number of tokens of an account that owns none.
func (c *checker) reportIfStray(pair kv.Pair) (isStray bool, err error) {
	if owner, isHoldings := expiry.HoldingsOwner(pair.Key); isHoldings {
		for _, err := range cw721.TokenIDsOf(c.parts.Contract, owner, cw721.Walk{}) {
			return false, err // the account owns a token, so its record should exist
		}
		c.addFault(PartHoldings, remedyRebuild, "%s is listed as an owner, and owns no token", owner)
		return true, nil
	}

	// Any other record is an entry of a grant.
	entry, err := expiry.DecodeEntry(pair.Key, pair.Value)
	if err != nil {
		c.addFault(PartExpiry, remedyRebuild, "an entry cannot be read: %v", err)
		return true, nil
	}

	// The grant must be in the contract's own record.
	key := cw721.GrantRecordKey(entry.Grant)
	record, _, err := c.parts.Contract.Get(key)
	if err != nil {
		return false, err
	}
	grants, err := cw721.DecodeGrants(key, record)
	if err == nil && slices.Contains(grants, entry.Grant) {
		return false, nil
	}
	c.addFault(PartExpiry, remedyRebuild, "it lists the %s, which does not exist", c.grantText(entry.Grant))
	return true, nil
}

// addIndexFault adds a fault for a record of the expiry index that is missing or has a wrong
// value. storedValue is the wrong value, or nil if the record is missing. derivedValue is the
// right value, which follows from the contract's records.
func (c *checker) addIndexFault(key, storedValue, derivedValue []byte) {
	if owner, isHoldings := expiry.HoldingsOwner(key); isHoldings {
		storedCount := "nothing"
		if storedValue != nil {
			storedCount = string(storedValue)
		}
		c.addFault(PartHoldings, remedyRebuild,
			"%s owns %s tokens, and is listed with %s",
			owner, derivedValue, storedCount)
		return
	}

	// Any other record is an entry of a grant. It was derived, so it can be decoded.
	entry, _ := expiry.DecodeEntry(key, derivedValue)
	grant := c.grantText(entry.Grant)
	index := expiry.IndexName(key)
	if storedValue == nil {
		c.addFault(PartExpiry, remedyRebuild, "the %s is missing in the index %s", grant, index)
		return
	}
	c.addFault(PartExpiry, remedyRebuild, "the %s has another entry in the index %s", grant, index)
}

// grantText returns words for a grant within a sentence, such as "approval of token ape-1 of
// cosmos1… to cosmos1…". The two addresses are those of the owner and of the spender.
func (c *checker) grantText(grant cw721.Grant) string {
	text := string(c.parts.Layout.GrantKind(grant.Kind))
	if grant.Kind == cw721.GrantApproval {
		text += " of token " + human.TokenID(grant.Token)
	}
	return text + " of " + string(grant.Owner) + " to " + string(grant.Spender)
}
