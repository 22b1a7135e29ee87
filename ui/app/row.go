package app

import (
	"math"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// CountdownWidth is how wide the countdown of a row is.
const CountdownWidth = 10

// Limits of what a detail draws.
const (
	BarWidth     = 12 // cells of a countdown, at most
	MinBarWidth  = 4  // fewer cells show none
	MaxListLines = 50 // lines of a list in the detail, at most
)

// Liveness is the sign of a grant and the role it is written in.
func Liveness(e cw721.Expiration, b cw721.Block) (string, themes.Role) {
	if e.Expired(b) {
		return themes.GlyphExpired, themes.Expired
	}
	return themes.GlyphLive, themes.Live
}

// Countdown is a bar of the time that a grant has left; nothing for one that
// never expires. All bars have one scale, logarithmic so that one block can be
// told from ten, and full from a day on. Amber says that ten blocks are too many.
func Countdown(w int, e cw721.Expiration, c chain.Clock) widget.Line {
	if e.Axis == cw721.Never || w <= 0 {
		return nil
	}
	const day = 24 * 60 * 60
	left, role := 0.0, themes.Bar
	if end, now := Estimate(c, e), uint64(c.Time); end > now && !e.Expired(c.Block()) {
		left = float64(end-now) / 1e9
	}
	if left <= 10*float64(c.SecondsPerBlock) {
		role = themes.Warn
	}
	return widget.Bar(w, math.Log1p(left)/math.Log1p(day), role)
}

// RowView is what a row needs of the state.
type RowView struct {
	Facts       // those of the view that the row is read in
	HideExpired bool
	Times       TimeForm
}

// AddressTailWidth is how much of the end of an address a column shows, as much as the
// narrowest list of tokens has room for.
const AddressTailWidth = 6

// ListWalk goes through the part of a list that a table scans.
func ListWalk(s widget.Scan) cw721.Walk {
	return cw721.Walk{Place: s.From, Inclusive: s.Inclusive, Reverse: s.Back}
}

// WithPosition adds to a page where it stands, where that follows from what it holds.
func WithPosition(req widget.Request, p widget.Page) widget.Page {
	switch {
	case p.Above == nil:
		p.Index = 0
	case p.Below == nil && p.Total >= 0 && (req.Seek == widget.Last || req.Seek == widget.Around):
		p.Index = max(0, p.Total-len(p.Rows))
	}
	return p
}

// Estimate is the time at which something is expected to expire.
func Estimate(c chain.Clock, e cw721.Expiration) uint64 {
	switch e.Axis {
	case cw721.AtHeight:
		return uint64(c.At(cw721.Height(e.Value)))
	case cw721.AtTime:
		return e.Value
	}
	return ^uint64(0)
}

// ExpiresSooner tells which of two expiries comes first; what never expires comes last.
func ExpiresSooner(c chain.Clock, a, b cw721.Expiration) bool {
	if (a.Axis == cw721.Never) != (b.Axis == cw721.Never) {
		return b.Axis == cw721.Never
	}
	return Estimate(c, a) < Estimate(c, b)
}

// RowView captures what rows need, for a command that makes them outside of Update.
func (st *State) RowView() RowView { return RowView{st.Facts, st.HideExpired, st.Times} }

// DisplayName gives what an account is called in a column: its name, or the end of its
// address, by which people tell addresses apart.
func (l RowView) DisplayName(a cw721.Address) string {
	if name, ok := l.Names[a]; ok {
		return name
	}
	if len(a) <= AddressTailWidth {
		return string(a)
	}
	return themes.GlyphEllipsis + string(a[len(a)-AddressTailWidth:])
}

// When writes an expiry as all screens do, seen from a clock.
func (l RowView) When(e cw721.Expiration, c chain.Clock) string {
	return l.Times.Of(e, c.Block())
}

// Other writes an expiry in the form that when does not: how far off something is
// and where it stands on the chain teach more side by side than alone.
func (l RowView) Other(e cw721.Expiration, c chain.Clock) string {
	switch {
	case e.Axis == cw721.Never:
		return ""
	case l.Times != Relative:
		return human.ExpiresIn(e, c.Block())
	}
	return l.OfToday(human.Expiry(e))
}
