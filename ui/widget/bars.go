package widget

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"ephemera/themes"
)

// segments is a line of hints or tabs from left to right, with the columns at which they are
// drawn, so that the one that was clicked can be found.
type segments []segment

// segment is a hint or a tab with its position in a line.
type segment struct {
	index int  // index of the hint in [Hints], or of the tab in [Tabs]
	line  Line // its text
	start int  // the column at which it starts, in cells from 0
}

func (s segment) end() int { return s.start + s.line.Width() }

// end returns the first column behind the last segment.
func (s segments) end() int {
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1].end()
}

// indexAt returns the index of the hint or tab at a column, or -1 if there is none.
func (s segments) indexAt(column int) int {
	for _, segment := range s {
		if column >= segment.start && column < segment.end() {
			return segment.index
		}
	}
	return -1
}

// toLine returns the segments as one line, with spaces up to the start of each.
func (s segments) toLine() (line Line) {
	previousEnd := 0
	for _, segment := range s {
		line = line.Text(spaces(segment.start - previousEnd))
		line = append(line, segment.line...)
		previousEnd = segment.end()
	}
	return line
}

// Hint is a key and what it does, for a line such as the footer.
type Hint struct {
	Binding key.Binding
	Rank    int // in a narrow line the hints with the lowest ranks stay
}

// Hints is a line of hints in the order in which they are shown. None is ever cut: a hint that
// does not fit is left out.
type Hints []Hint

// hintGap is the space between two hints.
const hintGap = 2

// View draws the line in width cells.
func (h Hints) View(theme *themes.Theme, width int) string {
	return h.layOut(width).toLine().Fit(theme, width)
}

// layOut places the hints that fit into width cells, behind a space. Hints with low ranks are
// chosen first. After a hint that does not fit, shorter ones of higher rank are still tried.
func (h Hints) layOut(width int) (shownHints segments) {
	byRank := make([]int, len(h)) // the indexes of the hints, those with low ranks first
	for i := range h {
		byRank[i] = i
	}
	slices.SortStableFunc(byRank, func(a, b int) int { return h[a].Rank - h[b].Rank })

	// Take the hints whose keys can be pressed now, as long as they fit.
	room := width - 1
	for _, i := range byRank {
		if room <= 0 {
			break
		}
		help := h[i].Binding.Help()
		if !h[i].Binding.Enabled() || help.Key == "" {
			continue
		}
		line := Styled(themes.Key, mainKey(help.Key)).Append(themes.Faint, " "+help.Desc)
		if lineWidth := line.Width(); lineWidth <= room {
			shownHints = append(shownHints, segment{index: i, line: line})
			room -= lineWidth + hintGap
		}
	}

	// Put the chosen hints back into their order, and place them from left to right.
	slices.SortFunc(shownHints, func(a, b segment) int { return a.index - b.index })
	start := 1
	for i := range shownHints {
		shownHints[i].start = start
		start = shownHints[i].end() + hintGap
	}
	return shownHints
}

// mainKey returns the first of several keys that do the same, such as "tab" for "tab ↓",
// because a hint has room for one. The pairs "j k" and "h l" are returned whole, because
// their two letters move in opposite directions.
func mainKey(keys string) string {
	first, others, _ := strings.Cut(keys, " ")
	second, _, _ := strings.Cut(others, " ")
	if pair := first + " " + second; pair == "j k" || pair == "h l" {
		return pair
	}
	return first
}

// Tab is a tab of a bar, with the key that goes there.
type Tab struct {
	Key   string
	Title string
	Short string // replaces Title where not all titles fit; empty if Title is short
}

// Tabs is a bar of tabs. Every tab shows its key, and no title is ever cut; see [Tabs.layOut]
// for what a narrow bar leaves out.
type Tabs struct {
	Items  []Tab
	Active int
}

// View draws the bar in width cells, with the line right at its right end if there is room.
func (t Tabs) View(theme *themes.Theme, width int, right Line) string {
	placedTabs := t.layOut(width)
	room := max(0, width-placedTabs.end())
	if right.widthUpTo(width) >= room {
		right = nil
	}
	return placedTabs.toLine().Fit(theme, width-room) + right.FitRight(theme, room)
}

// Room returns how many cells a bar of width cells leaves at its right end.
func (t Tabs) Room(width int) int { return max(0, width-t.layOut(width).end()) }

// At returns the index of the tab at a column of a bar of width cells, or -1.
func (t Tabs) At(column, width int) int { return t.layOut(width).indexAt(column) }

// tabStyle says how much of the tabs is shown. A distance is counted in tabs from the
// active tab, whose own distance is 0.
type tabStyle struct {
	isTight               bool // one space between two tabs in place of two
	maxTitleDistance      int  // tabs up to this distance show their titles, or noDistance
	maxShortTitleDistance int  // tabs beyond, up to this distance, show their short titles
}

// noDistance is a distance that no tab has.
const noDistance = -1

// layOut places the tabs in the widest style that fits into width cells, or else in the
// narrowest. As the bar gets narrower, first the tabs move closer together. Then they take
// their short titles. Then only the active tab and its neighbours keep a title, and at last
// only the active tab does.
func (t Tabs) layOut(width int) (placedTabs segments) {
	const all = math.MaxInt
	for _, style := range []tabStyle{
		{maxTitleDistance: all},
		{isTight: true, maxTitleDistance: all},
		{isTight: true, maxTitleDistance: noDistance, maxShortTitleDistance: all},
		{maxShortTitleDistance: 1},
		{},
	} {
		placedTabs = t.layOutInStyle(style)
		if placedTabs.end() <= width {
			break
		}
	}
	return placedTabs
}

// layOutInStyle places all tabs from left to right, with as much text as a style gives
// them. The active tab always has a space on both sides, because they are highlighted
// with it.
func (t Tabs) layOutInStyle(style tabStyle) (placedTabs segments) {
	for index, tab := range t.Items {
		// The space behind the active tab is the only one before the next tab.
		before, after := " ", " "
		if style.isTight && index > 0 && index == t.Active+1 {
			before = ""
		}
		isLast := index == len(t.Items)-1
		if style.isTight && index != t.Active && !isLast {
			after = ""
		}

		title := ""
		switch distance := max(index-t.Active, t.Active-index); {
		case distance <= style.maxTitleDistance:
			title = " " + Safe(tab.Title)
		case distance <= style.maxShortTitleDistance:
			title = " " + Safe(cmp.Or(tab.Short, tab.Title))
		}
		line := Plain(before).Append(themes.Key, Safe(tab.Key)).Muted(title).Text(after)
		if index == t.Active {
			line = Styled(themes.Selected, line.String())
		}
		placedTabs = append(placedTabs, segment{index: index, line: line, start: placedTabs.end()})
	}
	return placedTabs
}
