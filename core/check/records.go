package check

import (
	"errors"
	"hash/maphash"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// sum is a fingerprint of a set of pairs: two sets are the same, whatever the
// order they were met in, when the sums of their hashes are.
type sum uint64

var seed = maphash.MakeSeed()

func (s *sum) add(key, value []byte) {
	pair := append(kv.AppendPart(make([]byte, 0, 256), key), value...)
	*s += sum(maphash.Bytes(seed, pair))
}

// checkRecords reads the contract's records once, in key order, and derives from
// them what is derived.
func (x *checker) checkRecords() error {
	if x.parts.Unreadable {
		return x.countRecords()
	}
	var owned, listed, derived sum
	d := expiry.Deriver{
		GrantedAt: func(cw721.Grant) (at cw721.Block, err error) { return at, nil },
		W: setter(func(key, value []byte) error {
			if _, ok := expiry.Holder(key); !ok {
				value = nil // it tells in which block, which no record does
			}
			return derived.set(key, value)
		}),
	}
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.Records++
		x.step()
		if err := cw721.CheckRecord(p.Key, p.Value); x.parts.Compiled && errors.As(err, new(*cw721.UnknownRecordError)) {
			continue
		} else if err != nil {
			x.find(PartRecords, remedyBackup, "%v", err)
			continue
		}
		if owner, token, ok := cw721.HoldingIn(p.Key); ok {
			listed.add([]byte(owner), []byte(token))
		} else if owner, token, ok := cw721.HeldBy(p.Key, p.Value); ok {
			x.Tokens++
			owned.add([]byte(owner), []byte(token))
		}
		if err := d.Record(p.Key, p.Value); err != nil {
			x.find(PartRecords, remedyBackup, "the grants in the %s cannot be read: %v", cw721.RecordName(p.Key), err)
		}
	}
	_ = d.Finish()
	x.Grants, x.Owners = d.Grants, uint64(d.Owners())
	if err := x.checkCount(); err != nil {
		return err
	}
	if owned != listed {
		if err := x.compareOwners(); err != nil {
			return err
		}
	}
	return x.checkExpiry(derived)
}

// countRecords reads the records of a contract that keeps them as it likes.
func (x *checker) countRecords() error {
	for _, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.Records++
		x.step()
	}
	return nil
}

func (x *checker) checkCount() error {
	n, err := cw721.LoadCount(x.parts.Contract)
	if kv.IsCorrupt(err) {
		return nil // told with the record
	}
	if err == nil && n != x.Tokens {
		x.find(PartCount, remedyBackup, "num_tokens says %d, and there are %d tokens", n, x.Tokens)
	}
	return err
}

// compareOwners names what the tokens and the owner index do not agree about.
func (x *checker) compareOwners() error {
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.step()
		if owner, id, ok := cw721.HoldingIn(p.Key); ok {
			t, found, err := cw721.LoadToken(x.parts.Contract, id)
			switch {
			case kv.IsCorrupt(err):
			case err != nil:
				return err
			case !found:
				x.find(PartOwners, remedyBackup, "the owner index gives %s the token %q, which is not there", owner, id)
			case t.Owner != owner:
				x.find(PartOwners, remedyBackup, "the owner index gives %s the token %q, which %s owns", owner, id, t.Owner)
			}
		} else if owner, id, ok := cw721.HeldBy(p.Key, p.Value); ok {
			_, found, err := x.parts.Contract.Get(cw721.IndexRecord(owner, id).Key)
			if err != nil {
				return err
			}
			if !found {
				x.find(PartOwners, remedyBackup, "the token %q of %s is missing in the owner index", id, owner)
			}
		}
	}
	return nil
}
