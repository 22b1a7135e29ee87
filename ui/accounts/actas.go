package accounts

import (
	"cmp"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// actAs is the list of whom to act as, with what everyone is. What nobody is
// called becomes a new name.
type actAs struct{ *form.Chooser }

// actAsRolesMsg brings what the accounts are.
type actAsRolesMsg struct {
	items []widget.Item
	err   error
}

// OpenActAs opens the list at once; what everyone is follows.
func OpenActAs(st *app.State) tea.Cmd {
	plain := make([]widget.Item, 0, len(st.Accounts))
	for _, a := range st.Accounts {
		plain = append(plain, widget.Item{ID: string(a.Address), Title: a.Name})
	}
	a := &actAs{form.NewChooser("Act as", "a name", plain, func(_ *app.State, id string) tea.Cmd {
		return func() tea.Msg { return app.ActAsMsg{Address: cw721.Address(id)} }
	})}
	a.Rows++ // room to say that nothing matches
	a.List.Select(string(st.Actor))
	call := st.RowView().DisplayName
	return app.OpenDialogThen(a, st.Ask(a, func(e app.Engine) tea.Msg {
		var msg actAsRolesMsg
		msg.err = e.View(func(v *chain.View) error {
			c, noCollection := v.Collection()
			accounts, noAccounts := v.Accounts()
			if err := cmp.Or(noCollection, noAccounts); err != nil {
				return err
			}
			for _, x := range accounts {
				f, err := readAccount(v, c, x)
				if err != nil {
					return err
				}
				msg.items = append(msg.items, widget.Item{ID: string(x.Address), Title: x.Name, Detail: f.words(call)})
			}
			return nil
		})
		return msg
	}))
}

func (a *actAs) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case actAsRolesMsg:
		if msg.err != nil {
			return app.Notify(app.LevelBad, msg.err.Error()), false
		}
		a.List.Set(msg.items)
		return nil, false
	case tea.KeyMsg:
		if _, some := a.List.Current(); !some && msg.String() == "enter" && a.List.Query() != "" {
			return openAccountForm(st, a.List.Query(), true), true
		}
	}
	return a.Chooser.Update(st, msg)
}

func (a *actAs) View(st *app.State) string {
	title := a.Title
	if _, some := a.List.Current(); !some && a.List.Query() != "" {
		title = "Act as: enter adds " + widget.Safe(a.List.Query())
	}
	return a.Framed(st, title)
}
