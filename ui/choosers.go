package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/history"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// openViews opens a list of the views that have no screen of their own, such as the timeline.
// If the contract's storage cannot be decoded, it leaves out the views of grants.
func openViews(state *app.State, subject app.Subject) tea.Cmd {
	views := []struct {
		name, description string
		open              func(*app.State, app.Subject) tea.Cmd
	}{
		{"Timeline", "every grant as a bar over blocks", inspect.OpenTimeline},
		{"Who can", "a way to do something, now or later", inspect.OpenWhoCan},
		{"Raw storage", "the records of the contract, keys decoded", inspect.OpenStorage},
		{"Branches", "the tree of what happened",
			func(st *app.State, _ app.Subject) tea.Cmd { return history.OpenBranches(st) }},
	}
	if state.UnreadableReason != "" {
		views = views[2:]
	}
	var items []widget.Item
	for _, view := range views {
		items = append(items, widget.Item{ID: view.name, Title: view.name, Detail: view.description})
	}
	open := func(st *app.State, name string) tea.Cmd {
		for _, view := range views {
			if view.name == name {
				return view.open(st, subject)
			}
		}
		return nil
	}
	return app.OpenDialog(form.NewChooser("Views", "another view", items, open))
}

// copySubject opens a list of texts to copy about what is under the cursor: ids, addresses,
// queries as JSON, and command lines for wasmd, the program of a CosmWasm chain.
func copySubject(state *app.State, subject app.Subject) tea.Cmd {
	var items []app.CopyItem
	addItem := func(name, text string) { items = append(items, app.CopyItem{Name: name, Text: text}) }

	if subject.Token != nil {
		query := cw721.Encode(&cw721.AllNftInfo{TokenID: *subject.Token})
		addItem("token id", *subject.Token)
		addItem("query as JSON", string(query))
		addItem("wasmd query", app.QueryLine(state, query))
	}
	if subject.Account != "" {
		query := cw721.Encode(&cw721.TokensQuery{Owner: subject.Account})
		addItem("address", string(subject.Account))
		addItem("query of its tokens", string(query))
		addItem("wasmd query of its tokens", app.QueryLine(state, query))
	} else {
		addItem("address of the acting account", string(state.Actor))
	}
	addItem("address of the contract", string(state.Config.Self))
	return form.OpenCopy(state, items)
}

// openColumns returns the command that opens a dialog with the columns of a list.
// Choosing one hides it, or shows it again if it is hidden.
func openColumns(screenName string, list *widget.Table) tea.Cmd {
	hiddenTitles := list.Hidden()
	var items []widget.Item
	for _, title := range list.Hideable() {
		item := widget.Item{ID: title, Title: title, Detail: "hide it"}
		if slices.Contains(hiddenTitles, title) {
			item.Detail = "is hidden: show it"
		}
		items = append(items, item)
	}

	toggle := func(_ *app.State, title string) tea.Cmd {
		titles := slices.DeleteFunc(slices.Clone(hiddenTitles), func(other string) bool { return other == title })
		if len(titles) == len(hiddenTitles) { // it is shown
			titles = append(titles, title)
		}
		list.HideColumns(titles)
		return nil
	}
	return app.OpenDialog(form.NewChooser("Columns of "+screenName, "a column", items, toggle))
}

// newThemePicker returns the dialog in which the user chooses one of the themes, the sets of
// colours of the explorer. The cursor starts on the present theme.
func newThemePicker(state *app.State) *form.Chooser {
	// Lookup fails only for an unknown name, so its errors are ignored here.
	var items []widget.Item
	for _, name := range themes.Names() {
		palette, _ := themes.Lookup(name, themes.UnknownBackground)
		items = append(items, widget.Item{ID: name, Title: name, Detail: palette.Description})
	}

	options := state.ThemeOptions
	chooser := form.NewChooser("Theme", "a theme", items, func(_ *app.State, name string) tea.Cmd {
		palette, _ := themes.Lookup(name, options.Terminal)
		return app.Send(themeMsg{themes.New(palette, options)})
	})
	chooser.List.Select(state.Theme.Name)
	return chooser
}
