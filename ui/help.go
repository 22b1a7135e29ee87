package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// help lists the keys in force under their headings, those that have what is
// typed in their words; enter presses the key that is chosen.
type help struct {
	all   []widget.KeyGroup
	query widget.Edit
	found []key.Binding // in the order in which they show
	list  *widget.Help
	box   widget.Box
}

func newHelp(commands []app.Command) *help {
	h := &help{query: widget.NewEdit(), list: widget.NewHelp()}
	at := map[string]int{}
	for _, c := range commands {
		b := c.Binding
		if b.Help().Key == "" || !b.Enabled() {
			continue
		}
		if c.Name != "" {
			b = key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(b.Help().Key, c.Name))
		}
		i, ok := at[c.Group]
		if !ok {
			i = len(h.all)
			at[c.Group] = i
			h.all = append(h.all, widget.KeyGroup{Title: c.Group})
		}
		h.all[i].Bindings = append(h.all[i].Bindings, b)
	}
	h.filter()
	return h
}

// filter shows the bindings that have every word of what is typed. The first is
// chosen as soon as something is.
func (h *help) filter() {
	words := strings.Fields(strings.ToLower(h.query.Value()))
	var groups []widget.KeyGroup
	h.found = nil
	for _, g := range h.all {
		found := widget.KeyGroup{Title: g.Title}
		for _, b := range g.Bindings {
			text, fits := strings.ToLower(b.Help().Key+" "+b.Help().Desc+" "+alsoOf(b.Help().Desc)), true
			for _, w := range words {
				fits = fits && strings.Contains(text, w)
			}
			if fits {
				found.Bindings = append(found.Bindings, b)
			}
		}
		groups, h.found = append(groups, found), append(h.found, found.Bindings...)
	}
	if h.list.Cursor = -1; len(words) > 0 {
		h.list.Cursor = 0
	}
	h.list.Set(groups...)
}

const helpWidth = 108

// Resize keeps the height of the whole list, so that nothing jumps while a
// filter is typed.
func (h *help) Resize(b widget.Box) {
	typed := h.query.Value()
	h.query.Set("")
	h.filter()
	h.box = widget.Box{W: min(b.W, helpWidth), H: b.H}
	inner := widget.FrameInner(h.box)
	h.list.Resize(inner)
	h.box.H = min(b.H, h.list.Lines()+1+h.box.H-inner.H)
	inner = widget.FrameInner(h.box)
	h.list.Resize(widget.Box{W: inner.W, H: inner.H - 1})
	h.query.Set(typed)
	h.filter()
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
	switch s := k.String(); s {
	case "esc", "?":
		return nil, true
	case "enter":
		if i := h.list.Cursor; i >= 0 && i < len(h.found) {
			press := term.Key(h.found[i].Keys()[0])
			return func() tea.Msg { return press }, true
		}
		return nil, len(h.found) == 0 || h.list.Cursor < 0
	case "up", "down":
		d := map[string]int{"up": -1, "down": 1}[s]
		h.list.Choose(max(min(h.list.Cursor+d, len(h.found)-1), 0))
	case "pgup", "pgdown", "ctrl+d", "ctrl+u":
		h.list.Update(msg)
	default:
		was := h.query.Value()
		if h.query.Update(msg); h.query.Value() != was {
			h.filter()
		}
	}
	return nil, false
}

func (h *help) View(st *app.State) string {
	w := widget.FrameInner(h.box).W
	search := widget.In(themes.Key, "/ ").Fit(st.Theme, min(2, w)) + h.query.View(st.Theme, w-2, true, "type to search")
	keys := h.list.View(st.Theme)
	if len(h.found) == 0 {
		keys = widget.In(themes.Muted, "no key here does that; esc and : find everything by name").Fit(st.Theme, w)
	}
	return widget.FrameHiding(st.Theme, "Help", widget.JoinV(search, keys), true, h.box, widget.Hidden{Above: h.list.Hidden().Above})
}
