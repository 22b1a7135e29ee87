package chain

import (
	"iter"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// Token is a stored token together with its id, which is not in the record.
type Token struct {
	ID string
	cw721.Token
}

// Grant returns one of the token's approvals as a grant.
func (t Token) Grant(approval cw721.Approval) cw721.Grant {
	return cw721.Grant{
		Kind:    cw721.GrantApproval,
		Token:   t.ID,
		Owner:   t.Owner,
		Spender: approval.Spender,
		Expires: approval.Expires,
	}
}

// Token reads a token; ok is false if no token has the id.
func (v *View) Token(id string) (token Token, ok bool, err error) {
	token.ID = id
	token.Token, ok, err = cw721.LoadToken(v.records, id)
	return token, ok, err
}

// Tokens yields the tokens of an owner that walk selects, in the byte order of their ids.
// If the owner is "", it yields the tokens of all owners.
func (v *View) Tokens(owner cw721.Address, walk cw721.Walk) iter.Seq2[Token, error] {
	if owner == "" {
		withID := func(record kv.Record[string, cw721.Token]) (Token, error) {
			return Token{record.Key, record.Value}, nil
		}
		return kv.Convert(cw721.Tokens(v.records, walk), withID)
	}

	// The owner index has only the ids, so the tokens are read one by one.
	readToken := func(id string) (Token, error) {
		token, _, err := v.Token(id)
		return token, err
	}
	return kv.Convert(cw721.TokenIDsOf(v.records, owner, walk), readToken)
}

// FirstToken returns the id of an owner's first token; "" for none.
func (v *View) FirstToken(owner cw721.Address) (string, error) {
	for id, err := range cw721.TokenIDsOf(v.records, owner, cw721.Walk{}) {
		return id, err // the first is enough
	}
	return "", nil
}

// GrantsOver yields the grants by which others may move a token: first the token's approvals,
// then the grants to its owner's operators. Expired grants are among them. It yields nothing
// if no token has the id.
func (v *View) GrantsOver(tokenID string) iter.Seq2[cw721.Grant, error] {
	return kv.Sequence(func(yield func(cw721.Grant) bool) error {
		token, exists, err := v.Token(tokenID)
		if err != nil || !exists {
			return err
		}

		for _, approval := range token.Approvals {
			if !yield(token.Grant(approval)) {
				return nil
			}
		}

		for operator, err := range v.OperatorsOf(token.Owner) {
			if err != nil {
				return err
			}
			grant := cw721.Grant{
				Kind:    cw721.GrantOperator,
				Owner:   token.Owner,
				Spender: operator.Spender,
				Expires: operator.Expires,
			}
			if !yield(grant) {
				return nil
			}
		}
		return nil
	})
}

// OperatorsOf yields an owner's operators, including those whose grants have expired.
func (v *View) OperatorsOf(owner cw721.Address) iter.Seq2[cw721.Approval, error] {
	return cw721.OperatorsOf(v.records, owner, cw721.Walk{})
}
