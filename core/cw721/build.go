package cw721

import "ephemera/core/kv"

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

// CountRecord gives the record of how many tokens there are.
func CountRecord(n uint64) kv.Pair {
	return kv.Pair{Key: countItem.Key(), Value: StoredJSON[uint64]().Encode(n)}
}
