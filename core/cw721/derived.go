package cw721

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"

	"ephemera/core/kv"
)

// Inconsistency is a wrong record among those that the contract derives from its tokens:
// the number of tokens, or an entry of the owner index, which lists the tokens of each
// owner.
type Inconsistency struct {
	Key []byte
	// ExpectedValue is the value that the tokens imply, nil if there should be no
	// such record.
	ExpectedValue []byte
	// Text describes the inconsistency for people.
	Text string
}

// RepairInconsistencies corrects every inconsistency that it reads from r by writing
// to w, and returns the number of records written. What r reads must not change
// while it runs.
func RepairInconsistencies(r kv.Reader, w kv.Writer) (written int, err error) {
	for wrong, err := range Inconsistencies(r) {
		if err != nil {
			return written, err
		}

		if wrong.ExpectedValue == nil {
			err = w.Delete(wrong.Key)
		} else {
			err = w.Set(wrong.Key, wrong.ExpectedValue)
		}
		if err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}

// Inconsistencies returns an iterator over all inconsistencies, the number of tokens
// last. A token whose record cannot be decoded counts as a token, and any entry for it in
// the owner index as right. A stored number of tokens that cannot be decoded yields
// nothing. The records of r must not change during the iteration, which ends after an
// error.
func Inconsistencies(r kv.Reader) iter.Seq2[Inconsistency, error] {
	return kv.Sequence(func(yield func(Inconsistency) bool) error {
		var tokenCount uint64
		for record, err := range r.Scan(kv.Range{}) {
			if err != nil {
				return err
			}

			// Count the tokens on the way.
			if _, isToken, _ := tokensMap.DecodeKey(record.Key); isToken {
				tokenCount++
			}
			wrong, err := findInconsistency(r, record)
			if err != nil {
				return err
			}
			if wrong != nil && !yield(*wrong) {
				return nil
			}
		}

		// Compare the count with the stored number.
		wrong, err := checkTokenCount(r, tokenCount)
		if wrong != nil {
			yield(*wrong)
		}
		return err
	})
}

// findInconsistency checks one record. It returns the inconsistency of a token without a
// right entry in the owner index, or of an entry without a token, and nil if there is none.
func findInconsistency(r kv.Reader, record kv.Pair) (*Inconsistency, error) {
	if owner, tokenID, ok := DecodeTokenOwner(record.Key, record.Value); ok {
		return findMissingEntry(r, owner, tokenID)
	}
	if owner, tokenID, ok := DecodeOwnerIndexKey(record.Key); ok {
		return findStrayEntry(r, record.Key, owner, tokenID)
	}
	return nil, nil
}

// checkTokenCount compares the stored number of tokens with the counted one. It
// returns nil if they are equal or the stored one is unreadable, which is an error
// of that record and no inconsistency.
func checkTokenCount(r kv.Reader, counted uint64) (*Inconsistency, error) {
	stored, err := LoadTokenCount(r)
	if kv.IsCorrupt(err) {
		return nil, nil
	}
	if err != nil || stored == counted {
		return nil, err
	}
	return &Inconsistency{
		Key:           countItem.Key(),
		ExpectedValue: storedNumber.Encode(counted),
		Text:          fmt.Sprintf("num_tokens says %d, and there are %d tokens", stored, counted),
	}, nil
}

// findMissingEntry returns the inconsistency of a token that has no entry, or a
// wrong one, in its owner's index; nil if the entry is right.
func findMissingEntry(r kv.Reader, owner Address, tokenID string) (*Inconsistency, error) {
	expected := IndexRecord(owner, tokenID)
	value, _, err := r.Get(expected.Key)
	if err != nil || bytes.Equal(value, expected.Value) {
		return nil, err
	}
	return &Inconsistency{
		Key:           expected.Key,
		ExpectedValue: expected.Value,
		Text:          fmt.Sprintf("the token %q of %s is missing in the owner index", tokenID, owner),
	}, nil
}

// findStrayEntry returns the inconsistency of an entry of the owner index whose
// token does not exist or belongs to another account; nil if the entry is right or
// the token's record is unreadable.
func findStrayEntry(r kv.Reader, key []byte, indexedOwner Address, tokenID string) (*Inconsistency, error) {
	tokenKey := tokensMap.Key(tokenID)
	value, exists, err := r.Get(tokenKey)
	if err != nil {
		return nil, err
	}

	stray := &Inconsistency{Key: bytes.Clone(key)}
	if !exists {
		stray.Text = fmt.Sprintf("the owner index gives %s the token %q, which is not there", indexedOwner, tokenID)
		return stray, nil
	}

	// An unreadable token is reported elsewhere.
	owner, _, isReadable := DecodeTokenOwner(tokenKey, value)
	if !isReadable || owner == indexedOwner {
		return nil, nil
	}
	stray.Text = fmt.Sprintf("the owner index gives %s the token %q, which %s owns", indexedOwner, tokenID, owner)
	return stray, nil
}

// Tally finds out whether there are [Inconsistencies] from one pass over the records in
// any order, without looking any record up. It adds up the hashes of the entries that the
// owner index has, and of those that it should have. Equal sums mean equal sets, except
// with negligible probability.
type Tally struct {
	// TokenCount is the number of readable tokens added.
	TokenCount uint64

	expectedEntries uint64 // sum of the hashes of the entries that the tokens imply
	storedEntries   uint64 // sum of the hashes of the entries in the owner index
}

// tallySeed is the seed of the hashes in a [Tally]. It differs in every process.
var tallySeed = maphash.MakeSeed()

// Add adds a record. Records that are neither tokens nor in the owner index are ignored.
func (t *Tally) Add(key, value []byte) {
	if _, _, ok := DecodeOwnerIndexKey(key); ok {
		t.storedEntries += hashPair(kv.Pair{Key: key, Value: value})
		return
	}

	if owner, tokenID, ok := DecodeTokenOwner(key, value); ok {
		t.TokenCount++
		t.expectedEntries += hashPair(IndexRecord(owner, tokenID))
	}
}

// hashPair returns a hash of a record's key and value.
func hashPair(p kv.Pair) uint64 {
	encoded := kv.AppendPart(make([]byte, 0, 256), p.Key)
	return maphash.Bytes(tallySeed, append(encoded, p.Value...))
}

// IsConsistent reports whether the records added, which must be all records of r,
// have no inconsistencies. It fails if the number of tokens cannot be read from r.
func (t *Tally) IsConsistent(r kv.Reader) (bool, error) {
	stored, err := LoadTokenCount(r)
	if err != nil {
		return false, err
	}
	return stored == t.TokenCount && t.expectedEntries == t.storedEntries, nil
}

// TokenRecords returns the two records that the contract writes for a token: the token's
// own and its entry in the owner index. It serves to build a collection's storage without
// running messages.
func TokenRecords(tokenID string, t Token) []kv.Pair {
	if t.Approvals == nil {
		t.Approvals = []Approval{}
	}
	return []kv.Pair{
		{Key: tokensMap.Key(tokenID), Value: storedToken.Encode(t)},
		IndexRecord(t.Owner, tokenID),
	}
}

// IndexRecord returns a token's entry in the owner index, which lists the tokens of each
// owner. Its value is the length of the token's id in bytes, as the contract writes it.
func IndexRecord(owner Address, tokenID string) kv.Pair {
	return kv.Pair{
		Key:   ownersMap.Key(ownerKey{First: owner, Second: tokenID}),
		Value: storedNumber.Encode(uint64(len(tokenID))),
	}
}

// OperatorRecord returns the record of an operator grant.
func OperatorRecord(owner, operator Address, expires Expiration) kv.Pair {
	return kv.Pair{
		Key:   operatorsMap.Key(operatorKey{First: owner, Second: operator}),
		Value: StoredJSON[Expiration]().Encode(expires),
	}
}

// TokenCountRecord returns the record of the number of tokens.
func TokenCountRecord(n uint64) kv.Pair {
	return kv.Pair{Key: countItem.Key(), Value: storedNumber.Encode(n)}
}
