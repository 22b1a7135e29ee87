package expiry

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Audit compares the expiry index with the grants that it should hold, in two walks
// in any order and without keeping either: it adds up a hash of each side.
type Audit struct {
	seeds      [2]maphash.Seed
	want, have [2]uint64
	// The entries of one grant have the same value in every index.
	values map[byte]*[2]uint64
	kinds  map[cw721.GrantKind]*[2]uint64
}

// NewAudit begins an audit.
func NewAudit() *Audit {
	return &Audit{
		seeds:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		values: map[byte]*[2]uint64{},
		kinds:  map[cw721.GrantKind]*[2]uint64{},
	}
}

func (a *Audit) add(sum *[2]uint64, b []byte) {
	for i, seed := range a.seeds {
		sum[i] += maphash.Bytes(seed, b)
	}
}

func at[K comparable](m map[K]*[2]uint64, k K) *[2]uint64 {
	if m[k] == nil {
		m[k] = new([2]uint64)
	}
	return m[k]
}

// Expect notes a grant of the contract's records.
func (a *Audit) Expect(g cw721.Grant) {
	for _, k := range keys(g) {
		a.add(&a.want, k)
	}
}

// Meet notes an entry of the expiry index, under its key. It fails with a
// [*kv.CorruptError].
func (a *Audit) Meet(key, value []byte) (Entry, error) {
	e, err := Read(key, value)
	if err != nil {
		return e, err
	}
	a.add(&a.have, key)
	whole := append(identity(appendEnd(nil, e.Expires), e.Grant), value...)
	a.add(at(a.values, key[0]), whole)
	if key[0] == byEnd {
		a.add(at(a.kinds, e.Kind), whole)
	}
	return e, nil
}

// Differs tells whether the expiry index holds anything but what was expected.
func (a *Audit) Differs() bool { return a.want != a.have }

// Disagrees tells whether an index gives another block than the others in
// which a grant was given.
func (a *Audit) Disagrees() bool {
	all := at(a.values, byEnd)
	operators, approvals := at(a.kinds, cw721.GrantOperator), at(a.kinds, cw721.GrantApproval)
	for letter, want := range map[byte]*[2]uint64{
		bySpender: all, byOwner: all, byToken: approvals,
		byEnd - operatorsAlone: operators, bySpender - operatorsAlone: operators, byOwner - operatorsAlone: operators,
	} {
		if *at(a.values, letter) != *want {
			return true
		}
	}
	return false
}

// Read reads an entry from its key in any index, and its value. It fails with
// a [*kv.CorruptError] where they are not what an entry has.
func Read(key, value []byte) (Entry, error) {
	e, err := entry(key, value)
	known := func() bool { return cw721.RecordOf(e.Grant) != nil }
	stands := func(k []byte) bool { return bytes.Equal(k, key) }
	if err == nil && !(known() && slices.ContainsFunc(keys(e.Grant), stands)) {
		err = &kv.CorruptError{Key: bytes.Clone(key), Err: errShape}
	}
	return e, err
}

// Holder tells whether a key of the expiry index counts an owner's tokens.
func Holder(key []byte) (owner cw721.Address, ok bool) {
	rest, ok := bytes.CutPrefix(key, []byte{holdings})
	return cw721.Address(rest), ok
}

// Repair writes what is missing of a grant, in every index. given is the block
// to note where no index knows it. It tells how much was missing.
func Repair(r kv.Reader, w kv.Writer, g cw721.Grant, given cw721.Block) (missing int, err error) {
	all := keys(g)
	stands := make([][]byte, len(all))
	v := value(Entry{g, given})
	for i, k := range slices.Backward(all) {
		if stands[i], _, err = r.Get(k); err != nil {
			return missing, err
		}
		if _, err := entry(k, stands[i]); err == nil {
			v = stands[i] // the first index has the last word
		}
	}
	for i, k := range all {
		if stands[i] != nil && bytes.Equal(stands[i], v) {
			continue
		}
		missing++
		if w != nil {
			if err := w.Set(k, bytes.Clone(v)); err != nil {
				return missing, err
			}
		}
	}
	return missing, nil
}

// RepairHolding writes how many tokens an owner has, none with 0, and tells what
// stood there; -1 for what is no number.
func RepairHolding(r kv.Reader, w kv.Writer, owner cw721.Address, n int) (stood int, err error) {
	key := append([]byte{holdings}, owner...)
	raw, ok, err := r.Get(key)
	if err != nil {
		return 0, err
	}
	if ok {
		if stood, err = strconv.Atoi(string(raw)); err != nil {
			stood = -1
		}
	}
	if stood == n && ok == (n > 0) || w == nil {
		return stood, nil
	}
	if n == 0 {
		return stood, w.Delete(key)
	}
	return stood, w.Set(key, strconv.AppendInt(nil, int64(n), 10))
}
