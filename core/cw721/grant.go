package cw721

import "bytes"

// GrantKind is the kind of permission that a [Grant] gives.
type GrantKind string

// The kinds of grant. A grant is a permission that one account gave to another.
const (
	GrantApproval     GrantKind = "approval"      // to move one token
	GrantOperator     GrantKind = "operator"      // to act on all tokens of the owner
	GrantMinterOffer  GrantKind = "minter offer"  // to become minter
	GrantCreatorOffer GrantKind = "creator offer" // to become creator
)

// IsOffer reports whether a grant of this kind is the offer of a role.
func (k GrantKind) IsOffer() bool { return k == GrantMinterOffer || k == GrantCreatorOffer }

// Grant is a permission that one account gave to another. It can expire.
type Grant struct {
	Kind  GrantKind `wire:"kind"`
	Token string    `wire:"token"` // the id of the token, for an approval
	// Owner is the account that gave the permission: the owner of the token or tokens, or
	// the holder of the role, "" if nobody holds it.
	Owner   Address    `wire:"owner"`
	Spender Address    `wire:"spender"` // the account that received the permission
	Expires Expiration `wire:"expires"`
}

// EqualExceptExpiry reports whether two grants are equal, apart from their expirations.
// The contract stores only one of two such grants: the one that was given later.
func (g Grant) EqualExceptExpiry(other Grant) bool {
	g.Expires = other.Expires
	return g == other
}

// DecodeGrants returns the grants in a record of [CurrentLayout], including expired ones. Only
// the records of tokens, operators and roles can have grants, and a nil value has none. It fails
// if such a record cannot be decoded.
func DecodeGrants(key, value []byte) ([]Grant, error) {
	if value == nil {
		return nil, nil
	}

	// The key of a token cannot be malformed, because any bytes are a valid id.
	if tokenID, isToken, _ := tokensMap.DecodeKey(key); isToken {
		token, err := decodeTokenStart(value)
		if err != nil {
			return nil, err
		}
		var grants []Grant
		for _, approval := range token.Approvals {
			grants = append(grants, Grant{
				Kind:    GrantApproval,
				Token:   tokenID,
				Owner:   token.Owner,
				Spender: approval.Spender,
				Expires: approval.Expires,
			})
		}
		return grants, nil
	}

	accounts, isOperator, err := operatorsMap.DecodeKey(key)
	if err != nil {
		return nil, err
	}
	if isOperator {
		expires, err := operatorsMap.Decode(value)
		if err != nil {
			return nil, err
		}
		return []Grant{{
			Kind:    GrantOperator,
			Owner:   accounts.First,
			Spender: accounts.Second,
			Expires: expires,
		}}, nil
	}

	kind := GrantMinterOffer
	switch string(key) {
	case string(minterItem.Key()):
	case string(creatorItem.Key()):
		kind = GrantCreatorOffer
	default:
		return nil, nil
	}
	role, err := minterItem.Decode(value)
	if err != nil {
		return nil, err
	}
	return role.Offers(kind), nil
}

// GrantRecordKey returns the key of the record in which the contract stores a grant: the
// record of a token, of an operator or of a role; nil for an unknown kind.
func GrantRecordKey(grant Grant) []byte {
	switch grant.Kind {
	case GrantApproval:
		return tokensMap.Key(grant.Token)
	case GrantOperator:
		return operatorsMap.Key(operatorKey{First: grant.Owner, Second: grant.Spender})
	case GrantMinterOffer:
		return bytes.Clone(minterItem.Key())
	case GrantCreatorOffer:
		return bytes.Clone(creatorItem.Key())
	}
	return nil
}

// Offers returns the pending offer of the role as a grant of that kind, in a slice of one, or
// nil.
func (o Ownership) Offers(kind GrantKind) []Grant {
	if o.PendingOwner == nil {
		return nil
	}
	offer := Grant{
		Kind:    kind,
		Spender: *o.PendingOwner,
		Expires: expirationOrNever(o.PendingExpiry),
	}
	if o.Owner != nil {
		offer.Owner = *o.Owner
	}
	return []Grant{offer}
}

// DecodeOwnerIndexKey returns the owner and the token in a key of the owner index; ok is false
// for another key.
func DecodeOwnerIndexKey(key []byte) (owner Address, tokenID string, ok bool) {
	entry, ok, err := ownersMap.DecodeKey(key)
	return entry.First, entry.Second, ok && err == nil
}

// DecodeTokenOwner returns the owner and the id in a token's record; ok is false for another
// record and for one that cannot be decoded.
func DecodeTokenOwner(key, value []byte) (owner Address, tokenID string, ok bool) {
	tokenID, isToken, _ := tokensMap.DecodeKey(key)
	if !isToken {
		return "", "", false
	}
	token, err := decodeTokenStart(value)
	return token.Owner, tokenID, err == nil
}
