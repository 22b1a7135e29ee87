package cw721

import "bytes"

// GrantKind is the kind of permission that a [Grant] gives.
type GrantKind string

// The kinds of grant.
const (
	GrantApproval     GrantKind = "approval"      // to move one token
	GrantOperator     GrantKind = "operator"      // to act on all tokens of the owner
	GrantMinterOffer  GrantKind = "minter offer"  // to become minter
	GrantCreatorOffer GrantKind = "creator offer" // to become creator
)

// Grant is a permission that one account gave to another: an approval, an operator grant,
// or the offer of a role. It can expire.
type Grant struct {
	Kind GrantKind `wire:"kind"`
	// Token is the id of the token, for an approval.
	Token string `wire:"token"`
	// Owner is the giver: the token's owner, or the holder of the role.
	Owner Address `wire:"owner"`
	// Spender is the receiver.
	Spender Address    `wire:"spender"`
	Expires Expiration `wire:"expires"`
}

// EqualExceptExpiry reports whether g and h are equal, apart from their expirations. Of
// two such grants, the later one given replaces the other.
func (g Grant) EqualExceptExpiry(h Grant) bool {
	g.Expires = h.Expires
	return g == h
}

// DecodeGrants returns the grants in a record of the contract's storage, including expired
// ones. Records that are neither tokens, operators nor roles have no grants, and neither
// has a nil value. It fails if the record cannot be decoded. It assumes the records of
// [CurrentLayout].
func DecodeGrants(key, value []byte) ([]Grant, error) {
	if value == nil {
		return nil, nil
	}

	if tokenID, isToken, _ := tokensMap.DecodeKey(key); isToken { // any bytes are a valid id
		return decodeApprovals(tokenID, value)
	}

	// The key of an operator record is the owner and the operator.
	operator, isOperator, err := operatorsMap.DecodeKey(key)
	if err != nil {
		return nil, err
	}
	if isOperator {
		expires, err := operatorsMap.Decode(value)
		return []Grant{{Kind: GrantOperator, Owner: operator.First, Spender: operator.Second, Expires: expires}}, err
	}

	// The record of a role can hold an offer.
	switch string(key) {
	case string(minterItem.Key()):
		return decodeOffer(GrantMinterOffer, value)
	case string(creatorItem.Key()):
		return decodeOffer(GrantCreatorOffer, value)
	}
	return nil, nil
}

// GrantRecordKey returns the key of the record that has the grant, if the grant exists. It
// returns nil for an unknown kind of grant.
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

// decodeApprovals returns the approvals in the value of a token's record.
func decodeApprovals(tokenID string, value []byte) ([]Grant, error) {
	owner, approvals, err := decodeAccess(value)
	if err != nil || len(approvals) == 0 {
		return nil, err
	}

	grants := make([]Grant, len(approvals))
	for i, approval := range approvals {
		grants[i] = Grant{
			Kind:    GrantApproval,
			Token:   tokenID,
			Owner:   owner,
			Spender: approval.Spender,
			Expires: approval.Expires,
		}
	}
	return grants, nil
}

// decodeOffer returns the pending offer in the value of a role's record, if there
// is one.
func decodeOffer(kind GrantKind, value []byte) ([]Grant, error) {
	role, err := StoredJSON[Ownership]().Decode(value)
	if err != nil {
		return nil, err
	}
	return role.Offers(kind), nil
}

// Offers returns the pending offer of the role as a grant of that kind, or nothing if
// there is none. Its Owner is empty if nobody holds the role.
func (o Ownership) Offers(kind GrantKind) []Grant {
	if o.PendingOwner == nil {
		return nil
	}
	offer := Grant{Kind: kind, Spender: *o.PendingOwner, Expires: orNever(o.PendingExpiry)}
	if o.Owner != nil {
		offer.Owner = *o.Owner
	}
	return []Grant{offer}
}

// DecodeOwnerIndexKey decodes a key of the owner index, the records that list the tokens
// of each owner. ok is false for a key of another kind of record.
func DecodeOwnerIndexKey(key []byte) (owner Address, tokenID string, ok bool) {
	k, ok, err := ownersMap.DecodeKey(key)
	return k.First, k.Second, ok && err == nil
}

// DecodeTokenOwner returns the owner and the id of the token in a token's record. ok
// is false for another kind of record and for one that cannot be decoded.
func DecodeTokenOwner(key, value []byte) (owner Address, tokenID string, ok bool) {
	tokenID, isToken, _ := tokensMap.DecodeKey(key)
	if !isToken {
		return "", "", false
	}
	owner, _, err := decodeAccess(value)
	return owner, tokenID, err == nil
}
