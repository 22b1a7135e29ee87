package explain

import (
	"cmp"
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// Permission is what somebody may do in a collection: as the owner of a token, by
// a grant that has not expired, or by a role.
type Permission struct {
	Who  cw721.Address // empty for anyone
	Kind string        // "owner", a role, or a [cw721.GrantKind]
	// Of gave the permission, for a grant.
	Of    cw721.Address
	Token string
}

// Permissions gathers all that there are in the moment of a view, each with when it
// expires. It fails with a [*chain.UnreadableError].
func Permissions(v *chain.View) (map[Permission]cw721.Expiration, error) {
	all := map[Permission]cw721.Expiration{}
	for t, err := range v.Tokens("", cw721.Walk{}) {
		if err != nil {
			return nil, err
		}
		all[Permission{Who: t.Owner, Kind: "owner", Token: t.ID}] = cw721.Expiration{}
	}
	for e, err := range v.Upcoming(expiry.Index{}) {
		if err != nil {
			return nil, err
		}
		all[Permission{Who: e.Spender, Kind: string(e.Kind), Of: e.Owner, Token: e.Token}] = e.Expires
	}

	c, err := v.Collection()
	if err := cmp.Or(v.CheckReadable(), err); err != nil {
		return nil, err
	}
	hold := func(role string, holder *cw721.Address) {
		if holder != nil {
			all[Permission{Who: *holder, Kind: role}] = cw721.Expiration{}
		}
	}
	hold("minter", c.Minter.Owner)
	hold("creator", c.Creator.Owner)
	hold("withdraw address", c.WithdrawAddress)
	for _, minter := range c.AdditionalMinters {
		hold("additional minter", &minter)
	}
	if c.Extension != nil && c.Extension.RoyaltyInfo != nil {
		hold("royalty payee", &c.Extension.RoyaltyInfo.PaymentAddress)
	}
	if v.Rules.CanAnyoneChangeRoyalty() {
		hold("royalty by anyone", new(cw721.Address))
	}
	return all, nil
}

// Gain is a permission that one state has and another lacks, or has for less long.
type Gain struct {
	Permission
	Expires cw721.Expiration
	// Other is when it expires in the other state; nil where that lacks it.
	Other *cw721.Expiration
}

// Gained gives, in order, what after has and before lacks or has for less long.
// What was lost is Gained the other way round. A height and a time cannot be
// compared: a permission that went from one to the other was both gained and lost.
func Gained(before, after map[Permission]cw721.Expiration) (all []Gain) {
	for p, expires := range after {
		gain := Gain{Permission: p, Expires: expires}
		if other, had := before[p]; had {
			if !outlasts(expires, other) {
				continue
			}
			gain.Other = &other
		}
		all = append(all, gain)
	}
	slices.SortFunc(all, func(a, b Gain) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Token, b.Token), cmp.Compare(a.Of, b.Of), cmp.Compare(a.Who, b.Who))
	})
	return all
}

// outlasts reports whether what expires at e may hold longer than what expires at
// other.
func outlasts(e, other cw721.Expiration) bool {
	if e.Axis == other.Axis {
		return e.Value > other.Value
	}
	return other.Axis != cw721.Never
}
