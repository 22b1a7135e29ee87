package expiry

import (
	"bytes"
	"slices"
	"strconv"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// IndexChanges returns how the expiry index must change, sorted by key, after changes of the
// contract's records in a block. It fails if the grants in a record cannot be decoded.
func IndexChanges(reader kv.Reader, block cw721.Block, changes []kv.Change) ([]kv.Change, error) {
	update := indexUpdate{index: reader, block: block}
	tokenChanges := map[cw721.Address]int{} // how many tokens each owner gains or loses
	for _, change := range changes {
		if err := update.updateGrants(change); err != nil {
			return nil, err
		}

		// The contract has a record for each token of an owner. A changed record counts in both
		// directions, so its owner keeps the token.
		owner, _, isOwnerRecord := cw721.DecodeOwnerIndexKey(change.Key)
		if isOwnerRecord && change.OldValue != nil {
			tokenChanges[owner]--
		}
		if isOwnerRecord && change.NewValue != nil {
			tokenChanges[owner]++
		}
	}

	// The index also has the number of tokens of each owner.
	for owner, tokenChange := range tokenChanges {
		oldCount, err := Holdings(reader, owner)
		if err != nil {
			return nil, err
		}
		change := kv.Change{
			Key:      holdingsKey(owner),
			OldValue: encodeHoldings(oldCount),
			NewValue: encodeHoldings(oldCount + tokenChange),
		}
		if !change.IsNoop() {
			update.changes = append(update.changes, change)
		}
	}
	slices.SortFunc(update.changes, func(a, b kv.Change) int { return bytes.Compare(a.Key, b.Key) })
	return update.changes, nil
}

// indexUpdate is the state of one [IndexChanges].
type indexUpdate struct {
	index   kv.Reader   // as it is before the changes
	block   cw721.Block // the block of the changes
	changes []kv.Change // of the index so far
}

func (u *indexUpdate) updateGrants(change kv.Change) error {
	oldGrants, err := cw721.DecodeGrants(change.Key, change.OldValue)
	if err != nil {
		return err
	}
	newGrants, err := cw721.DecodeGrants(change.Key, change.NewValue)
	if err != nil {
		return err
	}

	// Remove the grants that the record no longer has. The value is the same in all indexes.
	for _, grant := range oldGrants {
		if slices.Contains(newGrants, grant) {
			continue
		}
		keys := keysOf(grant)
		value, exists, err := u.index.Get(keys[0])
		if err != nil {
			return err
		}
		if !exists {
			continue
		}
		for _, key := range keys {
			u.changes = append(u.changes, kv.Change{Key: key, OldValue: value})
		}
	}

	// A new grant, or one with another expiry, was given in this block.
	for _, grant := range newGrants {
		if slices.Contains(oldGrants, grant) {
			continue
		}
		value := encodeValue(Entry{Grant: grant, GrantedAt: u.block})
		for _, key := range keysOf(grant) {
			u.changes = append(u.changes, kv.Change{Key: key, NewValue: value})
		}
	}
	return nil
}

func holdingsKey(owner cw721.Address) []byte { return append([]byte{holdingsIndex}, owner...) }

// encodeHoldings returns nil for no tokens, since such an owner has no record.
func encodeHoldings(count int) []byte {
	if count <= 0 {
		return nil
	}
	return strconv.AppendInt(nil, int64(count), 10)
}

// Holdings returns how many tokens an owner has, without counting them.
func Holdings(reader kv.Reader, owner cw721.Address) (int, error) {
	record, exists, err := reader.Get(holdingsKey(owner))
	if err != nil || !exists {
		return 0, err
	}
	count, err := strconv.Atoi(string(record))
	if err != nil {
		return 0, &kv.CorruptError{Key: []byte("holdings of " + owner), Err: err}
	}
	return count, nil
}
