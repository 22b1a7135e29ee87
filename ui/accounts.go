package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// accounts is the screen of everyone who has a name: what they are and, for the
// one under the cursor, every right that they gave and were given.
type accounts struct {
	pair
	engine Engine
	detail *accountDetail
	want   string // the name whose detail was asked for
	owns   int    // how wide the largest of the holdings is
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

func (a *accounts) Name() string { return "Accounts" }

func (a *accounts) Typing() bool { return false }

func (a *accounts) Refresh(d *Desk) tea.Cmd {
	if a.engine != d.Engine {
		a.engine, a.detail, a.want = d.Engine, nil, ""
		a.turn(false)
		a.table.Restart()
	} else {
		a.table.Reload()
	}
	return a.follow(d)
}

// follow reads what the list and the detail need next.
func (a *accounts) follow(d *Desk) tea.Cmd {
	var more tea.Cmd
	if req, ok := a.table.Want(); ok {
		more = loadAccounts(d, req)
	}
	who, ok := a.account(d)
	if !ok {
		return more
	}
	if a.want != who.Name {
		a.want = who.Name
		a.scroll.Set(nil)
	}
	return tea.Batch(more, loadAccountDetail(d, who))
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
	case accountPageMsg:
		if msg.err != nil {
			a.table.Fail(msg.seq, msg.err.Error())
			return nil
		}
		a.fit(msg.page.Rows)
		a.table.Set(msg.page)
		return a.follow(d)
	case accountDetailMsg:
		if msg.name != a.want {
			return nil
		}
		if msg.err != nil {
			a.scroll.Set([]widget.Line{verdict(false).And(themes.Text, msg.err.Error())})
			return nil
		}
		a.detail = msg.detail
		a.scroll.Keep(msg.detail.lines(d))
	case tea.KeyMsg, tea.MouseMsg:
		if a.move(msg) {
			return a.follow(d)
		}
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
	if a.detail == nil || a.detail.Name != a.want {
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
		return operatorForm(d, operatorFormMsg{what: grantOperator, entry: grant})
	}, "o")
	on("O", "revoke operator", "Revoke this account as my operator", func() tea.Cmd {
		return operatorForm(d, operatorFormMsg{what: revokeOperator, entry: grant})
	}, "O")
	on("c", "kind", "Say what is here: account, or contract", func() tea.Cmd { return dialog(newKindChooser(who)) }, "c")
	on("D", "forget", "Forget this name", func() tea.Cmd { return forget(d, who) }, "D")
	return append(cmds, a.pair.Commands()...)
}
