package cw721

import "reflect"

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
	subject := Subject{TokenID: TokenOf(msg)}
	switch msg.(type) {
	case *Approve, *Revoke, *ApproveAll, *RevokeAll:
		subject.Spender = AccountOf(msg)
	}
	return subject
}

// TokenOf returns a pointer to the id of the token that an execute or query message
// names, which is its member TokenID. It returns nil if the message has no such member.
func TokenOf(msg any) *string {
	member := reflect.ValueOf(msg).Elem().FieldByName("TokenID")
	if !member.IsValid() {
		return nil
	}
	return member.Addr().Interface().(*string)
}

// AccountOf returns the account that an execute message names besides its sender, such as
// the recipient of a token or the spender of an approval: the only member that is an
// [Address]. It returns "" if the message has no such member.
func AccountOf(msg ExecuteMsg) Address {
	for _, member := range reflect.ValueOf(msg).Elem().Fields() {
		if account, isAddress := member.Interface().(Address); isAddress {
			return account
		}
	}
	return ""
}
