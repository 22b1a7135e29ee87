package accounts

import (
	"strings"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/widget"
)

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
	s.Panes.Table.SetColumns(accountFacts{}.columns("", s.isByHoldings)...)
}

// columns returns the columns of the list, with the cells of the account. Messages are sent as
// the actor.
func (f accountFacts) columns(actor cw721.Address, isByHoldings bool) []widget.Column {
	holdingsWidth := 4
	if isByHoldings {
		holdingsWidth = 6 // room for the arrow behind the title
	}
	name := widget.Plain("  " + f.Name)
	if f.Address == actor {
		name = widget.Styled(themes.Live, themes.GlyphLive+" ").Strong(f.Name)
	}
	return []widget.Column{
		{Title: nameTitle, Width: 9, Flex: 10, Cell: name},
		{
			Title:    "ADDRESS",
			Width:    11,
			Flex:     1,
			Shorten:  widget.Shorten,
			DropRank: 2,
			Cell:     widget.Muted(string(f.Address)),
		},
		{Title: "KIND", Width: 9, DropRank: 1, Cell: kindOf(f.Receiver).shortName},
		{
			Title:      holdingsTitle,
			Width:      holdingsWidth,
			AlignRight: true,
			NeverCut:   true,
			Cell:       countCell(f.tokenCount, human.Thousands(uint64(f.tokenCount))),
		},
		{
			Title:      "APPROVED",
			Width:      8,
			AlignRight: true,
			Cell:       countCell(f.approvalCount, f.approvalCountText()),
		},
		{
			Title: "ROLES",
			Width: 10,
			Flex:  50,
			Cell:  widget.Plain(strings.Join(f.roleTexts(), " · ")),
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
