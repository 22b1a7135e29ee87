package ui

import (
	"cmp"
	"fmt"
	"strings"

	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// headerPart is a part of the header, such as the symbol of the collection. If the line
// is too narrow, the parts with the highest dropRank are left out first.
type headerPart struct {
	line     widget.Line
	dropRank int // from 0, which always stays, to maxDrop, which goes first
}

// maxDrop is the highest dropRank of a [headerPart].
const maxDrop = 9

// header draws the first line of the screen: the collection at the left, and at the
// right the actor, the account that messages are sent as. In a narrow terminal it leaves
// out the parts with the highest rank, then those with the next lower one, and so on.
// Parts with rank 0 stay even if they don't fit.
func (m *Model) header() string {
	const gap = 2 // cells between the two ends
	leftParts := m.collectionParts()
	rightParts := m.actorParts()
	kept := maxDrop
	left := joinParts(leftParts, kept)
	right := joinParts(rightParts, kept)
	for kept > 0 && left.Width()+gap+right.Width() > m.size.W {
		kept--
		left = joinParts(leftParts, kept)
		right = joinParts(rightParts, kept)
	}
	return widget.JoinEnds(left.Render(m.state.Theme), right.Render(m.state.Theme), m.size.W)
}

// joinParts joins the parts of the header whose dropRank is at most kept.
func joinParts(parts []headerPart, kept int) (line widget.Line) {
	for _, p := range parts {
		if p.dropRank <= kept {
			line = append(line, p.line...)
		}
	}
	return line
}

// collectionParts returns the left parts of the header, which name the program and the
// collection. The second argument of add is the rank: the higher, the earlier a narrow
// header leaves the part out. The warning "read-only" always stays.
func (m *Model) collectionParts() (parts []headerPart) {
	add := func(dropRank int, line widget.Line) {
		parts = append(parts, headerPart{line: line, dropRank: dropRank})
	}
	st := m.state
	title := widget.In(themes.Title, " EPHEMERA ")
	if !st.HasCollection() {
		add(0, title)
		return parts
	}

	// The name of the collection stays longest, after the warnings.
	add(2, title)
	if m.ownSession != nil {
		add(0, widget.In(themes.Selected, " LESSON "))
	}
	if st.IsTrial() {
		add(0, widget.In(themes.Warn, " "+themes.GlyphWarn+" read-only"))
		add(6, widget.In(themes.Warn, ": nothing is kept"))
		add(0, widget.Plain(" "))
	}
	c := st.Collection
	add(0, widget.In(themes.Strong, " "+c.Name))
	if st.Unreadable == "" {
		add(5, widget.Muted(" · ").Text(c.Symbol))
		add(4, widget.Muted(" · "+app.Plural(int(c.TokenCount), "token")))
	}
	if c.Extension != nil && c.Extension.RoyaltyInfo != nil {
		add(9, widget.Muted(" · royalty "+c.Extension.RoyaltyInfo.Share.Percentage()+" %"))
	}
	if origin := m.originText(); origin != "" && !m.tabsHaveRoomForOrigin() {
		add(6, widget.Faint(" · "+origin))
	}
	return parts
}

// actorParts returns the right parts of the header: the name of the actor, who sends
// every message, the actor's address, number of tokens and roles. Tokens and roles are
// left out until they are read for this actor. The name always stays.
func (m *Model) actorParts() (parts []headerPart) {
	add := func(dropRank int, line widget.Line) {
		parts = append(parts, headerPart{line: line, dropRank: dropRank})
	}
	st := m.state
	if !st.HasCollection() {
		return nil
	}

	add(0, widget.Muted("as ").And(themes.Live, themes.GlyphLive+" ").Strong(st.DisplayName(st.Actor)))
	if _, hasName := st.Names[st.Actor]; hasName {
		add(8, widget.Muted(" "+widget.ElideMiddle(string(st.Actor), app.AddressWidth)))
	}

	// The facts may still be those of the actor before.
	if st.SeenBy == st.Actor && st.Unreadable == "" {
		add(3, widget.Muted("  owner of "+human.Thousands(uint64(st.Holdings))))
		if len(st.Roles) > 0 {
			add(7, widget.Muted(", "+strings.Join(st.Roles, ", ")))
		}
	}
	add(0, widget.Plain(" "))
	return parts
}

// originText says where the collection comes from, or that it is only in memory.
// It is empty for a collection of the user's own database, and in a lesson.
func (m *Model) originText() string {
	st := m.state
	switch {
	case !st.HasCollection(), m.ownSession != nil:
		return ""
	case st.Config.About != "":
		return st.Config.About
	case st.InMemory:
		return "in memory"
	}
	return ""
}

// shortTitles holds shorter titles of tabs, by the names of their screens, for a bar
// that has no room for all names.
var shortTitles = map[string]string{"Operators": "Ops", "Collection": "Info", "Lessons": "Learn"}

// tabs draws the second line: the tabs, and beside them the rule set and where the
// collection comes from, such as "demo" or the file of an import.
func (m *Model) tabs() string {
	var right widget.Line
	if text := m.besideTabs(); text != "" {
		right = widget.Faint(text + " ")
	}
	return m.tabBar().View(m.state.Theme, m.size.W, right)
}

// tabBar returns the bar with a tab for each screen. The key of a tab is its number,
// from 1.
func (m *Model) tabBar() widget.Tabs {
	bar := widget.Tabs{Active: m.currentScreen}
	for i, s := range m.screens {
		bar.Items = append(bar.Items, widget.Tab{Key: fmt.Sprint(i + 1), Title: s.Name(), Short: shortTitles[s.Name()]})
	}
	return bar
}

// besideTabs returns the text at the right end of the tabs: the rule set of the contract
// and the origin of the collection, such as "standard · in memory". A compiled contract is
// named with its version: "compiled 0.18.0 · no rule set".
func (m *Model) besideTabs() string {
	if !m.state.HasCollection() {
		return ""
	}
	text := cmp.Or(string(m.state.Config.Rules), "no rule set")
	if m.state.Compiled {
		code := "compiled " + widget.Safe(m.state.Collection.Version.Version)
		text = strings.TrimSpace(code) + " · " + text
	}
	if origin := m.originText(); origin != "" {
		text += " · " + origin
	}
	return text
}

// tabsHaveRoomForOrigin reports whether the line of the tabs has room for where the
// collection comes from, such as "demo". Otherwise the header shows it.
func (m *Model) tabsHaveRoomForOrigin() bool {
	const margin = 1 // behind the text
	return m.tabBar().Room(m.size.W) > widget.Width(m.besideTabs())+margin
}
