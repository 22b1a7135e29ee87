package collection

import (
	"cmp"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Commands returns what can be done on the screen: the commands for the field under the
// cursor, those for moving, and a command without a key for every other message that changes
// the collection. The palette lists all of them.
func (s *Screen) Commands(state *app.State) []app.Command {
	if s.facts == nil {
		return s.Panes.Commands()
	}
	return slices.Concat(
		s.fieldCommands(state),
		s.Panes.Commands(),
		messageCommands(state, s.facts.Collection),
	)
}

// fieldCommands returns the commands that change or find a field, or calculate the
// royalty.
func (s *Screen) fieldCommands(state *app.State) (commands []app.Command) {
	if field, ok := s.fieldUnderCursor(); ok {
		verb := cmp.Or(field.verb, "change")
		command := app.ScreenCommand("enter i", verb, "Change the "+field.label,
			func() tea.Cmd { return field.openForm(state, s.facts.Collection) }).
			FoundBy("update_collection_info, edit the collection, rename the collection")
		isFixed := field.openForm == nil
		commands = append(commands, command.DisabledIf(isFixed, field.label+": no message changes it"))
	}
	royalty := extensionOf(s.facts.Collection).RoyaltyInfo
	return append(commands,
		app.ScreenCommand("/", "find", "Find a field", func() tea.Cmd { return s.openFieldFinder(state) }),
		app.ScreenCommand("c", "calculate", "Royalty of a sale: calculate it",
			func() tea.Cmd { return openCalculator(state, *royalty) }).
			FoundBy("royalty, royalties, share, percent, creator earnings, price").
			DisabledIf(royalty == nil, "there is no royalty to calculate with yet"))
}

// openFieldFinder opens the chooser that finds a field by its name or value.
func (s *Screen) openFieldFinder(state *app.State) tea.Cmd {
	var items []widget.Item
	for _, field := range s.facts.fields {
		items = append(items, widget.Item{
			ID:     field.key,
			Title:  field.label,
			Detail: field.showValue(state, s.facts.Collection).String(),
		})
	}
	return app.OpenDialog(form.NewChooser("Fields", "a field, or its value", items,
		func(state *app.State, key string) tea.Cmd {
			s.Panes.SetDetailFocus(false)
			s.Panes.Table.Goto(key, key) // a row's place in the table is its key
			s.showRowsAndDetail(state)
			return nil
		}))
}

// messageCommands returns the palette's commands for the messages about a role, an additional
// minter or the withdraw address. They have no keys.
func messageCommands(state *app.State, collection chain.Collection) (commands []app.Command) {
	roles := []app.RoleKind{app.MinterRole}
	if state.Layout.HasCreator() {
		roles = append(roles, app.CreatorRole)
	}
	for _, role := range roles {
		phrases := "update_" + role.Name + "_ownership, ownership, "
		if role.Name == app.MinterRole.Name {
			phrases += "update_ownership, "
		}
		commands = append(commands, actionCommands(roleActions, " the "+role.Name+" role", phrases,
			func(actionName string) tea.Cmd { return openRoleForm(state, role, actionName) })...)
	}

	// These messages exist only under some rule sets and in some layouts.
	if state.Config.Rules.HasAdditionalMinters() {
		commands = append(commands, actionCommands(minterActions, "", "",
			func(actionName string) tea.Cmd { return openMintersForm(state, actionName) })...)
	}
	if state.Layout.HasCreator() {
		commands = append(commands, actionCommands(withdrawActions, "", "",
			func(actionName string) tea.Cmd { return openWithdrawForm(state, collection, actionName) })...)
	}
	return commands
}

// actionCommands returns a command for each action, which opens the form of the action.
// titleEnd is added to the title of each, such as " the minter role", and morePhrases are put
// before its phrases.
func actionCommands(
	actions []messageChoice,
	titleEnd, morePhrases string,
	openForm func(actionName string) tea.Cmd,
) (commands []app.Command) {
	for _, action := range actions {
		commands = append(commands, app.ScreenCommand("", "", action.title+titleEnd,
			func() tea.Cmd { return openForm(action.name) }).
			FoundBy(morePhrases+action.phrases))
	}
	return commands
}
