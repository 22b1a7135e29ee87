package history

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// branchBrowser is the dialog that lists the branches of the history. A branch begins
// where a message was sent after an undo. It is listed by its tip, its last node. The
// user can go to a tip, name it, or compare it with another node.
type branchBrowser struct {
	*form.Browser[comparison]
	base history.ID // the node that tips are compared with, or noNode for the head
}

// noNode is the number of no node. As a node to compare with, it means the head.
const noNode history.ID = 0

// OpenBranches returns the command that opens the list of all branches, compared with the
// head.
func OpenBranches(state *app.State) tea.Cmd {
	browser := &branchBrowser{
		Browser: form.NewStack[comparison]("Branches", listedTip{}.columns()...),
	}
	browser.OpenKey = "v"
	browser.DetailLines = comparisonLines
	browser.RowCommands = browser.tipCommands
	browser.AddFilter("a message, a name or a number", nil)
	browser.compareWith(noNode)
	return browser.Open(state)
}

// compareWith makes base the node that every tip is compared with. The list and the
// comparison are then read again.
func (b *branchBrowser) compareWith(base history.ID) {
	b.base = base
	reader := tipReader{base: base}
	b.ReadRows = reader.readRows
	b.ReadDetail = reader.compare
	b.Invalidate()
}

// tipCommands returns the commands for the tip under the cursor. It returns none if the list
// is empty.
func (b *branchBrowser) tipCommands(state *app.State, row widget.Row, hasRow bool) []app.Command {
	if !hasRow {
		return nil
	}
	selected := row.OwnerData.(tip)
	id := selected.node.ID
	return []app.Command{
		app.DialogCommand("enter", "go there", func() tea.Cmd { return app.GotoNode(state, id) }),
		app.DialogCommand("n", "name it", func() tea.Cmd { return openNaming(state, id) }),
		app.DialogCommand("r", "rename", func() tea.Cmd { return openRenaming(state, id, selected.names) }),
		app.DialogCommand("D", "delete name", func() tea.Cmd { return openNameDeletion(state, id, selected.names) }),
		app.DialogCommand("c", "compare with it", func() tea.Cmd {
			if b.base == id { // a second press compares with the head again
				b.compareWith(noNode)
			} else {
				b.compareWith(id)
			}
			return nil
		}),
	}
}
