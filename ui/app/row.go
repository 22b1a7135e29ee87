package app

import (
	"cmp"
	"math"
	"strings"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// CountdownWidth is the width of the countdown in a row, in cells.
const CountdownWidth = 10

// The limits of what the detail of a row shows.
const (
	BarWidth     = 12 // the largest width of a countdown, in cells
	MinBarWidth  = 4  // the width below which no countdown is drawn
	MaxListLines = 50 // the most lines of a list
)

// LivenessSign returns a sign that says whether a grant with some expiry has expired in a block,
// and the role to draw it in. A grant that never expires has that of a warning, because it is
// easily forgotten.
func LivenessSign(expiration cw721.Expiration, block cw721.Block) (string, themes.Role) {
	switch {
	case expiration.HasExpired(block):
		return themes.GlyphExpired, themes.Expired
	case expiration.Axis == cw721.Never:
		return themes.GlyphLive, themes.Warn
	}
	return themes.GlyphLive, themes.Live
}

// SignLegend says what the signs of grants mean: as many of them as fit into width cells.
func SignLegend(width int) (legend widget.Line) {
	for _, sign := range []widget.Line{
		widget.Styled(themes.Live, " "+themes.GlyphLive).Muted("approval"),
		widget.Styled(themes.Live, " "+themes.GlyphOperator).Muted("operator"),
		widget.Styled(themes.Expired, " "+themes.GlyphExpired).Muted("expired"),
		widget.Styled(themes.Warn, " "+themes.GlyphArrow).Muted("renewable"),
	} {
		if legend.Width()+sign.Width() <= width {
			legend = append(legend, sign...)
		}
	}
	return legend
}

// Countdown returns a bar, width cells wide, whose length shows what is left of a grant's own
// life: it is full in the block in which the grant was given, and empty when it expires. The
// last ten blocks have the colour of a warning. Countdown returns nil for a grant that never
// expires, and if it is not known when the grant was given.
func Countdown(width int, entry expiry.Entry, clock chain.Clock) widget.Line {
	now, end, canExpire := entry.Expires.NowAndEnd(clock.Block())
	if !canExpire || entry.GrantedAt.Height == 0 || width <= 0 {
		return nil
	}
	if end <= now {
		return widget.Bar(width, 0, themes.Warn)
	}

	remainingTime := EstimatedTime(clock, entry.Expires) - uint64(clock.Time)
	role := themes.Bar
	if remainingTime <= 10*clock.SecondsPerBlock*1e9 {
		role = themes.Warn
	}
	given := entry.GrantedAt.ValueOn(entry.Expires.Axis)
	return widget.Bar(width, float64(end-now)/float64(end-given), role)
}

// RowView is a copy of the parts of the state that the texts of rows depend on. Commands use
// it to make rows, because they run on other goroutines and must not use the [State].
type RowView struct {
	Facts       // the facts of the view that the row is read in
	HideExpired bool
	Times       TimeForm
}

// ListWalk converts a scan, which says which part of a list a table wants to read, into a
// walk over the contract's records.
func ListWalk(scan widget.ListPart) cw721.Walk {
	return cw721.Walk{Place: scan.From, Inclusive: scan.Inclusive, Reverse: scan.Backward}
}

// EstimatedTime returns the block time of an expiry, in nanoseconds since 1970. For an
// expiry at a height, it estimates the time from the seconds per block. For a grant that
// never expires, it returns the largest number.
func EstimatedTime(clock chain.Clock, expiration cw721.Expiration) uint64 {
	switch expiration.Axis {
	case cw721.AtHeight:
		return uint64(clock.EstimateTimeAt(cw721.Height(expiration.Value)))
	case cw721.AtTime:
		return expiration.Value
	}
	return math.MaxUint64
}

// ExpiresSooner reports whether expiry a comes before expiry b. It compares a height and a
// time by an estimate. "Never" comes after every other expiry.
func ExpiresSooner(clock chain.Clock, a, b cw721.Expiration) bool {
	aExpires := a.Axis != cw721.Never
	bExpires := b.Axis != cw721.Never
	if aExpires != bExpires {
		return aExpires
	}
	return EstimatedTime(clock, a) < EstimatedTime(clock, b)
}

// RowView returns a copy of the state for a command that makes rows.
func (st *State) RowView() RowView {
	return RowView{Facts: st.Facts, HideExpired: st.HideExpired, Times: st.Times}
}

// AccountCell returns the cell of an account in a column that holds addresses: its name, or
// its whole address, which a narrow column shortens.
func (v RowView) AccountCell(address cw721.Address) string {
	return cmp.Or(v.Names[address], string(address))
}

// When writes an expiry in the form that the user chose, seen from a clock.
func (v RowView) When(expiration cw721.Expiration, clock chain.Clock) string {
	return v.Times.Format(expiration, clock.Block())
}

// OtherForm writes an expiry in another form than the one that the user has chosen, for a
// second column. If the user chose relative times such as "in 8 blocks", the other form is
// absolute: "height 1,110", or a time, without its date if that is today. Otherwise it is
// the relative time. It is empty for a grant that never expires.
func (v RowView) OtherForm(expiration cw721.Expiration, clock chain.Clock) string {
	switch {
	case expiration.Axis == cw721.Never:
		return ""
	case v.Times != Relative:
		return human.ExpiresIn(expiration, clock.Block())
	}
	return v.WithoutToday(human.Expiry(expiration))
}

// GrantKey returns the key of a grant's row in a table. A grant that is renewed with another
// expiry keeps its key. NUL bytes, which no address contains, separate its parts.
func GrantKey(grant cw721.Grant) string {
	return strings.Join([]string{string(grant.Kind), string(grant.Owner), string(grant.Spender), grant.Token}, "\x00")
}

// GrantOfKey returns the grant with a key of [GrantKey], without its expiry.
func GrantOfKey(key string) cw721.Grant {
	parts := strings.SplitN(key, "\x00", 4) // the id of a token may contain NUL bytes
	return cw721.Grant{
		Kind:    cw721.GrantKind(parts[0]),
		Owner:   cw721.Address(parts[1]),
		Spender: cw721.Address(parts[2]),
		Token:   parts[3],
	}
}
