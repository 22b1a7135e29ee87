package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/human"
	"ephemera/ui/app"
)

// Commands returns what the user can do now: the commands for the token under the cursor,
// or for the selected tokens if there are any, and those for the list. A command that
// needs a token is disabled while no token is under the cursor.
func (s *Screen) Commands(state *app.State) []app.Command {
	row, hasRow := s.Panes.Table.Cursor()
	selected := s.Panes.Table.MarkedKeys()
	const noRow = "no token is under the cursor"

	commands := s.Panes.LinkCommands()
	if len(selected) > 0 {
		commands = append(commands, s.batchCommands(state, selected)...)
	} else {
		for _, command := range s.tokenCommands(state, row.Key) {
			commands = append(commands, command.DisabledIf(!hasRow, noRow))
		}
	}
	commands = append(commands,
		app.ScreenCommand("m", "mint", "Mint a token", func() tea.Cmd { return openMint(state) }))
	commands = append(commands, app.OperatorCommands(state, "")...)

	// Typing a filter needs the keyboard, so the list takes it back from the details.
	filter := s.Filter.Command()
	startFilter := filter.Do
	filter.Do = func() tea.Cmd {
		s.Panes.SetDetailFocus(false)
		return startFilter()
	}
	commands = append(commands, filter)
	commands = append(commands, app.SelectCommands(state, s.Panes.Table, s.list(state).rowWalk, nil)...)
	commands = append(commands,
		app.ScreenCommand("s", "sort", "Sort by id, or by what expires next",
			func() tea.Cmd { return s.toggleSort(state) }),
		app.ScreenCommand("enter tab", "read on", "Scroll the token's details, or go back",
			func() tea.Cmd {
				s.Panes.SetDetailFocus(!s.Panes.HasDetailFocus)
				return nil
			},
			"enter", "tab", "shift+tab").DisabledIf(!hasRow, noRow))

	// Esc goes back by one of these steps.
	if s.Panes.HasDetailFocus || len(selected) > 0 || s.Filter.AppliedText != "" {
		commands = append(commands, app.DialogCommand("esc", "back", func() tea.Cmd {
			switch {
			case s.Panes.HasDetailFocus:
				s.Panes.SetDetailFocus(false)
			case len(selected) > 0:
				s.Panes.Table.ClearMarks()
			default:
				s.Filter.Set(state, "")
			}
			return nil
		}))
	}

	// The keys that move come last. They are those of the pane with the focus.
	bindings := s.Panes.Table.Keys.Bindings()
	if s.Panes.HasDetailFocus {
		bindings = s.Panes.Scroll.Bindings()
	}
	return append(commands, app.KeysForHelp(app.GroupMove, bindings...)...)
}

// tokenCommands returns the commands that open a form about one token.
func (s *Screen) tokenCommands(state *app.State, id string) []app.Command {
	return []app.Command{
		app.ScreenCommand("t", "transfer", "Transfer this token", s.formOpener(state, id, openTransfer)),
		app.ScreenCommand("p", "approve", "Approve a spender for this token",
			s.formOpener(state, id, openApproval)),
		app.ScreenCommand("r", "revoke", "Revoke an approval of this token",
			s.formOpener(state, id, openRevocation)),
		app.ScreenCommand("d", "send", "Send this token to a contract", s.formOpener(state, id, openSend)),
		app.ScreenCommand("b D", "burn", "Burn this token", s.formOpener(state, id, openBurn)),
		app.ScreenCommand("i", "info", "Update this token's URI and metadata",
			s.formOpener(state, id, openUpdate)),
	}
}

// formOpener returns a function that opens a form about a token. The form is filled in with
// the token's owner and approvals. If the details on the screen are still those of another
// token, the function returns the command that reads the token first.
func (s *Screen) formOpener(
	state *app.State,
	id string,
	openForm func(*app.State, chain.Token) tea.Cmd,
) func() tea.Cmd {
	return func() tea.Cmd {
		token, exists := s.detail.tokenIfShown(id)
		if exists {
			return openForm(state, token)
		}
		return app.ReadThen(state, func(view *chain.View) (err error) {
			token, exists, err = view.Token(id)
			return err
		}, func() tea.Cmd {
			if !exists {
				return app.Notify(app.LevelInfo, "there is no "+app.ShortTokenName(id)+" any more")
			}
			return openForm(state, token)
		})
	}
}

// batchCommands returns the commands that send messages for all selected tokens, such as a
// transfer of each. The commands that work on one token only are listed too, but disabled,
// so that their keys say why they do nothing.
func (s *Screen) batchCommands(state *app.State, ids []string) []app.Command {
	selection := "the " + human.Plural(len(ids), "selected token")
	commands := []app.Command{
		app.ScreenCommand("t", "transfer them", "Transfer "+selection,
			func() tea.Cmd { return openTransferBatch(state, ids) }),
		app.ScreenCommand("p", "approve", "Approve a spender for "+selection,
			func() tea.Cmd { return openApprovalBatch(state, ids) }),
		app.ScreenCommand("r", "revoke", "Revoke every approval of "+selection,
			func() tea.Cmd { return openRevocationBatch(state, ids) }),
		app.ScreenCommand("b D", "burn them", "Burn "+selection,
			func() tea.Cmd { return openBurnBatch(state, ids) }),
	}
	for _, command := range s.tokenCommands(state, "") {
		if !app.HasKey(commands, command.Binding.Keys()[0]) {
			commands = append(commands, command.DisabledIf(true, "one token at a time: esc selects none"))
		}
	}
	return commands
}

// toggleSort changes between the order of ids and the order of expiry, and shows a notice
// of the new order. Some filters work only in the order of expiry. With such a filter the
// order stays, and the notice says why.
func (s *Screen) toggleSort(state *app.State) tea.Cmd {
	if s.Filter.Filter.IsByExpiry() {
		return app.Notify(app.LevelInfo, "this filter sorts by expiry; esc removes it")
	}
	s.sortsByExpiry = !s.sortsByExpiry
	s.restart(state)
	if s.sortsByExpiry {
		return app.Notify(app.LevelInfo, "sorted by what expires next: only tokens with approvals")
	}
	return app.Notify(app.LevelInfo, "sorted by id")
}

// sortByColumn sorts by the column whose title was clicked: by id, or by expiry, which the
// columns about approvals do. A click on another title does nothing, because the chain has
// no index in that order.
func (s *Screen) sortByColumn(state *app.State, title string) tea.Cmd {
	switch title {
	case tokenTitle:
		if s.sortsByExpiry {
			return s.toggleSort(state)
		}
	case grantsTitle, expiryTitle:
		if !s.sortsByExpiry {
			return s.toggleSort(state)
		}
	}
	return nil
}
