package explain

import (
	"cmp"
	"maps"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// Permission is what somebody may do in a collection: as the owner of a token, by
// a grant that has not expired, or by a role.
type Permission struct {
	Who  cw721.Address
	Kind string // "owner", "minter", "creator", or a [cw721.GrantKind]
	// Of gave the permission, for a grant.
	Of    cw721.Address
	Token string
	// Expires is the zero value for what never does.
	Expires cw721.Expiration
}

// Permissions gathers all that there are in the moment of a view.
func Permissions(v *chain.View) (map[Permission]bool, error) {
	all := map[Permission]bool{}
	for t, err := range v.Tokens("", cw721.Walk{}) {
		if err != nil {
			return nil, err
		}
		all[Permission{Who: t.Owner, Kind: "owner", Token: t.ID}] = true
	}
	for e, err := range v.Upcoming(expiry.Index{}) {
		if err != nil {
			return nil, err
		}
		all[Permission{Who: e.Spender, Kind: string(e.Kind), Of: e.Owner, Token: e.Token, Expires: e.Expires}] = true
	}
	minter, creator, err := v.Roles()
	if err != nil {
		return nil, err
	}
	for role, holder := range map[string]*cw721.Address{"minter": minter.Owner, "creator": creator.Owner} {
		if holder != nil {
			all[Permission{Who: *holder, Kind: role}] = true
		}
	}
	return all, nil
}

// Gained gives, in order, what is in after and not in before. What was lost is
// Gained the other way round.
func Gained(before, after map[Permission]bool) []Permission {
	gained := maps.Clone(after)
	maps.DeleteFunc(gained, func(p Permission, _ bool) bool { return before[p] })
	return slices.SortedFunc(maps.Keys(gained), func(a, b Permission) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Of, b.Of),
			cmp.Compare(a.Who, b.Who), cmp.Compare(a.Expires.Axis, b.Expires.Axis), cmp.Compare(a.Expires.Value, b.Expires.Value))
	})
}
