package chain

import (
	"cmp"
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// nameCache keeps the names of addresses that a view has read, so that each is read once.
type nameCache struct {
	byAddress map[cw721.Address]string // "" for an address without a name
	firstErr  error                    // the first error of the store when a name was read
}

// Accounts returns the accounts that have names, in the order of their names.
func (v *View) Accounts() ([]Account, error) {
	accounts := []Account{}
	for record, err := range AccountsByName.All(v.accounts, nil, kv.Walk{}) {
		if err != nil {
			return nil, err
		}
		accounts = append(accounts, record.Value)
	}
	return accounts, nil
}

// NameOf returns the name of an address, or "" if it has none. If the store fails, the call that
// made the view, such as [Chain.View], returns the error.
func (v *View) NameOf(address cw721.Address) string {
	name, isCached := v.names.byAddress[address]
	if isCached {
		return name
	}
	name, _, err := NamesByAddress.Load(v.accounts, address)
	v.names.byAddress[address] = name
	v.names.firstErr = cmp.Or(v.names.firstErr, err)
	return name
}

// NameAccount gives an address a name that only this view and views made from it know.
func (v *View) NameAccount(address cw721.Address, name string) { v.names.byAddress[address] = name }

// DisplayName returns the name of an address, or the address itself if it has none.
func (v *View) DisplayName(address cw721.Address) string {
	return cmp.Or(v.NameOf(address), string(address))
}

// DisplayNames is [View.DisplayName] for several addresses; nil for none.
func (v *View) DisplayNames(addresses []cw721.Address) (names []string) {
	for _, address := range addresses {
		names = append(names, v.DisplayName(address))
	}
	return names
}

// WithNames replaces each address in a text by the name of its account, if it has one.
func (v *View) WithNames(text string) (string, error) {
	accounts, err := v.Accounts()
	if err != nil {
		return text, err
	}
	for _, account := range accounts {
		text = strings.ReplaceAll(text, string(account.Address), account.Name)
	}
	return text, nil
}
