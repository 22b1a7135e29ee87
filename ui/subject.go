package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/core/scenario"
	"ephemera/ui/widget"
)

// Subject is what is under the cursor of a screen: what "why", the probe and
// copying are about.
type Subject struct {
	// Token is the id of a token, nil when there is none: any text is an id,
	// the empty one too.
	Token *string
	// Account is an account, empty when there is none.
	Account cw721.Address
	// Action is what the account wanted to do, empty when nobody knows.
	Action string
}

// Empty tells that nothing is under the cursor.
func (s Subject) Empty() bool { return s.Token == nil && s.Account == "" }

// subjective is a screen that can tell what is under its cursor.
type subjective interface{ Subject() Subject }

// subject is what is under the cursor now.
func (m *Model) subject() Subject {
	if s, ok := m.screens[m.current].(subjective); ok {
		return s.Subject()
	}
	return Subject{}
}

// questioned is what "why" is about: right after a move of the clock what it
// took from whom, else what is under the cursor.
func (m *Model) questioned() Subject {
	if !m.clock.lost.Empty() {
		return m.clock.lost
	}
	return m.subject()
}

// Subject is the token under the cursor.
func (t *tokens) Subject() Subject {
	row, ok := t.table.Cursor()
	if !ok {
		return Subject{}
	}
	return Subject{Token: &row.Key}
}

// views are the commands that work on every screen and look at what is under
// its cursor. A screen that has its own meaning for a key keeps it.
func (m *Model) views(taken []Command) []Command {
	d := m.desk
	ask := func(open func(*Desk, Subject) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return open(d, m.subject()) }
	}
	all := []Command{
		{bind("w", "why", "w"), "Why: who may do what, rule by rule", groupAsk, func() tea.Cmd { return openWhy(d, m.questioned()) }},
		{bind("B", "probe", "B"), "Boundary probe: one message around an end", groupAsk, ask(openProbe)},
		{bind("L", "timeline", "L"), "Timeline: every grant as a bar, over past and future blocks", groupAsk, ask(openTimeline)},
		{bind("M", "matrix", "M"), "Access matrix: who may do what with which token", groupAsk, ask(openMatrix)},
		{bind("D", "dangling", "D"), "Dangling rights: what would surprise people", groupAsk, ask(openDangling)},
		recordCommand(d, "Record as a scenario: what happened, to a file", groupAsk, scenario.Part{}),
		{bind("v", "views", "v"), "Other views: timeline, matrix, dangling rights, branches", groupAsk, ask(openViews)},
		{bind("y", "copy", "y"), "Copy: ids, addresses, command lines", groupAsk, ask(copySubject)},
	}
	return slices.DeleteFunc(all, func(c Command) bool {
		return slices.ContainsFunc(c.Binding.Keys(), func(k string) bool { return claimed(taken, k) })
	})
}

// groupAsk heads the commands that only look.
const groupAsk = "Asking"

func claimed(commands []Command, key string) bool {
	return slices.ContainsFunc(commands, func(c Command) bool { return slices.Contains(c.Binding.Keys(), key) })
}

// openViews lets a person choose how else to look at the collection.
func openViews(_ *Desk, s Subject) tea.Cmd {
	views := []struct {
		name, about string
		open        func(*Desk, Subject) tea.Cmd
	}{
		{"Timeline", "every grant as a bar over blocks", openTimeline},
		{"Access matrix", "who may do what with which token", openMatrix},
		{"Dangling rights", "what would surprise people", openDangling},
		{"Branches", "the ways in which things went", func(d *Desk, _ Subject) tea.Cmd { return openBranches(d) }},
	}
	items := make([]widget.Item, len(views))
	for i, v := range views {
		items[i] = widget.Item{ID: v.name, Title: v.name, Detail: v.about}
	}
	return dialog(newChooser("Views", "another view", items, func(d *Desk, id string) tea.Cmd {
		for _, v := range views {
			if v.name == id {
				return v.open(d, s)
			}
		}
		return nil
	}))
}
