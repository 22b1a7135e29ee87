package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// help lists the keys in force under their headings.
type help struct {
	list *widget.Help
	box  widget.Box
}

func newHelp(commands []app.Command) *help {
	var groups []widget.KeyGroup
	at := map[string]int{}
	for _, c := range commands {
		i, ok := at[c.Group]
		if !ok {
			i = len(groups)
			at[c.Group] = i
			groups = append(groups, widget.KeyGroup{Title: c.Group})
		}
		b := c.Binding
		if c.Name != "" && b.Help().Key != "" {
			b = key.NewBinding(key.WithKeys(b.Keys()...), key.WithHelp(b.Help().Key, c.Name))
			b.SetEnabled(c.Binding.Enabled())
		}
		groups[i].Bindings = append(groups[i].Bindings, b)
	}
	return &help{list: widget.NewHelp(groups...)}
}

const helpWidth = 108

func (h *help) Resize(b widget.Box) {
	h.box = widget.Box{W: min(b.W, helpWidth), H: b.H}
	h.list.Resize(widget.FrameInner(h.box))
	h.box.H = min(b.H, h.list.Lines()+h.box.H-widget.FrameInner(h.box).H)
	h.list.Resize(widget.FrameInner(h.box))
}

func (h *help) Commands(*app.State) []app.Command {
	out := app.Command{Binding: app.Bind("esc", "close", "esc", "q", "?", "enter"), Group: app.GroupHere}
	return append([]app.Command{out}, form.ReadOn(h.list.Hidden())...)
}

func (h *help) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyMsg); ok {
		switch k.String() {
		case "esc", "q", "?", "enter":
			return nil, true
		}
	}
	h.list.Update(msg)
	return nil, false
}

func (h *help) View(st *app.State) string {
	return widget.FrameHiding(st.Theme, "Help", h.list.View(st.Theme), true, h.box, widget.Hidden{Above: h.list.Hidden().Above})
}
