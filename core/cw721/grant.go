package cw721

import "bytes"

// GrantKind tells what a [Grant] lets its spender do.
type GrantKind string

// The kinds of grant: everything in a collection that can end.
const (
	GrantApproval     GrantKind = "approval"      // move one token
	GrantOperator     GrantKind = "operator"      // act on all tokens of the owner
	GrantMinterOffer  GrantKind = "minter offer"  // become minter
	GrantCreatorOffer GrantKind = "creator offer" // become creator
)

// Grant is a right that someone gave to someone else, and until when.
type Grant struct {
	Kind GrantKind `wire:"kind"`
	// Token is the id of the token, for an approval.
	Token string `wire:"token"`
	// Owner gave the right: the token's owner, or the holder of the role.
	Owner Address `wire:"owner"`
	// Spender has it.
	Spender Address    `wire:"spender"`
	Expires Expiration `wire:"expires"`
}

// EqualExceptExpiry tells whether two grants are the same but for their end: the later one
// replaced the earlier.
func (g Grant) EqualExceptExpiry(h Grant) bool {
	g.Expires = h.Expires
	return g == h
}

// DecodeGrants gives the grants that a record of the contract holds, ended ones
// too; a record of another kind holds none. Whoever keeps an index of grants
// compares what a record held with what it holds.
func DecodeGrants(key, value []byte) ([]Grant, error) {
	if value == nil {
		return nil, nil
	}
	if id, ok, _ := tokensMap.DecodeKey(key); ok { // any bytes are an id
		return approvalGrants(id, value)
	}
	if k, ok, err := operatorsMap.DecodeKey(key); ok || err != nil {
		if err != nil {
			return nil, err
		}
		expires, err := operatorsMap.Decode(value)
		return []Grant{{Kind: GrantOperator, Owner: k.First, Spender: k.Second, Expires: expires}}, err
	}
	switch string(key) {
	case string(minterItem.Key()):
		return offers(GrantMinterOffer, value)
	case string(creatorItem.Key()):
		return offers(GrantCreatorOffer, value)
	}
	return nil, nil
}

// GrantRecordKey gives the key of the record that holds a grant: [DecodeGrants] finds the
// grant there, or nobody gave it. nil is for a kind that there is not.
func GrantRecordKey(g Grant) []byte {
	switch g.Kind {
	case GrantApproval:
		return tokensMap.Key(g.Token)
	case GrantOperator:
		return operatorsMap.Key(operatorKey{First: g.Owner, Second: g.Spender})
	case GrantMinterOffer:
		return bytes.Clone(minterItem.Key())
	case GrantCreatorOffer:
		return bytes.Clone(creatorItem.Key())
	}
	return nil
}

func approvalGrants(id string, value []byte) ([]Grant, error) {
	owner, approvals, err := decodeAccess(value)
	if err != nil || len(approvals) == 0 {
		return nil, err
	}
	grants := make([]Grant, len(approvals))
	for i, a := range approvals {
		grants[i] = Grant{GrantApproval, id, owner, a.Spender, a.Expires}
	}
	return grants, nil
}

func offers(kind GrantKind, value []byte) ([]Grant, error) {
	o, err := StoredJSON[Ownership]().Decode(value)
	if err != nil || o.PendingOwner == nil {
		return nil, err
	}
	g := Grant{Kind: kind, Spender: *o.PendingOwner, Expires: orNever(o.PendingExpiry)}
	if o.Owner != nil {
		g.Owner = *o.Owner
	}
	return []Grant{g}, nil
}

// DecodeOwnerIndexKey tells whether a record says that an owner has a token: an entry of
// the owner index.
func DecodeOwnerIndexKey(key []byte) (owner Address, token string, ok bool) {
	k, ok, err := ownersMap.DecodeKey(key)
	return k.First, k.Second, ok && err == nil
}

// DecodeTokenOwner reads the owner in a token's record; ok is false for a record of
// another kind, or one that cannot be read.
func DecodeTokenOwner(key, value []byte) (owner Address, token string, ok bool) {
	token, ok, _ = tokensMap.DecodeKey(key)
	if !ok {
		return "", "", false
	}
	owner, _, err := decodeAccess(value)
	return owner, token, err == nil
}
