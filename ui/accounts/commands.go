package accounts

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
)

// Commands returns the commands for the account under the cursor and for the address book.
// Commands that need an account are disabled while none is under the cursor.
func (s *Screen) Commands(state *app.State) []app.Command {
	account, hasAccount := s.accountUnderCursor(state)
	onAccount := func(command app.Command) app.Command {
		return command.DisabledIf(!hasAccount, "no account is under the cursor")
	}
	addName := func() tea.Cmd {
		const suggestedName, actsAs = "", false
		return openAccountForm(state, suggestedName, actsAs)
	}
	actAs := func() tea.Cmd { return app.Send(app.ActAsMsg{Address: account.Address}) }
	commands := s.LinkCommands()
	if len(commands) == 0 { // otherwise enter follows the line of the details
		commands = append(commands, onAccount(app.ScreenCommand("enter", "act as", "Act as this account", actAs)))
	}

	// These work on the grant in the line of the details.
	entry, hasGrant := s.grantUnderCursor()
	for _, command := range []app.Command{
		app.ScreenCommand("r", "revoke", "Revoke this grant",
			func() tea.Cmd { return app.Send(app.GrantFormMsg{Action: app.RevokeGrant, Entry: entry}) }),
		app.ScreenCommand("p", "extend", "Extend or change this grant",
			func() tea.Cmd { return app.Send(app.GrantFormMsg{Action: app.ExtendGrant, Entry: entry}) }),
	} {
		commands = append(commands, command.DisabledIf(!hasGrant,
			"tab goes to the grants"))
	}

	changeKind := func() tea.Cmd { return app.OpenDialog(newKindChooser(account)) }
	forget := func() tea.Cmd { return askToForget(state, account) }
	var showAll []app.Command
	if s.filter.AppliedText != "" && !s.HasDetailFocus {
		showAll = append(showAll, s.filter.ShowAllCommand(state))
	}
	operatorCommands := app.OperatorCommands(state, account.Address)
	return slices.Concat(commands, showAll, []app.Command{
		app.ScreenCommand("n", "new name", "Add a name, or name an address to watch it", addName),
		s.filter.Command(),
		onAccount(operatorCommands[0]),
		onAccount(operatorCommands[1]),
		onAccount(app.ScreenCommand("c", "kind", "Say what is here: account, or contract", changeKind)),
		app.ScreenCommand("s", "sort", "Sort by name, or by how many tokens are owned", s.changeOrder),
		onAccount(app.ScreenCommand("D", "forget", "Remove this name", forget)),
	}, s.MasterDetail.Commands())
}

// changeOrder changes between the order of the names and that of the number of tokens. It
// returns nil, so that it can be used as a command.
func (s *Screen) changeOrder() tea.Cmd {
	s.isByHoldings = !s.isByHoldings
	s.setColumns()
	s.Table.Restart()
	return nil
}
