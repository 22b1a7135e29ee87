package grants

import (
	"slices"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// listedGrant is what the row of a grant is made from.
type listedGrant struct {
	expiry.Entry
	rowView  app.RowView
	clock    chain.Clock
	holdings int // how many tokens the owner of an operator holds now, which the operator may move
}

// The columns by which the lists can be sorted, besides the tokens and the accounts.
const (
	expiresTitle   = "EXPIRES"
	otherFormTitle = "IN OTHER WORDS" // the expiry in the form that the user did not choose
)

// The columns that only one of the lists has. signColumn is in front of them, and
// [expiryColumns] follow.
var (
	signColumn = widget.ListColumn[listedGrant]{
		Column: widget.Column{Width: 1},
		Cell: func(g listedGrant) widget.Line {
			sign, role := app.LivenessSign(g.Expires, g.clock.Block())
			return widget.Styled(role, sign)
		},
	}
	approvalColumns = widget.ListColumns[listedGrant]{
		{
			Column: widget.Column{Title: "TOKEN", Width: 12, Flex: 3, Shorten: widget.Shorten},
			Cell:   func(g listedGrant) widget.Line { return widget.Plain(human.TokenID(g.Token)) },
		},
		{
			Column: widget.Column{Title: "GIVEN BY", Width: 8, Flex: 2, Shorten: widget.Shorten, DropRank: 1},
			Cell:   listedGrant.ownerCell,
		},
		{
			Column: widget.Column{Title: "SPENDER", Width: 8, Flex: 2, Shorten: widget.Shorten},
			Cell:   listedGrant.spenderCell,
		},
	}
	operatorColumns = widget.ListColumns[listedGrant]{
		{
			Column: widget.Column{Title: "OPERATOR", Width: 8, Flex: 2, Shorten: widget.Shorten},
			Cell:   listedGrant.spenderCell,
		},
		{
			Column: widget.Column{Title: "ACTS FOR", Width: 8, Flex: 2, Shorten: widget.Shorten},
			Cell:   listedGrant.ownerCell,
		},
		{
			Column: widget.Column{Title: "TOKENS", Width: 7, AlignRight: true, DropRank: 1},
			Cell: func(g listedGrant) widget.Line {
				return widget.Plain(human.Thousands(uint64(g.holdings)))
			},
		},
	}
)

// listColumns returns the columns of the list of one kind of grants. times is the form in
// which the user sees expiries; it decides how wide their column is.
func listColumns(kind cw721.GrantKind, times app.TimeForm) widget.ListColumns[listedGrant] {
	columns := approvalColumns
	if kind == cw721.GrantOperator {
		columns = operatorColumns
	}
	return slices.Concat(widget.ListColumns[listedGrant]{signColumn}, columns, expiryColumns(times))
}

// expiryColumns returns the last columns of both lists.
func expiryColumns(times app.TimeForm) widget.ListColumns[listedGrant] {
	const (
		relativeWidth = 19 // the least width of an expiry such as "in 11 blocks"
		absoluteWidth = 23 // of a height, or of a date with its time, no digit of which may be cut
	)
	width := absoluteWidth
	if times == app.Relative {
		width = relativeWidth
	}
	return widget.ListColumns[listedGrant]{
		{
			Column: widget.Column{Title: expiresTitle, Width: width, Flex: 1},
			Cell: func(g listedGrant) widget.Line {
				const arrowPlaceholder = "  " // markRenewable replaces it by an arrow
				_, role := app.LivenessSign(g.Expires, g.clock.Block())
				return widget.Styled(role, g.rowView.When(g.Expires, g.clock)).Append(themes.Warn, arrowPlaceholder)
			},
		},
		{
			Column: widget.Column{Title: otherFormTitle, Width: absoluteWidth, DropRank: 4},
			Cell: func(g listedGrant) widget.Line {
				return widget.Muted(g.rowView.OtherForm(g.Expires, g.clock))
			},
		},
		{
			Column: widget.Column{Title: "LIFE LEFT", Width: app.CountdownWidth, DropRank: 2},
			Cell: func(g listedGrant) widget.Line {
				return app.Countdown(app.CountdownWidth, g.Entry, g.clock)
			},
		},
		{
			Column: widget.Column{Title: "SINCE HEIGHT", Width: 12, AlignRight: true, DropRank: 3},
			Cell: func(g listedGrant) widget.Line {
				if g.GrantedAt.Height == 0 {
					return widget.Plain("not known")
				}
				return widget.Plain(human.Thousands(g.GrantedAt.Height))
			},
		},
	}
}

func (g listedGrant) ownerCell() widget.Line {
	return widget.Plain(g.rowView.AccountCell(g.Owner))
}

func (g listedGrant) spenderCell() widget.Line {
	return widget.Plain(g.rowView.AccountCell(g.Spender))
}

// row returns the row of a grant, or nil if the grant does not match; see
// [grantReader.matches]. Expired grants have a colour of their own.
func (r grantReader) row(view *chain.View, entry expiry.Entry) (*widget.Row, error) {
	if !r.matches(view, entry) {
		return nil, nil
	}
	listed := listedGrant{Entry: entry, rowView: r.rowView, clock: view.Clock}
	if r.grantKind == cw721.GrantOperator {
		var err error
		listed.holdings, err = view.Holdings(entry.Owner)
		if err != nil {
			return nil, err
		}
	}
	row := &widget.Row{Key: grantKey(entry.Grant), Cells: r.columns.Cells(listed)}
	if entry.Expires.HasExpired(view.Clock.Block()) {
		row.Role = themes.Expired
	}
	return row, nil
}

// markRenewable puts an arrow behind the expiry of some grants on the screen: of those that
// have effect after it, because their spender can renew them alone.
func (s *Screen) markRenewable(columns widget.ListColumns[listedGrant]) {
	expiresIndex := slices.IndexFunc(columns, func(column widget.ListColumn[listedGrant]) bool {
		return column.Title == expiresTitle
	})
	for _, row := range s.table.InView() {
		if s.realExpiries.IsLaterThanStored(s.entries[row.Key].Grant) {
			row.Cells[expiresIndex][1].Text = " " + themes.GlyphArrow // where the cell has room for it
		}
	}
}
