package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// help lists the keys in force under their headings, those that have what is
// typed in their words; enter presses the key that is chosen. It holds no text of
// its own: what it shows are the bindings that the keys are matched with.
type help struct {
	groups []keyGroup
	query  widget.Edit
	found  []key.Binding // in the order in which they show
	chosen int           // of found; -1 is none
	list   *widget.Scroll
	box    widget.Box // with the frame
}

// keyGroup is the key bindings under a heading.
type keyGroup struct {
	title    string
	bindings []key.Binding
}

func newHelp(commands []app.Command) *help {
	h := &help{query: widget.NewEdit(), chosen: -1, list: widget.NewScroll()}
	for _, c := range commands {
		b := c.Binding
		if b.Help().Key == "" || !b.Enabled() {
			continue
		}
		if c.Name != "" {
			b.SetHelp(b.Help().Key, c.Name)
		}
		i := slices.IndexFunc(h.groups, func(g keyGroup) bool { return g.title == c.Group })
		if i < 0 {
			i = len(h.groups)
			h.groups = append(h.groups, keyGroup{title: c.Group})
		}
		h.groups[i].bindings = append(h.groups[i].bindings, b)
	}
	return h
}

// filter gives the groups with the bindings that have every word of a text.
func (h *help) filter(text string) (groups []keyGroup) {
	words := strings.Fields(strings.ToLower(text))
	for _, g := range h.groups {
		g.bindings = slices.DeleteFunc(slices.Clone(g.bindings), func(b key.Binding) bool {
			text := strings.ToLower(b.Help().Key + " " + b.Help().Desc + " " + alsoOf(b.Help().Desc))
			return slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
		})
		if len(g.bindings) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// show lists what fits, and scrolls so that the binding that is chosen is in view.
func (h *help) show() {
	groups := h.filter(h.query.Value())
	h.found = nil
	for _, g := range groups {
		h.found = append(h.found, g.bindings...)
	}
	lines := h.lines(groups)
	h.list.Keep(lines)
	if y := slices.IndexFunc(lines, func(l widget.Line) bool {
		return slices.ContainsFunc(l, func(s widget.Span) bool { return s.Role == themes.Selected })
	}); y >= 0 {
		h.list.Show(y)
	}
}

const helpWidth = 108

// Resize keeps the height of the whole list, so that nothing jumps while a
// filter is typed.
func (h *help) Resize(b widget.Box) {
	h.box = widget.Box{W: min(b.W, helpWidth), H: b.H}
	frame := b.H - widget.FrameInner(b).H
	h.box.H = min(b.H, len(h.lines(h.groups))+1+frame)
	inner := widget.FrameInner(h.box)
	h.list.Resize(widget.Box{W: inner.W, H: inner.H - 1})
	h.show()
}

func (h *help) Typing() bool { return true }

func (h *help) Commands(*app.State) []app.Command {
	keys := []key.Binding{app.Bind("enter", "press it", "enter"), app.Bind("esc", "close", "esc", "?"), app.Bind("↓ ↑", "choose", "down", "up")}
	if h.list.Hidden() != (widget.Hidden{}) {
		keys = append(keys, app.Bind("pgdn", "read on", "pgdown"), app.Bind("pgup", "read back", "pgup"))
	}
	return app.Listed(app.GroupHere, keys...)
}

func (h *help) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	k, ok := msg.(tea.KeyMsg)
	if !ok {
		h.list.Update(msg)
		return nil, false
	}
	switch k.String() {
	case "esc", "?":
		return nil, true
	case "enter":
		if h.chosen < 0 || len(h.found) == 0 {
			return nil, true
		}
		press := term.Key(h.found[h.chosen].Keys()[0])
		return func() tea.Msg { return pressMsg(press) }, true
	case "up":
		h.choose(h.chosen - 1)
	case "down":
		h.choose(h.chosen + 1)
	case "pgup", "pgdown", "ctrl+d", "ctrl+u":
		h.list.Update(msg)
	default:
		was := h.query.Value()
		if h.query.Update(msg); h.query.Value() == was {
			break
		}
		if h.chosen = -1; strings.TrimSpace(h.query.Value()) != "" {
			h.chosen = 0 // as soon as something is typed
		}
		h.show()
	}
	return nil, false
}

func (h *help) choose(i int) {
	h.chosen = max(min(i, len(h.found)-1), 0)
	h.show()
}

func (h *help) View(st *app.State) string {
	w := widget.FrameInner(h.box).W
	search := widget.In(themes.Key, "/ ").Fit(st.Theme, min(2, w)) + h.query.View(st.Theme, w-2, true, "type to search")
	keys := h.list.View(st.Theme)
	if len(h.found) == 0 {
		keys = widget.In(themes.Muted, "no key here does that; esc and : find everything by name").Fit(st.Theme, w)
	}
	return widget.Frame(st.Theme, "Help", widget.JoinV(search, keys), h.box, widget.Hidden{Above: h.list.Hidden().Above})
}

const (
	helpGap = 3  // cells between two columns of help
	helpTwo = 88 // the width from which it has two, and folds what is too long for one
)

// lines lays groups out: whole ones, in order, in columns of even height.
func (h *help) lines(groups []keyGroup) (out []widget.Line) {
	room := widget.FrameInner(h.box).W
	fold, chosen := room, h.chosen
	if room >= helpTwo {
		fold = (room - helpGap) / 2
	}
	blocks, wide := make([][]widget.Line, len(groups)), 0
	for i, g := range groups {
		blocks[i] = g.lines(fold, chosen)
		chosen -= len(g.bindings)
		for _, l := range blocks[i] {
			wide = max(wide, widget.Width(l.String()))
		}
	}
	wide = min(wide, room) + helpGap
	columns := stack(blocks, max(1, min((room+helpGap)/wide, len(blocks))))
	for x, column := range columns {
		for y, l := range column {
			if y == len(out) {
				out = append(out, nil)
			}
			left := strings.Repeat(" ", max(x*wide-widget.Width(out[y].String()), 0))
			out[y] = append(out[y].And(themes.Text, left), l...)
		}
	}
	return out
}

// lines draws a group: its heading, and a line for each binding, the keys in one
// column and what they do in the next. What is too long for that goes on below
// itself. chosen is the binding that the cursor is on.
func (g keyGroup) lines(width, chosen int) []widget.Line {
	keys := 0
	for _, b := range g.bindings {
		keys = max(keys, widget.Width(widget.Safe(b.Help().Key)))
	}
	out := []widget.Line{widget.In(themes.Title, g.title)}
	for i, b := range g.bindings {
		key, does := themes.Key, themes.Text
		if i == chosen {
			key, does = themes.Selected, themes.Selected
		}
		l := widget.In(key, widget.Fit(widget.Safe(b.Help().Key), keys))
		for _, part := range widget.Wrap(widget.Safe(b.Help().Desc), max(width-keys-2, 20)) {
			out = append(out, l.And(does, "  "+part))
			l = widget.Plain(widget.Fit("", keys))
		}
	}
	return out
}

// stack puts blocks into columns of about even height, in order.
func stack(blocks [][]widget.Line, columns int) [][]widget.Line {
	total := 0
	for _, b := range blocks {
		total += len(b) + 1
	}
	even := (total + columns - 1) / columns
	out := make([][]widget.Line, 1, columns)
	for i, b := range blocks {
		last := &out[len(out)-1]
		if len(*last) > 0 && len(out) < columns && (len(*last)+len(b)/2 > even || len(blocks)-i <= columns-len(out)) {
			out = append(out, nil)
			last = &out[len(out)-1]
		}
		if len(*last) > 0 {
			*last = append(*last, widget.Line{})
		}
		*last = append(*last, b...)
	}
	return out
}
