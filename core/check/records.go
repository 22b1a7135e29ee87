package check

import (
	"hash/maphash"

	"github.com/go-json-experiment/json/jsontext"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// sum is a fingerprint of a set of records: the sum of the hashes of all of them. Equal
// sets have equal sums, in whatever order their records are added.
type sum uint64

// seed begins all hashes. It is another one in every process, so that no database can be
// made to have equal sums.
var seed = maphash.MakeSeed()

// add adds the hash of a record to the sum. Its error is always nil; it has one because
// the field Set of [expiry.Deriver] needs such a function.
func (s *sum) add(key, value []byte) error {
	record := append(kv.AppendPart(make([]byte, 0, 256), key), value...)
	*s += sum(maphash.Bytes(seed, record))
	return nil
}

// checkRecords reads the contract's records once, in key order. It checks each, and
// compares what is derived from them with what is stored. The records of a compiled
// contract with a layout of its own are only counted.
func (x *checker) checkRecords() error {
	var tally cw721.Tally
	var derived sum
	index := expiry.Deriver{
		GrantedAt: func(cw721.Grant) (unknown cw721.Block, err error) { return unknown, nil },
		Set: func(key, value []byte) error {
			_, isHoldings := expiry.HoldingsOwner(key)
			if !isHoldings {
				value = nil // the block in which a grant was given is in no record of the contract
			}
			return derived.add(key, value)
		},
	}
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.Records++
		x.countRecord()
		if !x.parts.Unreadable && x.checkRecord(p) {
			tally.Add(p.Key, p.Value)
			x.deriveGrants(&index, p)
		}
	}
	if x.parts.Unreadable {
		return nil
	}

	_ = index.Finish() // its Set never fails
	x.Tokens = tally.TokenCount
	x.Grants = index.GrantCount
	x.Owners = uint64(index.OwnerCount())
	isConsistent, _ := tally.IsConsistent(x.parts.Contract) // findInconsistencies returns the error
	if !isConsistent {
		if err := x.findInconsistencies(); err != nil {
			return err
		}
	}
	return x.checkExpiry(derived)
}

// checkRecord reports whether a record is one of cw721 that can be read. It counts other
// records, and adds a fault for a broken one.
func (x *checker) checkRecord(p kv.Pair) bool {
	_, err := x.parts.Layout.DecodeRecord(p.Key, p.Value)
	if err == nil {
		return true
	}
	// The tokens of another contract can have members of their own.
	isOfOtherContract := x.parts.IsCompiled && jsontext.Value(p.Value).IsValid()
	if cw721.IsUnknownRecord(err) || isOfOtherContract {
		x.Others++
	} else {
		x.find(PartRecords, remedyBackup, "%v", err)
	}
	return false
}

// deriveGrants passes a record of the contract to index, which derives the entries for the
// grants in it. It adds a fault if the grants cannot be decoded.
func (x *checker) deriveGrants(index *expiry.Deriver, p kv.Pair) {
	if err := index.AddRecord(p.Key, p.Value); err != nil {
		x.find(PartRecords, remedyBackup, "the grants in the %s cannot be read: %v", x.parts.Layout.RecordName(p.Key), err)
	}
}

// findInconsistencies compares the token count and the owner index with the tokens, one
// by one.
func (x *checker) findInconsistencies() error {
	for wrong, err := range cw721.Inconsistencies(x.parts.Contract) {
		if err != nil {
			return err
		}
		part := PartOwners
		if cw721.IsTokenCountKey(wrong.Key) {
			part = PartCount
		}
		x.find(part, remedyDerive, "%s", wrong.Text)
	}
	return nil
}

// RepairTokens derives the number of tokens and the owner index again from the stored
// tokens, and returns how many records it wrote. Use it only if missing tokens are lost
// for good: before the repair, the owner index still names them.
func RepairTokens(c *chain.Chain) (written int, err error) {
	err = c.Repair(func(p chain.Parts, w chain.Writers) (bool, error) {
		written, err = cw721.RepairInconsistencies(p.Contract, w.Contract)
		return written > 0, err
	})
	return written, err
}
