package widget

import (
	"strings"

	"ephemera/themes"
)

// Tab is a place to go, with the key that goes there.
type Tab struct{ Key, Title string }

// Tabs is a bar of tabs. When the titles do not fit, all but the active one are
// cut, evenly, down to their keys alone.
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

// texts is what each tab shows in a bar of w cells: with as much of the titles
// as leaves room for all.
func (t Tabs) texts(w int) []string {
	longest := 0
	for _, it := range t.Items {
		longest = max(longest, Width(Safe(it.Title)))
	}
	for n := longest; ; n-- {
		if n < 3 {
			n = 0 // one or two letters tell nothing
		}
		texts, total := t.cut(n)
		if total <= w || n == 0 {
			return texts
		}
	}
}

// cut gives every tab with at most n cells of its title.
func (t Tabs) cut(n int) (texts []string, total int) {
	for i, it := range t.Items {
		text, title := " "+Safe(it.Key)+" ", Safe(it.Title)
		switch {
		case i == t.Active || Width(title) <= n:
			text += title + " "
		case n > 0:
			text += clip(title, n) + " "
		}
		texts, total = append(texts, text), total+Width(text)
	}
	return texts, total
}
