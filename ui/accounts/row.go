package accounts

import (
	"strings"

	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// The indexes of the columns by which the list can be sorted.
const (
	nameColumn     = 0
	holdingsColumn = 3 // the number of tokens of each account
)

// accountColumns returns the columns of the list. An arrow in its title marks the column
// that the list is sorted by. That is the column of the names, or with isByHoldings the
// one with the number of tokens, which then has the largest number first.
func accountColumns(isByHoldings bool) []widget.Column {
	columns := []widget.Column{
		{Title: "  NAME", Width: 9, Flex: 10},
		{Title: "ADDRESS", Width: 11, Flex: 1, Shorten: widget.Shorten, DropRank: 2},
		{Title: "KIND", Width: 9, DropRank: 1},
		{Title: "OWNS", Width: 4, AlignRight: true, NeverCut: true},
		{Title: "APPROVED", Width: 8, AlignRight: true},
		{Title: "ROLES", Width: 10, Flex: 50},
	}
	if !isByHoldings {
		columns[nameColumn].Sort = +1
		return columns
	}
	columns[holdingsColumn].Sort = -1
	columns[holdingsColumn].Width = 6 // room for the arrow behind the title
	return columns
}

// row returns the account's row in the list. The actor, as whom messages are sent, has a
// sign in front of its name.
func (f accountFacts) row(rowView app.RowView) widget.Row {
	name := widget.Plain("  " + f.Name)
	if f.Address == rowView.FactsActor {
		name = widget.Styled(themes.Live, themes.GlyphLive+" ").Strong(f.Name)
	}
	countCell := func(count int, text string) widget.Line {
		if count == 0 {
			return widget.Faint(themes.GlyphDot)
		}
		return widget.Plain(text)
	}
	return widget.Row{Key: f.Name, Cells: []widget.Line{
		name,
		widget.Muted(string(f.Address)),
		kindOf(f.Receiver).shortName,
		countCell(f.tokenCount, human.Thousands(uint64(f.tokenCount))),
		countCell(f.approvalCount, f.approvalCountText()),
		widget.Plain(strings.Join(f.roleTexts(rowView.DisplayName), " · ")),
	}}
}
