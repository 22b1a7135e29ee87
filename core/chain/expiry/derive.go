package expiry

import (
	"bytes"
	"slices"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Deriver builds the whole expiry index, the list of all grants by when they expire, from the
// contract's records. Pass the records to [Deriver.AddRecord] one after the other; it passes
// the records of the index to Set. An import fills an empty index so, and package check
// compares the result with the stored index. Unlike [Update], Deriver reads no stored index.
type Deriver struct {
	// Set receives every record of the index.
	Set func(key, value []byte) error
	// GrantedAt returns the block in which a grant was given. The contract does not store it.
	GrantedAt func(cw721.Grant) (cw721.Block, error)
	// GrantCount is the number of grants so far.
	GrantCount uint64

	tokenCounts map[cw721.Address]int // how many tokens an owner has; nil before the first token
}

// AddRecord derives the entries for the grants in one record of the contract, and counts a
// token for its owner. It fails with a [*kv.CorruptError] if the grants cannot be decoded.
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
		// The record of a token from a dump may contain the same approval twice.
		isRepeated := slices.Contains(grants[:i], g)
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

// Finish passes the number of tokens of each owner to Set, one record for each owner. Call
// it after the last record of the contract.
func (d *Deriver) Finish() error {
	for owner, count := range d.tokenCounts {
		if err := d.Set(holdingsKey(owner), encodeHoldings(count)); err != nil {
			return err
		}
	}
	return nil
}

// PutEntry passes the records of a grant to set: one for each index that lists the grant,
// such as the one by expiry and the one by owner, all with the same value.
func PutEntry(set func(key, value []byte) error, e Entry) error {
	value := encodeValue(e)
	for _, key := range keysOf(e.Grant) {
		if err := set(key, value); err != nil {
			return err
		}
	}
	return nil
}

// DecodeEntry decodes an entry from its key in any index and its value. It fails with a
// [*kv.CorruptError] if they cannot be decoded, or if the entry's grant has another key.
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
	name, ok := bytes.CutPrefix(key, []byte{holdingsIndex})
	return cw721.Address(name), ok
}

// IndexName returns the name of the index to which a key belongs, such as "by spender", or
// "of operators by spender" for the index that lists operator grants alone.
func IndexName(key []byte) string {
	names := map[byte]string{byEnd: "by expiry", bySpender: "by spender", byOwner: "by owner", byToken: "by token"}
	if name, found := names[key[0]]; found {
		return name
	}
	return "of operators " + names[key[0]+operatorOffset]
}

// GrantedAt returns the block in which a grant was given. It reads that from any index whose
// entry of the grant can be decoded. If there is none, it returns fallback.
func GrantedAt(r kv.Reader, g cw721.Grant, fallback cw721.Block) (cw721.Block, error) {
	for _, key := range keysOf(g) {
		value, exists, err := r.Get(key)
		if err != nil {
			return fallback, err
		}
		if !exists {
			continue
		}

		// Any entry that can be read has the block.
		if e, err := decode(key, value); err == nil {
			return e.GrantedAt, nil
		}
	}
	return fallback, nil
}
