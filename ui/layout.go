package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// The least size that can be used, in cells.
const (
	leastW = 40
	leastH = 12
)

// tabsRow is the line of the tabs on the screen.
const tabsRow = 1

// place is where the body of the screen is.
type place struct {
	top int
	box widget.Box
}

// layout shares the lines out: header, tabs, a rule, the body, a rule, the
// clock, the footer.
func (m *Model) layout() place {
	w, h := m.panel()
	return place{top: 3 + h, box: widget.Box{W: m.size.W - w, H: max(m.size.H-3-h-1-m.clock.height(m.size)-1, 0)}}
}

func (m *Model) resize(b widget.Box) {
	m.size = b
	body := m.layout().box
	for _, s := range m.screens {
		s.Resize(body)
	}
	for _, d := range m.dialogs {
		d.Resize(m.dialogBox())
	}
}

// View draws the whole frame.
func (m *Model) View() string {
	if m.quit || m.size.W == 0 || m.size.H == 0 {
		return ""
	}
	th := m.desk.Theme
	frame := m.frame()
	for _, d := range m.dialogs {
		frame = widget.Center(frame, d.View(m.desk), m.size)
	}
	return th.Paint(widget.Fill(frame, m.size))
}

func (m *Model) frame() string {
	th, w := m.desk.Theme, m.size.W
	if m.size.W < leastW || m.size.H < leastH {
		lines := widget.Wrap(fmt.Sprintf("Ephemera needs %d×%d, this is %d×%d", leastW, leastH, m.size.W, m.size.H), w)
		for i, l := range lines {
			lines[i] = th.Render(themes.Warn, widget.Fit(l, w))
		}
		return strings.Join(lines, "\n")
	}
	rule := th.Render(themes.Border, strings.Repeat(themes.GlyphLine, w))
	return widget.JoinV(
		m.header(), m.tabs(), rule,
		m.body(), rule,
		m.clock.view(m.desk, widget.Box{W: w, H: m.clock.height(m.size)}),
		m.footer(),
	)
}

func (m *Model) body() string {
	box := m.layout().box
	th := m.desk.Theme
	switch {
	case m.fault != "":
		lines := []string{"", th.Render(themes.Bad, widget.Fit(" "+themes.GlyphNo+" the database could not be opened", box.W)), ""}
		for _, l := range widget.Wrap(widget.Safe(m.fault), max(box.W-4, 2)) {
			lines = append(lines, "   "+l)
		}
		lines = append(lines, "", th.Render(themes.Muted, "   q quits"))
		return widget.Fill(strings.Join(lines, "\n"), box)
	case m.opening:
		return widget.Fill("\n "+th.Render(themes.Muted, "opening the database"+themes.GlyphEllipsis), box)
	case !m.desk.Has():
		return m.withPanel(widget.Fill("", box), box)
	}
	return m.withPanel(m.screens[m.current].View(m.desk), box)
}

// header names the collection on the left and the actor on the right.
func (m *Model) header() string {
	th, d := m.desk.Theme, m.desk
	left := widget.In(themes.Title, " EPHEMERA ")
	if !d.Has() {
		return left.Fit(th, m.size.W)
	}
	c := d.Collection
	if d.lessons.run != nil {
		left = left.And(themes.Selected, " LESSON ")
	}
	left = left.And(themes.Strong, " "+c.Name).And(themes.Muted, " · ").And(themes.Text, c.Symbol).
		And(themes.Muted, fmt.Sprintf(" · %s tokens", chain.Thousands(c.Tokens)))
	if c.Extension != nil && c.Extension.RoyaltyInfo != nil {
		left = left.And(themes.Muted, " · royalty "+c.Extension.RoyaltyInfo.Share.Percentage()+" %")
	}
	right := widget.In(themes.Muted, "as ").And(themes.Live, themes.GlyphLive+" ").And(themes.Strong, d.Call(d.Actor))
	if _, named := d.Names[d.Actor]; named && m.size.W >= 100 {
		right = right.And(themes.Muted, " "+widget.Middle(string(d.Actor), addressWidth))
	}
	roles := append([]string{fmt.Sprintf("owner of %s", chain.Thousands(uint64(d.Holdings)))}, d.Roles...)
	if m.size.W >= 76 {
		right = right.And(themes.Muted, "  "+strings.Join(roles, ", "))
	}
	right = right.And(themes.Text, " ")
	return widget.Ends(left.Render(th), right.Render(th), m.size.W)
}

