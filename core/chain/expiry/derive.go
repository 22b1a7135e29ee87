package expiry

import (
	"bytes"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Deriver derives the whole expiry index from the contract's records, passed to
// [Deriver.AddRecord] one after the other. Unlike [Update], it reads no index. An import
// fills the index with it, and package check compares its result with the stored index.
type Deriver struct {
	// Set receives every record of the index.
	Set func(key, value []byte) error
	// GrantedAt returns the block in which a grant was given.
	GrantedAt func(cw721.Grant) (cw721.Block, error)
	// GrantCount is the number of grants so far.
	GrantCount uint64

	tokenCounts map[cw721.Address]int // by owner
}

// AddRecord derives the entries of one record. It fails with a [*kv.CorruptError] if the
// grants in the record cannot be decoded.
func (d *Deriver) AddRecord(key, record []byte) error {
	if owner, _, isToken := cw721.DecodeTokenOwner(key, record); isToken {
		if d.tokenCounts == nil {
			d.tokenCounts = map[cw721.Address]int{}
		}
		d.tokenCounts[owner]++
	}
	grants, err := cw721.DecodeGrants(key, record)
	if err != nil {
		return &kv.CorruptError{Key: bytes.Clone(key), Err: err}
	}
	for i, g := range grants {
		isRepeated := slices.Contains(grants[:i], g) // in a dump, an approval may be
		if isRepeated {
			continue
		}
		d.GrantCount++
		block, err := d.GrantedAt(g)
		if err != nil {
			return err
		}
		if err := PutEntry(d.Set, Entry{Grant: g, GrantedAt: block}); err != nil {
			return err
		}
	}
	return nil
}

// OwnerCount returns how many accounts have a token.
func (d *Deriver) OwnerCount() int { return len(d.tokenCounts) }

// Finish derives how many tokens each owner has. Call it after the last record.
func (d *Deriver) Finish() error {
	for owner, count := range d.tokenCounts {
		if err := d.Set(holdingsKey(owner), encodeHoldings(count)); err != nil {
			return err
		}
	}
	return nil
}

// PutEntry passes the records of an entry in every index to set.
func PutEntry(set func(key, value []byte) error, e Entry) error {
	value := encodeValue(e)
	for _, key := range keysOf(e.Grant) {
		if err := set(key, value); err != nil {
			return err
		}
	}
	return nil
}

// DecodeEntry reads an entry from its key in any index and its value. It fails with a
// [*kv.CorruptError] unless the entry has exactly this key.
func DecodeEntry(key, value []byte) (Entry, error) {
	e, err := decode(key, value)
	if err != nil {
		return e, err
	}
	isKnownKind := cw721.GrantRecordKey(e.Grant) != nil
	isKey := func(k []byte) bool { return bytes.Equal(k, key) }
	if !isKnownKind || !slices.ContainsFunc(keysOf(e.Grant), isKey) {
		return e, corruptEntry(key)
	}
	return e, nil
}

// HoldingsOwner returns the owner whose tokens a record counts; ok is false for the key
// of another record.
func HoldingsOwner(key []byte) (owner cw721.Address, ok bool) {
	name, ok := bytes.CutPrefix(key, []byte{holdings})
	return cw721.Address(name), ok
}

// IndexName names the index of a key, such as "by spender".
func IndexName(key []byte) string {
	names := map[byte]string{byEnd: "by expiry", bySpender: "by spender", byOwner: "by owner", byToken: "by token"}
	if name, found := names[key[0]]; found {
		return name
	}
	return "of operators " + names[key[0]+operatorOffset]
}

// GrantedAt returns the block in which a grant was given, from the first index with a
// readable entry of the grant. Without one, it returns fallback.
func GrantedAt(r kv.Reader, g cw721.Grant, fallback cw721.Block) (cw721.Block, error) {
	for _, key := range keysOf(g) {
		value, exists, err := r.Get(key)
		if err != nil {
			return fallback, err
		}
		if !exists {
			continue
		}
		if e, err := decode(key, value); err == nil {
			return e.GrantedAt, nil
		}
	}
	return fallback, nil
}
