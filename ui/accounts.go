package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// accounts is the screen of everyone who has a name: what they are and, for the
// one under the cursor, every right that they gave and were given.
type accounts struct {
	pair
	detail *accountDetail // nil while nothing was read
	owns   int            // how wide the largest of the holdings is
}

func newAccounts() *accounts {
	a := &accounts{pair: newPair(60, accountColumns(leastOwns)...), owns: leastOwns}
	a.table.Empty = "no names yet: n adds one"
	return a
}

// leastOwns is how wide the column of the holdings is at least, in cells, and
// ownsCell which it is.
const leastOwns, ownsCell = 4, 3

func accountColumns(owns int) []widget.Column {
	return []widget.Column{
		{Title: "  NAME", Width: 9, Flex: 1},
		{Title: "ADDRESS", Width: shortAddress, Drop: 2},
		{Title: "KIND", Width: 9, Drop: 1},
		{Title: "OWNS", Width: owns, Right: true},
		{Title: "APPROVED", Width: 8, Right: true},
		{Title: "ROLES", Width: 10, Flex: 5},
	}
}

// shortAddress is how wide an address stands beside its name, in cells.
const shortAddress = 11

// Kind is [KindAccounts].
func (a *accounts) Kind() Kind { return KindAccounts }

// Name is the word on the tab.
func (a *accounts) Name() string { return "Accounts" }

func (a *accounts) Typing() bool { return false }

func (a *accounts) Refresh(*Desk) { a.stale() }

// Needs reads the rows in view and the account under the cursor.
func (a *accounts) Needs(d *Desk) Read {
	look, live := d.look(), d.HideEnded
	return load(&a.pair, func(v *chain.View, f Facts, req widget.Request) (widget.Page, error) {
		look.Facts = f
		return readAccounts(v, req, look)
	}, func(v *chain.View, f Facts, name string) (*accountDetail, error) {
		return readAccountDetail(v, f, name, live)
	})
}

// account is the one under the cursor.
func (a *accounts) account(d *Desk) (chain.Account, bool) {
	row, ok := a.table.Cursor()
	if !ok {
		return chain.Account{}, false
	}
	for _, x := range d.Accounts {
		if x.Name == row.Key {
			return x, true
		}
	}
	return chain.Account{}, false
}

func (a *accounts) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loaded[*accountDetail]:
		if msg.page != nil {
			a.fit(msg.page.Rows)
		}
		other := take(&a.pair, msg)
		if a.detail = msg.detail; other || a.detail == nil {
			a.scroll.Set(nil)
		}
		if a.detail != nil {
			a.scroll.Keep(a.detail.lines(d))
		}
	case readFailedMsg:
		a.table.Fail(msg.err.Error())
	case tea.KeyMsg, tea.MouseMsg:
		a.move(msg)
	}
	return nil
}

// fit gives the holdings the room that they need: a cut number is another one.
func (a *accounts) fit(rows []widget.Row) {
	owns := a.owns
	for _, r := range rows {
		owns = max(owns, widget.Width(r.Cells[ownsCell].String()))
	}
	if owns != a.owns {
		a.owns = owns
		a.table.SetColumns(accountColumns(owns)...)
	}
}

func (a *accounts) View(d *Desk) string { return a.pair.View(d) }

// Subject is the account under the cursor.
func (a *accounts) Subject() Subject {
	if row, ok := a.table.Cursor(); !ok || a.detail == nil || a.detail.Name != row.Key {
		return Subject{}
	}
	return Subject{Account: a.detail.Address}
}

// Commands act as the account under the cursor, give it rights, and keep the
// address book.
func (a *accounts) Commands(d *Desk) []Command {
	var cmds []Command
	who, some := a.account(d)
	on := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, Command{bind(key, short, keys...), name, groupHere, fn}.unless(!some, "no account is under the cursor"))
	}
	on("enter", "act as", "Act as this account", func() tea.Cmd { return func() tea.Msg { return actAsMsg(who.Address) } }, "enter")
	cmds = append(cmds, Command{bind("n", "new name", "n"), "Add a name, or name an address to watch it", groupHere, func() tea.Cmd {
		return dialog(newAccountForm(d, "", false))
	}})
	grant := expiry.Entry{Grant: cw721.Grant{Kind: cw721.GrantOperator, Owner: d.Actor, Spender: who.Address}}
	on("o", "make operator", "Make this account my operator", func() tea.Cmd {
		return func() tea.Msg { return operatorFormMsg{what: grantOperator, entry: grant} }
	}, "o")
	on("O", "revoke operator", "Revoke this account as my operator", func() tea.Cmd {
		return func() tea.Msg { return operatorFormMsg{what: revokeOperator, entry: grant} }
	}, "O")
	on("c", "kind", "Say what is here: account, or contract", func() tea.Cmd { return dialog(newKindChooser(who)) }, "c")
	on("D", "forget", "Forget this name", func() tea.Cmd { return forget(d, who) }, "D")
	return append(cmds, a.pair.Commands()...)
}
