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
		commands = append(commands, batchCommands(state, selected)...)
	} else {
		for _, action := range tokenActions {
			do := s.formOpener(state, row.Key, action.open)
			commands = append(commands,
				app.ScreenCommand(action.keys, action.label, action.name, do).
					FoundBy(action.phrases).
					DisabledIf(!hasRow, noRow))
		}
	}
	commands = append(commands,
		app.ScreenCommand("m", "mint", "Mint a token", func() tea.Cmd { return openMint(state) }).
			FoundBy("mint, create, new, make, issue, add a token, drop"))
	commands = append(commands, app.OperatorCommands(state, "")...)

	// Typing a filter needs the keyboard, so the list takes it back from the details.
	filter := s.Filter.Command()
	startFilter := filter.Do
	filter.Do = func() tea.Cmd {
		s.Panes.SetDetailFocus(false)
		return startFilter()
	}
	commands = append(commands, filter)
	commands = append(commands, app.SelectCommands(state, s.Panes.Table, s.list(state).rowWalk)...)
	commands = append(commands,
		app.ScreenCommand("s", "sort", "Sort by id, or by what expires next",
			func() tea.Cmd { return s.toggleSort(state) }).
			FoundBy("order, sort"),
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

// tokenActions are what can be done with a token, each by a form, and some of it with all
// selected tokens at once.
var tokenActions = []struct {
	keys        string
	label, name string
	phrases     string // see [app.Command.FoundBy]
	open        func(*app.State, chain.Token) tea.Cmd

	batchLabel string
	batchName  string                                       // without the tokens
	openBatch  func(state *app.State, ids []string) tea.Cmd // nil for one token at a time
}{
	{"t", "transfer", "Transfer this token", "transfer_nft, move, give, gift, sell, hand over, change owner, donate, swap, trade, buy", transferForm.open,
		"transfer them", "Transfer", transferForm.openBatch},
	{"p", "approve", "Approve a spender for this token", "approve, permit, allow, grant, lend, rent, let, delegate, spender, borrow, loan", approvalForm.open,
		"approve", "Approve a spender for", approvalForm.openBatch},
	{"r", "revoke", "Revoke an approval of this token", "take back, forbid, disallow, unapprove, cancel an approval", openRevocation,
		"revoke", "Revoke every approval of", openRevocationBatch},
	{"d", "send", "Send this token to a contract", "send_nft, deliver, contract, deposit, stake, auction, escrow", openSend,
		"", "", nil},
	{"b D", "burn", "Burn this token", "burn, delete, destroy, remove a token, throw away", openBurn,
		"burn them", "Burn", openBurnBatch},
	{"i", "info", "Update this token's URI and metadata", "update_nft_info, metadata, uri, picture, image, edit a token, traits, media, change metadata", openUpdate,
		"", "", nil},
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
// transfer of each. The commands that work on one token only follow, but disabled, so that
// their keys say why they do nothing.
func batchCommands(state *app.State, ids []string) (commands []app.Command) {
	var disabled []app.Command
	for _, action := range tokenActions {
		if action.openBatch == nil {
			command := app.ScreenCommand(action.keys, action.label, action.name, nil)
			disabled = append(disabled, command.FoundBy(action.phrases).DisabledIf(true, "one token at a time: esc selects none"))
			continue
		}
		name := action.batchName + " the " + human.Plural(len(ids), "selected token")
		commands = append(commands, app.ScreenCommand(action.keys, action.batchLabel, name,
			func() tea.Cmd { return action.openBatch(state, ids) }).
			FoundBy(action.phrases))
	}
	return append(commands, disabled...)
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
