package widget

import (
	"strings"

	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// Column is a column of a table.
type Column struct {
	Title       string
	Width       int  // in cells; with Flex, the least
	Flex        int  // its share of the cells that are left; 0 keeps Width
	AlignRight  bool // aligned at the right, for numbers
	ElideMiddle bool // a long text loses its middle, so that ids stay distinct
	Sort        int  // +1 sorted upwards, -1 downwards, 0 not sorted by it
	Drop        int  // in a narrow box the column with the highest goes first; 0 always stays
	NeverCut    bool // at least as wide as its widest cell: a cut number is another number
	Hide        bool // left out, such as where another column shows the same in fewer cells
}

// columnCell is a column as it is laid out.
type columnCell struct {
	column int // index
	width  int
}

const (
	gutterWidth = 2 // the pointer or the mark, and a space
	gapWidth    = 2 // between columns
)

// layOutColumns shares the width of a box among the columns. cellWidths are the widest
// cells so far. Columns with Flex first give up what their cells don't fill, then get
// what their cells lack, then share the rest.
func layOutColumns(columns []Column, width int, cellWidths []int) []columnCell {
	cells := make([]columnCell, 0, len(columns))
	for i, column := range columns {
		if column.NeverCut && i < len(cellWidths) {
			column.Width = max(column.Width, cellWidths[i])
		}
		if !column.Hide {
			cells = append(cells, columnCell{column: i, width: column.Width})
		}
	}
	cells = dropColumns(columns, cells, width)

	for i, cell := range cells {
		column := columns[cell.column]
		if column.Flex > 0 && cell.column < len(cellWidths) {
			const sortSign = 2
			filled := max(cellWidths[cell.column], Width(column.Title)+sortSign)
			cells[i].width = min(column.Width, filled)
		}
	}
	shareWidth(columns, cells, width-neededWidth(cells), func(cell columnCell) int {
		if cell.column < len(cellWidths) {
			return cellWidths[cell.column] - cell.width
		}
		return 0
	})
	shareWidth(columns, cells, width-neededWidth(cells), func(columnCell) int { return width })
	return cells
}

// dropColumns leaves columns out until the others fit.
func dropColumns(columns []Column, cells []columnCell, width int) []columnCell {
	for neededWidth(cells) > width {
		first := -1
		for i, cell := range cells {
			drop := columns[cell.column].Drop
			if drop > 0 && (first < 0 || drop >= columns[cells[first].column].Drop) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		cells = append(cells[:first], cells[first+1:]...)
	}
	return cells
}

// shareWidth shares cells of the screen among the columns by their Flex. No column
// gets more than lacking returns.
func shareWidth(columns []Column, cells []columnCell, left int, lacking func(columnCell) int) {
	for left > 0 {
		shares := 0
		for _, cell := range cells {
			if lacking(cell) > 0 {
				shares += columns[cell.column].Flex
			}
		}
		before := left
		for i, cell := range cells {
			flex := columns[cell.column].Flex
			if flex == 0 || shares == 0 || lacking(cell) <= 0 {
				continue
			}
			roundedUp := (left*flex + shares - 1) / shares
			part := min(roundedUp, lacking(cell), left)
			cells[i].width += part
			left -= part
			shares -= flex
		}
		if left == before {
			return
		}
	}
}

// neededWidth returns the width of a row with these columns.
func neededWidth(cells []columnCell) int {
	width := gutterWidth + gapWidth*max(0, len(cells)-1)
	for _, cell := range cells {
		width += cell.width
	}
	return width
}

// View draws the titles and the rows in view. The text of a failure follows the rows,
// or covers the last ones.
func (t *Table) View(th *themes.Theme) string {
	b := t.box
	if b.W <= 0 || b.H <= 0 {
		return Fill("", b)
	}
	var out strings.Builder
	out.Grow(b.H * (b.W + 48))
	out.WriteString(th.Render(themes.Header, clip(t.titles(), b.W)))

	failure := t.failureLines()
	rowsInView := max(len(t.rows)-t.top, 0)
	failureStart := min(rowsInView, b.H-1-len(failure))
	for y := range b.H - 1 {
		out.WriteByte('\n')
		switch i := t.top + y; {
		case y >= failureStart && y < failureStart+len(failure):
			out.WriteString(In(themes.Bad, failure[y-failureStart]).Fit(th, b.W))
		case i < len(t.rows):
			t.drawRow(&out, th, i)
		default:
			out.WriteString(t.lineWithoutRow(th, i))
		}
	}
	return out.String()
}

// titles draws the titles, with a sign at the one that the list is sorted by.
func (t *Table) titles() string {
	var out strings.Builder
	out.WriteString(spaces(gutterWidth))
	for i, cell := range t.layout {
		if i > 0 {
			out.WriteString(spaces(gapWidth))
		}
		column := t.columns[cell.column]
		title := column.Title
		switch {
		case column.Sort > 0:
			title += " " + themes.GlyphUp
		case column.Sort < 0:
			title += " " + themes.GlyphDown
		}
		if column.AlignRight {
			out.WriteString(FitRight(title, cell.width))
		} else {
			out.WriteString(Fit(title, cell.width))
		}
	}
	return out.String()
}

// drawRow draws a row. A row with a style of its own is drawn without the styles of
// its cells.
func (t *Table) drawRow(out *strings.Builder, th *themes.Theme, i int) {
	row := t.rows[i]
	gutter := gutterSigns(i == t.cursor, t.IsMarked(row.Key))
	role := t.roleOfRow(i)
	fits := neededWidth(t.layout) <= t.box.W
	if role == themes.Text && fits {
		t.drawCells(out, th, row, gutter)
		return
	}
	var bare strings.Builder
	t.drawCells(&bare, nil, row, gutter)
	ink := th.Ink(role)
	ink.WriteTo(out, clip(bare.String(), t.box.W))
}

// roleOfRow returns the role of a whole row; Text leaves the styles to its cells.
func (t *Table) roleOfRow(i int) themes.Role {
	row := t.rows[i]
	switch {
	case t.Flash[row.Key]:
		return themes.Flash
	case i == t.cursor && t.IsBlurred:
		return themes.Idle
	case i == t.cursor:
		return themes.Selected
	}
	return row.Role
}

// gutterSigns returns the signs in front of a row.
func gutterSigns(hasCursor, isMarked bool) string {
	switch {
	case hasCursor && isMarked:
		return themes.GlyphPointer + themes.GlyphMarked
	case hasCursor:
		return themes.GlyphPointer + " "
	case isMarked:
		return " " + themes.GlyphMarked
	}
	return "  "
}

// drawCells draws the cells of a row, without styles if th is nil.
func (t *Table) drawCells(out *strings.Builder, th *themes.Theme, row Row, gutter string) {
	out.WriteString(gutter)
	for i, cell := range t.layout {
		if i > 0 {
			out.WriteString(spaces(gapWidth))
		}
		if cell.column >= len(row.Cells) {
			out.WriteString(spaces(cell.width))
			continue
		}
		column := t.columns[cell.column]
		line := row.Cells[cell.column]
		if column.ElideMiddle {
			line = line.withoutMiddle(cell.width)
		}
		line.draw(out, th, cell.width, column.AlignRight)
	}
	out.WriteString(spaces(t.box.W - neededWidth(t.layout)))
}

// failureLines returns the text of the last failure, wrapped to the box.
func (t *Table) failureLines() []string {
	if t.failure == "" {
		return nil
	}
	const indent = 4
	lines := Wrap(Safe(t.failure), t.box.W-indent)
	for i, line := range lines {
		prefix := spaces(indent)
		if i == 0 {
			prefix = "  " + themes.GlyphNo + " "
		}
		lines[i] = prefix + line
	}
	return lines[:min(len(lines), t.box.H-1)]
}

// lineWithoutRow draws a line behind the rows. If there are no rows, the first line
// says so.
func (t *Table) lineWithoutRow(th *themes.Theme, i int) string {
	isFirst := i == 0 && len(t.rows) == 0
	switch {
	case isFirst && t.Loading():
		return In(themes.Faint, "  reading"+themes.GlyphEllipsis).Fit(th, t.box.W)
	case isFirst:
		return In(themes.Faint, "  "+t.Empty).Fit(th, t.box.W)
	}
	return spaces(t.box.W)
}

// Position returns which rows are in view, such as "1–24 of 1,204". It leaves out what
// is not known. A tilde marks a number that may have changed since it was counted, a
// plus a total that may be larger, and an ellipsis a search that goes on.
func (t *Table) Position() string {
	searching := t.Searching()
	switch {
	case searching && (t.index < 0 || len(t.rows) == 0):
		return "searched " + humanize.Comma(int64(t.searched)) + themes.GlyphEllipsis
	case len(t.rows) > 0:
		return t.rangeInView() + t.ofTotal(searching)
	case t.Loading():
		return ""
	}
	return "none"
}

// rangeInView returns the numbers of the rows in view, or nothing if they are not
// known.
func (t *Table) rangeInView() string {
	if t.index < 0 {
		return ""
	}
	first := t.index + t.top + 1
	last := t.index + min(len(t.rows), t.top+t.height())
	text := humanize.Comma(int64(first)) + "–" + humanize.Comma(int64(last))
	if t.indexIsOld {
		return "~" + text
	}
	return text
}

// ofTotal returns how many rows there are, or nothing if that is not known.
func (t *Table) ofTotal(searching bool) string {
	text := ""
	switch {
	case searching:
		text = humanize.Comma(int64(t.index+len(t.rows))) + "+" + themes.GlyphEllipsis
	case t.total < 0:
		return ""
	case t.totalIsLeast:
		text = humanize.Comma(int64(t.total)) + "+"
	default:
		text = humanize.Comma(int64(t.total))
	}
	if t.index < 0 {
		return text
	}
	return " of " + text
}
