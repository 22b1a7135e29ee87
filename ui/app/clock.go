package app

import (
	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
)

func (st *State) MarkLabel(e expiry.Entry) string {
	if st.Times == Relative {
		return st.Gain(e)
	}
	if e.Expires.Axis == cw721.AtHeight {
		return chain.Thousands(e.Expires.Value) + " " + st.Gain(e)
	}
	return st.OfToday(SecondsOf(cw721.Time(e.Expires.Value))) + " " + st.Gain(e)
}
