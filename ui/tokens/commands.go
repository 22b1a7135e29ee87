package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
)

// toggleSort changes between the two orders that indexes serve.
func (s *Screen) toggleSort(st *app.State) tea.Cmd {
	if s.filterInput.filter.isByExpiry() {
		return app.Notify(app.LevelInfo, "this filter is answered in the order of expiry; esc takes it off")
	}
	s.sortByExpiry = !s.sortByExpiry
	s.restart(st)
	if s.sortByExpiry {
		return app.Notify(app.LevelInfo, "sorted by what expires next: only tokens with approvals")
	}
	return app.Notify(app.LevelInfo, "sorted by id")
}

// sortByColumn sorts by the column whose title was clicked: the id, or one of those
// about approvals. No index serves the order of owners.
func (s *Screen) sortByColumn(st *app.State, column int) tea.Cmd {
	const idColumn, ownerColumn = 0, 1
	if column < 0 || column == ownerColumn {
		return nil
	}
	wantsExpiry := column != idColumn
	if wantsExpiry == s.sortByExpiry {
		return nil
	}
	return s.toggleSort(st)
}

// goBack leaves the details, or else clears the selection, or else the filter.
func (s *Screen) goBack(st *app.State) tea.Cmd {
	switch {
	case s.InDetail:
		s.FocusDetail(false)
	case len(s.Table.Marked()) > 0:
		s.Table.ClearMarks()
	case s.filterInput.applied != "":
		s.clearFilter(st)
	}
	return nil
}

// Commands lists the commands of the token under the cursor, or of the selected
// tokens, and of the list.
func (s *Screen) Commands(st *app.State) []app.Command {
	row, hasRow := s.Table.Cursor()
	selected := s.Table.Marked()
	const noRow = "no token is under the cursor"

	commands := s.LinkCommands()
	if len(selected) > 0 {
		commands = append(commands, s.batchCommands(st, selected)...)
	} else {
		for _, command := range s.tokenCommands(st, row.Key) {
			commands = append(commands, command.DisabledIf(!hasRow, noRow))
		}
	}

	startFilter := func() tea.Cmd {
		s.filterInput.typing = true
		s.FocusDetail(false)
		return nil
	}
	changePane := func() tea.Cmd {
		s.FocusDetail(!s.InDetail)
		return nil
	}
	commands = append(commands,
		app.ScreenCommand("m", "mint", "Mint a token", func() tea.Cmd { return openMint(st) }, "m"),
		app.ScreenCommand("/", "filter", "Filter: "+filterHelp, startFilter, "/"),
		app.ScreenCommand("s", "sort", "Sort by id, or by what expires next", func() tea.Cmd { return s.toggleSort(st) }, "s"),
		app.ScreenCommand("enter tab", "read on", "Scroll the token's details, or go back", changePane, "enter", "tab", "shift+tab").DisabledIf(!hasRow, noRow))

	if s.InDetail || len(selected) > 0 || s.filterInput.applied != "" {
		commands = append(commands, app.DialogCommand("esc", "back", func() tea.Cmd { return s.goBack(st) }, "esc"))
	}
	if s.InDetail {
		return append(commands, app.KeysForHelp(app.GroupMove, s.Scroll.Bindings()...)...)
	}
	return append(commands, app.KeysForHelp(app.GroupMove, s.Table.Keys.Bindings()...)...)
}

// tokenCommands lists the commands of one token.
func (s *Screen) tokenCommands(st *app.State, id string) []app.Command {
	with := func(open func(*app.State, chain.Token) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			if token, found := s.detail.token(id); found {
				return open(st, token)
			}
			return openWithToken(st, id, open) // the details are still of another token
		}
	}
	return []app.Command{
		app.ScreenCommand("t", "transfer", "Transfer this token", with(openTransfer), "t"),
		app.ScreenCommand("p", "approve", "Approve a spender for this token", with(openApproval), "p"),
		app.ScreenCommand("r", "revoke", "Revoke an approval of this token", with(openRevocation), "r"),
		app.ScreenCommand("d", "send", "Send this token to a contract", with(openSend), "d"),
		app.ScreenCommand("b D", "burn", "Burn this token", with(openBurn), "b", "D"),
		app.ScreenCommand("i", "info", "Update this token's URI and metadata", with(openUpdate), "i"),
	}
}

// batchCommands lists the commands of the selected tokens. Those of one token are
// listed too, disabled.
func (s *Screen) batchCommands(st *app.State, ids []string) []app.Command {
	selection := "the " + app.Plural(len(ids), "selected token")
	commands := []app.Command{
		app.ScreenCommand("t", "transfer them", "Transfer "+selection, func() tea.Cmd { return openTransferBatch(st, ids) }, "t"),
		app.ScreenCommand("p", "approve", "Approve a spender for "+selection, func() tea.Cmd { return openApprovalBatch(st, ids) }, "p"),
		app.ScreenCommand("r", "revoke", "Revoke every approval of "+selection, func() tea.Cmd { return openRevocationBatch(st, ids) }, "r"),
		app.ScreenCommand("b D", "burn them", "Burn "+selection, func() tea.Cmd { return openBurnBatch(st, ids) }, "b", "D"),
	}
	for _, command := range s.tokenCommands(st, "") {
		if !app.HasKey(commands, command.Binding.Keys()[0]) {
			commands = append(commands, command.DisabledIf(true, "one token at a time: esc selects none"))
		}
	}
	return commands
}
