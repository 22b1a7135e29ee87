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

// headerPart is a piece of text in the header, such as the symbol of the collection. If the
// line is too narrow, the parts with the highest dropRank are left out first.
type headerPart struct {
	line     widget.Line
	dropRank int // 0 for a part that always stays, up to maxDropRank
}

// headerParts holds the parts at one end of the header, from left to right.
type headerParts []headerPart

// add adds a part at the right end.
func (p *headerParts) add(dropRank int, line widget.Line) {
	*p = append(*p, headerPart{line: line, dropRank: dropRank})
}

// maxDropRank is the highest dropRank of a [headerPart]. Such parts are left out first.
const maxDropRank = 9

// header draws the first line of the screen. At the left is the collection, and at the right
// the actor, which is the account that sends the messages. In a narrow terminal it leaves
// out parts, those with the highest dropRank first, until the rest fits. Parts with rank 0
// stay even if they don't fit.
func (m *Model) header() string {
	const gapWidth = 2 // cells between the two ends
	leftParts := m.collectionParts()
	rightParts := m.actorParts()

	// Leave out the parts of one rank after the other.
	var left, right widget.Line
	for maxRank := maxDropRank; maxRank >= 0; maxRank-- {
		left = joinParts(leftParts, maxRank)
		right = joinParts(rightParts, maxRank)
		if left.Width()+gapWidth+right.Width() <= m.size.W {
			break
		}
	}
	return widget.JoinEnds(left.Render(m.state.Theme), right.Render(m.state.Theme), m.size.W)
}

// joinParts joins the parts of the header whose dropRank is at most maxRank.
func joinParts(parts headerParts, maxRank int) (line widget.Line) {
	for _, part := range parts {
		if part.dropRank <= maxRank {
			line = append(line, part.line...)
		}
	}
	return line
}

// collectionParts returns the parts at the left of the header, which name the program and
// the collection. A narrow header leaves out the parts with the highest dropRank first, and
// never those with rank 0, such as the warning "read-only".
func (m *Model) collectionParts() (parts headerParts) {
	state := m.state
	title := widget.Styled(themes.Title, " EPHEMERA ")
	if !state.HasCollection() {
		parts.add(0, title)
		return parts
	}

	// Warnings and the name of the collection always stay.
	parts.add(2, title)
	if m.ownSession != nil {
		parts.add(0, widget.Styled(themes.Selected, " LESSON "))
	}
	if state.IsTrial() {
		parts.add(0, widget.Styled(themes.Warn, " "+themes.GlyphWarn+" read-only"))
		parts.add(6, widget.Styled(themes.Warn, ": nothing is kept"))
		parts.add(0, widget.Plain(" "))
	}
	collection := state.Collection
	parts.add(0, widget.Styled(themes.Strong, " "+collection.Name))
	if state.UnreadableReason == "" {
		parts.add(5, widget.Muted(" · ").Text(collection.Symbol))
		parts.add(4, widget.Muted(" · "+app.Plural(int(collection.TokenCount), "token")))
	}
	if collection.Extension != nil && collection.Extension.RoyaltyInfo != nil {
		percentage := collection.Extension.RoyaltyInfo.Share.Percentage()
		parts.add(9, widget.Muted(" · royalty "+percentage+" %"))
	}
	if origin := m.originText(); origin != "" && !m.tabsHaveRoomForOrigin() {
		parts.add(6, widget.Faint(" · "+origin))
	}
	return parts
}

// actorParts returns the parts at the right of the header: the name of the actor, which is
// the account that sends the messages, its address, its number of tokens, and its roles. A
// narrow header leaves out the parts with the highest dropRank first, but never the name.
func (m *Model) actorParts() (parts headerParts) {
	state := m.state
	if !state.HasCollection() {
		return nil
	}

	asSign := widget.Muted("as ").Append(themes.Live, themes.GlyphLive+" ")
	parts.add(0, asSign.Strong(state.DisplayName(state.Actor)))
	if _, hasName := state.Names[state.Actor]; hasName {
		address := widget.Shorten(string(state.Actor), app.AddressWidth)
		parts.add(8, widget.Muted(" "+address))
	}

	// After a change of the actor, the tokens and roles may still be those of the previous
	// one. They are left out until they are read again.
	if state.FactsActor == state.Actor && state.UnreadableReason == "" {
		tokenCount := human.Thousands(uint64(state.Holdings))
		parts.add(3, widget.Muted("  owner of "+tokenCount))
		if len(state.Roles) > 0 {
			parts.add(7, widget.Muted(", "+strings.Join(state.Roles, ", ")))
		}
	}
	parts.add(0, widget.Plain(" "))
	return parts
}

// originText says where the collection comes from, such as "demo", or that it is only in
// memory. It is empty for a collection of the user's own database, and in a lesson.
func (m *Model) originText() string {
	state := m.state
	switch {
	case !state.HasCollection(), m.ownSession != nil:
		return ""
	case state.InMemory:
		return cmp.Or(state.Config.About, "in memory")
	}
	return state.Config.About
}

// shortTitles holds shorter titles of tabs, by the names of their screens. They are used if
// the terminal is too narrow for all names.
var shortTitles = map[string]string{"Operators": "Ops", "Collection": "Info", "Lessons": "Learn"}

// tabs draws the second line of the screen: the tabs at the left, and at the right the rule
// set of the contract and the origin of the collection.
func (m *Model) tabs() string {
	var right widget.Line
	if text := m.textBesideTabs(); text != "" {
		right = widget.Faint(text + " ")
	}
	return m.tabBar().View(m.state.Theme, m.size.W, right)
}

// tabBar returns the bar with a tab for each screen. The key of a tab is its number,
// from 1.
func (m *Model) tabBar() widget.Tabs {
	bar := widget.Tabs{Active: m.currentScreen}
	for i, screen := range m.screens {
		title := screen.Name()
		tab := widget.Tab{Key: fmt.Sprint(i + 1), Title: title, Short: shortTitles[title]}
		bar.Items = append(bar.Items, tab)
	}
	return bar
}

// textBesideTabs returns the text at the right end of the tabs: the rule set of the
// contract and the origin of the collection, such as "standard · in memory". A compiled
// contract is named with its version: "compiled 0.18.0 · no rule set".
func (m *Model) textBesideTabs() string {
	if !m.state.HasCollection() {
		return ""
	}
	text := cmp.Or(string(m.state.Config.Rules), "no rule set")
	if m.state.Compiled {
		code := "compiled " + widget.Safe(m.state.Collection.Version.Number)
		text = strings.TrimSpace(code) + " · " + text
	}
	if origin := m.originText(); origin != "" {
		text += " · " + origin
	}
	return text
}

// tabsHaveRoomForOrigin reports whether the line of the tabs has room for the origin of the
// collection, such as "demo". If it has none, the header shows the origin.
func (m *Model) tabsHaveRoomForOrigin() bool {
	const margin = 1 // behind the text
	return m.tabBar().Room(m.size.W) > widget.Width(m.textBesideTabs())+margin
}