// tabBar is the bar of tabs.
func (m *Model) tabBar() widget.Tabs {
	bar := widget.Tabs{Active: m.current}
	for i, s := range m.screens {
		bar.Items = append(bar.Items, widget.Tab{Key: fmt.Sprint(i + 1), Title: s.Name()})
	}
	return bar
}

// tabs draws the bar, with the rule set at the right end.
func (m *Model) tabs() string {
	var right widget.Line
	if m.desk.Has() {
		text := string(m.desk.Config.Rules)
		if m.desk.Config.About != "" && m.desk.lessons.run == nil {
			text += " · " + m.desk.Config.About
		}
		right = widget.In(themes.Faint, text+" ")
	}
	return m.tabBar().View(m.desk.Theme, m.size.W, right)
}

func (m *Model) tabAt(x int) (int, bool) {
	i := m.tabBar().At(x, m.size.W)
	return i, i >= 0
}

// hereFirst is how many keys of the screen the footer shows before those that
// a newcomer needs on every screen.
const hereFirst = 4

// footer shows the keys that matter most here and the latest notice: some of
// the screen's, then the clock and undo, then the rest. Help is last, so that
// it is there in the narrowest terminal.
func (m *Model) footer() string {
	if len(m.dialogs) > 0 {
		return m.dialogFooter()
	}
	if s, ok := m.screens[m.current].(typist); ok && m.desk.Has() && m.screens[m.current].Typing() {
		return m.hints(bindings(s.typingCommands(m.desk)))
	}
	var here, always, rest []key.Binding
	var last key.Binding
	for _, c := range m.Commands() {
		switch k := c.Binding.Help().Key; {
		case k == "?":
			last = c.Binding
		case c.Name == "" || c.Group == groupScreens:
		case k == "." || k == "e" || k == "u" || k == "a":
			always = append(always, c.Binding)
		case c.Group == groupHere && len(here) < hereFirst:
			here = append(here, c.Binding)
		default:
			rest = append(rest, c.Binding)
		}
	}
	return m.hints(append(append(append(here, always...), rest...), last))
}

// typist is a screen that says which keys work while it is typed into; all the
// others are text.
type typist interface{ typingCommands(*Desk) []Command }

func bindings(cmds []Command) []key.Binding {
	out := make([]key.Binding, len(cmds))
	for i, c := range cmds {
		out[i] = c.Binding
	}
	return out
}

// dialogFooter shows the keys of the top dialog, which takes them all; the way
// out is last, so that it stays longest.
func (m *Model) dialogFooter() string {
	var shown, out []key.Binding
	for _, c := range m.dialogs[len(m.dialogs)-1].Commands(m.desk) {
		if strings.HasPrefix(c.Binding.Help().Key, "esc") {
			out = append(out, c.Binding)
		} else {
			shown = append(shown, c.Binding)
		}
	}
	return m.hints(append(shown, out...))
}

// hints draws the footer: keys, and the latest notice at the right end.
func (m *Model) hints(shown []key.Binding) string {
	right := m.notes.Line()
	if room := m.size.W * 2 / 3; widget.Width(right.String()) > room {
		right = widget.Line{{Role: right[0].Role, Text: widget.Fit(right.String(), room)}}
	}
	return widget.Hints(m.desk.Theme, m.size.W, right, shown...)
}
