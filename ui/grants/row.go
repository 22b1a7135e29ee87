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

// The titles of the columns of expiries.
const (
	expiresTitle   = "EXPIRES"
	otherFormTitle = "IN OTHER WORDS" // in the form that the user did not choose
)

// columns returns the columns of the list of approvals or of that of operators, with the cells
// of the grant.
func (g listedGrant) columns(kind cw721.GrantKind) []widget.Column {
	owner := widget.Plain(g.rowView.AccountCell(g.Owner))
	spender := widget.Plain(g.rowView.AccountCell(g.Spender))
	sign, role := app.LivenessSign(g.Expires, g.clock.Block())
	columns := []widget.Column{{Width: 1, Cell: widget.Styled(role, sign)}}
	if kind == cw721.GrantApproval {
		columns = append(columns,
			widget.Column{
				Title:   "TOKEN",
				Width:   12,
				Flex:    3,
				Shorten: widget.Shorten,
				Cell:    widget.Plain(human.TokenID(g.Token)),
			},
			widget.Column{Title: "GIVEN BY", Width: 8, Flex: 2, Shorten: widget.Shorten, DropRank: 1, Cell: owner},
			widget.Column{Title: "SPENDER", Width: 8, Flex: 2, Shorten: widget.Shorten, Cell: spender})
	} else {
		columns = append(columns,
			widget.Column{Title: "OPERATOR", Width: 8, Flex: 2, Shorten: widget.Shorten, Cell: spender},
			widget.Column{Title: "ACTS FOR", Width: 8, Flex: 2, Shorten: widget.Shorten, Cell: owner},
			widget.Column{
				Title:      "TOKENS",
				Width:      7,
				AlignRight: true,
				DropRank:   1,
				Cell:       widget.Plain(human.Thousands(uint64(g.holdings))),
			})
	}

	const (
		relativeWidth    = 19   // the least width of an expiry such as "in 11 blocks"
		absoluteWidth    = 23   // of a height, or of a date with its time, no digit of which may be cut
		arrowPlaceholder = "  " // markRenewable replaces it by an arrow
	)
	expiresWidth := absoluteWidth
	if g.rowView.Times == app.Relative {
		expiresWidth = relativeWidth
	}
	sinceText := "not known"
	if g.GrantedAt.Height > 0 {
		sinceText = human.Thousands(g.GrantedAt.Height)
	}
	expires := widget.Styled(role, g.rowView.When(g.Expires, g.clock))
	return append(columns,
		widget.Column{
			Title: expiresTitle,
			Width: expiresWidth,
			Flex:  1,
			Cell:  expires.Append(themes.Warn, arrowPlaceholder),
		},
		widget.Column{
			Title:    otherFormTitle,
			Width:    absoluteWidth,
			DropRank: 4,
			Cell:     widget.Muted(g.rowView.OtherForm(g.Expires, g.clock)),
		},
		widget.Column{
			Title:    "LIFE LEFT",
			Width:    app.CountdownWidth,
			DropRank: 2,
			Cell:     app.Countdown(app.CountdownWidth, g.Entry, g.clock),
		},
		widget.Column{
			Title:      "SINCE HEIGHT",
			Width:      12,
			AlignRight: true,
			DropRank:   3,
			Cell:       widget.Plain(sinceText),
		})
}

// row returns the row of a grant, with the grant as its OwnerData, or nil if the grant does not
// match. Expired grants have a colour of their own.
func (r grantReader) row(entry expiry.Entry) (*widget.Row, error) {
	if !r.matches(entry) {
		return nil, nil
	}
	listed := listedGrant{Entry: entry, rowView: r.rowView, clock: r.view.Clock}
	if r.grantKind == cw721.GrantOperator {
		var err error
		listed.holdings, err = r.view.Holdings(entry.Owner)
		if err != nil {
			return nil, err
		}
	}
	row := &widget.Row{
		Key:       app.GrantKey(entry.Grant),
		Cells:     widget.Cells(listed.columns(r.grantKind)),
		OwnerData: entry,
	}
	if entry.Expires.HasExpired(r.view.Clock.Block()) {
		row.Role = themes.Expired
	}
	return row, nil
}

// entryOf returns the grant of a row.
func entryOf(row widget.Row) expiry.Entry { return row.OwnerData.(expiry.Entry) }

// markRenewable puts an arrow behind the expiry of some grants on the screen: of those that
// have effect after it, because their spender can renew them alone.
func (s *Screen) markRenewable(columns []widget.Column) {
	expiresIndex := slices.IndexFunc(columns, func(column widget.Column) bool {
		return column.Title == expiresTitle
	})
	for _, row := range s.table.InView() {
		if s.known.realExpiries.IsLaterThanStored(entryOf(row).Grant) {
			row.Cells[expiresIndex][1].Text = " " + themes.GlyphArrow // where the cell has room for it
		}
	}
}
