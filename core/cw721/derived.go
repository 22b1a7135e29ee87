package cw721

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"iter"

	"ephemera/core/kv"
)

// Inconsistency is a record that contradicts the stored tokens, from which the contract derives
// two kinds of record: the number of tokens, and the owner index.
type Inconsistency struct {
	Key           []byte // of the wrong or missing record
	ExpectedValue []byte // the value that the tokens imply; nil if there should be no such record
	Text          string // describes the inconsistency for people
}

// RepairInconsistencies corrects every record that contradicts the tokens, and returns how many
// those are. reader must be a snapshot, which writes to writer do not change.
func RepairInconsistencies(reader kv.Reader, writer kv.Writer) (writtenCount int, err error) {
	for inconsistency, err := range Inconsistencies(reader) {
		if err != nil {
			return writtenCount, err
		}

		correction := []kv.Change{{Key: inconsistency.Key, NewValue: inconsistency.ExpectedValue}}
		if err := kv.Apply(writer, correction); err != nil {
			return writtenCount, err
		}
		writtenCount++
	}
	return writtenCount, nil
}

// Inconsistencies yields all records that contradict the tokens, the number of tokens last. The
// records must not change meanwhile.
//
// It does not report records that cannot be decoded. An unreadable token still counts as a
// token, and any entry for it in the owner index is taken as right.
func Inconsistencies(reader kv.Reader) iter.Seq2[Inconsistency, error] {
	return kv.Sequence(func(yield func(Inconsistency) bool) error {
		tokenCount := uint64(0)
		for record, err := range reader.Scan(kv.Range{}) {
			if err != nil {
				return err
			}

			// A token must have an entry in the owner index, and an entry must have a token.
			var inconsistency *Inconsistency
			if _, isToken, _ := tokensMap.DecodeKey(record.Key); isToken {
				tokenCount++
				inconsistency, err = findMissingEntry(reader, record)
			} else {
				inconsistency, err = findStrayEntry(reader, record.Key)
			}
			if err != nil {
				return err
			}
			if inconsistency != nil && !yield(*inconsistency) {
				return nil
			}
		}

		// Compare the count with the stored number.
		inconsistency, err := findWrongTokenCount(reader, tokenCount)
		if err != nil {
			return err
		}
		if inconsistency != nil {
			yield(*inconsistency)
		}
		return nil
	})
}

// findWrongTokenCount compares the stored number of tokens with the counted one. If it cannot be
// decoded, that is a fault of its record alone, and not an inconsistency.
func findWrongTokenCount(reader kv.Reader, countedTokens uint64) (*Inconsistency, error) {
	storedCount, err := LoadTokenCount(reader)
	if kv.IsCorrupt(err) {
		return nil, nil
	}
	if err != nil || storedCount == countedTokens {
		return nil, err
	}
	return &Inconsistency{
		Key:           countItem.Key(),
		ExpectedValue: storedNumber.Encode(countedTokens),
		Text:          fmt.Sprintf("num_tokens says %d, and there are %d tokens", storedCount, countedTokens),
	}, nil
}

// findMissingEntry returns an inconsistency if the owner index has no entry for a readable token,
// or a wrong one.
func findMissingEntry(reader kv.Reader, token kv.Pair) (*Inconsistency, error) {
	owner, tokenID, isReadable := DecodeTokenOwner(token.Key, token.Value)
	if !isReadable {
		return nil, nil
	}
	expectedEntry := IndexRecord(owner, tokenID)
	storedValue, _, err := reader.Get(expectedEntry.Key)
	if err != nil || bytes.Equal(storedValue, expectedEntry.Value) {
		return nil, err
	}
	return &Inconsistency{
		Key:           expectedEntry.Key,
		ExpectedValue: expectedEntry.Value,
		Text:          fmt.Sprintf("the token %q of %s is missing in the owner index", tokenID, owner),
	}, nil
}

// findStrayEntry returns an inconsistency if the key is that of an entry in the owner index, and
// the token does not exist or belongs to another account.
func findStrayEntry(reader kv.Reader, key []byte) (*Inconsistency, error) {
	indexedOwner, tokenID, isEntry := DecodeOwnerIndexKey(key)
	if !isEntry {
		return nil, nil
	}
	tokenKey := tokensMap.Key(tokenID)
	tokenValue, exists, err := reader.Get(tokenKey)
	if err != nil {
		return nil, err
	}

	// Nobody knows who owns an unreadable token, so its entry may be right.
	owner, _, isReadable := DecodeTokenOwner(tokenKey, tokenValue)
	if exists && (!isReadable || owner == indexedOwner) {
		return nil, nil
	}
	fault := "which is not there"
	if exists {
		fault = "which " + string(owner) + " owns"
	}

	// An entry is repaired by deleting it, so the expected value is nil.
	text := fmt.Sprintf("the owner index gives %s the token %q, %s", indexedOwner, tokenID, fault)
	return &Inconsistency{Key: bytes.Clone(key), Text: text}, nil
}

// Tally finds out whether a collection has [Inconsistencies], in one pass over the records in any
// order. It keeps two sums of hashes: of the entries that the owner index has, and of the entries
// that the tokens imply. If the sums are equal, so are the two sets of entries, except with
// negligible probability.
type Tally struct {
	TokenCount uint64 // the number of readable tokens added

	expectedHashSum uint64 // sum of the hashes of the entries that the tokens imply
	storedHashSum   uint64 // sum of the hashes of the entries in the owner index
}

// tallySeed is the seed of the hashes in a [Tally]. It differs in every process.
var tallySeed = maphash.MakeSeed()

// Add adds a record. Records that are neither tokens nor in the owner index are ignored.
func (t *Tally) Add(key, value []byte) {
	if _, _, isIndexEntry := DecodeOwnerIndexKey(key); isIndexEntry {
		t.storedHashSum += hashRecord(kv.Pair{Key: key, Value: value})
		return
	}

	if owner, tokenID, isToken := DecodeTokenOwner(key, value); isToken {
		t.TokenCount++
		t.expectedHashSum += hashRecord(IndexRecord(owner, tokenID))
	}
}

// hashRecord returns a hash of a record's key and value. The length of the key is hashed too,
// so that no other key and value run together into the same bytes.
func hashRecord(record kv.Pair) uint64 {
	recordBytes := kv.AppendPart(make([]byte, 0, 256), record.Key) // enough for most records
	return maphash.Bytes(tallySeed, append(recordBytes, record.Value...))
}

// IsConsistent reports whether there are no inconsistencies, after all records of reader were
// added. It fails if the number of tokens cannot be read.
func (t *Tally) IsConsistent(reader kv.Reader) (bool, error) {
	storedCount, err := LoadTokenCount(reader)
	isConsistent := storedCount == t.TokenCount && t.expectedHashSum == t.storedHashSum
	return isConsistent && err == nil, err
}

// TokenRecords returns the two records that the contract writes for a token: the token's
// own and its entry in the owner index.
func TokenRecords(tokenID string, token Token) []kv.Pair {
	return []kv.Pair{
		{Key: tokensMap.Key(tokenID), Value: storedToken.Encode(token)},
		IndexRecord(token.Owner, tokenID),
	}
}

// IndexRecord returns a token's entry in the owner index. Its value is the length of the token's
// id in bytes, as the contract writes it.
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
