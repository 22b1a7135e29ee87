package inspect

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// difference shows what the compiled contract and the built-in one did with one
// message, and what they left otherwise in the storage.
type difference struct {
	found  chain.Difference
	title  string
	scroll *widget.Scroll
	box    widget.Box
}

// OpenDifference opens a difference that was found.
func OpenDifference(msg app.DifferenceMsg) tea.Cmd {
	return app.OpenDialog(&difference{found: msg.Found, title: msg.Title, scroll: widget.NewScroll()})
}

func (d *difference) Resize(b widget.Box) { d.box = b }

func (d *difference) Commands(*app.State) []app.Command {
	return append(app.Listed(app.GroupHere, app.Bind("esc", "close", "esc", "q")), app.Listed(app.GroupMove, d.scroll.Bindings()...)...)
}

func (d *difference) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyMsg); ok && (k.String() == "esc" || k.String() == "q") {
		return nil, true
	}
	d.scroll.Update(msg)
	return nil, false
}

func (d *difference) View(st *app.State) string {
	inner := widget.FrameInner(d.box)
	lines := append([]widget.Line{
		widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, "the compiled contract and the built-in one do not do the same; what the compiled one does counts"),
		widget.Plain(""),
	}, st.DifferenceLines(d.found, inner.W)...)
	d.scroll.Resize(inner)
	d.scroll.Keep(lines)
	box := d.box
	box.H = min(box.H, d.scroll.Lines()+box.H-inner.H)
	d.scroll.Resize(widget.FrameInner(box))
	return widget.Frame(st.Theme, strings.TrimSpace("Compared "+d.title), d.scroll.View(st.Theme), box, widget.Hidden{Above: d.scroll.Hidden().Above})
}
