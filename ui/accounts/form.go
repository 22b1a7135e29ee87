package accounts

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// receivers are the kinds that an account can be given, with what each does.
var receivers = []struct {
	receiver chain.Receiver
	about    string
}{
	{chain.ReceiverPlain, "a token sent to it is refused: there is no such contract"},
	{chain.ReceiverAccepts, "takes the tokens that are sent to it"},
	{chain.ReceiverRejects, "refuses every token, and the message that sends it"},
}

// openAccountForm opens the form that adds a name: for an address of its own, or
// for one that is there and to be watched.
func openAccountForm(st *app.State, name string, actAs bool) tea.Cmd {
	var kinds []widget.Candidate
	for _, r := range receivers {
		kinds = append(kinds, widget.Candidate{Value: receiverWords(r.receiver), Detail: r.about})
	}
	f := form.NewAction("Add a name", func(st *app.State, v map[string]string) form.Result {
		return typedAccount(st, v, actAs)
	},
		widget.Field{Name: "name", Label: "Name", Value: name, Placeholder: "zoe", Hint: "1 to 32 letters, digits, dots, dashes or underscores"},
		widget.Field{Name: "address", Label: "Address", Placeholder: "made of the name", Hint: "leave it empty for a new account; type one to watch it"},
		widget.Field{Name: "kind", Label: "Is", Kind: widget.ChoiceField, Options: kinds, Value: kinds[0].Value, Hint: "← → choose"},
	)
	f.Verb = "add it"
	return form.Open(st, f)
}

// typedAccount says which address a name would get, or why it cannot be a name.
func typedAccount(st *app.State, v map[string]string, actAs bool) form.Result {
	out := form.Result{Said: []widget.Line{widget.In(themes.Muted, "undo does not take names away; D on the list does")}}
	a := chain.Account{Name: strings.TrimSpace(v["name"]), Address: cw721.Address(strings.TrimSpace(v["address"]))}
	for _, r := range receivers {
		if receiverWords(r.receiver) == v["kind"] && r.receiver != chain.ReceiverPlain {
			a.Receiver = r.receiver
		}
	}
	if made, err := a.Addressed(st.Config.Prefix); err != nil {
		out.Fail("name", strings.TrimPrefix(err.Error(), "name: "))
	} else if a.Address == "" {
		out.Note("address", widget.In(themes.Muted, string(made.Address)))
	}
	out.Do = func(e app.Engine) form.Done {
		a, err := e.AddAccount(a.Name, a.Address, a.Receiver)
		say := app.ChangedMsg{Text: fmt.Sprintf("%s is %s", a.Name, widget.Middle(string(a.Address), app.AddressWidth))}
		then := func() tea.Msg { return say }
		if actAs {
			then = tea.Sequence(then, func() tea.Msg { return app.ActAsMsg{Address: a.Address, Name: a.Name} })
		}
		return form.Done{Err: err, Then: then}
	}
	return out
}

// newKindChooser says what is at an account's address.
func newKindChooser(a chain.Account) *form.Chooser {
	var items []widget.Item
	for _, r := range receivers {
		items = append(items, widget.Item{ID: string(r.receiver), Title: receiverWords(r.receiver), Detail: r.about})
	}
	c := form.NewChooser("What is at "+widget.Safe(a.Name)+"?", "account, accepts, rejects", items, func(st *app.State, id string) tea.Cmd {
		kind := chain.Receiver(id)
		return app.Change(st, a.Name+" is "+article(receiverWords(kind))+" now", func(e app.Engine) error {
			_, err := e.SetReceiver(a.Name, kind)
			return err
		})
	})
	c.List.Select(string(a.Receiver))
	return c
}

func article(kind string) string {
	if kind == "account" {
		return "an " + kind
	}
	return "a " + kind
}

// forget takes a name out of the address book, after a question: undo does not
// bring it back.
func forget(st *app.State, a chain.Account) tea.Cmd {
	text := fmt.Sprintf("%s and all that it owns stay, but only the address shows from then on. Undo does not bring the name back; adding it with the address does.", a.Address)
	return app.OpenDialog(form.NewConfirm("Forget "+widget.Safe(a.Name), text, "Forget", func() tea.Cmd {
		return app.Change(st, "the name "+a.Name+" is forgotten", func(e app.Engine) error { return e.RemoveAccount(a.Name) })
	}))
}
