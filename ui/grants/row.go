package grants

import (
	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// approvalColumns returns the columns of the list of approvals. times is the form in which
// the user sees expiries; it decides how wide their column is.
func approvalColumns(times app.TimeForm) []widget.Column {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "TOKEN", Width: 12, Flex: 3, Shorten: widget.Shorten},
		{Title: "GIVEN BY", Width: 8, Flex: 2, Shorten: widget.Shorten, DropRank: 1},
		{Title: "SPENDER", Width: 8, Flex: 2, Shorten: widget.Shorten},
	}
	return append(columns, expiryColumns(times)...)
}

// approvalCells returns the cells of an approval's row, for [approvalColumns].
func approvalCells(
	rowView app.RowView,
	view *chain.View,
	entry expiry.Entry,
) ([]widget.Line, error) {
	texts := []string{
		human.TokenID(entry.Token),
		rowView.AccountCell(entry.Owner),
		rowView.AccountCell(entry.Spender),
	}
	return grantCells(rowView, view, entry, texts), nil
}

// operatorColumns returns the columns of the list of operators. times is the form in which
// the user sees expiries; it decides how wide their column is.
func operatorColumns(times app.TimeForm) []widget.Column {
	columns := []widget.Column{
		{Title: "", Width: 1},
		{Title: "OPERATOR", Width: 8, Flex: 2, Shorten: widget.Shorten},
		{Title: "ACTS FOR", Width: 8, Flex: 2, Shorten: widget.Shorten},
		{Title: "TOKENS", Width: 7, AlignRight: true, DropRank: 1},
	}
	return append(columns, expiryColumns(times)...)
}

// operatorCells returns the cells of an operator's row, for [operatorColumns]. One is the
// number of tokens that the owner holds now, all of which the operator may move.
func operatorCells(
	rowView app.RowView,
	view *chain.View,
	entry expiry.Entry,
) ([]widget.Line, error) {
	holdings, err := view.Holdings(entry.Owner)
	if err != nil {
		return nil, err
	}
	texts := []string{
		rowView.AccountCell(entry.Spender),
		rowView.AccountCell(entry.Owner),
		human.Thousands(uint64(holdings)),
	}
	return grantCells(rowView, view, entry, texts), nil
}

// The widths of the column of expiries, in cells.
const (
	// relativeExpiryWidth is the least width, in cells, of an expiry such as "in 11 blocks".
	relativeExpiryWidth = 19
	// absoluteExpiryWidth is the width of a height, or of a date with its time.
	absoluteExpiryWidth = 23
)

// expiryColumns returns the last four columns of the lists of approvals and of operators.
// They show the expiry in the form that the user chose, the expiry in its other form, the
// remaining share of the grant's life as a bar, and the height at which it was given.
func expiryColumns(times app.TimeForm) []widget.Column {
	width := absoluteExpiryWidth // no digit of a time may be cut
	if times == app.Relative {
		width = relativeExpiryWidth
	}
	return []widget.Column{
		{Title: "EXPIRES", Width: width, Flex: 1},
		{Title: "IN OTHER WORDS", Width: absoluteExpiryWidth, DropRank: 4},
		{Title: "LIFE LEFT", Width: app.CountdownWidth, DropRank: 2},
		{Title: "SINCE HEIGHT", Width: 12, AlignRight: true, DropRank: 3},
	}
}

// grantCells returns the cells of a grant's row. They are a sign for whether the grant is
// live, a cell for each of texts, and the cells of [expiryColumns].
func grantCells(
	rowView app.RowView,
	view *chain.View,
	entry expiry.Entry,
	texts []string,
) []widget.Line {
	sign, role := app.LivenessSign(entry.Expires, view.Clock.Block())
	cells := []widget.Line{widget.Styled(role, sign)}
	for _, text := range texts {
		cells = append(cells, widget.Plain(text))
	}

	givenText := "not known"
	if entry.GrantedAt.Height > 0 {
		givenText = human.Thousands(entry.GrantedAt.Height)
	}
	const arrowPlaceholder = "  " // markRenewable replaces it by an arrow
	expiryCell := widget.Styled(role, rowView.When(entry.Expires, view.Clock))
	return append(cells,
		expiryCell.Append(themes.Warn, arrowPlaceholder),
		widget.Muted(rowView.OtherForm(entry.Expires, view.Clock)),
		app.Countdown(app.CountdownWidth, entry, view.Clock),
		widget.Plain(givenText))
}

// row returns the row of a grant, or nil if the grant does not match; see
// [grantReader.matches]. Expired grants have a colour of their own.
func (r grantReader) row(view *chain.View, entry expiry.Entry) (*widget.Row, error) {
	if !r.matches(view, entry) {
		return nil, nil
	}
	cells, err := r.cells(r.rowView, view, entry)
	if err != nil {
		return nil, err
	}
	row := &widget.Row{Key: grantKey(entry.Grant), Cells: cells}
	if entry.Expires.HasExpired(view.Clock.Block()) {
		row.Role = themes.Expired
	}
	return row, nil
}

// markRenewable puts an arrow behind the expiry of some grants on the screen: of those that
// have effect after it, because their spender can renew them alone.
func (s *Screen) markRenewable() {
	for _, row := range s.table.InView() {
		if s.realExpiries.IsLaterThanStored(s.entries[row.Key].Grant) {
			expiryCell := row.Cells[s.expiryColumn]
			arrow := &expiryCell[1] // grantCells left room for the arrow behind the expiry
			arrow.Text = " " + themes.GlyphArrow
		}
	}
}
