package cw721

// Subject is the token and the grant that a message is about.
type Subject struct {
	// TokenID is the token that the message names; nil if it names none. The empty
	// text is a valid id.
	TokenID *string
	// Spender is the spender or operator whose grant the message gives or revokes;
	// empty if the message is about no grant.
	Spender Address
}

// SubjectOf returns what an execute message is about. The subject of a message about
// the collection or a role is empty.
func SubjectOf(msg ExecuteMsg) Subject {
	switch m := msg.(type) {
	case *TransferNft:
		return Subject{TokenID: &m.TokenID}
	case *SendNft:
		return Subject{TokenID: &m.TokenID}
	case *Approve:
		return Subject{TokenID: &m.TokenID, Spender: m.Spender}
	case *Revoke:
		return Subject{TokenID: &m.TokenID, Spender: m.Spender}
	case *ApproveAll:
		return Subject{Spender: m.Operator}
	case *RevokeAll:
		return Subject{Spender: m.Operator}
	case *Mint:
		return Subject{TokenID: &m.TokenID}
	case *Burn:
		return Subject{TokenID: &m.TokenID}
	case *UpdateNftInfo:
		return Subject{TokenID: &m.TokenID}
	}
	return Subject{}
}

// QueriedToken returns the id of the token that a query is about; ok is false for a
// query about anything else.
func QueriedToken(msg QueryMsg) (id string, ok bool) {
	switch m := msg.(type) {
	case *OwnerOf:
		return m.TokenID, true
	case *ApprovalQuery:
		return m.TokenID, true
	case *Approvals:
		return m.TokenID, true
	case *NftInfo:
		return m.TokenID, true
	case *AllNftInfo:
		return m.TokenID, true
	}
	return "", false
}
