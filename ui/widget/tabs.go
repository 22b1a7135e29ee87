package widget

import (
	"strings"

	"ephemera/themes"
)

// Tab is a place to go, with the key that goes there.
type Tab struct {
	Key, Title string
	// Short stands for the title where there is no room for all titles. Empty is
	// a title that is short already.
	Short string
}

// Tabs is a bar of tabs. No title is ever cut: where not all fit, they come
// closer, then those that have a short form take it, so that nothing moves as
// long as all have a title. At last the active one and the two beside it have
// one, or it alone, beside the keys of the others.
type Tabs struct {
	Items  []Tab
	Active int
}

// piece is a tab as it is drawn: its key and its title, with the spaces around.
type piece struct{ before, key, title, after string }

func (p piece) text() string { return p.before + p.key + p.title + p.after }

// View draws the bar in w cells, with a line at its right end if there is room.
func (t Tabs) View(th *themes.Theme, w int, right Line) string {
	var b strings.Builder
	used := 0
	for i, p := range t.pieces(w) {
		n := Width(p.text())
		switch {
		case used+n > w:
			n = w - used
			b.WriteString(th.Render(themes.Muted, clip(p.text(), n)))
		case i == t.Active:
			b.WriteString(th.Render(themes.Selected, p.text()))
		default:
			b.WriteString(p.before + th.Render(themes.Key, p.key) + th.Render(themes.Muted, p.title) + p.after)
		}
		used += n
	}
	if rest := w - used; right.width(w) < rest {
		return b.String() + right.FitRight(th, rest)
	}
	return b.String() + spaces(w-used)
}

// Room is how many cells a bar of w leaves at its right end.
func (t Tabs) Room(w int) int {
	for _, p := range t.pieces(w) {
		w -= Width(p.text())
	}
	return max(0, w)
}

// At gives the tab at column x of a bar of w cells, or -1.
func (t Tabs) At(x, w int) int {
	for i, p := range t.pieces(w) {
		n := Width(p.text())
		if x >= 0 && x < n {
			return i
		}
		x -= n
	}
	return -1
}

// pieces is the most that fits into a bar of w cells; the least there is, when
// nothing does.
func (t Tabs) pieces(w int) (out []piece) {
	full := func(_ int, it Tab) string { return it.Title }
	short := func(_ int, it Tab) string {
		if it.Short == "" {
			return it.Title
		}
		return it.Short
	}
	// near gives a title to the active one and, shortened, to those so far from it.
	near := func(most int) func(int, Tab) string {
		return func(away int, it Tab) string {
			switch {
			case away == 0:
				return it.Title
			case away <= most:
				return short(away, it)
			}
			return ""
		}
	}
	for _, plan := range []struct {
		tight bool
		name  func(away int, it Tab) string
	}{
		{false, full},
		{true, full},
		{true, short},
		{false, near(1)},
		{false, near(0)},
	} {
		out = t.lay(plan.tight, plan.name)
		total := 0
		for _, p := range out {
			total += Width(p.text())
		}
		if total <= w {
			break
		}
	}
	return out
}

// lay gives every tab the title that name says. Tight tabs share the space
// between them; the active one keeps one on both sides.
func (t Tabs) lay(tight bool, name func(away int, it Tab) string) []piece {
	out := make([]piece, len(t.Items))
	for i, it := range t.Items {
		p := piece{before: " ", key: Safe(it.Key), after: " "}
		if title := Safe(name(max(i-t.Active, t.Active-i), it)); title != "" {
			p.title = " " + title
		}
		if tight && i != t.Active && i < len(t.Items)-1 {
			p.after = ""
		}
		if tight && i > 0 && i-1 == t.Active {
			p.before = ""
		}
		out[i] = p
	}
	return out
}
