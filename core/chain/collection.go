package chain

import (
	"errors"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// HasCollection reports whether there was an instantiate message or an import.
func (v *View) HasCollection() bool { return v.hasCollection }

// Collection has the properties of a collection, such as its name and its roles.
type Collection struct {
	cw721.Collection
	// AdditionalMinters may mint besides the minter. Rules before v0.22.0 have none.
	AdditionalMinters []cw721.Address
}

// Collection reads the collection's name, roles and other properties. If a compiled contract
// stores them in an unknown layout, the result has only a name, which is that of the
// contract's file. Collection fails with [ErrNoCollection] if there is no collection.
func (v *View) Collection() (Collection, error) {
	var unreadable *UnreadableError
	if v.hasCollection && errors.As(v.CheckReadable(), &unreadable) {
		var nameOnly Collection
		nameOnly.Name = unreadable.File
		return nameOnly, nil
	}

	collection, exists, err := v.Layout.LoadCollection(v.records)
	if err != nil {
		return Collection{}, err
	}
	if !exists {
		return Collection{}, ErrNoCollection
	}
	minters, err := v.AdditionalMinters()
	return Collection{Collection: collection, AdditionalMinters: minters}, err
}

// AdditionalMinters returns the accounts that may mint besides the minter, sorted by address.
// There are none under rules without them, even if an imported collection stores some.
func (v *View) AdditionalMinters() ([]cw721.Address, error) {
	if !v.Rules.HasAdditionalMinters() {
		return nil, nil
	}
	return cw721.LoadAdditionalMinters(v.records, nil, cw721.MaxLimit)
}

// Roles returns the minter and the creator, with the accounts that the roles are offered to.
func (v *View) Roles() (minter, creator cw721.Ownership, err error) {
	return v.Layout.LoadRoles(v.records)
}

// Holdings returns how many tokens an account owns.
func (v *View) Holdings(owner cw721.Address) (int, error) {
	return expiry.Holdings(v.expiry, owner)
}
