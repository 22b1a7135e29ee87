package app

import (
	"strings"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// Candidates offers the accounts whose name or address begins with a text, for
// fields that take an address.
func (st *State) Candidates() func(string) []widget.Candidate {
	accounts := st.Accounts
	return func(text string) (out []widget.Candidate) {
		for _, a := range accounts {
			if strings.HasPrefix(a.Name, text) || text != "" && strings.HasPrefix(string(a.Address), text) {
				out = append(out, widget.Candidate{Value: a.Name, Detail: widget.Middle(string(a.Address), AddressWidth)})
			}
		}
		return out
	}
}

// Address gives the address that a text in a field means. A text that is no
// name is taken as typed: the contract says what is wrong with it.
func Address(accounts []chain.Account, text string) cw721.Address {
	text = strings.TrimSpace(text)
	for _, a := range accounts {
		if a.Name == strings.TrimPrefix(text, "$") {
			return a.Address
		}
	}
	return cw721.Address(text)
}

// Typed is how an account can be typed: its name, or its address.
func (st *State) Typed(a cw721.Address) string {
	if name, ok := st.Names[a]; ok {
		return name
	}
	return string(a)
}
