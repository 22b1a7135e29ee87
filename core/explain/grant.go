package explain

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// GrantText describes a grant.
type GrantText struct {
	Name    string // the grant as a noun: "the approval for bob on ape-04"
	Given   string // what the spender got with the grant: "bob gets an approval on ape-04"
	Expired string // what the spender lost with its expiry: "bob's approval on ape-04 expired"
}

// DescribeGrant describes a grant. token is the id of an approval's token as the text
// shows it, call returns the name that people use for an address.
func DescribeGrant(g cw721.Grant, token string, call func(cw721.Address) string) GrantText {
	spender := call(g.Spender)
	switch g.Kind {
	case cw721.GrantApproval:
		return GrantText{
			Name:    fmt.Sprintf("the approval for %s on %s", spender, token),
			Given:   fmt.Sprintf("%s gets an approval on %s", spender, token),
			Expired: fmt.Sprintf("%s's approval on %s expired", spender, token),
		}
	case cw721.GrantOperator:
		owner := call(g.Owner)
		return GrantText{
			Name:    fmt.Sprintf("the operator grant from %s to %s", owner, spender),
			Given:   fmt.Sprintf("%s becomes an operator of %s", spender, owner),
			Expired: fmt.Sprintf("%s is no longer an operator of %s", spender, owner),
		}
	}

	role := strings.TrimSuffix(string(g.Kind), " offer")
	return GrantText{
		Name:    fmt.Sprintf("the %s to %s", g.Kind, spender),
		Given:   fmt.Sprintf("the %s role is offered to %s", role, spender),
		Expired: fmt.Sprintf("the %s to %s has expired", g.Kind, spender),
	}
}

// grantName returns the noun for a grant of the view's collection.
func grantName(v *chain.View, g cw721.Grant) string {
	return DescribeGrant(g, g.Token, v.DisplayName).Name
}

// until returns the end of a grant: "until height 1,110" or "without expiry".
func until(expires cw721.Expiration) string {
	if expires.Axis == cw721.Never {
		return "without expiry"
	}
	return "until " + human.Expiry(expires)
}

// expiryClause returns when a grant expires, seen from a block, as a clause: "it
// expires in 8 blocks", "it expired 3 blocks ago", "it never expires".
func expiryClause(expires cw721.Expiration, block cw721.Block) string {
	now, end, ends := expires.NowAndEnd(block)
	if ends && now < end {
		return "it expires " + human.ExpiresIn(expires, block)
	}
	return "it " + human.ExpiresIn(expires, block)
}
