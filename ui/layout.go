package ui

import (
	"fmt"
	"strings"

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
	return place{top: 3, box: widget.Box{W: m.size.W, H: max(m.size.H-3-1-m.clock.height(m.size)-1, 0)}}
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
		return th.Render(themes.Warn, widget.Fit(fmt.Sprintf("Ephemera needs %d×%d, this is %d×%d", leastW, leastH, m.size.W, m.size.H), w))
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
		return widget.Fill("", box)
	}
	return m.screens[m.current].View(m.desk)
}

// header names the collection on the left and the actor on the right.
func (m *Model) header() string {
	th, d := m.desk.Theme, m.desk
	left := widget.In(themes.Title, " EPHEMERA ")
	if !d.Has() {
		return left.Fit(th, m.size.W)
	}
	c := d.Collection
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

// tabs lists the screens, with the rule set at the right end.
func (m *Model) tabs() string {
	th := m.desk.Theme
	var b strings.Builder
	b.WriteString(" ")
	for i, s := range m.screens {
		role := themes.Muted
		if i == m.current && m.desk.Has() {
			role = themes.Selected
		}
		b.WriteString(th.Render(role, m.tab(i, s)))
	}
	right := ""
	if m.desk.Has() {
		right = string(m.desk.Config.Rules)
		if m.desk.Config.About != "" {
			right += " · " + m.desk.Config.About
		}
		right = th.Render(themes.Faint, right+" ")
	}
	return widget.Ends(b.String(), right, m.size.W)
}

// tab is the text of a tab: short where the terminal is narrow.
func (m *Model) tab(i int, s Screen) string {
	switch {
	case m.size.W >= 96:
		return fmt.Sprintf(" %d %s ", i+1, s.Name())
	case m.size.W >= 72 || i == m.current:
		return fmt.Sprintf(" %d %s", i+1, widget.Fit(s.Name(), min(6, len(s.Name()))))
	}
	return fmt.Sprintf(" %d ", i+1)
}

func (m *Model) tabAt(x int) (int, bool) {
	at := 1
	for i, s := range m.screens {
		at += widget.Width(m.tab(i, s))
		if x < at {
			return i, x >= 1
		}
	}
	return 0, false
}

// footer shows the keys that matter most here and the latest notice.
func (m *Model) footer() string {
	th := m.desk.Theme
	var b strings.Builder
	for _, c := range m.Commands() {
		if h := c.Binding.Help(); c.Binding.Enabled() && h.Key != "" && c.Name != "" {
			next := " " + th.Render(themes.Key, h.Key) + " " + th.Render(themes.Muted, h.Desc) + " "
			if widget.Width(b.String())+widget.Width(next) > m.size.W {
				break
			}
			b.WriteString(next)
		}
	}
	right := m.toasts.view(th, m.desk.Now, m.size.W*2/3)
	return widget.Ends(b.String(), right, m.size.W)
}
