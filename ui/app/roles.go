package app

import (
	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// RoleKind is one of the two roles that can be handed on.
type RoleKind struct {
	Name  string
	Grant cw721.GrantKind // of its offers
	Of    func(chain.Collection) cw721.Ownership
	Wraps func(cw721.OwnershipAction) cw721.ExecuteMsg
}

// The role of who may mint, and of who may change the collection (spec §3).
var (
	MinterRole = RoleKind{"minter", cw721.GrantMinterOffer, func(c chain.Collection) cw721.Ownership { return c.Minter },
		func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateMinterOwnership{OwnershipAction: a}
		}}
	CreatorRole = RoleKind{"creator", cw721.GrantCreatorOffer, func(c chain.Collection) cw721.Ownership { return c.Creator },
		func(a cw721.OwnershipAction) cw721.ExecuteMsg {
			return &cw721.UpdateCreatorOwnership{OwnershipAction: a}
		}}
)
