package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// actAs is the list of whom to act as, with what everyone is. What nobody is
// called becomes a new name.
type actAs struct{ *chooser }

// actAsRolesMsg brings what the accounts are.
type actAsRolesMsg struct {
	items []widget.Item
	err   error
}

// openActAs opens the list at once; what everyone is follows.
func openActAs(d *Desk) tea.Cmd {
	plain := make([]widget.Item, 0, len(d.Accounts))
	for _, a := range d.Accounts {
		plain = append(plain, widget.Item{ID: string(a.Address), Title: a.Name})
	}
	a := &actAs{newChooser("Act as", "a name", plain, func(_ *Desk, id string) tea.Cmd {
		return func() tea.Msg { return actAsMsg(id) }
	})}
	a.rows++ // room to say that nothing matches
	a.list.Select(string(d.Actor))
	call := d.look().call
	return dialogThen(a, d.ask(a, func(e Engine) tea.Msg {
		var msg actAsRolesMsg
		msg.err = e.View(func(v *chain.View) error {
			c, err := v.Collection()
			if err != nil {
				return err
			}
			accounts, err := v.Accounts()
			if err != nil {
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

func (a *actAs) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case actAsRolesMsg:
		if msg.err != nil {
			return say(levelBad, msg.err.Error()), false
		}
		a.list.Set(msg.items)
		return nil, false
	case tea.KeyMsg:
		if _, some := a.list.Current(); !some && msg.String() == "enter" && a.list.Query() != "" {
			return dialog(newAccountForm(d, a.list.Query(), true)), true
		}
	}
	return a.chooser.Update(d, msg)
}

func (a *actAs) View(d *Desk) string {
	title := a.title
	if _, some := a.list.Current(); !some && a.list.Query() != "" {
		title = "Act as: enter adds " + widget.Safe(a.list.Query())
	}
	return a.framed(d, title)
}
