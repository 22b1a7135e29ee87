package grants

import (
	"cmp"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Commands returns what the user can do now: the commands for the grant under the cursor,
// and those for the list.
func (s *Screen) Commands(state *app.State) []app.Command {
	entry, exists := s.grantUnderCursor()
	selected := s.selectedGrants()
	var commands []app.Command
	if s.grantKind == cw721.GrantOperator {
		commands = append(commands, app.OperatorCommands(state, "")[0])
	}

	// The footer has room for two commands for the grant and for the key of the other list,
	// so these come first.
	const commandsInFooter = 2
	for i, command := range s.commands(state, entry, selected, s.filter.Filter.IsDangling) {
		if i == commandsInFooter {
			commands = append(commands, s.otherListCommand(state, entry))
		}
		commands = append(commands, command.DisabledIf(!exists, s.noRowText))
	}
	commands = append(commands,
		app.ScreenCommand("s", "sort", s.sortName, s.showNextOrder),
		s.filter.Command())
	commands = append(commands, s.selectCommands(state)...)

	// Esc clears the selection, or without a selection the filter.
	selectNone := func() tea.Cmd {
		s.table.ClearMarks()
		return nil
	}
	switch {
	case len(selected) > 0:
		commands = append(commands, app.DialogCommand("esc", "select none", selectNone))
	case s.filter.AppliedText != "":
		commands = append(commands, s.filter.ShowAllCommand(state))
	}
	moveKeys := app.KeysForHelp(app.GroupMove, s.table.Keys.Bindings()...)
	return append(commands, moveKeys...)
}

// approvalCommands returns the commands that revoke or extend the approval under the
// cursor, or go to its token. Revoke works on the selected approvals if there are any.
func approvalCommands(state *app.State, entry expiry.Entry, selected []expiry.Entry, asOwners bool) []app.Command {
	label := "revoke"
	name := "Revoke this approval"
	approvals := []expiry.Entry{entry}
	if len(selected) > 0 {
		label = "revoke them"
		name = fmt.Sprintf("Revoke the %d selected approvals", len(selected))
		approvals = selected
	}

	revoke := func() tea.Cmd { return openRevocation(state, approvals, asOwners) }
	extend := func() tea.Cmd { return openExtension(state, entry) }
	showToken := func() tea.Cmd { return app.ShowToken(entry.Token) }
	return []app.Command{
		app.ScreenCommand("r", label, name, revoke, "r", "R", "D"),
		app.ScreenCommand("enter", "token", "Go to this approval's token", showToken),
		app.ScreenCommand("p", "extend", "Extend or change this approval", extend),
	}
}

// operatorCommands returns the commands that extend or revoke the operator under the
// cursor, or show its tokens. Revoke works on the selected operators if there are any.
func operatorCommands(state *app.State, entry expiry.Entry, selected []expiry.Entry, _ bool) []app.Command {
	extend := func() tea.Cmd {
		return openAsOwner(state, app.GrantFormMsg{Action: app.ExtendGrant, Entry: entry})
	}
	showTokens := func() tea.Cmd {
		return app.GoTo(app.KindTokens, app.ShowTokenMsg{Filter: "owner:" + state.InputText(entry.Owner)})
	}
	label := "revoke"
	name := "Revoke this operator"
	revoke := func() tea.Cmd {
		return openAsOwner(state, app.GrantFormMsg{Action: app.RevokeGrant, Entry: entry})
	}
	if len(selected) > 0 {
		label = "revoke them"
		name = fmt.Sprintf("Revoke the %d selected operators", len(selected))
		revoke = func() tea.Cmd { return openOperatorBatch(state, selected) }
	}
	return []app.Command{
		app.ScreenCommand("r", label, name, revoke, "O", "r", "D"),
		app.ScreenCommand("enter", "tokens", "Go to the tokens that this operator acts for", showTokens),
		app.ScreenCommand("p", "extend", "Extend or change this operator", extend),
	}
}

// otherListCommand returns the command that shows the screen of the other kind of grants,
// operators or approvals. That screen gets the filter of this one. Without a filter it
// shows the grants to the spender under the cursor.
func (s *Screen) otherListCommand(state *app.State, entry expiry.Entry) app.Command {
	filter := cmp.Or(s.filter.AppliedText, "spender:"+state.InputText(entry.Spender))
	show := func() tea.Cmd { return app.GoTo(s.otherKind, app.ShowGrantMsg{Filter: filter}) }
	command := app.ScreenCommand("tab", s.otherName, "The other list of grants, of the same account", show)
	return command.DisabledIf(filter == "spender:", s.noRowText)
}

// selectCommands returns the commands that select grants of the list. The screen then
// remembers these grants, because commands work on the grants of the selected rows.
func (s *Screen) selectCommands(state *app.State) []app.Command {
	reader := s.newReader(state)
	var entries []expiry.Entry
	walkView := func(view *chain.View) widget.Walk {
		return func(part widget.ListPart, yield rowYield) error {
			if err := reader.prepare(view); err != nil {
				return err
			}
			return reader.walk(view, part, &entries, yield)
		}
	}
	return app.SelectCommands(state, s.table, walkView, func() { s.remember(entries) })
}

// selectedGrants returns the selected grants in the order of selection.
func (s *Screen) selectedGrants() (selected []expiry.Entry) {
	for _, key := range s.table.MarkedKeys() {
		if entry, isRead := s.entries[key]; isRead {
			selected = append(selected, entry)
		}
	}
	return selected
}

// showNextOrder is a command that sorts the list by the order after the current one. After
// the last order comes the first one.
func (s *Screen) showNextOrder() tea.Cmd {
	next := slices.Index(s.orders, s.order) + 1
	s.showOrder(s.orders[next%len(s.orders)])
	return nil
}
