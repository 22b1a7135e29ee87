package accounts

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// openAccountForm opens the form that adds a name to the address book, for a new account
// or for an existing address. suggestedName can be "". With actsAs,
// messages are then sent as the new account.
func openAccountForm(state *app.State, suggestedName string, actsAs bool) tea.Cmd {
	var kinds []widget.Candidate
	for _, kind := range receiverKinds {
		kinds = append(kinds, widget.Candidate{
			Value:  string(kind.receiver),
			Label:  kind.name,
			Detail: kind.description,
		})
	}

	// The first option does not store "plain account" but the default. What happens to a
	// token then follows from the address: one of 32 bytes is a contract that accepts it.
	kinds[0].Value = string(chain.ReceiverDefault)
	action := form.NewAction("Add a name",
		func(st *app.State, values map[string]string) form.Result {
			return readNewAccount(st, values, actsAs)
		},
		widget.Field{
			Name:        "name",
			Label:       "Name",
			Value:       suggestedName,
			Placeholder: "zoe",
			Hint:        chain.ValidNames,
		},
		widget.Field{
			Name:        "address",
			Label:       "Address",
			Placeholder: "made of the name",
			Hint:        "leave it empty for a new account; type one to watch it",
		},
		widget.Field{
			Name:    "kind",
			Label:   "Is",
			Kind:    widget.ChoiceField,
			Options: kinds,
			Hint:    "← → choose",
		},
	)
	action.Verb = "add it"
	return form.Open(state, action)
}

// readNewAccount reads the form of [openAccountForm]. Its result adds the account to the
// address book when the user submits the form. An empty address is derived from the name.
func readNewAccount(state *app.State, values map[string]string, actsAs bool) form.Result {
	result := form.Result{Effect: []widget.Line{
		widget.Muted("undo keeps names; D on the list removes them"),
	}}
	account := chain.Account{
		Name:     strings.TrimSpace(values["name"]),
		Address:  cw721.Address(strings.TrimSpace(values["address"])),
		Receiver: chain.Receiver(values["kind"]),
	}
	accountWithAddress, err := account.WithAddress(state.Config.Prefix)
	if err != nil {
		result.Fail("name", strings.TrimPrefix(err.Error(), "name: "))
	} else if account.Address == "" {
		result.Note("address", widget.Muted(string(accountWithAddress.Address)))
	}

	result.Do = func(engine app.Engine) form.WorkOutcome {
		addedAccount, err := engine.AddAccount(account.Name, account.Address, account.Receiver)
		if err != nil {
			return form.WorkOutcome{Err: err}
		}
		shownAddress := widget.Shorten(string(addedAccount.Address), app.AddressWidth)
		text := fmt.Sprintf("%s is %s", addedAccount.Name, shownAddress)
		followUp := app.Send(app.ChangedMsg{Text: text})
		if actsAs {
			actAs := app.Send(app.ActAsMsg{Address: addedAccount.Address, Name: addedAccount.Name})
			followUp = tea.Sequence(followUp, actAs)
		}
		return form.WorkOutcome{Then: followUp}
	}
	return result
}

// askToForget opens the question whether to remove a name from the address book, and
// removes it after a yes. It asks because undo does not bring the name back.
func askToForget(state *app.State, account chain.Account) tea.Cmd {
	text := fmt.Sprintf(
		"%s and all that it owns stay, shown by the address. Undo does not bring the name back; adding it with the address does.",
		account.Address)
	return app.OpenDialog(form.NewConfirm("Forget "+widget.Safe(account.Name), text, "Forget", func() tea.Cmd {
		notice := "the name " + account.Name + " is removed"
		return app.Change(state, notice, func(engine app.Engine) error {
			return engine.RemoveAccount(account.Name)
		})
	}))
}
