package explain

import (
	"cmp"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// Permission identifies what an account may do in a collection: as the owner of a
// token, by a grant that has not expired, or by a role.
type Permission struct {
	Who   cw721.Address // empty for anyone
	Kind  string        // "owner", a role, or a [cw721.GrantKind]
	Of    cw721.Address // the account that gave a grant; empty for other kinds
	Token string        // empty if Kind is neither "owner" nor an approval
}

// Permissions returns all permissions in a view and when each expires. It fails with a
// [*chain.UnreadableError] if the contract's records cannot be read.
func Permissions(v *chain.View) (map[Permission]cw721.Expiration, error) {
	permissions := map[Permission]cw721.Expiration{}
	for token, err := range v.Tokens("", cw721.Walk{}) {
		if err != nil {
			return nil, err
		}
		permissions[Permission{Who: token.Owner, Kind: "owner", Token: token.ID}] = cw721.Expiration{}
	}
	for entry, err := range v.Upcoming(expiry.Index{}) {
		if err != nil {
			return nil, err
		}
		permission := Permission{Who: entry.Spender, Kind: string(entry.Kind), Of: entry.Owner, Token: entry.Token}
		permissions[permission] = entry.Expires
	}

	roles, err := rolePermissions(v)
	if err != nil {
		return nil, err
	}
	for _, role := range roles {
		permissions[role] = cw721.Expiration{}
	}
	return permissions, nil
}

// rolePermissions returns the permissions that the collection itself gives: its roles,
// and the accounts that are paid. It fails with a [*chain.UnreadableError].
func rolePermissions(v *chain.View) (permissions []Permission, err error) {
	if err := v.CheckReadable(); err != nil {
		return nil, err
	}
	collection, err := v.Collection()
	if err != nil {
		return nil, err
	}

	if minter := collection.Minter.Owner; minter != nil {
		permissions = append(permissions, Permission{Who: *minter, Kind: "minter"})
	}
	if creator := collection.Creator.Owner; creator != nil {
		permissions = append(permissions, Permission{Who: *creator, Kind: "creator"})
	}
	if payee := collection.WithdrawAddress; payee != nil {
		permissions = append(permissions, Permission{Who: *payee, Kind: "withdraw address"})
	}
	for _, minter := range collection.AdditionalMinters {
		permissions = append(permissions, Permission{Who: minter, Kind: "additional minter"})
	}
	if extension := collection.Extension; extension != nil && extension.RoyaltyInfo != nil {
		permissions = append(permissions, Permission{Who: extension.RoyaltyInfo.PaymentAddress, Kind: "royalty payee"})
	}
	if v.Rules.CanAnyoneChangeRoyalty() {
		permissions = append(permissions, Permission{Kind: "royalty by anyone"})
	}
	return permissions, nil
}

// Gain is a permission that one state has and another state lacks, or has for less
// long.
type Gain struct {
	Permission
	Expires cw721.Expiration
	// Other is the expiry in the other state; nil if that state lacks the permission.
	Other *cw721.Expiration
}

// Gained returns the permissions that after has and before lacks or has for less long,
// ordered by kind, token, giver and holder. Gained with the arguments exchanged returns
// what was lost. A permission whose expiry changed from a height to a time, or back, is
// both gained and lost, because the two cannot be compared.
func Gained(before, after map[Permission]cw721.Expiration) []Gain {
	var gains []Gain
	for permission, expires := range after {
		previous, existed := before[permission]
		switch {
		case !existed:
			gains = append(gains, Gain{Permission: permission, Expires: expires})
		case mayOutlast(expires, previous):
			gains = append(gains, Gain{Permission: permission, Expires: expires, Other: &previous})
		}
	}
	slices.SortFunc(gains, func(a, b Gain) int {
		return cmp.Or(
			cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Token, b.Token),
			cmp.Compare(a.Of, b.Of),
			cmp.Compare(a.Who, b.Who),
		)
	})
	return gains
}

// mayOutlast reports whether a permission that expires at e may last longer than one
// that expires at other. Expiries by height and by time may outlast each other.
func mayOutlast(e, other cw721.Expiration) bool {
	if e.Axis == other.Axis {
		return e.Value > other.Value
	}
	return other.Axis != cw721.Never
}
