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

	// The other list of grants gets the filter of this one. Without a filter it shows the grants
	// to the spender under the cursor.
	filter := cmp.Or(s.filter.AppliedText, "spender:"+state.InputText(entry.Spender))
	otherList := app.ScreenCommand("tab", s.otherName, "The other list of grants, of the same account",
		func() tea.Cmd { return app.GoTo(s.otherKind, app.ShowGrantMsg{Filter: filter}) }).
		DisabledIf(filter == "spender:", s.noRowText)

	// The footer has room for two commands for the grant and for the key of the other list,
	// so these come first.
	const commandsInFooter = 2
	for i, command := range s.grantCommands(state, entry, selected) {
		if i == commandsInFooter {
			commands = append(commands, otherList)
		}
		commands = append(commands, command.DisabledIf(!exists, s.noRowText))
	}
	commands = append(commands,
		app.ScreenCommand("s", "sort", s.sortName, func() tea.Cmd {
			next := slices.Index(s.orders, s.order) + 1
			s.showOrder(s.orders[next%len(s.orders)])
			return nil
		}).FoundBy("order, sort"),
		s.filter.Command())

	screenReader := s.newReader(state)
	commands = append(commands, app.SelectCommands(state, s.table, func(view *chain.View) widget.Walk {
		reader := screenReader
		reader.view = view
		return func(part widget.ListPart, yield widget.YieldRow) error {
			if err := reader.prepare(); err != nil {
				return err
			}
			return reader.walk(part, yield)
		}
	})...)

	// Esc clears the selection, or without a selection the filter.
	switch {
	case len(selected) > 0:
		commands = append(commands, app.DialogCommand("esc", "select none", func() tea.Cmd {
			s.table.ClearMarks()
			return nil
		}))
	case s.filter.AppliedText != "":
		commands = append(commands, s.filter.ShowAllCommand(state))
	}
	return append(commands, app.KeysForHelp(app.GroupMove, s.table.Keys.Bindings()...)...)
}

// grantCommands returns the commands that revoke or extend the grant under the cursor, or go
// to what it is about. Revoke works on the selected grants if there are any.
func (s *Screen) grantCommands(state *app.State, entry expiry.Entry, selected []expiry.Entry) []app.Command {
	label := "revoke"
	name := "Revoke this " + string(s.grantKind)
	revoked := []expiry.Entry{entry}
	if len(selected) > 0 {
		label = "revoke them"
		name = fmt.Sprintf("Revoke the %d selected %ss", len(selected), s.grantKind)
		revoked = selected
	}
	extend := app.ScreenCommand("p", "extend", "Extend or change this "+string(s.grantKind), func() tea.Cmd {
		return OpenForm(state, app.GrantFormMsg{Action: app.ExtendGrant, Entry: entry})
	}).FoundBy("renew, prolong, lengthen, change an expiry")
	if s.grantKind == cw721.GrantApproval {
		return []app.Command{
			app.ScreenCommand("r", label, name, func() tea.Cmd {
				return openRevocation(state, revoked, s.filter.Filter.IsDangling)
			}, "r", "R", "D").
				FoundBy("take back, forbid, disallow, unapprove, cancel an approval"),
			app.ScreenCommand("enter", "token", "Go to this approval's token",
				func() tea.Cmd { return app.ShowToken(entry.Token) }),
			extend,
		}
	}
	return []app.Command{
		app.ScreenCommand("r", label, name, func() tea.Cmd {
			if len(selected) > 0 {
				return openOperatorBatch(state, selected)
			}
			return openAsOwner(state, app.GrantFormMsg{Action: app.RevokeGrant, Entry: entry})
		}, "O", "r", "D").
			FoundBy("revoke_all, remove operator, take back, forbid, revoke all"),
		app.ScreenCommand("enter", "tokens", "Go to the tokens that this operator acts for", func() tea.Cmd {
			return app.GoTo(app.KindTokens, app.ShowTokenMsg{Filter: "owner:" + state.InputText(entry.Owner)})
		}),
		extend,
	}
}

// selectedGrants returns the selected grants in the order of selection.
func (s *Screen) selectedGrants() (selected []expiry.Entry) {
	for _, row := range s.table.MarkedRows() {
		selected = append(selected, entryOf(row))
	}
	return selected
}
