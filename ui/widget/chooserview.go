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

	const (
		signWidth = 2
		hasFocus  = true // all letters go to the search text
	)
	sign := Styled(themes.Key, "/ ").Fit(theme, min(signWidth, box.W))
	lines := []string{sign + c.query.View(theme, box.W-signWidth, hasFocus, c.Prompt)}
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

// NaturalWidth returns the width, in cells, at which no text is cut.
func (c *Chooser) NaturalWidth() int {
	widest := c.widestColumns()
	width := chooserPointerWidth + widest.title
	for _, column := range []int{widest.hint, widest.detail} {
		if column > 0 {
			width += chooserGapWidth + column
		}
	}

	// A disabled item is not drawn in columns.
	for _, item := range c.items {
		if item.Disabled {
			textWidth := safeWidth(item.Title) + chooserGapWidth + safeWidth(item.Detail)
			width = max(width, chooserPointerWidth+textWidth)
		}
	}
	return width
}

// widestColumns returns the widths of the widest title, hint and detail of the items that are
// drawn in columns.
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

// layOut shares the width of the box among the columns of titles, hints and details. Titles
// are the most important. The hints or the details are left out, with width 0, if they would
// leave too few cells for the titles. A disabled item is not drawn in columns: its title and
// its detail get the cells that they need.
func (c *Chooser) layOut(item Item) chooserColumns {
	if item.Disabled {
		return chooserColumns{title: safeWidth(item.Title), detail: safeWidth(item.Detail)}
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

// viewItem draws an item that was found, in the width of the box, with the matching
// letters of its title highlighted. matchIndex is its index in c.matches. The item under the
// cursor has a pointer, and one style throughout. A disabled item has a dot, and its detail,
// which says why it is disabled, follows its title directly.
func (c *Chooser) viewItem(theme *themes.Theme, matchIndex int) string {
	item := c.items[c.matches[matchIndex].itemIndex]
	hasCursor := matchIndex == c.cursor
	sign := "  "
	titleRole := themes.Text
	detailRole := themes.Faint
	if item.Disabled {
		sign = themes.GlyphDot + " "
		titleRole = themes.Faint
		detailRole = themes.Muted
	}
	if hasCursor {
		sign = themes.GlyphPointer + " "
		titleRole = themes.Selected
	}

	columns := c.layOut(item)
	var titleIndexes []int // the bytes of the title that match the search text
	for _, letters := range fuzzy.Find(c.Query(), []string{Safe(item.Title)}) {
		titleIndexes = letters.MatchedIndexes
	}
	title := Fit(Safe(item.Title), columns.title)
	line := append(Styled(titleRole, sign), highlightMatches(title, titleIndexes, titleRole)...)
	if columns.hint > 0 {
		line = line.Append(themes.Key, "  "+Fit(Safe(item.Hint), columns.hint))
	}
	if columns.detail > 0 {
		line = line.Append(detailRole, "  "+Fit(Safe(item.Detail), columns.detail))
	}

	// The style of the item goes on to the right end of the box.
	line = line.Append(titleRole, spaces(c.box.W-line.Width()))
	if hasCursor {
		line = Styled(themes.Selected, line.String())
	}
	return line.Fit(theme, c.box.W)
}

// highlightMatches returns a title in which matching characters stand out, and all others have
// role. matchIndexes holds the indexes of the matching bytes. A character of several bytes,
// such as "é", is highlighted as a whole.
func highlightMatches(title string, matchIndexes []int, role themes.Role) (line Line) {
	plainStart := 0 // where the text begins that is not added yet
	for start := 0; start < len(title); {
		// Go from character to character, since a character can have several bytes.
		cluster, _ := ansi.FirstGraphemeCluster(title[start:], ansi.GraphemeWidth)
		end := start + max(1, len(cluster))
		if slices.ContainsFunc(matchIndexes, func(i int) bool { return i >= start && i < end }) {
			line = line.Append(role, title[plainStart:start]).Append(themes.Match, title[start:end])
			plainStart = end
		}
		start = end
	}
	return line.Append(role, title[plainStart:])
}
