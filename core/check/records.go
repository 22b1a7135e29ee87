package check

import (
	"hash/maphash"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// set is a fingerprint of a set: two are the same, whatever the order they were
// met in, when the sums of their hashes are. It holds two numbers.
type set struct{ a, b uint64 }

type hasher [2]maphash.Seed

func newHasher() hasher { return hasher{maphash.MakeSeed(), maphash.MakeSeed()} }

func (h hasher) add(s *set, owner cw721.Address, token string) {
	key := append(kv.AppendPart(make([]byte, 0, 128), owner), token...)
	s.a += maphash.Bytes(h[0], key)
	s.b += maphash.Bytes(h[1], key)
}

// checkRecords reads the contract's records once, in key order, and everything
// that a record says about others.
func (x *checker) checkRecords() error {
	x.grants = expiry.NewAudit()
	hash := newHasher()
	var owned, indexed set
	held := tally{each: x.checkHolding}
	for p, err := range x.parts.Contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.Records++
		x.step()
		if err := cw721.CheckRecord(p.Key, p.Value); cw721.IsUnknownRecord(err) {
			x.Others++
			continue
		} else if err != nil {
			x.find(PartRecords, remedyBackup, "%v", err)
			continue
		}
		if owner, token, ok := cw721.HoldingIn(p.Key); ok {
			hash.add(&indexed, owner, token)
			if err := held.meet(owner); err != nil {
				return err
			}
			continue
		}
		if id, _, t, ok := cw721.TokenChange(p.Key, nil, p.Value); ok {
			x.Tokens++
			hash.add(&owned, t.Owner, id)
		}
		grants, err := cw721.GrantsIn(p.Key, p.Value)
		if err != nil {
			x.find(PartRecords, remedyBackup, "the grants in the %s cannot be read: %v", cw721.RecordName(p.Key), err)
			continue
		}
		for i, g := range grants {
			// A dump can hold one approval twice, which is still one.
			if !slices.Contains(grants[:i], g) {
				x.Grants++
				x.grants.Expect(g)
			}
		}
	}
	if err := held.settle(); err != nil {
		return err
	}
	if err := x.checkCount(); err != nil || owned == indexed {
		return err
	}
	return x.compareOwners()
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

// checkHolding compares the count of an owner's tokens with the owner index.
func (x *checker) checkHolding(owner cw721.Address, n int) error {
	x.Owners++
	stood, err := expiry.RepairHolding(x.parts.Expiry, nil, owner, n)
	if err == nil && stood != n {
		x.find(PartHoldings, remedyRebuild, "%s holds %d tokens, and is noted with %s", owner, n, countText(stood))
	}
	return err
}

func countText(n int) string {
	if n < 0 {
		return "what is no number"
	}
	return chain.Thousands(uint64(n))
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
			continue
		}
		id, _, t, ok := cw721.TokenChange(p.Key, nil, p.Value)
		if !ok {
			continue
		}
		found := false
		for at, err := range cw721.TokenIDsOf(x.parts.Contract, t.Owner, cw721.Walk{From: &id}) {
			if err != nil {
				return err
			}
			found = at == id
			break
		}
		if !found {
			x.find(PartOwners, remedyBackup, "the token %q of %s is missing in the owner index", id, t.Owner)
		}
	}
	return nil
}

// checkGrants reads the expiry index once, and again with the records where the two
// do not agree.
func (x *checker) checkGrants() error {
	for p, err := range x.parts.Expiry.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.step()
		if owner, ok := expiry.Holder(p.Key); ok {
			if err := x.checkHolder(owner); err != nil {
				return err
			}
			continue
		}
		if _, err := x.grants.Meet(p.Key, p.Value); err != nil {
			x.find(PartExpiry, remedyRebuild, "an entry cannot be read: %v", err)
		}
	}
	if !x.grants.Differs() && !x.grants.Disagrees() {
		return nil
	}
	before := x.listed[PartExpiry]
	if err := x.missingGrants(); err != nil {
		return err
	}
	if err := x.strayGrants(); err != nil {
		return err
	}
	if x.listed[PartExpiry] == before {
		x.find(PartExpiry, remedyRebuild, "its indexes do not agree about when a grant was given")
	}
	return nil
}

// checkHolder reports a count for who owns nothing.
func (x *checker) checkHolder(owner cw721.Address) error {
	has, err := owns(x.parts.Contract, owner)
	if err == nil && !has {
		x.find(PartHoldings, remedyRebuild, "%s is noted as an owner, and holds no token", owner)
	}
	return err
}

func (x *checker) missingGrants() error {
	return eachGrant(x.parts.Contract, x.step, func(g cw721.Grant) error {
		missing, err := expiry.Repair(x.parts.Expiry, nil, g, cw721.Block{})
		if err == nil && missing > 0 {
			x.find(PartExpiry, remedyRebuild, "the %s is missing in %d of its indexes", grantText(g), missing)
		}
		return err
	})
}

func (x *checker) strayGrants() error {
	for p, err := range x.parts.Expiry.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		x.step()
		e, err := expiry.Read(p.Key, p.Value)
		if _, ok := expiry.Holder(p.Key); ok || err != nil {
			continue
		}
		given, err := isGiven(x.parts.Contract, e.Grant)
		if err != nil {
			return err
		}
		if !given {
			x.find(PartExpiry, remedyRebuild, "it lists the %s, which nobody gave", grantText(e.Grant))
		}
	}
	return nil
}

// eachGrant walks the grants in the contract's records.
func eachGrant(contract kv.Reader, step func(), fn func(cw721.Grant) error) error {
	for p, err := range contract.Scan(kv.Range{}) {
		if err != nil {
			return err
		}
		step()
		grants, err := cw721.GrantsIn(p.Key, p.Value)
		if err != nil {
			continue // told with the record
		}
		for _, g := range grants {
			if err := fn(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// isGiven looks a grant up in the contract's records. What cannot be read gave
// nothing.
func isGiven(contract kv.Reader, g cw721.Grant) (bool, error) {
	key := cw721.RecordOf(g)
	value, ok, err := contract.Get(key)
	if err != nil || !ok {
		return false, err
	}
	grants, err := cw721.GrantsIn(key, value)
	return err == nil && slices.Contains(grants, g), nil
}

// tally counts the tokens of one owner after the other, as the owner index has
// them, and tells each how many they are.
type tally struct {
	owner cw721.Address
	n     int
	each  func(owner cw721.Address, n int) error
}

func (t *tally) meet(owner cw721.Address) error {
	if owner != t.owner {
		if err := t.settle(); err != nil {
			return err
		}
		t.owner, t.n = owner, 0
	}
	t.n++
	return nil
}

// settle tells of the owner in hand; the last one is told of by hand.
func (t *tally) settle() error {
	if t.n == 0 {
		return nil
	}
	return t.each(t.owner, t.n)
}

// owns tells whether an owner has a token.
func owns(contract kv.Reader, owner cw721.Address) (bool, error) {
	for _, err := range cw721.TokenIDsOf(contract, owner, cw721.Walk{}) {
		return err == nil, err
	}
	return false, nil
}

// grantText names a grant in a sentence.
func grantText(g cw721.Grant) string {
	text := string(g.Kind)
	if g.Kind == cw721.GrantApproval {
		text += " of token " + g.Token
	}
	return text + " of " + string(g.Owner) + " to " + string(g.Spender)
}
