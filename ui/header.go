package ui

import (
	"fmt"
	"strings"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// header names the collection on the left and the actor on the right. In a
// narrow terminal the parts go one by one; who acts, and that nothing can be
// written, always stay.
func (m *Model) header() string {
	left, right := m.headerEnds()
	return widget.Ends(left.Render(m.state.Theme), right.Render(m.state.Theme), m.size.W)
}

// part is a part of a line that can be left out: those with the highest drop go
// first, 0 never goes.
type part struct {
	line widget.Line
	drop int
}

// joined are the parts that are left when none above a drop is.
func joined(parts []part, most int) (l widget.Line) {
	for _, p := range parts {
		if p.drop <= most {
			l = append(l, p.line...)
		}
	}
	return l
}

// headerEnds are the two ends of the header with the parts that have room.
func (m *Model) headerEnds() (l, r widget.Line) {
	left, right := m.headerParts()
	for most := 9; ; most-- {
		l, r = joined(left, most), joined(right, most)
		if most == 0 || widget.Width(l.String())+widget.Width(r.String())+1 < m.size.W { // two spaces between them
			return l, r
		}
	}
}

func (m *Model) headerParts() (left, right []part) {
	st := m.state
	left = []part{{widget.In(themes.Title, " EPHEMERA "), 2}}
	if !st.HasCollection() {
		left[0].drop = 0
		return left, nil
	}
	if m.home != nil {
		left = append(left, part{widget.In(themes.Selected, " LESSON "), 0})
	}
	if st.IsTrial() {
		left = append(left, part{widget.In(themes.Warn, " "+themes.GlyphWarn+" read-only"), 0},
			part{widget.In(themes.Warn, ": nothing is kept"), 6}, part{widget.Plain(" "), 0})
	}
	c := st.Collection
	left = append(left, part{widget.In(themes.Strong, " "+c.Name), 0})
	if st.Unreadable == "" {
		left = append(left,
			part{widget.In(themes.Muted, " · ").And(themes.Text, c.Symbol), 5},
			part{widget.In(themes.Muted, " · "+app.Plural(int(c.Tokens), "token")), 4})
	}
	if c.Extension != nil && c.Extension.RoyaltyInfo != nil {
		left = append(left, part{widget.In(themes.Muted, " · royalty "+c.Extension.RoyaltyInfo.Share.Percentage()+" %"), 9})
	}
	if marks := m.marks(); marks != "" && m.tabBar().Room(m.size.W) <= widget.Width(m.besideTabs())+1 {
		left = append(left, part{widget.In(themes.Faint, " · "+marks), 6})
	}
	right = []part{{widget.In(themes.Muted, "as ").And(themes.Live, themes.GlyphLive+" ").And(themes.Strong, st.DisplayName(st.Actor)), 0}}
	if _, named := st.Names[st.Actor]; named {
		right = append(right, part{widget.In(themes.Muted, " "+widget.Middle(string(st.Actor), app.AddressWidth)), 8})
	}
	if st.SeenBy == st.Actor {
		right = append(right, part{widget.In(themes.Muted, "  "+fmt.Sprintf("owner of %s", chain.Thousands(uint64(st.Holdings)))), 3})
		if len(st.Roles) > 0 {
			right = append(right, part{widget.In(themes.Muted, ", "+strings.Join(st.Roles, ", ")), 7})
		}
	}
	return left, append(right, part{widget.In(themes.Text, " "), 0})
}

// marks says what the collection is, besides its name: where it comes from, or
// that it is not kept.
func (m *Model) marks() string {
	st := m.state
	switch {
	case !st.HasCollection(), m.home != nil:
		return ""
	case st.Config.About != "":
		return st.Config.About
	case st.InMemory:
		return "in memory"
	}
	return ""
}

// empty tells that the database has no collection, and that the welcome waits
// for what is to be in it.
func (m *Model) empty() bool {
	if len(m.dialogs) == 0 {
		return false
	}
	_, ok := m.dialogs[0].(*start.Welcome)
	return ok
}

// shortTitles stand on the tabs where there is no room for the names.
var shortTitles = map[string]string{"Operators": "Ops", "Collection": "Info", "Lessons": "Learn"}

// tabBar is the bar of tabs.
func (m *Model) tabBar() widget.Tabs {
	bar := widget.Tabs{Active: m.current}
	for i, s := range m.screens {
		bar.Items = append(bar.Items, widget.Tab{Key: fmt.Sprint(i + 1), Title: s.Name(), Short: shortTitles[s.Name()]})
	}
	return bar
}

// besideTabs is what stands at the right end of the tabs, if there is room: the
// rule set, and the marks.
func (m *Model) besideTabs() string {
	if !m.state.HasCollection() {
		return ""
	}
	text := string(m.state.Config.Rules)
	if marks := m.marks(); marks != "" {
		text += " · " + marks
	}
	return text
}

func (m *Model) tabs() string {
	var right widget.Line
	if text := m.besideTabs(); text != "" {
		right = widget.In(themes.Faint, text+" ")
	}
	return m.tabBar().View(m.state.Theme, m.size.W, right)
}
