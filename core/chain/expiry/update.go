package expiry

import (
	"bytes"
	"slices"
	"strconv"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Update returns the changes that bring the expiry index in step with changes of the
// contract's records, made in block now. The changes are sorted by key. Update reads the
// index and writes nothing. It fails if the store does, or if the grants in a record
// cannot be decoded.
func Update(r kv.Reader, now cw721.Block, changes []kv.Change) ([]kv.Change, error) {
	u := updater{index: r, now: now}
	for _, c := range changes {
		if err := u.updateGrants(c); err != nil {
			return nil, err
		}
		u.countToken(c)
	}
	for _, d := range u.deltas {
		if err := u.updateHoldings(d); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(u.changes, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return u.changes, nil
}

// updater is the state of one [Update].
type updater struct {
	index   kv.Reader
	now     cw721.Block
	changes []kv.Change     // of the index, as [Update] returns them
	deltas  []holdingsDelta // one for each owner; a message has few, so a slice is searched
}

// holdingsDelta is a change of the number of tokens that an owner has, such as +1 or -10.
type holdingsDelta struct {
	owner       cw721.Address
	tokenChange int
}

// updateGrants removes the grants that a record no longer has, and adds those that it
// did not have before.
func (u *updater) updateGrants(c kv.Change) error {
	before, err := cw721.DecodeGrants(c.Key, c.Old)
	if err != nil {
		return err
	}
	after, err := cw721.DecodeGrants(c.Key, c.New)
	if err != nil {
		return err
	}
	for _, g := range before {
		if slices.Contains(after, g) {
			continue
		}
		if err := u.remove(g); err != nil {
			return err
		}
	}
	for _, g := range after {
		if !slices.Contains(before, g) {
			u.add(g)
		}
	}
	return nil
}

// add adds a grant that is given now to every index.
func (u *updater) add(g cw721.Grant) {
	value := encodeValue(Entry{Grant: g, GrantedAt: u.now})
	for _, key := range keysOf(g) {
		u.changes = append(u.changes, kv.Change{Key: key, New: value})
	}
}

// remove removes a grant from every index. It reads the value from one of them, because
// all have the same.
func (u *updater) remove(g cw721.Grant) error {
	keys := keysOf(g)
	value, exists, err := u.index.Get(keys[0])
	if err != nil || !exists {
		return err
	}
	for _, key := range keys {
		u.changes = append(u.changes, kv.Change{Key: key, Old: value})
	}
	return nil
}

// countToken adds one to the holdings of an owner, or takes one off, if a change is
// that of a record in the contract's owner index.
func (u *updater) countToken(c kv.Change) {
	isNew := c.Old == nil && c.New != nil
	isGone := c.Old != nil && c.New == nil
	if !isNew && !isGone {
		return
	}
	owner, _, isOwnerRecord := cw721.DecodeOwnerIndexKey(c.Key)
	if !isOwnerRecord {
		return
	}
	by := 1
	if isGone {
		by = -1
	}
	i := slices.IndexFunc(u.deltas, func(d holdingsDelta) bool { return d.owner == owner })
	if i < 0 {
		u.deltas = append(u.deltas, holdingsDelta{owner: owner, tokenChange: by})
		return
	}
	u.deltas[i].tokenChange += by
}

// updateHoldings changes the number of an owner's tokens. An owner of no token has no
// record.
func (u *updater) updateHoldings(d holdingsDelta) error {
	if d.tokenChange == 0 {
		return nil
	}
	before, err := Holdings(u.index, d.owner)
	if err != nil {
		return err
	}
	c := kv.Change{
		Key: holdingsKey(d.owner),
		Old: encodeHoldings(before),
		New: encodeHoldings(before + d.tokenChange),
	}
	if c.Old != nil || c.New != nil {
		u.changes = append(u.changes, c)
	}
	return nil
}

// holdingsKey returns the key of the record with the number of an owner's tokens.
func holdingsKey(owner cw721.Address) []byte { return append([]byte{holdingsIndex}, owner...) }

// encodeHoldings returns the record of a number of tokens; nil if there are none.
func encodeHoldings(n int) []byte {
	if n <= 0 {
		return nil
	}
	return strconv.AppendInt(nil, int64(n), 10)
}

// Holdings returns how many tokens an owner has, without counting them. It fails with a
// [*kv.CorruptError] if the record is no number.
func Holdings(r kv.Reader, owner cw721.Address) (int, error) {
	record, exists, err := r.Get(holdingsKey(owner))
	if err != nil || !exists {
		return 0, err
	}
	n, err := strconv.Atoi(string(record))
	if err != nil {
		return 0, &kv.CorruptError{Key: []byte("holdings of " + owner), Err: err}
	}
	return n, nil
}
