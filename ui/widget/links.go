package widget

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// A line of a [Scroll] may lead somewhere. While the scroll has the keys, j and k
// go from one such line in view to the next, and scroll where there is none.

// stop is a line that leads somewhere, and the row at which it is shown.
type stop struct {
	row int
	to  tea.Cmd
}

// Text is what a [Scroll] shows, as it is written line by line.
type Text struct {
	lines []Line
	links map[int]tea.Cmd // by the numbers of the lines
}

// Add writes lines.
func (t *Text) Add(lines ...Line) { t.lines = append(t.lines, lines...) }

// Lead writes a line that leads somewhere; nil is nowhere.
func (t *Text) Lead(l Line, to tea.Cmd) {
	if t.links == nil {
		t.links = map[int]tea.Cmd{}
	}
	t.links[len(t.lines)] = to
	t.Add(l)
}

// Len is how many lines were written.
func (t *Text) Len() int { return len(t.lines) }

// Write replaces the lines and stays where it is.
func (s *Scroll) Write(t Text) {
	s.links = t.links
	s.Keep(t.lines)
}

// Link is the command of the line under the cursor; nil where there is none in view.
func (s *Scroll) Link() tea.Cmd {
	if !s.Focus || !s.sees(s.at) {
		return nil
	}
	return s.stops[s.at].to
}

// sees tells whether the link of a number is in view.
func (s *Scroll) sees(i int) bool {
	return i >= 0 && i < len(s.stops) && s.stops[i].row >= s.top && s.stops[i].row < s.top+s.seen()
}

// seen is how many rows are in view: the last line says how many are not.
func (s *Scroll) seen() int {
	if s.box.H > 1 && len(s.shown)-s.top > s.box.H {
		return s.box.H - 1
	}
	return s.box.H
}

// step goes to the next link in view, or else scrolls by a line to what comes.
func (s *Scroll) step(d int) {
	if !s.Focus || !s.sees(s.at+d) {
		s.move(d)
	}
	if s.sees(s.at + d) {
		s.at += d
	} else if !s.sees(s.at) {
		s.at = max(0, slices.IndexFunc(s.stops, func(x stop) bool { return x.row >= s.top }))
	}
}

// drawLink draws the line under the cursor in one style, with a pointer at its end
// where the text leaves room for it.
func drawLink(th *themes.Theme, l Line, w int) string {
	text := l.String()
	if Width(text)+2 > w {
		return th.Render(themes.Selected, Fit(text, w))
	}
	return th.Render(themes.Selected, Fit(text, w-2)+FitRight(themes.GlyphPointer, 2))
}
