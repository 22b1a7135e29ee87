package app

import (
	"fmt"
	"math"

	"ephemera/core/chain"
	"ephemera/core/cw721"
)

// Forms gives an end in all its forms, for the line below a field.
func (st *State) Forms(e cw721.Expiration) string {
	switch e.Axis {
	case cw721.AtHeight:
		at := st.Clock.At(cw721.Height(e.Value))
		return fmt.Sprintf("height %s · %s · about %s", chain.Thousands(e.Value), chain.EndsIn(e, st.Block()), chain.InUTC(at-at%1e9))
	case cw721.AtTime:
		if e.Value > math.MaxInt64 { // no calendar holds it
			return fmt.Sprintf("%s · %s", chain.InUTC(cw721.Time(e.Value)), chain.EndsIn(e, st.Block()))
		}
		return fmt.Sprintf("%s · %s · %d ns", chain.InUTC(cw721.Time(e.Value)), chain.EndsIn(e, st.Block()), e.Value)
	}
	return "never ends"
}
