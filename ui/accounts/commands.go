package accounts

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/expiry"
	"ephemera/ui/app"
)

// Commands returns the commands for the account under the cursor and for the address book.
// Commands that need an account are disabled while none is under the cursor.
func (s *Screen) Commands(state *app.State) []app.Command {
	row, _ := s.Panes.Table.Cursor()
	account, hasAccount := accountNamed(state.Accounts, row.Key) // it may have been removed meanwhile
	onAccount := func(command app.Command) app.Command {
		return command.DisabledIf(!hasAccount, "no account is under the cursor")
	}
	commands := s.Panes.LinkCommands()
	if len(commands) == 0 { // otherwise enter follows the line of the details
		commands = append(commands, onAccount(app.ScreenCommand("enter", "act as", "Act as this account",
			func() tea.Cmd { return app.Send(app.ActAsMsg{Address: account.Address}) })))
	}

	// These work on the approval or the operator in the line of the details that has the cursor.
	var grant expiry.Entry
	hasGrant := false
	if link, line := s.Panes.Scroll.Link(); link != nil && s.detail != nil {
		grant, hasGrant = s.detail.grantsByLine[line]
	}
	for _, command := range []app.Command{
		app.ScreenCommand("r", "revoke", "Revoke this grant",
			func() tea.Cmd { return app.Send(app.GrantFormMsg{Action: app.RevokeGrant, Entry: grant}) }).
			FoundBy("take back, forbid, disallow, unapprove, cancel an approval"),
		app.ScreenCommand("p", "extend", "Extend or change this grant",
			func() tea.Cmd { return app.Send(app.GrantFormMsg{Action: app.ExtendGrant, Entry: grant}) }).
			FoundBy("renew, prolong, lengthen, change an expiry"),
	} {
		commands = append(commands, command.DisabledIf(!hasGrant, "tab goes to the grants"))
	}

	if s.Filter.AppliedText != "" && !s.Panes.HasDetailFocus {
		commands = append(commands, s.Filter.ShowAllCommand(state))
	}
	operatorCommands := app.OperatorCommands(state, account.Address)
	commands = append(commands,
		app.ScreenCommand("n", "new name", "Add a name, or name an address to watch it", func() tea.Cmd {
			const suggestedName, actsAs = "", false
			return openAccountForm(state, suggestedName, actsAs)
		}).FoundBy("alias, nickname, label, watch an address, new account, contact"),
		s.Filter.Command(),
		onAccount(operatorCommands[0]),
		onAccount(operatorCommands[1]),
		onAccount(app.ScreenCommand("c", "kind", "Say what is here: account, or contract",
			func() tea.Cmd { return app.OpenDialog(newKindChooser(account)) }).
			FoundBy("receiver, accepts tokens, vault")),
		app.ScreenCommand("s", "sort", "Sort by name, or by how many tokens are owned", s.changeOrder).
			FoundBy("order, sort"),
		onAccount(app.ScreenCommand("D", "forget", "Remove this name",
			func() tea.Cmd { return askToForget(state, account) }).
			FoundBy("forget, delete an account")))
	return append(commands, s.Panes.Commands()...)
}

// changeOrder changes between the order of the names and that of the number of tokens. It
// returns nil, so that it can be used as a command.
func (s *Screen) changeOrder() tea.Cmd {
	s.isByHoldings = !s.isByHoldings
	s.setColumns()
	s.Panes.Table.Restart()
	return nil
}
