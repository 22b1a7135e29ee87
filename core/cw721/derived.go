package cw721

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"

	"ephemera/core/kv"
)

// Inconsistency is a record that the contract derives from its tokens, their
// number or an entry of the owner index, and that is not what they say.
type Inconsistency struct {
	Key []byte
	// ExpectedValue is what belongs there; nil: no record does.
	ExpectedValue []byte
	// Text says what differs, for people.
	Text string
}

// RepairInconsistencies writes what belongs there, all of it, and tells how many records it
// wrote. What r reads must not change meanwhile.
func RepairInconsistencies(r kv.Reader, w kv.Writer) (written int, err error) {
	for wrong, err := range Inconsistencies(r) {
		if err == nil && wrong.ExpectedValue == nil {
			err = w.Delete(wrong.Key)
		} else if err == nil {
			err = w.Set(wrong.Key, wrong.ExpectedValue)
		}
		if err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}

// Inconsistencies walks all of them, the number of tokens last. A token whose
// record cannot be read counts, and keeps its entries. The reader must not change
// under the walk.
func Inconsistencies(r kv.Reader) iter.Seq2[Inconsistency, error] {
	return func(yield func(Inconsistency, error) bool) {
		var tokens uint64
		for p, err := range r.Scan(kv.Range{}) {
			var found *Inconsistency
			if err == nil {
				if _, ok, _ := tokensMap.DecodeKey(p.Key); ok {
					tokens++
					found, err = findMissingEntry(r, p)
				} else if owner, id, ok := DecodeOwnerIndexKey(p.Key); ok {
					found, err = findStrayEntry(r, p.Key, owner, id)
				}
			}
			if err != nil {
				yield(Inconsistency{}, err)
				return
			}
			if found != nil && !yield(*found, nil) {
				return
			}
		}
		n, err := LoadTokenCount(r)
		if kv.IsCorrupt(err) {
			return // told with the record
		}
		if err != nil || n != tokens {
			text := fmt.Sprintf("num_tokens says %d, and there are %d tokens", n, tokens)
			yield(Inconsistency{countItem.Key(), storedNumber.Encode(tokens), text}, err)
		}
	}
}

// Tally adds up what [Inconsistencies] looks up, record by record in any order: two
// sets are the same when the sums of their hashes are.
type Tally struct {
	// TokenCount is how many there are.
	TokenCount    uint64
	owned, listed uint64 // what the tokens say of the owner index, and what it says
}

var tallySeed = maphash.MakeSeed()

// Add counts a record of any kind.
func (t *Tally) Add(key, value []byte) {
	sum := func(p kv.Pair) uint64 {
		return maphash.Bytes(tallySeed, append(kv.AppendPart(make([]byte, 0, 256), p.Key), p.Value...))
	}
	if _, _, ok := DecodeOwnerIndexKey(key); ok {
		t.listed += sum(kv.Pair{Key: key, Value: value})
	} else if owner, id, ok := DecodeTokenOwner(key, value); ok {
		t.TokenCount++
		t.owned += sum(IndexRecord(owner, id))
	}
}

// IsConsistent tells whether there are no inconsistencies in what was added, which
// is the whole of r. It fails where the number of tokens cannot be read.
func (t *Tally) IsConsistent(r kv.Reader) (bool, error) {
	n, err := LoadTokenCount(r)
	return err == nil && n == t.TokenCount && t.owned == t.listed, err
}

// findMissingEntry finds a token that the owner index does not have.
func findMissingEntry(r kv.Reader, token kv.Pair) (*Inconsistency, error) {
	owner, id, ok := DecodeTokenOwner(token.Key, token.Value)
	if !ok {
		return nil, nil
	}
	want := IndexRecord(owner, id)
	value, _, err := r.Get(want.Key)
	if err != nil || bytes.Equal(value, want.Value) {
		return nil, err
	}
	return &Inconsistency{want.Key, want.Value, fmt.Sprintf("the token %q of %s is missing in the owner index", id, owner)}, nil
}

// findStrayEntry finds an entry of the owner index that no token asks for.
func findStrayEntry(r kv.Reader, key []byte, owner Address, id string) (*Inconsistency, error) {
	record := tokensMap.Key(id)
	value, found, err := r.Get(record)
	if err != nil {
		return nil, err
	}
	text := fmt.Sprintf("the owner index gives %s the token %q, which is not there", owner, id)
	if found {
		holder, _, ok := DecodeTokenOwner(record, value)
		if !ok || holder == owner {
			return nil, nil
		}
		text = fmt.Sprintf("the owner index gives %s the token %q, which %s owns", owner, id, holder)
	}
	return &Inconsistency{Key: bytes.Clone(key), Text: text}, nil
}

// The functions below give records as the contract would have written them,
// for whoever builds a collection's storage without running a million messages.

// TokenRecords gives the records of one token: its own and the one in the owner
// index.
func TokenRecords(id string, t Token) []kv.Pair {
	if t.Approvals == nil {
		t.Approvals = []Approval{}
	}
	return []kv.Pair{
		{Key: tokensMap.Key(id), Value: StoredJSON[Token]().Encode(t)},
		IndexRecord(t.Owner, id),
	}
}

// IndexRecord gives the record by which the owner index knows of a token.
func IndexRecord(owner Address, id string) kv.Pair {
	return kv.Pair{Key: ownersMap.Key(ownerKey{First: owner, Second: id}), Value: storedNumber.Encode(uint64(len(id)))}
}

// OperatorRecord gives the record of an operator grant.
func OperatorRecord(owner, operator Address, expires Expiration) kv.Pair {
	return kv.Pair{
		Key:   operatorsMap.Key(operatorKey{First: owner, Second: operator}),
		Value: StoredJSON[Expiration]().Encode(expires),
	}
}

// TokenCountRecord gives the record of how many tokens there are.
func TokenCountRecord(n uint64) kv.Pair {
	return kv.Pair{Key: countItem.Key(), Value: StoredJSON[uint64]().Encode(n)}
}
