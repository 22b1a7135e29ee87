package accounts

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// actAs is the chooser of the actor. A text that is no account's name can become
// a new one.
type actAs struct{ *form.Chooser }

// summariesMsg brings the accounts with their summaries.
type summariesMsg struct {
	items []widget.Item
	err   error
}

// OpenActAs opens the chooser of the actor. The summaries of the accounts follow
// when they have been read.
func OpenActAs(st *app.State) tea.Cmd {
	var items []widget.Item
	for _, a := range st.Accounts {
		items = append(items, widget.Item{ID: string(a.Address), Title: a.Name})
	}
	chooser := form.NewChooser("Act as", "a name", items, func(_ *app.State, id string) tea.Cmd {
		return func() tea.Msg { return app.ActAsMsg{Address: cw721.Address(id)} }
	})
	chooser.Rows++ // room to say that nothing matches
	chooser.List.Select(string(st.Actor))
	a := &actAs{chooser}

	displayName := st.RowView().DisplayName
	return app.OpenDialogThen(a, st.Ask(a, func(e app.Engine) tea.Msg {
		items, err := chain.Read(e, func(v *chain.View) ([]widget.Item, error) { return readSummaries(v, displayName) })
		return summariesMsg{items: items, err: err}
	}))
}

// readSummaries reads the accounts with their summaries.
func readSummaries(v *chain.View, displayName func(cw721.Address) string) (items []widget.Item, err error) {
	c, err := v.Collection()
	if err != nil {
		return nil, err
	}
	accounts, err := v.Accounts()
	if err != nil {
		return nil, err
	}
	for _, a := range accounts {
		f, err := readAccount(v, c, a)
		if err != nil {
			return nil, err
		}
		items = append(items, widget.Item{ID: string(a.Address), Title: a.Name, Detail: f.summary(displayName)})
	}
	return items, nil
}

// newName returns the typed text if it is no account's name; empty otherwise.
func (a *actAs) newName() string {
	if _, matches := a.List.Current(); matches {
		return ""
	}
	return a.List.Query()
}

func (a *actAs) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case summariesMsg:
		if msg.err != nil {
			return app.Notify(app.LevelBad, msg.err.Error()), false
		}
		a.List.Set(msg.items)
		return nil, false
	case tea.KeyMsg:
		if name := a.newName(); name != "" && msg.String() == "enter" {
			return openAccountForm(st, name, true), true
		}
	}
	return a.Chooser.Update(st, msg)
}

func (a *actAs) View(st *app.State) string {
	if name := a.newName(); name != "" {
		return a.Framed(st, "Act as: enter adds "+widget.Safe(name))
	}
	return a.Framed(st, a.Title)
}
