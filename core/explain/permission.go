package explain

import (
	"errors"
	"maps"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/wire"
)

// Permission is what one account may do in a collection in one block: as the owner of a
// token, by a grant that has not expired, or by a role. Two more things count as
// permissions: that an account receives payments, and that the rules let anyone change the
// royalty.
type Permission struct {
	Kind    string           // one of [PermissionKinds]
	Holder  cw721.Address    // the holder; empty if anyone has the permission
	Giver   cw721.Address    // the account that gave a grant; empty for other kinds
	Token   string           // empty if Kind is neither "owner" nor an approval
	Expires cw721.Expiration // the zero value means never
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
	_, isGrant := grantTexts[cw721.GrantKind(p.Kind)]
	return isGrant
}

// identity returns p without its expiry, and without its holder or giver if that can change
// while the permission stays the same.
func (p Permission) identity() Permission {
	p.Expires = cw721.Expiration{}

	// A token or a role has one holder at a time, so another holder has the same permission.
	// An approval stays the same if the next owner of the token gives it again.
	hasOneHolder := !p.IsGrant() && p.Kind != kindAdditionalMinter
	switch {
	case hasOneHolder:
		p.Holder = ""
	case p.Kind != string(cw721.GrantOperator):
		p.Giver = ""
	}
	return p
}

// ErrMissingAxis reports that grants expire by height and by time, but the block in which
// they are compared has only one of the two.
var ErrMissingAxis = errors.New("grants expire by height and by time, and the block has only one of them")

// rolePermissions returns the permissions that come from the roles of a collection and from
// its rule set, by their identities. It fails with [ErrMissingAxis].
func (c AccessComparison) rolePermissions(view *chain.View) (map[Permission]Permission, error) {
	minter, creator, err := view.Roles()
	if err != nil {
		return nil, err
	}

	// Before version 0.19 there is only the minter's role. Compared with a collection
	// that has a creator, the minter counts as the creator, too, because a migration to
	// 0.19 makes the minter the creator.
	isCreatorCompared := c.BeforeView.Layout.HasCreator() || c.AfterView.Layout.HasCreator()
	if isCreatorCompared && !view.Layout.HasCreator() {
		creator = minter
	}

	permissions := map[Permission]Permission{}
	add := func(permission Permission) { permissions[permission.identity()] = permission }
	if view.Layout.HasCreator() && view.Rules.CanAnyoneChangeRoyalty() {
		add(Permission{Kind: kindRoyaltyByAnyone})
	}
	if minter.Owner != nil {
		add(Permission{Kind: string(cw721.RuleMinter), Holder: *minter.Owner})
	}
	if creator.Owner != nil {
		add(Permission{Kind: string(cw721.RuleCreator), Holder: *creator.Owner})
	}

	// The offer of a role counts as a grant.
	offers := append(minter.Offers(cw721.GrantMinterOffer), creator.Offers(cw721.GrantCreatorOffer)...)
	return permissions, c.addGrants(permissions, offers)
}

// permissionsOfRecord returns the permissions that one record of a view gives in the block of
// the comparison, by their identities. It returns none for a nil value, and for the record of
// a role, which [AccessComparison.rolePermissions] reads. It fails with a [*kv.CorruptError],
// and with [ErrMissingAxis].
func (c AccessComparison) permissionsOfRecord(
	view *chain.View,
	key, value []byte,
) (map[Permission]Permission, error) {
	_, _, _, isRole := view.Layout.RoleChange(key, nil, nil)
	if value == nil || isRole {
		return nil, nil
	}

	content, err := view.Layout.DecodeRecord(key, value)
	if cw721.IsUnknownRecord(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}

	permissions := map[Permission]Permission{}
	lasting, isLasting, err := lastingPermissionOfRecord(view, key, value, content)
	if err != nil {
		return nil, err
	}
	if isLasting {
		permissions[lasting.identity()] = lasting
	}

	grants, err := cw721.DecodeGrants(key, value)
	if err != nil {
		return nil, err
	}
	return permissions, c.addGrants(permissions, grants)
}

// addGrants adds a permission for each grant that has not expired in the block of the
// comparison, except those that an owner gave to himself. It fails with [ErrMissingAxis] if it
// cannot know whether a grant has expired.
func (c AccessComparison) addGrants(permissions map[Permission]Permission, grants []cw721.Grant) error {
	for _, grant := range grants {
		isNowUnknown := c.Block.ValueOn(grant.Expires.Axis) == 0 && !c.HasClock
		if isNowUnknown && grant.Expires.Axis != cw721.Never {
			return ErrMissingAxis
		}
		if grant.Owner == grant.Spender && !grant.Kind.IsOffer() {
			continue
		}

		// Of two grants with the same identity the first counts.
		permission := Permission{
			Kind:    string(grant.Kind),
			Holder:  grant.Spender,
			Giver:   grant.Owner,
			Token:   grant.Token,
			Expires: grant.Expires,
		}
		identity := permission.identity()
		if _, isRepeated := permissions[identity]; !isRepeated {
			permissions[identity] = permission
		}
	}

	// Remove expired grants only now. A dump can have two approvals of the same spender, and
	// the contract reads only the first one, even if that has expired and the second has not.
	maps.DeleteFunc(permissions, func(_, permission Permission) bool {
		return permission.Expires.HasExpired(c.Block)
	})
	return nil
}

// lastingPermissionOfRecord returns the permission without expiry that a record gives, such as
// that of the owner of a token. content is the decoded value. ok is false for other records.
func lastingPermissionOfRecord(
	view *chain.View,
	key, value []byte,
	content any,
) (permission Permission, ok bool, err error) {
	if owner, token, isToken := cw721.DecodeTokenOwner(key, value); isToken {
		return Permission{Kind: kindOwner, Holder: owner, Token: token}, true, nil
	}
	if minter, isMinter := cw721.DecodeMinterKey(key); isMinter {
		return Permission{Kind: kindAdditionalMinter, Holder: minter},
			view.Layout.HasCreator() && view.Rules.HasAdditionalMinters(), nil
	}

	switch content := content.(type) {
	case cw721.Address: // only the record of the withdraw address decodes to one
		return Permission{Kind: kindWithdrawAddress, Holder: content}, true, nil
	case cw721.Attribute:
		if content.Key != "royalty_info" {
			return permission, false, nil
		}
		var royalty *cw721.RoyaltyInfo
		if err := wire.Decode(content.Value, &royalty); err != nil {
			return permission, false, err
		}
		if royalty != nil {
			return Permission{Kind: kindRoyaltyPayee, Holder: royalty.PaymentAddress}, true, nil
		}
	}
	return permission, false, nil
}
