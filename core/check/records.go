package check

import (
	"hash/maphash"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// sum is a fingerprint of a set of pairs: two sets are the same, whatever the
// order they were met in, when the sums of their hashes are.
type sum uint64

var seed = maphash.MakeSeed()

// set adds a pair; it never fails.
func (s *sum) set(key, value []byte) error {
	pair := append(kv.AppendPart(make([]byte, 0, 256), key), value...)
	*s += sum(maphash.Bytes(seed, pair))
	return nil
}

// checkRecords reads the contract's records once, in key order, and derives from
// them what is derived.
func (x *checker) checkRecords() error {
	var tally cw721.Tally
	var derived sum
	d := expiry.Deriver{
		GrantedAt: func(cw721.Grant) (at cw721.Block, err error) { return at, nil },
		Set: func(key, value []byte) error {
			if _, ok := expiry.HoldingsOwner(key); !ok {
				value = nil // it tells in which block, which no record does
			}
			return derived.set(key, value)
		},
	}
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.Records++
		x.step()
		if x.parts.Unreadable {
			continue // a compiled contract keeps them as it likes
		}
		if err := cw721.CheckRecord(p.Key, p.Value); cw721.IsUnknownRecord(err) {
			x.Others++
			continue
		} else if err != nil {
			x.find(PartRecords, remedyBackup, "%v", err)
			continue
		}
		tally.Add(p.Key, p.Value)
		if err := d.AddRecord(p.Key, p.Value); err != nil {
			x.find(PartRecords, remedyBackup, "the grants in the %s cannot be read: %v", cw721.RecordName(p.Key), err)
		}
	}
	if x.parts.Unreadable {
		return nil
	}
	_ = d.Finish()
	x.Tokens, x.Grants, x.Owners = tally.TokenCount, d.GrantCount, uint64(d.OwnerCount())
	if consistent, _ := tally.IsConsistent(x.parts.Contract); !consistent {
		if err := x.findInconsistencies(); err != nil {
			return err
		}
	}
	return x.checkExpiry(derived)
}

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

// RepairTokens derives the number of tokens and the owner index again from the
// tokens that are there, and tells how many records it wrote. It is for a
// collection of which some tokens are lost for good: until then the index still
// tells which.
func RepairTokens(c *chain.Chain) (written int, err error) {
	err = c.Repair(func(p chain.Parts, w chain.Writers) (bool, error) {
		written, err = cw721.RepairInconsistencies(p.Contract, w.Contract)
		return written > 0, err
	})
	return written, err
}
