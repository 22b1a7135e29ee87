package widget

import (
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
	groups []KeyGroup
	scroll *Scroll
	box    Box
}

// NewHelp makes a help over the given groups. Bindings that are disabled, or
// have no help, are left out.
func NewHelp(groups ...KeyGroup) *Help {
	return &Help{groups: groups, scroll: NewScroll()}
}

// Resize gives the help its box. It uses as many columns as fit.
func (h *Help) Resize(b Box) {
	h.box = b
	h.scroll.Resize(b)
	h.scroll.Keep(h.lines())
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
	w := 0
	for _, g := range h.groups {
		if block := groupLines(g, h.box.W); len(block) > 0 {
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

// groupLines draws a group: its title, and a line for each binding, the keys in
// one column and what they do in the next. What is too long for that goes on
// below itself.
func groupLines(g KeyGroup, width int) []Line {
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
		keys := In(themes.Key, Fit(Safe(b.Help().Key), w))
		for _, does := range Wrap(Safe(b.Help().Desc), max(width-w-2, 20)) {
			out = append(out, keys.And(themes.Text, "  "+does))
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
