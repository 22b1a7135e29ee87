package app

import (
	"math"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// CountdownWidth is the width of the countdown in a row, in cells.
const CountdownWidth = 10

// Limits of the detail of a row.
const (
	BarWidth     = 12 // the largest width of a countdown, in cells
	MinBarWidth  = 4  // the width below which no countdown is drawn
	MaxListLines = 50 // the most lines of a list
)

// LivenessSign returns the sign of a grant with an expiry, and the role to draw it in. A
// grant that never expires is drawn as a warning, not as one that is well.
func LivenessSign(e cw721.Expiration, b cw721.Block) (string, themes.Role) {
	switch {
	case e.Expired(b):
		return themes.GlyphExpired, themes.Expired
	case e.Axis == cw721.Never:
		return themes.GlyphLive, themes.Warn
	}
	return themes.GlyphLive, themes.Live
}

// Countdown returns a bar of the time until an expiry, width cells wide; nil for never.
// The scale is logarithmic, so that one block and ten look different, and the bar is
// full from a day on. It is drawn as a warning for the last ten blocks.
func Countdown(width int, e cw721.Expiration, c chain.Clock) widget.Line {
	if e.Axis == cw721.Never || width <= 0 {
		return nil
	}
	secondsLeft := 0.0
	end := EstimatedTime(c, e)
	now := uint64(c.Time)
	if end > now && !e.Expired(c.Block()) {
		secondsLeft = float64(end-now) / 1e9
	}

	// A short time left is a warning.
	role := themes.Bar
	if secondsLeft <= 10*float64(c.SecondsPerBlock) {
		role = themes.Warn
	}
	const day = 24 * 60 * 60
	return widget.Bar(width, math.Log1p(secondsLeft)/math.Log1p(day), role)
}

// RowView is a copy of the state that rows are made from. Commands use it, because they
// must not use the [State].
type RowView struct {
	Facts       // of the view that the row is read in
	HideExpired bool
	Times       TimeForm
}

// AddressTailWidth is the number of characters at the end of an address that a column
// shows. The narrowest list of tokens has room for no more.
const AddressTailWidth = 6

// ListWalk converts the part of a list that a table scans to a walk over the contract's
// records.
func ListWalk(s widget.Scan) cw721.Walk {
	return cw721.Walk{Place: s.From, Inclusive: s.Inclusive, Reverse: s.Backward}
}

// WithPosition returns a page of rows with its index, the number of rows in the list
// before it, if that follows from an end of the list: it is 0 for a page that holds the
// first row, and total minus rows for a page that holds the last one. For other pages
// the index stays.
func WithPosition(req widget.Request, p widget.Page) widget.Page {
	isAnchored := req.Seek == widget.Last || req.Seek == widget.Around
	holdsEnd := p.Below == nil && p.Total >= 0
	switch {
	case p.Above == nil:
		p.Index = 0
	case holdsEnd && isAnchored:
		p.Index = max(0, p.Total-len(p.Rows))
	}
	return p
}

// EstimatedTime returns the time of an expiry in nanoseconds. The time of a height is
// estimated by the seconds per block, and that of never is the largest number.
func EstimatedTime(c chain.Clock, e cw721.Expiration) uint64 {
	switch e.Axis {
	case cw721.AtHeight:
		return uint64(c.At(cw721.Height(e.Value)))
	case cw721.AtTime:
		return e.Value
	}
	return ^uint64(0)
}

// ExpiresSooner reports whether a comes before b. Never comes after every other expiry.
func ExpiresSooner(c chain.Clock, a, b cw721.Expiration) bool {
	aExpires := a.Axis != cw721.Never
	bExpires := b.Axis != cw721.Never
	if aExpires != bExpires {
		return aExpires
	}
	return EstimatedTime(c, a) < EstimatedTime(c, b)
}

// RowView returns a copy of the state for a command that makes rows.
func (st *State) RowView() RowView {
	return RowView{Facts: st.Facts, HideExpired: st.HideExpired, Times: st.Times}
}

// DisplayName returns what a column shows for an account: its name, or the end of its
// address, which differs between addresses.
func (l RowView) DisplayName(a cw721.Address) string {
	if name, ok := l.Names[a]; ok {
		return name
	}
	if len(a) <= AddressTailWidth {
		return string(a)
	}
	return themes.GlyphEllipsis + string(a[len(a)-AddressTailWidth:])
}

// AccountCell returns the cell of an account in a column that holds addresses: its name, or
// its whole address, which a narrow column shortens.
func (l RowView) AccountCell(a cw721.Address) string {
	if name, ok := l.Names[a]; ok {
		return name
	}
	return string(a)
}

// When writes an expiry in the form that the user chose, seen from a clock.
func (l RowView) When(e cw721.Expiration, c chain.Clock) string {
	return l.Times.Format(e, c.Block())
}

// OtherForm writes an expiry in another form than the user has chosen, for the column beside
// it. Beside a relative time such as "in 8 blocks" it is "height 1,110" or a time, whose date
// is left out if it is today. Beside an absolute one it is the relative time. It is empty for
// a grant that never expires.
func (l RowView) OtherForm(e cw721.Expiration, c chain.Clock) string {
	switch {
	case e.Axis == cw721.Never:
		return ""
	case l.Times != Relative:
		return human.ExpiresIn(e, c.Block())
	}
	return l.WithoutToday(human.Expiry(e))
}
