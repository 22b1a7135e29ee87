package explain

import (
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
)

// GrantText describes a grant (an approval, an operator, or the offer of a role) in three
// phrases.
type GrantText struct {
	Name    string // the grant as a noun: "the approval for bob on ape-04"
	Given   string // what the spender got with the grant: "bob gets an approval on ape-04"
	Expired string // what the spender lost with its expiry: "bob's approval on ape-04 expired"
}

// In these texts, SPENDER, OWNER and TOKEN are placeholders.
var grantTexts = map[cw721.GrantKind]GrantText{
	cw721.GrantApproval: {
		Name:    "the approval for SPENDER on TOKEN",
		Given:   "SPENDER gets an approval on TOKEN",
		Expired: "SPENDER's approval on TOKEN expired",
	},
	cw721.GrantOperator: {
		Name:    "the operator grant from OWNER to SPENDER",
		Given:   "SPENDER becomes an operator of OWNER",
		Expired: "SPENDER is no longer an operator of OWNER",
	},
	cw721.GrantMinterOffer: {
		Name:    "the minter offer to SPENDER",
		Given:   "the minter role is offered to SPENDER",
		Expired: "the minter offer to SPENDER has expired",
	},
	cw721.GrantCreatorOffer: {
		Name:    "the creator offer to SPENDER",
		Given:   "the creator role is offered to SPENDER",
		Expired: "the creator offer to SPENDER has expired",
	},
}

// DescribeGrant describes a grant. token is how the text names the token of an approval.
func DescribeGrant(grant cw721.Grant, token string, displayName displayNameFunc) GrantText {
	text := grantTexts[grant.Kind]
	placeholders := strings.NewReplacer(
		"SPENDER", displayName(grant.Spender),
		"OWNER", displayName(grant.Owner),
		"TOKEN", token)
	return GrantText{
		Name:    placeholders.Replace(text.Name),
		Given:   placeholders.Replace(text.Given),
		Expired: placeholders.Replace(text.Expired),
	}
}

// grantName returns a grant as a noun: "the approval for bob on ape-04".
func grantName(view *chain.View, grant cw721.Grant) string {
	return DescribeGrant(grant, human.TokenID(grant.Token), view.DisplayName).Name
}

// untilText describes when a grant expires: "until height 1,110" or "without expiry".
func untilText(expires cw721.Expiration) string {
	if expires.Axis == cw721.Never {
		return "without expiry"
	}
	return "until " + human.Expiry(expires)
}

// expiryClause says when a grant expires, counted from a block: "it expires in 8 blocks",
// "it expired 3 blocks ago", or "it never expires".
func expiryClause(expires cw721.Expiration, block cw721.Block) string {
	now, end, canExpire := expires.NowAndEnd(block)
	if canExpire && now < end { // it is ahead
		return "it expires " + human.ExpiresIn(expires, block)
	}
	return "it " + human.ExpiresIn(expires, block)
}
