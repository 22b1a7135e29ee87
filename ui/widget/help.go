package widget

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// KeyGroup is a set of key bindings under a title.
type KeyGroup struct {
	Title    string
	Bindings []key.Binding
}

// Help is an overlay that lists the bindings in force. It holds no text of its
// own: what it shows are the bindings that the keys are matched with.
type Help struct {
	// Cursor is the binding that is chosen, counted over all that show; -1 is none.
	Cursor int
	groups []KeyGroup
	scroll *Scroll
	box    Box
}

// NewHelp makes a help over the given groups. Bindings that are disabled, or
// have no help, are left out.
func NewHelp(groups ...KeyGroup) *Help {
	return &Help{Cursor: -1, groups: groups, scroll: NewScroll()}
}

// Resize gives the help its box. It uses as many columns as fit.
func (h *Help) Resize(b Box) {
	h.box = b
	h.scroll.Resize(b)
	lines := h.lines()
	h.scroll.Keep(lines)
	for y, l := range lines { // the chosen one stays in view
		if slices.ContainsFunc(l, func(s Span) bool { return s.Role == themes.Selected }) {
			h.scroll.move(clamp(0, y-h.scroll.top-b.H+1, y-h.scroll.top))
		}
	}
}

// Choose puts the cursor on a binding.
func (h *Help) Choose(i int) {
	h.Cursor = i
	h.Resize(h.box)
}

// Set replaces the groups.
func (h *Help) Set(groups ...KeyGroup) {
	h.groups = groups
	h.Resize(h.box)
}

// Update scrolls and says whether the message was for the help.
func (h *Help) Update(msg tea.Msg) bool { return h.scroll.Update(msg) }

// Hidden counts the lines that there is no room for.
func (h *Help) Hidden() Hidden { return h.scroll.Hidden() }

// View draws the groups.
func (h *Help) View(th *themes.Theme) string { return h.scroll.View(th) }

// Lines is how many lines the help needs at its width.
func (h *Help) Lines() int { return len(h.lines()) }

// lines lays the groups out: whole groups, in order, in columns of even height.
func (h *Help) lines() []Line {
	var blocks [][]Line
	w, width, at := 0, h.box.W, h.Cursor
	if width >= helpTwo {
		width = (width - 3) / 2
	}
	for _, g := range h.groups {
		block := groupLines(g, width, at)
		for _, b := range g.Bindings {
			if shown(b) {
				at--
			}
		}
		if len(block) > 0 {
			blocks = append(blocks, block)
			for _, l := range block {
				w = max(w, l.width(h.box.W))
			}
		}
	}
	w = min(w, h.box.W)
	columns := clamp((h.box.W+3)/max(1, w+3), 1, max(1, len(blocks)))
	stacked := stack(blocks, columns)
	var out []Line
	for y := 0; ; y++ {
		var l Line
		more := false
		for x, col := range stacked {
			if y < len(col) {
				more = true
				l = append(l, col[y]...)
			}
			if x+1 < len(stacked) {
				l = l.And(themes.Text, spaces((x+1)*(w+3)-l.width(h.box.W)))
			}
		}
		if !more {
			return out
		}
		out = append(out, l)
	}
}

// helpTwo is the width from which help has two columns, and folds what is too
// long for one.
const helpTwo = 88

// groupLines draws a group, with the binding chosen that is counted: its title, and a line for each binding, the keys in
// one column and what they do in the next. What is too long for that goes on
// below itself.
func groupLines(g KeyGroup, width, chosen int) []Line {
	w := 0
	for _, b := range g.Bindings {
		if shown(b) {
			w = max(w, Width(Safe(b.Help().Key)))
		}
	}
	if w == 0 {
		return nil
	}
	out := []Line{In(themes.Title, g.Title)}
	for _, b := range g.Bindings {
		if !shown(b) {
			continue
		}
		keys, text := In(themes.Key, Fit(Safe(b.Help().Key), w)), themes.Text
		if chosen == 0 {
			keys, text = In(themes.Selected, Fit(Safe(b.Help().Key), w)), themes.Selected
		}
		chosen--
		for _, does := range Wrap(Safe(b.Help().Desc), max(width-w-2, 20)) {
			out = append(out, keys.And(text, "  "+does))
			keys = Plain(spaces(w))
		}
	}
	return out
}

// stack puts blocks into columns of about even height, in order.
func stack(blocks [][]Line, columns int) [][]Line {
	total := 0
	for _, b := range blocks {
		total += len(b) + 1
	}
	out := make([][]Line, 1, columns)
	for i, b := range blocks {
		last := len(out) - 1
		even := (total + columns - 1) / columns
		if len(out[last]) > 0 && len(out) < columns && (len(out[last])+len(b)/2 > even || len(blocks)-i <= columns-len(out)) {
			out = append(out, nil)
			last++
		}
		if len(out[last]) > 0 {
			out[last] = append(out[last], Line{})
		}
		out[last] = append(out[last], b...)
	}
	return out
}

func shown(b key.Binding) bool { return b.Enabled() && b.Help().Key != "" }
