package explain

import (
	"errors"
	"maps"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Permission is what one account may do in a collection in one block: as the owner of a
// token, by a grant that has not expired, or by a role. Being the account that receives
// payments, and the rule that anyone may change the royalty, count as permissions too.
type Permission struct {
	Kind    string        // one of [PermissionKinds]
	Who     cw721.Address // empty for anyone
	Of      cw721.Address // the account that gave a grant; empty for other kinds
	Token   string        // empty if Kind is neither "owner" nor an approval
	Expires cw721.Expiration
}

// The kinds of permission that are neither a role nor a [cw721.GrantKind].
const (
	kindOwner            = "owner"
	kindAdditionalMinter = "additional minter"
	kindWithdrawAddress  = "withdraw address"
	kindRoyaltyPayee     = "royalty payee"
	kindRoyaltyByAnyone  = "royalty by anyone"
)

// PermissionKinds are all kinds of [Permission].
var PermissionKinds = []string{
	kindOwner,
	string(cw721.GrantApproval),
	string(cw721.GrantOperator),
	string(cw721.GrantMinterOffer),
	string(cw721.GrantCreatorOffer),
	string(cw721.RuleMinter),
	string(cw721.RuleCreator),
	kindAdditionalMinter,
	kindWithdrawAddress,
	kindRoyaltyPayee,
	kindRoyaltyByAnyone,
}

// IsGrant reports whether p can expire: an approval, an operator, or the offer of a role.
func (p Permission) IsGrant() bool {
	switch cw721.GrantKind(p.Kind) {
	case cw721.GrantApproval, cw721.GrantOperator, cw721.GrantMinterOffer, cw721.GrantCreatorOffer:
		return true
	}
	return false
}

// identity returns p without the fields that can change while it stays the same
// permission, so that p can be found in another state. The expiry is always such a field.
// So is Who if there can be only one holder, as of a token or a role. So is Of, except for
// operators: an approval stays the same if the next owner of the token gives it again.
func (p Permission) identity() Permission {
	p.Expires = cw721.Expiration{}
	hasOneHolder := !p.IsGrant() && p.Kind != kindAdditionalMinter
	switch {
	case hasOneHolder:
		p.Who = ""
	case p.Kind != string(cw721.GrantOperator):
		p.Of = ""
	}
	return p
}

// ErrMissingAxis reports that grants expire by height and by time, but the block in which
// they are compared has only one of the two.
var ErrMissingAxis = errors.New("grants expire by height and by time, and the block has only one of them")

// rolePermissions returns the permissions that come from the roles of a view's collection
// and from its rule set, by their identities. Before 0.19 the minter has the only role.
// Compared with a collection that has a creator, the minter counts as creator too, because
// a migration makes the minter the creator. It fails with [ErrMissingAxis].
func (c AccessComparison) rolePermissions(v *chain.View) (map[Permission]Permission, error) {
	minter, creator, err := v.Roles()
	if err != nil {
		return nil, err
	}
	isCreatorCompared := c.Before.Layout.HasCreator() || c.After.Layout.HasCreator()
	if isCreatorCompared && !v.Layout.HasCreator() {
		creator = minter
	}

	// Collect the permissions by what identifies them.
	permissions := map[Permission]Permission{}
	add := func(p Permission) { permissions[p.identity()] = p }
	if v.Rules.CanAnyoneChangeRoyalty() {
		add(Permission{Kind: kindRoyaltyByAnyone})
	}
	if minter.Owner != nil {
		add(Permission{Kind: string(cw721.RuleMinter), Who: *minter.Owner})
	}
	if creator.Owner != nil {
		add(Permission{Kind: string(cw721.RuleCreator), Who: *creator.Owner})
	}
	offers := append(minter.Offers(cw721.GrantMinterOffer), creator.Offers(cw721.GrantCreatorOffer)...)
	return permissions, c.addGrants(permissions, offers)
}

// permissionsIn returns the permissions that one record of a view gives in the block of
// the comparison, by their identities. It returns none for the record of a role, which
// [AccessComparison.rolePermissions] reads, and for a nil value, which is no record. It
// fails with a [*kv.CorruptError] if the record cannot be decoded, and with
// [ErrMissingAxis].
func (c AccessComparison) permissionsIn(v *chain.View, key, value []byte) (map[Permission]Permission, error) {
	_, _, _, isRole := v.Layout.RoleChange(key, nil, nil)
	if value == nil || isRole {
		return nil, nil
	}

	// Records that no cw721 writes give no permission.
	content, err := v.Layout.DecodeRecord(key, value)
	if cw721.IsUnknownRecord(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}

	permissions := map[Permission]Permission{}

	// A record gives a permission to its holder, and holds grants to others.
	holder, hasHolder, err := holderIn(v, key, value, content)
	if err != nil {
		return nil, err
	}
	if hasHolder {
		permissions[holder.identity()] = holder
	}

	grants, err := cw721.DecodeGrants(key, value)
	if err != nil {
		return nil, err
	}
	return permissions, c.addGrants(permissions, grants)
}

// addGrants adds the permissions of the grants that have not expired in the block of the
// comparison. It leaves out a grant to the owner itself, which permits nothing new. It fails
// with [ErrMissingAxis].
func (c AccessComparison) addGrants(permissions map[Permission]Permission, grants []cw721.Grant) error {
	for _, g := range grants {
		now, _, canExpire := g.Expires.NowAndEnd(c.Block)
		if canExpire && now == 0 && !c.HasClock {
			return ErrMissingAxis
		}

		p := Permission{Kind: string(g.Kind), Who: g.Spender, Of: g.Owner, Token: g.Token, Expires: g.Expires}
		_, isRepeated := permissions[p.identity()]
		isOffer := g.Kind == cw721.GrantMinterOffer || g.Kind == cw721.GrantCreatorOffer
		isToOwner := g.Owner == g.Spender && !isOffer
		if !isRepeated && !isToOwner {
			permissions[p.identity()] = p
		}
	}

	// Expired grants are removed only now: a dump can repeat an approval, and the contract
	// reads only the first one, even if it has expired and the second one has not.
	maps.DeleteFunc(permissions, func(_, p Permission) bool { return p.Expires.Expired(c.Block) })
	return nil
}

// holderIn returns the permission without expiry that a record gives: to the owner of a
// token, to an additional minter, or to the account that receives royalties or withdrawn
// funds. content is the decoded value. ok is false for other records.
func holderIn(v *chain.View, key, value []byte, content any) (p Permission, ok bool, err error) {
	if owner, token, isToken := cw721.DecodeTokenOwner(key, value); isToken {
		return Permission{Kind: kindOwner, Who: owner, Token: token}, true, nil
	}
	if minter, isMinter := cw721.DecodeMinterKey(key); isMinter {
		return Permission{Kind: kindAdditionalMinter, Who: minter}, v.Rules.HasAdditionalMinters(), nil
	}

	// These records are about the collection, not about a token.
	switch content := content.(type) {
	case cw721.Address: // only the record of the withdraw address decodes to one
		return Permission{Kind: kindWithdrawAddress, Who: content}, true, nil
	case cw721.Attribute:
		if content.Key != "royalty_info" {
			return p, false, nil
		}
		var royalty *cw721.RoyaltyInfo
		err := wire.Decode(content.Value, &royalty)
		if err == nil && royalty != nil {
			return Permission{Kind: kindRoyaltyPayee, Who: royalty.PaymentAddress}, true, nil
		}
		return p, false, err
	}
	return p, false, nil
}
