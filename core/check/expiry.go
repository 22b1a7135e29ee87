package check

import (
	"bytes"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Repair brings the expiry index in step with the contract's records, from which
// it is derived, and tells how many records it wrote. Only what is wrong is
// written, in batches, so one that is cut off can be done again. In which block
// a grant was given is kept where any entry knows it, and is now elsewhere.
// progress, which can be nil, is told how many records were read.
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

// checkExpiry adds up the expiry index and compares the sums: of its keys with
// what the contract's records derive, and of all entries with what those by end
// derive, as the block in which a grant was given stands nowhere else. Where they
// differ it compares one by one.
func (x *checker) checkExpiry(derived sum) error {
	var present, all, first sum
	for p, err := range x.parts.Expiry.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.step()
		if _, ok := expiry.HoldingsOwner(p.Key); ok {
			_ = present.set(p.Key, p.Value)
			continue
		}
		_ = present.set(p.Key, nil)
		_ = all.set(p.Key, p.Value)
	}
	for e, err := range expiry.NewReader(x.parts.Expiry, cw721.Block{}, nil).Grants(expiry.Index{}) {
		if kv.IsCorrupt(err) {
			break
		}
		if err != nil {
			return err
		}
		_ = expiry.PutEntry(first.set, e)
	}
	if present == derived && all == first {
		return nil
	}
	_, err := x.compareExpiry(nil, cw721.Block{})
	return err
}

// compareExpiry names every entry that is missing, wrong, or of nothing, and
// mends it where w is not nil; now is when a grant was given that no entry tells
// of. It removes before it writes: an entry that cannot be read is removed
// wherever it stands, and written anew where one belongs.
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
		x.step()
		stray, err := x.findStray(p)
		if err == nil && stray {
			err = mend(p.Key, nil)
		}
		if err != nil {
			return wrong, err
		}
	}
	return wrong, x.derive(expiry.Deriver{
		GrantedAt: func(g cw721.Grant) (cw721.Block, error) { return expiry.GrantedAt(x.parts.Expiry, g, now) },
		Set: func(key, want []byte) error {
			have, _, err := x.parts.Expiry.Get(key)
			if err != nil || bytes.Equal(have, want) {
				return err
			}
			x.findWrong(key, have, want)
			return mend(key, want)
		},
	})
}

// derive goes over the contract's records.
func (x *checker) derive(d expiry.Deriver) error {
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.step()
		if err := d.AddRecord(p.Key, p.Value); err != nil && !kv.IsCorrupt(err) { // told with the record
			return err
		}
	}
	return d.Finish()
}

// findStray reports an entry that no record of the contract derives.
func (x *checker) findStray(p kv.Pair) (bool, error) {
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

// findWrong reports what stands under a key, nil for nothing, where the
// contract's records derive something else.
func (x *checker) findWrong(key, have, want []byte) {
	if owner, ok := expiry.HoldingsOwner(key); ok {
		noted := "nothing"
		if have != nil {
			noted = string(have)
		}
		x.find(PartHoldings, remedyRebuild, "%s holds %s tokens, and is noted with %s", owner, want, noted)
		return
	}
	e, _ := expiry.DecodeEntry(key, want)
	how := "is missing"
	if have != nil {
		how = "is noted otherwise"
	}
	x.find(PartExpiry, remedyRebuild, "the %s %s in the index %s", grantText(e.Grant), how, expiry.IndexName(key))
}

// grantText names a grant in a sentence.
func grantText(g cw721.Grant) string {
	text := string(g.Kind)
	if g.Kind == cw721.GrantApproval {
		text += " of token " + g.Token
	}
	return text + " of " + string(g.Owner) + " to " + string(g.Spender)
}
