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

// headerPart is a piece of text in the header. If the line is too narrow, the parts with the
// highest dropRank are left out first.
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

// maxDropRank is the highest dropRank of a [headerPart].
const maxDropRank = 9

// header draws the first two lines of the screen.
type header struct {
	state    *app.State
	tabs     widget.Tabs
	isLesson bool // a lesson's chain is shown in place of the user's own
	width    int
}

// newHeader returns the header of some screens. The key of a tab is its number, from 1.
func newHeader(state *app.State, screens *screenSet, isLesson bool, width int) header {
	tabs := widget.Tabs{Active: screens.current}
	for i, screen := range screens.all {
		title := screen.Name()
		tab := widget.Tab{Key: fmt.Sprint(i + 1), Title: title, Short: shortTitles[title]}
		tabs.Items = append(tabs.Items, tab)
	}
	return header{state: state, tabs: tabs, isLesson: isLesson, width: width}
}

// shortTitles holds shorter titles of tabs, by the names of their screens. They are used if
// the terminal is too narrow for all names.
var shortTitles = map[string]string{"Operators": "Ops", "Collection": "Info", "Lessons": "Learn"}

// titleLine draws the first line: at the left the collection, and at the right the actor,
// which is the account that sends the messages. In a narrow terminal it leaves out parts,
// those with the highest dropRank first, until the rest fits. Parts with rank 0 stay even if
// they don't fit.
func (h header) titleLine() string {
	const gapWidth = 2 // cells between the two ends
	leftParts := h.collectionParts()
	rightParts := h.actorParts()

	// Leave out the parts of one rank after the other.
	var left, right widget.Line
	for maxRank := maxDropRank; maxRank >= 0; maxRank-- {
		left = joinParts(leftParts, maxRank)
		right = joinParts(rightParts, maxRank)
		if left.Width()+gapWidth+right.Width() <= h.width {
			break
		}
	}
	return widget.JoinEnds(left.Render(h.state.Theme), right.Render(h.state.Theme), h.width)
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

// collectionParts names the program and the collection, at the left of the header.
func (h header) collectionParts() (parts headerParts) {
	state := h.state
	title := widget.Styled(themes.Title, " EPHEMERA ")
	if !state.HasCollection() {
		parts.add(0, title)
		return parts
	}

	// Warnings and the name of the collection always stay.
	parts.add(2, title)
	if h.isLesson {
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
		parts.add(4, widget.Muted(" · "+human.Plural(int(collection.TokenCount), "token")))
	}
	if collection.Extension != nil && collection.Extension.RoyaltyInfo != nil {
		percentage := collection.Extension.RoyaltyInfo.Share.Percentage()
		parts.add(9, widget.Muted(" · royalty "+percentage+" %"))
	}
	if origin := h.originText(); origin != "" {
		const margin = 1 // behind the text beside the tabs
		if h.tabs.Room(h.width) <= widget.Width(h.textBesideTabs())+margin {
			parts.add(6, widget.Faint(" · "+origin))
		}
	}
	return parts
}

// actorParts names the actor, its address, its number of tokens, and its roles, at the right.
func (h header) actorParts() (parts headerParts) {
	state := h.state
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
func (h header) originText() string {
	state := h.state
	switch {
	case !state.HasCollection(), h.isLesson:
		return ""
	case state.InMemory:
		return cmp.Or(state.Config.About, "in memory")
	}
	return state.Config.About
}

// tabLine draws the second line: the tabs at the left, and at the right the rule set of the
// contract and the origin of the collection.
func (h header) tabLine() string {
	var right widget.Line
	if text := h.textBesideTabs(); text != "" {
		right = widget.Faint(text + " ")
	}
	return h.tabs.View(h.state.Theme, h.width, right)
}

// textBesideTabs returns the text at the right end of the tabs: the rule set of the
// contract and the origin of the collection, such as "standard · in memory". A compiled
// contract is named with its version: "compiled 0.18.0 · no rule set".
func (h header) textBesideTabs() string {
	if !h.state.HasCollection() {
		return ""
	}
	text := cmp.Or(string(h.state.Config.Rules), "no rule set")
	if h.state.Compiled {
		code := "compiled " + widget.Safe(h.state.Collection.Version.Number)
		text = strings.TrimSpace(code) + " · " + text
	}
	if origin := h.originText(); origin != "" {
		text += " · " + origin
	}
	return text
}
