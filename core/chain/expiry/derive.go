package expiry

import (
	"bytes"
	"slices"
	"strconv"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Deriver writes what this index holds for a whole collection, from the
// contract's records one after the other: what [Update] does for records that
// were not there before, but without reading. An import fills the index with it,
// and package check compares what it writes with what stands there.
type Deriver struct {
	Set func(key, value []byte) error
	// GrantedAt gives the block to note for a grant.
	GrantedAt func(cw721.Grant) (cw721.Block, error)
	// Grants is how many were met.
	Grants uint64

	owners map[cw721.Address]int
}

// Record adds the grants of one record. It fails with a [*kv.CorruptError] for a
// record whose grants cannot be read.
func (d *Deriver) Record(key, record []byte) error {
	if owner, _, ok := cw721.DecodeTokenOwner(key, record); ok {
		if d.owners == nil {
			d.owners = map[cw721.Address]int{}
		}
		d.owners[owner]++
	}
	grants, err := cw721.DecodeGrants(key, record)
	if err != nil {
		return &kv.CorruptError{Key: bytes.Clone(key), Err: err}
	}
	for i, g := range grants {
		// A dump can hold one approval twice, which is still one.
		if slices.Contains(grants[:i], g) {
			continue
		}
		d.Grants++
		at, err := d.GrantedAt(g)
		if err != nil {
			return err
		}
		if err := PutEntry(d.Set, Entry{g, at}); err != nil {
			return err
		}
	}
	return nil
}

// Owners is how many accounts have a token.
func (d *Deriver) Owners() int { return len(d.owners) }

// Finish writes how many tokens each owner has.
func (d *Deriver) Finish() error {
	for owner, n := range d.owners {
		if err := d.Set(append([]byte{holdings}, owner...), strconv.AppendInt(nil, int64(n), 10)); err != nil {
			return err
		}
	}
	return nil
}

// PutEntry writes an entry into every index.
func PutEntry(set func(key, value []byte) error, e Entry) error {
	v := value(e)
	for _, k := range keys(e.Grant) {
		if err := set(k, v); err != nil {
			return err
		}
	}
	return nil
}

// DecodeEntry reads an entry from its key in any index, and its value. It fails with
// a [*kv.CorruptError] where they are not what an entry has.
func DecodeEntry(key, value []byte) (Entry, error) {
	e, err := entry(key, value)
	known := func() bool { return cw721.GrantRecordKey(e.Grant) != nil }
	stands := func(k []byte) bool { return bytes.Equal(k, key) }
	if err == nil && !(known() && slices.ContainsFunc(keys(e.Grant), stands)) {
		err = &kv.CorruptError{Key: bytes.Clone(key), Err: errShape}
	}
	return e, err
}

// Holder tells whether a key counts an owner's tokens, and whose.
func Holder(key []byte) (owner cw721.Address, ok bool) {
	rest, ok := bytes.CutPrefix(key, []byte{holdings})
	return cw721.Address(rest), ok
}

// IndexName names the index that a key belongs to: "by spender".
func IndexName(key []byte) string {
	name := map[byte]string{byEnd: "by expiry", bySpender: "by spender", byOwner: "by owner", byToken: "by token"}
	if text, ok := name[key[0]]; ok {
		return text
	}
	return "of operators " + name[key[0]+operatorsAlone]
}

// GrantedAt reads in which block a grant was given: the first index that can be
// read has the last word, and where there is none it is otherwise.
func GrantedAt(r kv.Reader, g cw721.Grant, otherwise cw721.Block) (cw721.Block, error) {
	for _, k := range keys(g) {
		v, ok, err := r.Get(k)
		if err != nil {
			return otherwise, err
		}
		if e, err := entry(k, v); ok && err == nil {
			return e.GrantedAt, nil
		}
	}
	return otherwise, nil
}
