package app

import (
	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
)

func (st *State) RowView() RowView { return RowView{st.Facts, st.HideEnded, st.Times} }

// Call gives what an account is called in a column: its name, or the end of its
// address, by which people tell addresses apart.
func (l RowView) Call(a cw721.Address) string {
	if name, ok := l.Names[a]; ok {
		return name
	}
	if len(a) <= TailShown {
		return string(a)
	}
	return themes.GlyphEllipsis + string(a[len(a)-TailShown:])
}

// When writes an end as the desk does, seen from a clock.
func (l RowView) When(e cw721.Expiration, c chain.Clock) string {
	return l.Times.Of(e, c.Block())
}

// Other writes an end in the form that when does not: how far off something is
// and where it stands on the chain teach more side by side than alone.
func (l RowView) Other(e cw721.Expiration, c chain.Clock) string {
	switch {
	case e.Axis == cw721.Never:
		return ""
	case l.Times != Relative:
		return chain.EndsIn(e, c.Block())
	}
	return l.OfToday(chain.End(e))
}
