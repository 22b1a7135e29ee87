package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/sahilm/fuzzy"

	"ephemera/themes"
)

// View draws the search text and the items around the cursor.
func (c *Chooser) View(theme *themes.Theme) string {
	box := c.box
	if box.W <= 0 || box.H <= 0 {
		return Fill("", box)
	}

	// The search text takes the first line, behind the sign "/ ".
	const (
		signWidth = 2
		hasFocus  = true // all letters go to the search text
	)
	sign := Styled(themes.Key, "/ ").Fit(theme, min(signWidth, box.W))
	searchText := c.query.View(theme, box.W-signWidth, hasFocus, c.Prompt)
	lines := []string{sign + searchText}

	// The items take the other lines.
	c.top = firstInView(c.top, c.cursor, box.H-1, len(c.matches))
	for i := c.top; i < len(c.matches) && len(lines) < box.H; i++ {
		lines = append(lines, c.viewItem(theme, i))
	}
	if len(c.matches) == 0 {
		lines = append(lines, Faint("  nothing matches").Fit(theme, box.W))
	}
	return Fill(strings.Join(lines, "\n"), box)
}

const (
	chooserPointerWidth = 2 // cells in front of a title
	chooserGapWidth     = 2 // cells between columns
)

// chooserColumns holds the widths of the columns, in cells. A column with 0 is not shown.
type chooserColumns struct {
	title  int
	hint   int
	detail int
}

// NaturalWidth returns the width, in cells, at which no text of any item is cut.
func (c *Chooser) NaturalWidth() int {
	widest := c.widestColumns()
	width := chooserPointerWidth + widest.title
	for _, column := range []int{widest.hint, widest.detail} {
		if column > 0 {
			width += chooserGapWidth + column
		}
	}

	// A disabled item is not drawn in columns: the reason follows its title.
	for _, item := range c.items {
		if !item.Disabled {
			continue
		}
		columns := c.layOut(item)
		width = max(width, chooserPointerWidth+columns.title+chooserGapWidth+columns.detail)
	}
	return width
}

// widestColumns returns the widths of the widest title, hint and detail, in cells.
// Disabled items don't count, because they are not drawn in columns. Their detail, which
// says why they are disabled, follows the title directly.
func (c *Chooser) widestColumns() (widest chooserColumns) {
	for _, item := range c.items {
		if item.Disabled {
			continue
		}
		widest.title = max(widest.title, safeWidth(item.Title))
		widest.hint = max(widest.hint, safeWidth(item.Hint))
		widest.detail = max(widest.detail, safeWidth(item.Detail))
	}
	return widest
}

// layOut shares the width of the box among the columns of titles, hints and details. A
// hint is the key that does the same as the item. Titles are the most important. The
// hints or the details are left out, with width 0, if they would leave too few cells for
// the titles.
//
// A disabled item is not drawn in columns: its title and its detail, which says why it is
// disabled, get the cells that they need.
func (c *Chooser) layOut(item Item) chooserColumns {
	if item.Disabled {
		return chooserColumns{
			title:  safeWidth(item.Title),
			detail: safeWidth(item.Detail),
		}
	}
	const (
		minTitleWidth      = 34 // cells that the other columns leave to the titles, if these need them
		minDetailWidth     = 6  // fewer cells of a detail are of no use
		desiredDetailWidth = 24 // cells that details get even if titles are cut for them
	)

	// Show the hints if the titles keep enough cells beside them.
	columns := c.widestColumns()
	room := c.box.W - chooserPointerWidth
	keptTitleWidth := min(columns.title, minTitleWidth)
	if columns.hint > 0 {
		roomBesideHint := room - chooserGapWidth - columns.hint
		if roomBesideHint < min(keptTitleWidth, room/2) {
			columns.hint = 0
		} else {
			room = roomBesideHint
		}
	}

	// Give the details the cells that the titles don't need, or desiredDetailWidth cells
	// if these are more. The titles keep keptTitleWidth cells.
	roomBesideTitle := max(room-chooserGapWidth-columns.title, desiredDetailWidth)
	maxDetailWidth := room - chooserGapWidth - keptTitleWidth
	columns.detail = min(columns.detail, maxDetailWidth, roomBesideTitle)
	if columns.detail < minDetailWidth {
		columns.detail = 0
	} else {
		room -= chooserGapWidth + columns.detail
	}
	columns.title = min(columns.title, max(room, 0))
	return columns
}

