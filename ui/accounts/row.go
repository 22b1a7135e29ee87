package accounts

import (
	"strings"

	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// listedAccount is what the row of an account is made from.
type listedAccount struct {
	accountFacts
	rowView app.RowView
}

// The titles of the columns by which the list can be sorted.
const (
	nameTitle     = "  NAME"
	holdingsTitle = "OWNS" // the number of tokens of each account
)

// setColumns sets the columns for the order of the list: by the names, or the largest
// number of tokens first.
func (s *Screen) setColumns() {
	s.Panes.Table.SortTitle = nameTitle
	s.Panes.Table.SortsDown = s.isByHoldings
	if s.isByHoldings {
		s.Panes.Table.SortTitle = holdingsTitle
	}
	s.Panes.Table.SetColumns(listedAccount{}.columns(s.isByHoldings)...)
}

// columns returns the columns of the list, with the cells of the account.
func (a listedAccount) columns(isByHoldings bool) []widget.Column {
	holdingsWidth := 4
	if isByHoldings {
		holdingsWidth = 6 // room for the arrow behind the title
	}
	name := widget.Plain("  " + a.Name)
	if a.Address == a.rowView.FactsActor { // messages are sent as this account
		name = widget.Styled(themes.Live, themes.GlyphLive+" ").Strong(a.Name)
	}
	return []widget.Column{
		{Title: nameTitle, Width: 9, Flex: 10, Cell: name},
		{
			Title:    "ADDRESS",
			Width:    11,
			Flex:     1,
			Shorten:  widget.Shorten,
			DropRank: 2,
			Cell:     widget.Muted(string(a.Address)),
		},
		{Title: "KIND", Width: 9, DropRank: 1, Cell: kindOf(a.Receiver).shortName},
		{
			Title:      holdingsTitle,
			Width:      holdingsWidth,
			AlignRight: true,
			NeverCut:   true,
			Cell:       countCell(a.tokenCount, human.Thousands(uint64(a.tokenCount))),
		},
		{
			Title:      "APPROVED",
			Width:      8,
			AlignRight: true,
			Cell:       countCell(a.approvalCount, a.approvalCountText()),
		},
		{
			Title: "ROLES",
			Width: 10,
			Flex:  50,
			Cell:  widget.Plain(strings.Join(a.roleTexts(a.rowView.DisplayName), " · ")),
		},
	}
}

// countCell returns the text of a number, or a faint dot if the number is 0.
func countCell(count int, text string) widget.Line {
	if count == 0 {
		return widget.Faint(themes.GlyphDot)
	}
	return widget.Plain(text)
}
