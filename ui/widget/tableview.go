package widget

import (
	"strings"

	"ephemera/themes"
)

// View draws the titles and the rows in view. If the last request failed, the text of the
// failure follows below the rows. Without free lines there, it covers the last rows.
func (t *Table) View(theme *themes.Theme) string {
	if t.box.W <= 0 || t.box.H <= 0 {
		return Fill("", t.box)
	}

	// An arrow follows the title of the column that the list is sorted by.
	var titles []Line
	for _, column := range t.columns {
		title := Plain(column.Title)
		switch {
		case column.Title == "" || column.Title != t.SortTitle:
		case t.SortsDown:
			title = title.Text(" " + themes.GlyphDown)
		default:
			title = title.Text(" " + themes.GlyphUp)
		}
		titles = append(titles, title)
	}
	lines := []string{theme.Render(themes.Header, t.rowText(titles, spaces(gutterWidth)))}

	// The first line without a row says why there are none.
	for index := t.top; len(lines) < t.box.H; index++ {
		text := ""
		switch {
		case index < len(t.rows):
			lines = append(lines, t.viewRow(theme, index))
			continue
		case index > 0:
		case t.Loading():
			text = "  reading" + themes.GlyphEllipsis
		default:
			text = "  " + t.EmptyText
		}
		lines = append(lines, Faint(text).Fit(theme, t.box.W))
	}
	if t.failureText == "" {
		return strings.Join(lines, "\n")
	}

	// Write the failure below the rows, or at the bottom of the box.
	const titleLines = 1
	failure := Wrap(Safe(t.failureText), t.box.W-4)
	failure = failure[:min(len(failure), t.box.H-titleLines)]
	rowsInView := max(len(t.rows)-t.top, 0)
	start := titleLines + min(rowsInView, t.box.H-titleLines-len(failure))
	for i, text := range failure {
		lines[start+i] = Styled(themes.Bad, "  "+errorSign(i)+text).Fit(theme, t.box.W)
	}
	return strings.Join(lines, "\n")
}

// viewRow draws the row with an index. A row with a style of its own, such as the row under the
// cursor, has that style throughout. So has a row that is wider than the box, because only text
// without styles can be cut here. Otherwise the cells have their own styles.
//
// A row that looks as it did when it was drawn last is not drawn again: a key changes few rows.
func (t *Table) viewRow(theme *themes.Theme, index int) string {
	row := &t.rows[index]
	drawn := drawnRow{theme: theme, role: row.Role, text: row.drawn.text}
	hasCursor := index == t.cursor
	switch {
	case t.FlashingKeys[row.Key]:
		drawn.role = themes.Flash
	case hasCursor && t.IsBlurred:
		drawn.role = themes.Idle
	case hasCursor:
		drawn.role = themes.Selected
	}
	pointer, mark := " ", " "
	if hasCursor {
		pointer = themes.GlyphPointer
	}
	if t.IsMarked(row.Key) {
		mark = themes.GlyphMarked
	}
	drawn.gutter = pointer + mark
	if drawn == row.drawn {
		return drawn.text
	}

	rowFits := neededWidth(t.columnLayouts) <= t.box.W
	if drawn.role == themes.Text && rowFits {
		drawn.text = t.joinCells(theme, row.Cells, drawn.gutter)
	} else {
		drawn.text = theme.Render(drawn.role, t.rowText(row.Cells, drawn.gutter))
	}
	row.drawn = drawn
	return drawn.text
}

// rowText returns a row without styles, as wide as the box.
func (t *Table) rowText(cells []Line, gutter string) string {
	return cut(t.joinCells(nil, cells, gutter), t.box.W, "")
}

// joinCells draws a row over the whole width of the box: gutter and the cells of the shown
// columns, empty for a missing cell. With a nil theme the text has no styles.
func (t *Table) joinCells(theme *themes.Theme, cells []Line, gutter string) string {
	var out strings.Builder
	out.WriteString(gutter)
	for i, layout := range t.columnLayouts {
		if i > 0 {
			out.WriteString(spaces(gapWidth))
		}
		column := t.columns[layout.index]
		cell := lineAt(cells, layout.index)

		// The texts behind the first, such as a node's names, stay if they leave it half of the
		// cells.
		if column.Shorten != nil && cell.widthUpTo(layout.width) > layout.width {
			firstWidth := layout.width - cell[1:].Width()
			if firstWidth < layout.width/2 {
				firstWidth = layout.width
			}
			shortened := Styled(cell[0].Role, column.Shorten(cell[0].Text, firstWidth))
			cell = append(shortened, cell[1:]...)
		}
		if column.AlignRight {
			out.WriteString(cell.FitRight(theme, layout.width))
			continue
		}
		out.WriteString(cell.Fit(theme, layout.width))
	}
	out.WriteString(spaces(t.box.W - neededWidth(t.columnLayouts)))
	return out.String()
}

// Position returns which rows are in view, for the title of the list. Numbers that are
// not known are left out.
//
//	1–24 of 1,204     the first 24 of 1,204 rows
//	~41–64 of 1,204   rows may have come or gone before these since they were counted
//	1–24 of 2,000+    there are more than 2,000 rows
//	1–3 of 3+…        three rows are found, and the search goes on
//	searched 4,000…   4,000 elements are searched, and none is found
//	none              the list is empty
func (t *Table) Position() string {
	isSearching := t.IsSearching()
	knowsRowsBefore := t.rowsBefore >= 0
	switch {
	case isSearching && (!knowsRowsBefore || len(t.rows) == 0):
		return "searched " + comma(t.searchedCount) + themes.GlyphEllipsis
	case len(t.rows) == 0 && t.Loading():
		return ""
	case len(t.rows) == 0:
		return "none"
	}

	// The number of rows in the list, or of those that a search has found so far.
	total := ""
	switch {
	case isSearching:
		total = comma(t.rowsBefore+len(t.rows)) + "+" + themes.GlyphEllipsis
	case t.total >= 0 && t.hasMoreThanTotal:
		total = comma(t.total) + "+"
	case t.total >= 0:
		total = comma(t.total)
	}
	if !knowsRowsBefore {
		return total
	}

	first := t.rowsBefore + t.top + 1
	last := t.rowsBefore + min(len(t.rows), t.top+t.height())
	position := comma(first) + "–" + comma(last)
	if t.rowsBeforeIsOld {
		position = "~" + position
	}
	if total == "" {
		return position
	}
	return position + " of " + total
}
