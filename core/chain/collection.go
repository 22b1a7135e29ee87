package chain

import (
	"errors"

	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

// HasCollection reports whether there is a collection. There is one after the instantiate
// message, or after an import.
func (v *View) HasCollection() bool { return v.hasCollection }

// Collection has the properties of a collection, such as its name and its roles, together
// with its additional minters.
type Collection struct {
	cw721.Collection
	// AdditionalMinters may mint besides the minter. Rules before v0.22.0 have none.
	AdditionalMinters []cw721.Address
}

// Collection reads the collection's name, roles and other properties. If a compiled contract
// stores them in an unknown layout, the result has only a name, which is that of the
// contract's file. Collection fails with [ErrNoCollection] if there is no collection.
func (v *View) Collection() (Collection, error) {
	// Of an unreadable collection, only the file of its contract is known.
	var unreadable *UnreadableError
	if v.hasCollection && errors.As(v.CheckReadable(), &unreadable) {
		var nameOnly Collection
		nameOnly.Name = unreadable.File
		return nameOnly, nil
	}

	// Read the records under the keys that the layout has for them.
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
// There are none if the rules in force do not have additional minters.
func (v *View) AdditionalMinters() ([]cw721.Address, error) {
	// An imported collection may store some nevertheless.
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
