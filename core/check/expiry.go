package check

import (
	"bytes"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Repair brings the expiry index in step with the contract's records, from which it is
// derived, and returns how many records it wrote. It writes only what is wrong, in
// batches, so an interrupted repair can be repeated. A grant keeps the block in which it
// was given if any entry has it, and else gets the current one. Repair calls progress,
// unless that is nil, with the number of records read so far.
func Repair(c *chain.Chain, progress func(done int)) (written int, err error) {
	err = c.Repair(func(p chain.Parts, w chain.Writers) (bool, error) {
		x := newChecker(p, progress)
		clock, _, _, err := p.StoredClock()
		if err == nil {
			written, err = x.compareExpiry(w.Expiry, clock.Block())
		}
		return written > 0, err
	})
	return written, err
}

// checkExpiry compares the sum of the keys of the expiry index with that derived from the
// contract's records. It also compares the sum of all entries with that of the entries by
// expiry, each put into every index, because the block in which a grant was given is in
// no record of the contract. If a sum differs, it compares one by one.
func (x *checker) checkExpiry(derived sum) error {
	var keys, entries, repeated sum
	for p, err := range x.parts.Expiry.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.countRecord()
		if _, isHoldings := expiry.HoldingsOwner(p.Key); isHoldings {
			_ = keys.add(p.Key, p.Value)
			continue
		}
		_ = keys.add(p.Key, nil)
		_ = entries.add(p.Key, p.Value)
	}
	for e, err := range expiry.NewReader(x.parts.Expiry, cw721.Block{}, nil).Grants(expiry.Index{}) {
		if kv.IsCorrupt(err) {
			break
		}
		if err != nil {
			return err
		}
		_ = expiry.PutEntry(repeated.add, e)
	}
	if keys == derived && entries == repeated {
		return nil
	}
	_, err := x.compareExpiry(nil, cw721.Block{})
	return err
}

// compareExpiry adds a fault for every entry that is missing, wrong or derived from no
// record, and returns how many there are. Unless w is nil, it also mends them: it deletes
// all entries that belong nowhere or cannot be read before it writes any. A grant without
// any entry is taken for given in block now.
func (x *checker) compareExpiry(w kv.Writer, now cw721.Block) (wrong int, err error) {
	mend := func(key, value []byte) error {
		wrong++
		switch {
		case w == nil:
			return nil
		case value == nil:
			return w.Delete(bytes.Clone(key))
		}
		return w.Set(key, value)
	}
	for p, err := range x.parts.Expiry.Scan(kv.Range{}) {
		if err != nil {
			return wrong, err
		}
		x.countRecord()
		isStray, err := x.findStray(p)
		if err == nil && isStray {
			err = mend(p.Key, nil)
		}
		if err != nil {
			return wrong, err
		}
	}
	return wrong, x.derive(expiry.Deriver{
		GrantedAt: func(g cw721.Grant) (cw721.Block, error) { return expiry.GrantedAt(x.parts.Expiry, g, now) },
		Set: func(key, derived []byte) error {
			stored, _, err := x.parts.Expiry.Get(key)
			if err != nil || bytes.Equal(stored, derived) {
				return err
			}
			x.findWrong(key, stored, derived)
			return mend(key, derived)
		},
	})
}

// derive derives the expiry index from the contract's records. It skips broken records,
// which checkRecords reports.
func (x *checker) derive(d expiry.Deriver) error {
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.countRecord()
		if err := d.AddRecord(p.Key, p.Value); err != nil && !kv.IsCorrupt(err) {
			return err
		}
	}
	return d.Finish()
}

// findStray adds a fault for a record of the expiry index that is derived from no record
// of the contract, or that cannot be read.
func (x *checker) findStray(p kv.Pair) (isStray bool, err error) {
	if owner, ok := expiry.HoldingsOwner(p.Key); ok {
		for _, err := range cw721.TokenIDsOf(x.parts.Contract, owner, cw721.Walk{}) {
			return false, err
		}
		x.find(PartHoldings, remedyRebuild, "%s is noted as an owner, and holds no token", owner)
		return true, nil
	}
	e, err := expiry.DecodeEntry(p.Key, p.Value)
	if err != nil {
		x.find(PartExpiry, remedyRebuild, "an entry cannot be read: %v", err)
		return true, nil
	}
	key := cw721.GrantRecordKey(e.Grant)
	record, _, err := x.parts.Contract.Get(key)
	if err != nil {
		return false, err
	}
	grants, err := cw721.DecodeGrants(key, record)
	if err == nil && slices.Contains(grants, e.Grant) {
		return false, nil
	}
	x.find(PartExpiry, remedyRebuild, "it lists the %s, which nobody gave", grantText(e.Grant))
	return true, nil
}

// findWrong adds a fault for a record of the expiry index that is not as derived; stored
// is nil if it is missing.
func (x *checker) findWrong(key, stored, derived []byte) {
	owner, isHoldings := expiry.HoldingsOwner(key)
	if isHoldings {
		noted := "nothing"
		if stored != nil {
			noted = string(stored)
		}
		x.find(PartHoldings, remedyRebuild, "%s holds %s tokens, and is noted with %s", owner, derived, noted)
		return
	}
	e, _ := expiry.DecodeEntry(key, derived) // a derived entry can be decoded
	grant := grantText(e.Grant)
	index := expiry.IndexName(key)
	if stored == nil {
		x.find(PartExpiry, remedyRebuild, "the %s is missing in the index %s", grant, index)
	} else {
		x.find(PartExpiry, remedyRebuild, "the %s is noted otherwise in the index %s", grant, index)
	}
}

// grantText names a grant in a sentence.
func grantText(g cw721.Grant) string {
	text := string(g.Kind)
	if g.Kind == cw721.GrantApproval {
		text += " of token " + g.Token
	}
	return text + " of " + string(g.Owner) + " to " + string(g.Spender)
}
