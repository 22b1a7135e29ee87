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
	lines := []string{theme.Render(themes.Header, t.titlesText())}
	for index := t.top; len(lines) < t.box.H; index++ {
		if index < len(t.rows) {
			lines = append(lines, t.viewRow(theme, index))
		} else {
			text := t.textWithoutRow(index)
			lines = append(lines, Faint(text).Fit(theme, t.box.W))
		}
	}

	// Write the failure below the rows, or at the bottom of the box.
	const titleLines = 1
	failure := t.failureLines()
	rowsInView := max(len(t.rows)-t.top, 0)
	lastStart := t.box.H - titleLines - len(failure)
	failureStart := titleLines + min(rowsInView, lastStart)
	for i, text := range failure {
		lines[failureStart+i] = Styled(themes.Bad, text).Fit(theme, t.box.W)
	}
	return strings.Join(lines, "\n")
}

// titlesText returns the line of column titles, without styles. An arrow up or down
// follows the title of the column that the list is sorted by.
func (t *Table) titlesText() string {
	var titles []Line
	for _, column := range t.columns {
		title := column.Title
		switch {
		case title == "" || title != t.SortTitle:
		case t.SortsDown:
			title += " " + themes.GlyphDown
		default:
			title += " " + themes.GlyphUp
		}
		titles = append(titles, Plain(title))
	}
	return t.rowText(titles, spaces(gutterWidth))
}

// viewRow draws the row with an index. The cells have their own styles, except in two
// cases. A row with a style of its own, such as the row under the cursor, has that style
// throughout. A row that is wider than the box is drawn without the styles of its cells,
// because only text without styles can be cut here.
//
// A row that looks as it did when it was drawn last is not drawn again: a key changes few rows.
func (t *Table) viewRow(theme *themes.Theme, index int) string {
	row := &t.rows[index]
	drawn := drawnRow{
		theme:  theme,
		role:   t.roleOfRow(index),
		gutter: gutterSigns(index == t.cursor, t.IsMarked(row.Key)),
	}
	drawn.text = row.drawn.text
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
	return clip(t.joinCells(nil, cells, gutter), t.box.W)
}

// roleOfRow returns the role, that is the style, of the whole row with an index. The role
// Text leaves the styles to the cells of the row.
func (t *Table) roleOfRow(index int) themes.Role {
	row := t.rows[index]
	switch {
	case t.FlashingKeys[row.Key]:
		return themes.Flash
	case index == t.cursor && t.IsBlurred:
		return themes.Idle
	case index == t.cursor:
		return themes.Selected
	}
	return row.Role
}

// gutterSigns returns the two cells in front of a row: a pointer if the row has the
// cursor, and a diamond if the user selected (marked) it.
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

// joinCells draws a row over the whole width of the box. gutter, the signs of the cursor
// and of a selected row, is in front of the cells of the shown columns. A column is empty
// if the row has no cell for it. With a nil theme the text has no styles.
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

// failureLines returns the text that says why the last request failed, wrapped to the
// box, with a cross in front of it. It returns nil if the request did not fail. It cuts
// the text to the number of lines that the box has for rows.
func (t *Table) failureLines() []string {
	if t.failureText == "" {
		return nil
	}
	const indent = 4
	lines := Wrap(Safe(t.failureText), t.box.W-indent)
	for i, line := range lines {
		lines[i] = "  " + errorSign(i) + line
	}
	return lines[:min(len(lines), t.box.H-1)]
}

// textWithoutRow returns the text of a line below the last row. index is the index that a
// row there would have. The text is "", unless it is the first line of a table without
// rows. That line says "reading…" while the table waits for rows, and otherwise the text
// t.EmptyText.
func (t *Table) textWithoutRow(index int) string {
	switch {
	case index > 0 || len(t.rows) > 0:
		return ""
	case t.Loading():
		return "  reading" + themes.GlyphEllipsis
	}
	return "  " + t.EmptyText
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
	switch {
	case isSearching && (t.rowsBefore < 0 || len(t.rows) == 0):
		return "searched " + comma(t.searchedCount) + themes.GlyphEllipsis
	case len(t.rows) > 0:
		return t.rangeInView() + t.totalText(isSearching)
	case t.Loading():
		return ""
	}
	return "none"
}

// rangeInView returns the numbers of the rows in view, such as "1–24", or "~1–24" if
// rows may have come or gone before these. It returns "" if the table does not know how
// many rows of the list come before its own.
func (t *Table) rangeInView() string {
	if t.rowsBefore < 0 {
		return ""
	}
	first := t.rowsBefore + t.top + 1
	last := t.rowsBefore + min(len(t.rows), t.top+t.height())
	text := comma(first) + "–" + comma(last)
	if t.rowsBeforeIsOld {
		return "~" + text
	}
	return text
}

// totalText returns the number of rows in the list, as text that follows
// [Table.rangeInView]: " of 1,204". Without such a range it is "1,204".
//
// A "+" behind the number says that there may be more rows. While the table is searching,
// the number is that of the rows found so far, and "+…" follows. totalText returns "" if
// the number is not known.
func (t *Table) totalText(isSearching bool) string {
	number := t.numberText(isSearching)
	if number == "" || t.rowsBefore < 0 {
		return number
	}
	return " of " + number
}

// numberText returns the number of [Table.totalText], such as "1,204" or "2,000+".
func (t *Table) numberText(isSearching bool) string {
	switch {
	case isSearching:
		return comma(t.rowsBefore+len(t.rows)) + "+" + themes.GlyphEllipsis
	case t.total < 0:
		return ""
	case t.hasMoreThanTotal:
		return comma(t.total) + "+"
	}
	return comma(t.total)
}
