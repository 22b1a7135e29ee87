package app

import (
	"ephemera/core/cw721"
)

// Typed is how an account can be typed: its name, or its address.
func (st *State) Typed(a cw721.Address) string {
	if name, ok := st.Names[a]; ok {
		return name
	}
	return string(a)
}
