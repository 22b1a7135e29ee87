package widget

import (
	"cmp"

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

// View draws the bar in w cells, with a line at its right end if there is room.
func (t Tabs) View(th *themes.Theme, w int, right Line) string {
	tabs, rest := t.lay(w), t.Room(w)
	if right.width(w) >= rest {
		right = nil
	}
	return tabs.view(th, w) + right.FitRight(th, rest)
}

// Room is how many cells a bar of w leaves at its right end.
func (t Tabs) Room(w int) int { return max(0, w-t.lay(w).end()) }

// At gives the tab at column x of a bar of w cells, or -1.
func (t Tabs) At(x, w int) int { return t.lay(w).find(x) }

// lay is the most that fits into a bar of w cells; the least there is, when
// nothing does. Tabs have their title up to so far from the active one, and a
// short one a little farther.
func (t Tabs) lay(w int) (out strip) {
	all := len(t.Items)
	for _, plan := range []struct {
		tight       bool
		full, short int
	}{{false, all, all}, {true, all, all}, {true, -1, all}, {false, 0, 1}, {false, 0, 0}} {
		if out = t.pieces(plan.tight, plan.full, plan.short); out.end() <= w {
			break
		}
	}
	return out
}

// pieces are the tabs, those that are near with a title. Tight ones share the
// space between them; the active one keeps one on both sides.
func (t Tabs) pieces(tight bool, full, short int) (out strip) {
	for i, it := range t.Items {
		key, title, before, after := Safe(it.Key), "", " ", " "
		switch away := max(i-t.Active, t.Active-i); {
		case away <= full:
			title = it.Title
		case away <= short:
			title = cmp.Or(it.Short, it.Title)
		}
		if title != "" {
			title = " " + Safe(title)
		}
		if tight && i != t.Active && i < len(t.Items)-1 {
			after = ""
		}
		if tight && i > 0 && i-1 == t.Active {
			before = ""
		}
		line := Plain(before).And(themes.Key, key).And(themes.Muted, title).And(themes.Text, after)
		if i == t.Active {
			line = In(themes.Selected, line.String())
		}
		out = append(out, piece{of: i, line: line, at: out.end()})
	}
	return out
}
