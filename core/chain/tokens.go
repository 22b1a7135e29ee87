package chain

import (
	"iter"

	"ephemera/core/cw721"
)

// Token is a token with its id.
type Token struct {
	ID string
	cw721.Token
}

// Grant gives one of the approvals of a token as a grant.
func (t Token) Grant(a cw721.Approval) cw721.Grant {
	return cw721.Grant{Kind: cw721.GrantApproval, Token: t.ID, Owner: t.Owner, Spender: a.Spender, Expires: a.Expires}
}

// Token reads one token; ok is false when there is none of that id.
func (v *View) Token(id string) (t Token, ok bool, err error) {
	t.ID = id
	t.Token, ok, err = cw721.LoadToken(v.contract, id)
	return t, ok, err
}

// Tokens walks tokens in the byte order of their ids: all of them, or those of
// an owner.
func (v *View) Tokens(owner cw721.Address, w cw721.Walk) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) {
		if owner == "" {
			for rec, err := range cw721.Tokens(v.contract, w) {
				if !yield(Token{rec.Key, rec.Value}, err) || err != nil {
					return
				}
			}
			return
		}
		for id, err := range cw721.TokenIDsOf(v.contract, owner, w) {
			t := Token{ID: id}
			if err == nil {
				t, _, err = v.Token(id)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// FirstToken gives the id of an owner's first token; "" where there is none.
func (v *View) FirstToken(owner cw721.Address) (string, error) {
	for id, err := range cw721.TokenIDsOf(v.contract, owner, cw721.Walk{}) {
		return id, err
	}
	return "", nil
}

// GrantsOver walks the grants by which others may move a token: its approvals, and
// those of its owner's operators, expired ones too. There are none over no token.
func (v *View) GrantsOver(token string) iter.Seq2[cw721.Grant, error] {
	return func(yield func(cw721.Grant, error) bool) {
		t, ok, err := v.Token(token)
		if err != nil {
			yield(cw721.Grant{}, err)
		}
		if err != nil || !ok {
			return
		}
		for _, a := range t.Approvals {
			if !yield(t.Grant(a), nil) {
				return
			}
		}
		for a, err := range v.OperatorsOf(t.Owner) {
			if !yield(cw721.Grant{Kind: cw721.GrantOperator, Owner: t.Owner, Spender: a.Spender, Expires: a.Expires}, err) {
				return
			}
		}
	}
}

// OperatorsOf walks an owner's operators, expired grants too.
func (v *View) OperatorsOf(owner cw721.Address) iter.Seq2[cw721.Approval, error] {
	return cw721.OperatorsOf(v.contract, owner, cw721.Walk{})
}
