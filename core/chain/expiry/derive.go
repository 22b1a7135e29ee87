package expiry

import (
	"bytes"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// IndexBuilder computes the whole expiry index from the contract's records, which are all passed
// to [IndexBuilder.AddRecord] before [IndexBuilder.Finish].
type IndexBuilder struct {
	SetEntry func(key, value []byte) error // called with every record of the index
	// Stored is another index, from which the blocks in which grants were given are taken,
	// since the contract does not store them; nil for none.
	Stored      kv.Reader
	GrantCount  uint64                // so far
	tokenCounts map[cw721.Address]int // of each owner so far; nil before the first record
}

// AddRecord passes the entries of the grants in a record of the contract to SetEntry. It fails with
// a [*kv.CorruptError] if they cannot be decoded.
func (b *IndexBuilder) AddRecord(key, record []byte) error {
	owner, _, isToken := cw721.DecodeTokenOwner(key, record)
	if b.tokenCounts == nil {
		b.tokenCounts = map[cw721.Address]int{}
	}
	if isToken {
		b.tokenCounts[owner]++
	}

	grants, err := cw721.DecodeGrants(key, record)
	if err != nil {
		return &kv.CorruptError{Key: bytes.Clone(key), Err: err}
	}
	for i, grant := range grants {
		// The record of a token from a dump may contain the same approval twice.
		if slices.Contains(grants[:i], grant) {
			continue
		}
		b.GrantCount++
		entry := Entry{Grant: grant}
		if b.Stored != nil {
			if entry.GrantedAt, err = storedBlock(b.Stored, grant); err != nil {
				return err
			}
		}
		if err := PutEntry(b.SetEntry, entry); err != nil {
			return err
		}
	}
	return nil
}

// OwnerCount returns how many accounts own tokens so far.
func (b *IndexBuilder) OwnerCount() int { return len(b.tokenCounts) }

// Finish passes the number of tokens of each owner to SetEntry.
func (b *IndexBuilder) Finish() error {
	for owner, count := range b.tokenCounts {
		if err := b.SetEntry(holdingsKey(owner), encodeHoldings(count)); err != nil {
			return err
		}
	}
	return nil
}

// PutEntry calls set with each record that the expiry index has for a grant.
func PutEntry(set func(key, value []byte) error, entry Entry) error {
	value := encodeValue(entry)
	for _, key := range keysOf(entry.Grant) {
		if err := set(key, value); err != nil {
			return err
		}
	}
	return nil
}

// DecodeEntry fails with a [*kv.CorruptError] if the entry cannot be decoded, or must not be stored
// under the key.
func DecodeEntry(key, value []byte) (Entry, error) {
	entry, err := decodeUncheckedEntry(key, value)
	if err != nil {
		return entry, err
	}
	isItsKey := slices.ContainsFunc(keysOf(entry.Grant), func(k []byte) bool { return bytes.Equal(k, key) })
	if !isItsKey || cw721.GrantRecordKey(entry.Grant) == nil { // its kind is not known
		return entry, corruptEntry(key)
	}
	return entry, nil
}

// HoldingsOwner returns the owner whose number of tokens is under a key of the expiry index.
func HoldingsOwner(key []byte) (owner cw721.Address, ok bool) {
	name, ok := bytes.CutPrefix(key, []byte{holdingsIndex})
	return cw721.Address(name), ok
}

// IndexName returns the name of the index to which a key belongs, such as "by spender".
func IndexName(key []byte) string {
	names := map[byte]string{
		expiryIndex:  "by expiry",
		spenderIndex: "by spender",
		ownerIndex:   "by owner",
		tokenIndex:   "by token",

		// An index that lists only operator grants has the capital of the letter.
		expiryIndex - operatorOffset:  "of operators by expiry",
		spenderIndex - operatorOffset: "of operators by spender",
		ownerIndex - operatorOffset:   "of operators by owner",
	}
	return names[key[0]]
}

// storedBlock returns the block of the first entry of a grant that can be read, or else the zero
// block.
func storedBlock(reader kv.Reader, grant cw721.Grant) (cw721.Block, error) {
	for _, key := range keysOf(grant) {
		value, exists, err := reader.Get(key)
		if err != nil {
			return cw721.Block{}, err
		}
		if !exists {
			continue
		}

		if entry, err := decodeUncheckedEntry(key, value); err == nil {
			return entry.GrantedAt, nil
		}
	}
	return cw721.Block{}, nil
}
