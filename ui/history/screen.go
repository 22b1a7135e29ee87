// Package history has the screen of what happened, with its filter, the details of one
// message or move of the clock, and the tree of branches. From here the user goes to
// other moments, names them, and records them as scenarios.
package history

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the nodes of the history, newest first, beside the details of the node
// under the cursor. A node is one message or clock move, refused messages included.
type Screen struct {
	app.Tab
	panes  app.MasterDetail // the list and the details
	detail *nodeDetail      // what the details show; nil until a node was read
	filter app.FilterInput[nodeFilter]
}

// New returns the screen. It reads nothing before the explorer calls [Screen.NextRead].
func New() *Screen {
	const listShare = 60 // percent of the width
	s := &Screen{
		Tab:   app.NewTab(app.KindHistory, "History"),
		panes: app.NewMasterDetail(listShare, listedNode{}.columns()...),
	}
	s.panes.MinWidthBeside = 120 // enough for messages that name their token and their expiry
	s.panes.HasListHead = true
	s.panes.Table.EmptyText = nothingHappened
	s.panes.Table.NewestFirst = true
	s.filter = app.NewFilterInput(s.panes.Table, s.restartList, parseFilter, filterKeys, filterHelp)
	return s
}

// List returns the list.
func (s *Screen) List() *widget.Table { return s.panes.Table }

// DetailColumn implements [app.PaneScreen].
func (s *Screen) DetailColumn(width int) (column int, ok bool) { return s.panes.DetailColumn(width) }

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filter.IsTyping }

// TypingCommands returns the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// Resize divides the box between the list and the details.
func (s *Screen) Resize(box widget.Box) { s.panes.Resize(box) }

// Refresh makes the next reading read the rows and the details again.
func (s *Screen) Refresh(*app.State) { s.panes.Invalidate() }

// NextRead returns the function that reads the rows in view and the details of the node
// under the cursor, which the explorer runs in the background. It returns nil if
// nothing is missing on the screen.
func (s *Screen) NextRead(state *app.State) app.Read {
	reader := &listReader{filter: s.filter.Filter, readHead: s.panes.ReadHead}
	readBoth := app.ReadListAndDetail(&s.panes, reader.readPage,
		func(view *chain.View, facts app.Facts, key string) (*nodeDetail, error) {
			return readNode(view, nodeOfKey(key), reader.tree, facts)
		})
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

// Subject returns what a dialog is about that is opened here: the token, the sender and
// the action of the message in the details.
func (s *Screen) Subject() app.Subject { return s.detail.subject() }

// Update shows what was read, applies a filter that another screen asks for, and
// handles keys and the mouse.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*nodeDetail]:
		app.ApplyLoaded(&s.panes, msg)
		s.detail = msg.Detail
		s.panes.Scroll.Write(s.detail.text(state))
	case app.ShowHistoryMsg:
		s.panes.SetDetailFocus(false)
		s.filter.Set(state, msg.Filter)
	case app.ReadFailedMsg:
		s.panes.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		s.panes.UpdatePane(msg)
	case tea.KeyMsg:
		if !s.filter.Update(state, msg) {
			s.panes.UpdatePane(msg)
		}
	}
	return nil
}

// View draws the list and the details.
func (s *Screen) View(state *app.State) string {
	list, _ := s.panes.Split()
	return s.panes.Draw(state, app.Heads{
		List:   s.listHeading(state, list.W),
		Titles: s.filter.Problem(list.W),
	})
}

// listHeading draws the line above the titles of the list. On its left is the filter. On
// its right are the position in the list and the number of pruned nodes, which were
// deleted because the history grew too long. If both sides don't fit, the hint "/ filter"
// is left out first, and then the number of pruned nodes.
func (s *Screen) listHeading(state *app.State, width int) string {
	position := s.panes.Table.Position()
	pruned := ""
	switch {
	case state.History.PrunedCount > 0:
		pruned = " · " + human.Thousands(state.History.PrunedCount) + " forgotten"
	case state.History.Oldest > 0: // pruned before nodes were counted
		pruned = " · older ones pruned"
	}
	freeCells := width - widget.Width(position+pruned+" ")

	// The filter itself takes the place of the hint. The footer shows its key too.
	const hint = " / filter"
	applied := s.filter.AppliedText
	var left widget.Line
	if applied == "" && (pruned == "" || widget.Width(hint) <= freeCells) {
		left = widget.Faint(hint)
	}
	right := position + " "
	if widget.Width(applied) <= freeCells {
		right = position + pruned + " "
	}
	return s.filter.Heading(state, left, widget.Muted(right), width)
}
