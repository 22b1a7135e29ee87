// Package history has the screen of what happened, with its filter, the details of one
// node, and the tree of branches. From here the user goes to other moments, names them, and
// records them as scenarios.
//
// A node is one message or move of the clock, refused messages included. The head is the node
// that the chain is at now; undo and redo move it. The nodes form a tree, because messages can
// be sent after an undo. Pruned nodes were deleted because the history grew too long.
package history

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the nodes of the history, newest first, beside the details of the node under the
// cursor. Its keys are in commands.go, which nodes it lists in list.go and filter.go, and the
// columns in row.go. detail.go has the details, each of whose sections is a file detail*.go.
type Screen struct {
	app.FilteredScreen[nodeFilter]
	detail *nodeDetail // what the details show; nil until a node was read
}

// New returns the screen. It reads nothing before the explorer calls [Screen.NextRead].
func New() *Screen {
	const listShare = 60 // percent of the width
	s := &Screen{}
	s.Tab = app.NewTab(app.KindHistory, "History")
	s.Panes = app.NewMasterDetail(listShare, listedNode{}.columns()...)
	s.Panes.MinWidthBeside = 120 // enough for messages that name their token and their expiry
	s.Panes.HasListHead = true
	s.Panes.Table.EmptyText = nothingHappened
	s.Panes.Table.NewestFirst = true
	s.Filter = app.NewFilterInput(s.Panes.Table, s.restartList, parseFilter, filterKeys, filterHelp)
	return s
}

// NextRead returns the function that reads the rows in view and the details of the node
// under the cursor, which the explorer runs in the background. It returns nil if
// nothing is missing on the screen.
func (s *Screen) NextRead(state *app.State) app.Read {
	reader := &listReader{filter: s.Filter.Filter, readHead: s.Panes.ReadHead}
	readBoth := app.ReadListAndDetail(&s.Panes, reader.readPage,
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
		app.ApplyLoaded(&s.Panes, msg)
		s.detail = msg.Detail
		s.Panes.Scroll.Write(s.detail.text(state))
	case app.ShowHistoryMsg:
		s.Panes.SetDetailFocus(false)
		s.Filter.Set(state, msg.Filter)
	default:
		s.UpdatePanes(state, msg)
	}
	return nil
}

// View draws the list and the details.
func (s *Screen) View(state *app.State) string {
	list, _ := s.Panes.Split()
	return s.Panes.Draw(state, app.Heads{
		List:   s.listHeading(state, list.W),
		Titles: s.Filter.Problem(list.W),
	})
}

// listHeading draws the line above the titles of the list. On its left is the filter. On
// its right are the position in the list and the number of pruned nodes. If both sides don't
// fit, the hint "/ filter" is left out first, and then the number of pruned nodes.
func (s *Screen) listHeading(state *app.State, width int) string {
	position := s.Panes.Table.Position()
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
	applied := s.Filter.AppliedText
	var left widget.Line
	if applied == "" && (pruned == "" || widget.Width(hint) <= freeCells) {
		left = widget.Faint(hint)
	}
	right := position + " "
	if widget.Width(applied) <= freeCells {
		right = position + pruned + " "
	}
	return s.Filter.Heading(state, left, widget.Muted(right), width)
}
