package widget

import (
	"strings"

	"ephemera/themes"
)

// Tab is a place to go, with the key that goes there.
type Tab struct{ Key, Title string }

// Tabs is a bar of tabs. When the titles do not fit, only the active one has
// its title and the others their keys.
type Tabs struct {
	Items  []Tab
	Active int
}

// View draws the bar in w cells, with a line at its right end if there is room.
func (t Tabs) View(th *themes.Theme, w int, right Line) string {
	var b strings.Builder
	used := 0
	for i, text := range t.texts(w) {
		role := themes.Muted
		if i == t.Active {
			role = themes.Selected
		}
		n := min(Width(text), w-used)
		b.WriteString(th.Render(role, clip(text, n)))
		used += n
	}
	if rest := w - used; right.width(w) < rest {
		return b.String() + right.FitRight(th, rest)
	}
	return b.String() + spaces(w-used)
}

// At gives the tab at column x of a bar of w cells, or -1.
func (t Tabs) At(x, w int) int {
	for i, text := range t.texts(w) {
		n := Width(text)
		if x >= 0 && x < n {
			return i
		}
		x -= n
	}
	return -1
}

// texts is what each tab shows in a bar of w cells.
func (t Tabs) texts(w int) []string {
	full, short := make([]string, len(t.Items)), make([]string, len(t.Items))
	total := 0
	for i, it := range t.Items {
		full[i] = " " + Safe(it.Key) + " " + Safe(it.Title) + " "
		short[i] = " " + Safe(it.Key) + " "
		if i == t.Active {
			short[i] = full[i]
		}
		total += Width(full[i])
	}
	if total > w {
		return short
	}
	return full
}
