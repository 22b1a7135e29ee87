// Package history has the screen of what happened, with its filter, the details of one
// message or move of the clock, and the tree of branches. From here the user goes to
// other moments, names them, and records them as scenarios.
package history

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the nodes of the history, newest first, beside the details of the node
// under the cursor. A node is one message or clock move, refused messages included.
type Screen struct {
	app.Tab
	app.MasterDetail
	detail *nodeDetail // what the details show; nil until a node was read
	filter app.FilterInput[nodeFilter]
}

// A box of minWidthBeside cells has room for a list with messages that name their token and
// their expiry beside the details. The list takes listShare percent of it.
const (
	minWidthBeside = 120
	listShare      = 60
)

// New returns the screen. It reads nothing before the explorer calls [Screen.NextRead].
func New() *Screen {
	s := &Screen{
		Tab:          app.NewTab(app.KindHistory, "History"),
		MasterDetail: app.NewMasterDetail(listShare, listColumns.OfTable()...),
	}
	s.MinWidthBeside = minWidthBeside
	s.filter = app.NewFilterInput(s.Table, s.restartList, parseFilter, filterKeys, filterHelp)
	s.Table.EmptyText = "nothing happened yet"
	s.Table.NewestFirst = true
	s.LineAbove = s.listHeading
	s.TitlesCover = s.filter.Problem
	return s
}

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filter.IsTyping }

// TypingCommands returns the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// NextRead returns the function that reads the rows in view and the details of the node
// under the cursor, which the explorer runs in the background. It returns nil if
// nothing is missing on the screen.
func (s *Screen) NextRead(state *app.State) app.Read {
	reader := &listReader{filter: s.filter.Filter, readHead: s.ReadHead}
	readBoth := app.ReadListAndDetail(&s.MasterDetail, reader.readPage, reader.readDetail)
	if readBoth == nil {
		return nil
	}
	return func(view *chain.View, facts app.Facts) (tea.Msg, error) {
		tree, err := view.HistoryTree()
		if err != nil {
			return nil, err
		}
		reader.tree = tree
		return readBoth(view, facts)
	}
}

// Update shows what was read, applies a filter that another screen asks for, and
// handles keys and the mouse.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*nodeDetail]:
		app.ApplyLoaded(&s.MasterDetail, msg)
		s.detail = msg.Detail
		s.Scroll.Write(s.detail.text(state))
	case app.ShowHistoryMsg:
		s.SetDetailFocus(false)
		s.filter.Set(state, msg.Filter)
	case app.ReadFailedMsg:
		s.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		s.UpdatePane(msg)
	case tea.KeyMsg:
		if !s.filter.Update(state, msg) {
			s.UpdatePane(msg)
		}
	}
	return nil
}

// listHeading draws the line above the titles of the list. On its left is the filter. On
// its right are the position in the list and the number of pruned nodes, which were
// deleted because the history grew too long. If both sides don't fit, the hint "/ filter"
// is left out first, and then the number of pruned nodes.
func (s *Screen) listHeading(state *app.State, width int) string {
	position := s.Table.Position()
	pruned := prunedText(state.History)
	fitsWithPruned := func(leftText string) bool {
		return widget.Width(leftText+position+pruned+" ") <= width
	}

	// The filter itself takes the place of the hint. The footer shows its key too.
	const hint = " / filter"
	applied := s.filter.AppliedText
	var left widget.Line
	if applied == "" && (pruned == "" || fitsWithPruned(hint)) {
		left = widget.Faint(hint)
	}
	right := position + " "
	if fitsWithPruned(applied) {
		right = position + pruned + " "
	}
	return s.filter.Heading(state, left, widget.Muted(right), width)
}

// prunedText says how many nodes of the history were pruned, to follow the position in
// the list: " · 1,200 forgotten". It returns "" if there are none.
func prunedText(state history.State) string {
	switch {
	case state.PrunedCount > 0:
		return " · " + human.Thousands(state.PrunedCount) + " forgotten"
	case state.Oldest > 0: // pruned before nodes were counted
		return " · older ones pruned"
	}
	return ""
}

// Subject returns what a dialog is about that is opened here: the token, the sender and
// the action of the message in the details.
func (s *Screen) Subject() app.Subject { return s.detail.subject() }
