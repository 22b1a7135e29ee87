package widget

import "slices"

// Column is a column of a table. A list declares its columns in one function, which gets what
// is read for a row and makes each column with the cell of that row.
type Column struct {
	Title string
	Cell  Line // the cell of the row that the column was made for; see [Cells]
	Width int  // in cells; the least width if Flex is not 0
	// Flex is the column's share of the cells that no column needs. A column with Flex 2
	// gets twice as many as one with Flex 1. With 0 the column keeps its Width.
	Flex       int
	AlignRight bool // aligned at the right, for numbers
	// Shorten shortens the first text of a cell that is too wide, such as [Shorten] an id. If it
	// is nil, the cell loses its end.
	Shorten func(text string, width int) string
	// DropRank says when the column is left out of a narrow box. The column with the highest
	// DropRank goes first. A column with 0 always stays.
	DropRank   int
	NeverCut   bool // at least as wide as its widest cell, because a cut number misleads
	Unmeasured bool // its width does not depend on its cells, which change with the clock
	Hide       bool // left out, such as where another column shows the same in fewer cells
}

// Cells returns the cells of columns that were made for a row.
func Cells(columns []Column) []Line {
	cells := make([]Line, len(columns))
	for i, column := range columns {
		cells[i] = column.Cell
	}
	return cells
}

// columnLayout is a column that is shown, with the width that it gets in a box.
type columnLayout struct {
	index int // index into the table's columns
	width int // in cells
}

const (
	gutterWidth = 2 // cells in front of a row, for the signs of the cursor and of a selected row
	gapWidth    = 2 // cells between columns
)

// layOutColumns decides which columns fit into width cells, and how wide each is. cellWidths
// has the width of the widest cell of each column so far; it may be shorter than columns.
//
// A column without Flex keeps its width. A column with Flex starts at its least width, or
// at less if its cells and its title need less. The remaining cells of the box go first
// to columns whose texts would be cut, and then to all columns with Flex. The texts of
// an Unmeasured column don't count. If that leaves an id shortened, all columns become as
// narrow as their texts.
func layOutColumns(columns []Column, width int, cellWidths []int) []columnLayout {
	layouts := make([]columnLayout, 0, len(columns))
	for i, column := range columns {
		if column.NeverCut && i < len(cellWidths) {
			column.Width = max(column.Width, cellWidths[i])
		}
		if !column.Hide {
			layouts = append(layouts, columnLayout{index: i, width: column.Width})
		}
	}

	layouts = dropColumns(columns, layouts, width)

	// The widths of the texts of some columns are not known or don't count.
	isMeasured := func(layout columnLayout) bool {
		return layout.index < len(cellWidths) && !columns[layout.index].Unmeasured
	}

	// Narrow a column that is wider than its texts.
	const sortSign = 2 // a space and the arrow behind the title
	for i, layout := range layouts {
		column := columns[layout.index]
		if column.Flex > 0 && isMeasured(layout) {
			textWidth := max(cellWidths[layout.index], Width(column.Title)+sortSign)
			layouts[i].width = min(column.Width, textWidth)
		}
	}

	// cutCells is by how many cells a column would have to grow in order to cut no text.
	cutCells := func(layout columnLayout) int {
		if !isMeasured(layout) {
			return 0
		}
		return cellWidths[layout.index] - layout.width
	}

	// If the remaining cells are too few for ids, the other columns give those that none of their
	// texts has needed so far.
	missingCells := neededWidth(layouts) - width
	for _, layout := range layouts {
		if columns[layout.index].Shorten != nil {
			missingCells += max(0, cutCells(layout))
		}
	}
	for i, layout := range layouts {
		column := columns[layout.index]
		if layout.index < len(cellWidths) {
			free := layout.width - max(cellWidths[layout.index], Width(column.Title)+sortSign)
			given := clamp(missingCells, 0, free)
			layouts[i].width -= given
			missingCells -= given
		}
	}

	// Widen the columns that would cut a text, and share what still remains without a limit.
	shareWidth(columns, layouts, width-neededWidth(layouts), cutCells)
	shareWidth(columns, layouts, width-neededWidth(layouts), func(columnLayout) int { return width })
	return layouts
}

// dropColumns leaves out columns until the others fit into width cells, those with the highest
// DropRank first, and of several with one DropRank the rightmost. Those with 0 stay, even if
// they don't fit.
func dropColumns(columns []Column, layouts []columnLayout, width int) []columnLayout {
	for neededWidth(layouts) > width {
		// Find the column that matters least.
		dropIndex := -1 // index into layouts; -1 if no column may go
		highestDrop := 1
		for i, layout := range layouts {
			if drop := columns[layout.index].DropRank; drop >= highestDrop {
				dropIndex = i
				highestDrop = drop
			}
		}
		if dropIndex < 0 {
			break
		}
		layouts = slices.Delete(layouts, dropIndex, dropIndex+1)
	}
	return layouts
}

// shareWidth widens columns by spareCells in all, in proportion to their Flex: of 6 cells the
// columns with Flex 2 and 1 get 4 and 2. maxGrowthOf returns by how many cells a column may
// grow at most. What it needs less than its share goes to the others.
func shareWidth(columns []Column, layouts []columnLayout, spareCells int, maxGrowthOf func(columnLayout) int) {
	for spareCells > 0 {
		// Add up the Flex of the columns that can still grow.
		totalFlex := 0
		for _, layout := range layouts {
			if maxGrowthOf(layout) > 0 {
				totalFlex += columns[layout.index].Flex
			}
		}
		if totalFlex == 0 {
			return // no column can grow
		}

		// Give each of these columns its share.
		for i, layout := range layouts {
			flex := columns[layout.index].Flex
			maxGrowth := maxGrowthOf(layout)
			if flex == 0 || maxGrowth <= 0 {
				continue
			}

			// Rounding up leaves no cell over at the end.
			share := (spareCells*flex + totalFlex - 1) / totalFlex
			growth := min(share, maxGrowth, spareCells)
			layouts[i].width += growth
			spareCells -= growth
			totalFlex -= flex
		}
	}
}

// neededWidth returns the width of a row, in cells, with the gutter and the gaps.
func neededWidth(layouts []columnLayout) int {
	width := gutterWidth + gapWidth*max(0, len(layouts)-1)
	for _, layout := range layouts {
		width += layout.width
	}
	return width
}