// itemRoles are the roles, that is the styles, of the texts of an item.
type itemRoles struct {
	title  themes.Role
	match  themes.Role // the letters of the title that match the search text
	hint   themes.Role
	detail themes.Role
}

// viewItem draws an item that was found, in the width of the box, with the matching
// letters of its title highlighted. matchIndex is its index in c.matches. The detail of a
// disabled item, which says why it is disabled, follows its title directly.
func (c *Chooser) viewItem(theme *themes.Theme, matchIndex int) string {
	item := c.items[c.matches[matchIndex].itemIndex]
	var titleIndexes []int // the bytes of the title that match the search text
	for _, letters := range fuzzy.Find(c.Query(), []string{Safe(item.Title)}) {
		titleIndexes = letters.MatchedIndexes
	}
	sign, roles := itemStyle(item.Disabled, matchIndex == c.cursor)
	columns := c.layOut(item)

	// Draw the columns from left to right.
	title := Fit(Safe(item.Title), columns.title)
	highlighted := highlightMatches(title, titleIndexes, roles.title, roles.match)
	line := append(Styled(roles.title, sign), highlighted...)
	if columns.hint > 0 {
		line = line.Append(roles.hint, "  "+Fit(Safe(item.Hint), columns.hint))
	}
	if columns.detail > 0 {
		line = line.Append(roles.detail, "  "+Fit(Safe(item.Detail), columns.detail))
	}

	// The style of the item goes on to the right end of the box.
	padding := spaces(c.box.W - line.Width())
	return line.Append(roles.title, padding).Fit(theme, c.box.W)
}

// itemStyle returns the sign in front of an item, and the styles of its texts. The item
// under the cursor has a pointer, and one style throughout. A disabled item has a dot.
func itemStyle(isDisabled, hasCursor bool) (sign string, roles itemRoles) {
	switch {
	case hasCursor:
		return themes.GlyphPointer + " ", itemRoles{
			title:  themes.Selected,
			match:  themes.Selected,
			hint:   themes.Selected,
			detail: themes.Selected,
		}
	case isDisabled: // its hint is not drawn
		return themes.GlyphDot + " ", itemRoles{
			title:  themes.Faint,
			match:  themes.Match,
			detail: themes.Muted,
		}
	}
	return "  ", itemRoles{
		title:  themes.Text,
		match:  themes.Match,
		hint:   themes.Key,
		detail: themes.Faint,
	}
}

// highlightMatches returns a title in which matching characters have the style matchRole,
// and all others have role. matchIndexes holds the indexes of the matching bytes. A
// character of several bytes, such as "é", is highlighted as a whole.
func highlightMatches(title string, matchIndexes []int, role, matchRole themes.Role) (line Line) {
	plainStart := 0 // where the text begins that is not added yet
	for start := 0; start < len(title); {
		// Go from character to character, since a character can have several bytes.
		cluster, _ := ansi.FirstGraphemeCluster(title[start:], ansi.GraphemeWidth)
		end := start + max(1, len(cluster))
		isInCluster := func(i int) bool { return i >= start && i < end }
		if slices.ContainsFunc(matchIndexes, isInCluster) {
			line = line.Append(role, title[plainStart:start]).Append(matchRole, title[start:end])
			plainStart = end
		}
		start = end
	}
	return line.Append(role, title[plainStart:])
}
