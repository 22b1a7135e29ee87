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

// accountForm adds a name: for an address of its own, or for one that is there
// and to be watched.
type accountForm struct {
	form  *widget.Form
	sheet *widget.Sheet
	box   widget.Box
	actAs bool // act as it at once
	sent  bool
	fault string
}

// receivers are the kinds that an account can be given, with what each does.
var receivers = []struct {
	receiver chain.Receiver
	about    string
}{
	{chain.ReceiverPlain, "a token sent to it is refused: there is no such contract"},
	{chain.ReceiverAccepts, "takes the tokens that are sent to it"},
	{chain.ReceiverRejects, "refuses every token, and the message that sends it"},
}

func newAccountForm(st *app.State, name string, actAs bool) *accountForm {
	var kinds []widget.Candidate
	for _, r := range receivers {
		kinds = append(kinds, widget.Candidate{Value: receiverWords(r.receiver), Detail: r.about})
	}
	f := &accountForm{actAs: actAs, form: widget.NewForm(
		widget.Field{Name: "name", Label: "Name", Value: name, Placeholder: "zoe", Hint: "1 to 32 letters, digits, dots, dashes or underscores"},
		widget.Field{Name: "address", Label: "Address", Placeholder: "made of the name", Hint: "leave it empty for a new account; type one to watch it"},
		widget.Field{Name: "kind", Label: "Is", Kind: widget.ChoiceField, Options: kinds, Value: kinds[0].Value, Hint: "← → choose"},
	)}
	f.sheet = widget.NewSheet(f.form)
	f.review(st)
	return f
}

// account is what was typed.
func (f *accountForm) account() chain.Account {
	a := chain.Account{Name: strings.TrimSpace(f.form.Value("name")), Address: cw721.Address(strings.TrimSpace(f.form.Value("address")))}
	for _, r := range receivers {
		if receiverWords(r.receiver) == f.form.Value("kind") {
			a.Receiver = r.receiver
		}
	}
	if a.Receiver == chain.ReceiverPlain {
		a.Receiver = chain.ReceiverDefault
	}
	return a
}

// review shows the address that a name would get, or why it cannot be a name.
func (f *accountForm) review(st *app.State) {
	f.form.ClearErrors()
	f.form.SetNotes("address")
	f.fault = ""
	a := f.account()
	if a.Name == "" || a.Address != "" {
		return
	}
	made, err := a.Addressed(st.Config.Prefix)
	if err != nil {
		f.refuse(err)
		return
	}
	f.form.SetNotes("address", widget.In(themes.Muted, string(made.Address)))
}

// accountAddedMsg says to the form what became of it.
type accountAddedMsg struct {
	account chain.Account
	err     error
}

func (f *accountForm) Resize(b widget.Box) { f.box = b }

func (f *accountForm) Commands(*app.State) []app.Command {
	return form.SheetKeys(f.sheet, "add it", "cancel")
}

func (f *accountForm) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case accountAddedMsg:
		return f.added(msg)
	case tea.KeyMsg, tea.MouseMsg:
		switch f.sheet.Update(msg) {
		case widget.FormChange:
			f.review(st)
		case widget.FormCancel:
			return nil, true
		case widget.FormSubmit:
			if f.sent {
				return nil, false
			}
			f.sent = true
			a := f.account()
			return st.Write(func(e app.Engine) tea.Msg {
				made, err := e.AddAccount(a.Name, a.Address, a.Receiver)
				return app.Answer{Engine: e, To: f, Msg: accountAddedMsg{made, err}}
			}), false
		}
	}
	return nil, false
}

func (f *accountForm) added(msg accountAddedMsg) (tea.Cmd, bool) {
	f.sent = false
	if msg.err != nil {
		if field := f.refuse(msg.err); field != "" {
			f.form.Focus(field)
		}
		return nil, false
	}
	a := msg.account
	say := func() tea.Msg {
		return app.ChangedMsg{Text: fmt.Sprintf("%s is %s", a.Name, widget.Middle(string(a.Address), app.AddressWidth))}
	}
	if !f.actAs {
		return say, true
	}
	return tea.Sequence(say, func() tea.Msg { return app.ActAsMsg(a.Address) }), true
}

// refuse says why an account cannot be added, below the field that is named if
// there is one.
func (f *accountForm) refuse(err error) (field string) {
	field, text, found := strings.Cut(err.Error(), ": ")
	if !found || field != "name" && field != "address" {
		f.fault = err.Error()
		return ""
	}
	f.form.SetError(field, text)
	return field
}

func (f *accountForm) View(st *app.State) string {
	note := widget.In(themes.Muted, "undo does not take names away; D on the list does")
	if f.fault != "" {
		note = widget.In(themes.Bad, themes.GlyphNo+" "+f.fault)
	}
	return f.sheet.View(st.Theme, "Add a name", widget.Box{W: min(f.box.W, form.FormWidth), H: f.box.H}, []widget.Line{note})
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
