package history

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
)

// Commands returns the commands for the node under the cursor and for the list.
func (s *Screen) Commands(state *app.State) []app.Command {
	commands := append(s.Panes.LinkCommands(), s.nodeCommands(state)...)
	commands = append(commands,
		app.ScreenCommand("v", "branches", "Branches: compare what happened on each",
			func() tea.Cmd { return OpenBranches(state) }).
			FoundBy("compare, diff, difference, what changed, versions, what if, fork, merge"),
		s.Filter.Command())
	if s.Filter.AppliedText != "" && !s.Panes.HasDetailFocus {
		commands = append(commands, s.Filter.ShowAllCommand(state))
	}
	return append(commands, s.Panes.Commands()...)
}

// nodeCommands returns the commands for the node under the cursor. They are disabled if
// there is no node. A command is also disabled if the node does not have what it needs,
// such as a name to delete. The user sees the reason.
func (s *Screen) nodeCommands(state *app.State) []app.Command {
	row, hasRow := s.Panes.Table.Cursor()
	id := nodeOfKey(row.Key)

	// The names are known once the details show the node.
	var names []string
	if s.detail != nil && s.detail.node.ID == id {
		names = s.detail.names
	}

	isNameless := len(names) == 0
	const noName = "this moment has no name: n gives it one"
	commands := []app.Command{
		app.ScreenCommand("enter", "go there", "Go to this moment",
			func() tea.Cmd { return app.GotoNode(state, id) }),
		app.ScreenCommand("y", "copy", "Copy this: JSON, command lines, scenario step",
			func() tea.Cmd {
				if s.detail == nil { // no node was read yet
					return nil
				}
				return form.OpenCopy(state, s.detail.copyItems(state))
			}),
		app.ScreenCommand("n", "name it", "Name this moment: a snapshot",
			func() tea.Cmd { return openNaming(state, id) }).
			FoundBy("snapshot, bookmark, checkpoint, save point"),
		app.ScreenCommand("r", "rename", "Rename this snapshot",
			func() tea.Cmd { return openRenaming(state, id, names) }).
			DisabledIf(isNameless, noName),
		app.ScreenCommand("D", "delete name", "Delete the name of this snapshot",
			func() tea.Cmd { return openNameDeletion(state, id, names) }).
			DisabledIf(isNameless, noName),
	}
	for i, command := range commands {
		commands[i] = command.DisabledIf(!hasRow, "no moment is under the cursor")
	}
	return commands
}
