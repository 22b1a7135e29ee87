package accounts

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// actAs is the dialog that chooses the actor, the account that messages are sent as. If
// the typed text matches no account, the dialog can create an account with that name.
type actAs struct{ *form.Chooser }

// summariesMsg is the answer of the background read of the accounts, which the chooser shows
// with a summary.
type summariesMsg struct {
	accounts []accountFacts
	err      error
}

// OpenActAs opens the chooser of the actor, the account that messages are sent as. The
// names show at once; the summaries of the accounts follow when they have been read.
func OpenActAs(state *app.State) tea.Cmd {
	var items []widget.Item
	for _, account := range state.Accounts {
		items = append(items, widget.Item{ID: string(account.Address), Title: account.Name})
	}
	chooser := form.NewChooser("Act as", "a name", items, func(_ *app.State, id string) tea.Cmd {
		return app.Send(app.ActAsMsg{Address: cw721.Address(id)})
	})
	chooser.Rows++ // a row more, to say that nothing matches
	chooser.List.Select(string(state.Actor))
	dialog := &actAs{chooser}

	// The summaries take a moment, so they are read in the background.
	facts := state.Facts
	return app.OpenDialogThen(dialog, state.Ask(dialog, func(engine app.Engine) tea.Msg {
		accounts, err := chain.Read(engine, func(view *chain.View) ([]accountFacts, error) {
			return readAccounts(view, facts)
		})
		return summariesMsg{accounts: accounts, err: err}
	}))
}

// nameToAdd returns the typed text if it matches no account, and "" otherwise. Such a text
// can become the name of a new account.
func (a *actAs) nameToAdd() string {
	if _, matches := a.List.Current(); matches {
		return ""
	}
	return a.List.Query()
}

// Update handles one event of the dialog. Enter on a text that matches no account opens
// the form for a new one. The second result is true if the dialog closes.
func (a *actAs) Update(state *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case summariesMsg:
		if msg.err != nil {
			return app.Notify(app.LevelBad, msg.err.Error()), false
		}
		var items []widget.Item
		for _, account := range msg.accounts {
			items = append(items, widget.Item{
				ID:     string(account.Address),
				Title:  account.Name,
				Detail: account.summary(),
			})
		}
		a.List.Set(items)
		return nil, false
	case tea.KeyMsg:
		if name := a.nameToAdd(); name != "" && msg.String() == "enter" {
			const actsAs = true
			return openAccountForm(state, name, actsAs), true
		}
	}
	return a.Chooser.Update(state, msg)
}

// View draws the dialog. Its title says that enter adds an account if the typed text
// matches none.
func (a *actAs) View(state *app.State) string {
	if name := a.nameToAdd(); name != "" {
		return a.Framed(state, "Act as: enter adds "+widget.Safe(name))
	}
	return a.Framed(state, a.Title)
}
