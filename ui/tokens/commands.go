package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
)

// Commands returns what the user can do now: the commands for the token under the cursor,
// or for the selected tokens if there are any, and those for the list. A command that
// needs a token is disabled while no token is under the cursor.
func (s *Screen) Commands(state *app.State) []app.Command {
	row, hasRow := s.Table.Cursor()
	selected := s.Table.MarkedKeys()
	const noRow = "no token is under the cursor"

	// First what can be done with the token under the cursor, or with the selected ones.
	commands := s.LinkCommands()
	if len(selected) > 0 {
		commands = append(commands, s.batchCommands(state, selected)...)
	} else {
		for _, command := range s.tokenCommands(state, row.Key) {
			commands = append(commands, command.DisabledIf(!hasRow, noRow))
		}
	}

	// Typing a filter needs the keyboard, so the list takes it back from the details.
	filter := s.filterInput.Command()
	startFilter := filter.Do
	filter.Do = func() tea.Cmd {
		s.SetDetailFocus(false)
		return startFilter()
	}
	changePane := func() tea.Cmd {
		s.SetDetailFocus(!s.HasDetailFocus)
		return nil
	}
	readOn := app.ScreenCommand("enter tab", "read on", "Scroll the token's details, or go back",
		changePane, "enter", "tab", "shift+tab")
	toggleSort := func() tea.Cmd { return s.toggleSort(state) }
	commands = append(commands,
		app.ScreenCommand("m", "mint", "Mint a token", func() tea.Cmd { return openMint(state) }))
	commands = append(commands, app.OperatorCommands(state, "")...)
	commands = append(commands, filter)
	commands = append(commands, app.SelectCommands(state, s.Table, s.list(state).rowWalk, nil)...)
	commands = append(commands,
		app.ScreenCommand("s", "sort", "Sort by id, or by what expires next", toggleSort),
		readOn.DisabledIf(!hasRow, noRow))

	if s.HasDetailFocus || len(selected) > 0 || s.filterInput.AppliedText != "" {
		goBack := func() tea.Cmd { return s.goBack(state) }
		commands = append(commands, app.DialogCommand("esc", "back", goBack))
	}

	// The keys that move come last. They are those of the pane with the focus.
	bindings := s.Table.Keys.Bindings()
	if s.HasDetailFocus {
		bindings = s.Scroll.Bindings()
	}
	moveKeys := app.KeysForHelp(app.GroupMove, bindings...)
	return append(commands, moveKeys...)
}

// tokenCommands returns the commands that open a form about one token. If the details on
// the screen are still those of another token, the command reads the token first.
func (s *Screen) tokenCommands(state *app.State, id string) []app.Command {
	// formOpener returns a function that opens a form about the token. The form is filled in
	// with the token's owner and approvals, so these must be known.
	formOpener := func(openForm func(*app.State, chain.Token) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			if token, isShown := s.detail.tokenIfShown(id); isShown {
				return openForm(state, token)
			}
			return readTokenThenOpen(state, id, openForm)
		}
	}
	return []app.Command{
		app.ScreenCommand("t", "transfer", "Transfer this token", formOpener(openTransfer)),
		app.ScreenCommand("p", "approve", "Approve a spender for this token", formOpener(openApproval)),
		app.ScreenCommand("r", "revoke", "Revoke an approval of this token", formOpener(openRevocation)),
		app.ScreenCommand("d", "send", "Send this token to a contract", formOpener(openSend)),
		app.ScreenCommand("b D", "burn", "Burn this token", formOpener(openBurn)),
		app.ScreenCommand("i", "info", "Update this token's URI and metadata", formOpener(openUpdate)),
	}
}

// batchCommands returns the commands that send messages for all selected tokens, such as a
// transfer of each. The commands that work on one token only are listed too, but disabled,
// so that their keys say why they do nothing.
func (s *Screen) batchCommands(state *app.State, ids []string) []app.Command {
	selection := "the " + app.Plural(len(ids), "selected token")
	batchOpener := func(openBatch func(*app.State, []string) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd { return openBatch(state, ids) }
	}
	commands := []app.Command{
		app.ScreenCommand("t", "transfer them", "Transfer "+selection, batchOpener(openTransferBatch)),
		app.ScreenCommand("p", "approve", "Approve a spender for "+selection, batchOpener(openApprovalBatch)),
		app.ScreenCommand("r", "revoke", "Revoke every approval of "+selection,
			batchOpener(openRevocationBatch)),
		app.ScreenCommand("b D", "burn them", "Burn "+selection, batchOpener(openBurnBatch)),
	}
	for _, command := range s.tokenCommands(state, "") {
		if !app.HasKey(commands, command.Binding.Keys()[0]) {
			commands = append(commands, command.DisabledIf(true, "one token at a time: esc selects none"))
		}
	}
	return commands
}

// readTokenThenOpen returns the command that reads a token and then opens a form about it.
// If the token no longer exists, a notice says so instead.
func readTokenThenOpen(
	state *app.State,
	id string,
	openForm func(*app.State, chain.Token) tea.Cmd,
) tea.Cmd {
	// readToken sets these, and then openIfExists uses them.
	var token chain.Token
	exists := false
	readToken := func(view *chain.View) (err error) {
		token, exists, err = view.Token(id)
		return err
	}
	openIfExists := func() tea.Cmd {
		if !exists {
			return app.Notify(app.LevelInfo, "there is no "+app.ShortTokenName(id)+" any more")
		}
		return openForm(state, token)
	}
	return app.ReadThen(state, readToken, openIfExists)
}

// toggleSort changes between the order of ids and the order of expiry, and shows a notice
// of the new order. Some filters work only in the order of expiry. With such a filter the
// order stays, and the notice says why.
func (s *Screen) toggleSort(state *app.State) tea.Cmd {
	if s.filterInput.Filter.IsByExpiry() {
		return app.Notify(app.LevelInfo, "this filter sorts by expiry; esc removes it")
	}

	// Change the order, and read the list anew.
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
	wantsExpiry := title == grantsTitle || title == expiryTitle
	if wantsExpiry == s.sortsByExpiry || !wantsExpiry && title != tokenTitle {
		return nil
	}
	return s.toggleSort(state)
}

// goBack does what the key esc means. It moves the focus from the details to the list. If
// the list has the focus, it clears the selection, or without a selection the filter. It
// returns nil, because nothing is left to do in the background.
func (s *Screen) goBack(state *app.State) tea.Cmd {
	switch {
	case s.HasDetailFocus:
		s.SetDetailFocus(false)
	case len(s.Table.MarkedKeys()) > 0:
		s.Table.ClearMarks()
	case s.filterInput.AppliedText != "":
		s.filterInput.Set(state, "")
	}
	return nil
}
