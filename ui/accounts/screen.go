package accounts

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen is the screen of everyone who has a name: what they are and, for the
// one under the cursor, every grant that they gave and were given.
type Screen struct {
	app.MasterDetail
	detail  *accountDetail // nil while nothing was read
	owns    int            // how wide the largest of the holdings is
	byOwned bool           // those first who own most
}

// New makes the screen; it reads nothing before it is asked what it needs.
func New() *Screen {
	a := &Screen{MasterDetail: app.NewMasterDetail(60, accountColumns(leastOwns, false)...), owns: leastOwns}
	a.Table.Empty = "no names yet: n adds one"
	return a
}

// leastOwns is how wide the column of the holdings is at least, in cells, and
// ownsCell which it is.
const leastOwns, ownsCell = 4, 3

func accountColumns(owns int, byOwned bool) []widget.Column {
	cols := []widget.Column{
		{Title: "  NAME", Width: 9, Flex: 1},
		{Title: "ADDRESS", Width: app.ShortAddress, Drop: 2},
		{Title: "KIND", Width: 9, Drop: 1},
		{Title: "OWNS", Width: owns, Right: true},
		{Title: "APPROVED", Width: 8, Right: true},
		{Title: "ROLES", Width: 10, Flex: 5},
	}
	if cols[0].Sort = +1; byOwned {
		cols[0].Sort, cols[ownsCell].Sort, cols[ownsCell].Width = 0, -1, max(owns, 6)
	}
	return cols
}

// resort changes to the other order.
func (a *Screen) resort() tea.Cmd {
	a.byOwned = !a.byOwned
	a.Table.SetColumns(accountColumns(a.owns, a.byOwned)...)
	a.Table.Restart()
	return nil
}

// Kind is [KindAccounts].
func (a *Screen) Kind() app.Kind { return app.KindAccounts }

// Name is the word on the tab.
func (a *Screen) Name() string { return "Accounts" }

func (a *Screen) Typing() bool { return false }

func (a *Screen) Refresh(*app.State) { a.Stale() }

// Needs reads the rows in view and the account under the cursor.
func (a *Screen) Needs(st *app.State) app.Read {
	look, live, byOwned := st.RowView(), st.HideExpired, a.byOwned
	return app.Lacks(&a.MasterDetail, func(v *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
		look.Facts = f
		return readAccounts(v, req, look, byOwned)
	}, func(v *chain.View, f app.Facts, name string) (*accountDetail, error) {
		return readAccountDetail(v, f, name, live)
	})
}

// account is the one under the cursor.
func (a *Screen) account(st *app.State) (chain.Account, bool) {
	row, ok := a.Table.Cursor()
	if !ok {
		return chain.Account{}, false
	}
	for _, x := range st.Accounts {
		if x.Name == row.Key {
			return x, true
		}
	}
	return chain.Account{}, false
}

func (a *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.Loaded[*accountDetail]:
		if msg.Page != nil {
			a.fit(msg.Page.Rows)
		}
		other := app.Apply(&a.MasterDetail, msg)
		if a.detail = msg.Detail; other || a.detail == nil {
			a.Scroll.Set(nil)
		}
		if a.detail != nil {
			lines, to := a.detail.lines(st)
			a.Scroll.Lead(to)
			a.Scroll.Keep(lines)
		}
	case app.ShowAccountMsg:
		a.Turn(false)
		a.Table.Goto(msg.Name, msg.Name)
	case app.ReadFailedMsg:
		a.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		if list, _ := a.Split(); app.Clicked(msg) && msg.Y == 0 && msg.X < list.W {
			if c := a.Table.ColumnAt(msg.X); c == 0 && a.byOwned || c == ownsCell && !a.byOwned {
				return a.resort()
			}
		}
		a.Move(msg)
	case tea.KeyMsg:
		a.Move(msg)
	}
	return nil
}

// fit gives the holdings the room that they need: a cut number is another one.
func (a *Screen) fit(rows []widget.Row) {
	owns := a.owns
	for _, r := range rows {
		owns = max(owns, widget.Width(r.Cells[ownsCell].String()))
	}
	if owns != a.owns {
		a.owns = owns
		a.Table.SetColumns(accountColumns(owns, a.byOwned)...)
	}
}

func (a *Screen) View(st *app.State) string { return a.MasterDetail.View(st) }

// Subject is the account under the cursor.
func (a *Screen) Subject() app.Subject {
	if row, ok := a.Table.Cursor(); !ok || a.detail == nil || a.detail.Name != row.Key {
		return app.Subject{}
	}
	return app.Subject{Account: a.detail.Address}
}

// Commands act as the account under the cursor, grant it something, and keep the
// address book.
func (a *Screen) Commands(st *app.State) []app.Command {
	cmds := a.Links()
	who, some := a.account(st)
	on := func(key, short, name string, fn func() tea.Cmd, keys ...string) {
		cmds = append(cmds, app.NewCommand(app.Bind(key, short, keys...), name, app.GroupHere, fn).Unless(!some, "no account is under the cursor"))
	}
	on("enter", "act as", "Act as this account", func() tea.Cmd { return func() tea.Msg { return app.ActAsMsg(who.Address) } }, "enter")
	cmds = append(cmds, app.NewCommand(app.Bind("n", "new name", "n"), "Add a name, or name an address to watch it", app.GroupHere, func() tea.Cmd {
		return openAccountForm(st, "", false)
	}))
	cmds = append(cmds, app.NewCommand(app.Bind("/", "find", "/"), "Find an account by its name or address", app.GroupHere, func() tea.Cmd {
		var items []widget.Item
		for _, x := range st.Accounts {
			items = append(items, widget.Item{ID: x.Name, Title: x.Name, Detail: string(x.Address)})
		}
		return app.OpenDialog(form.NewChooser("Accounts", "a name or an address", items, func(st *app.State, name string) tea.Cmd {
			return a.Update(st, app.ShowAccountMsg{Name: name})
		}))
	}))
	grant := expiry.Entry{Grant: cw721.Grant{Kind: cw721.GrantOperator, Owner: st.Actor, Spender: who.Address}}
	on("o", "make operator", "Make this account my operator", func() tea.Cmd {
		return func() tea.Msg { return app.OperatorFormMsg{What: app.GrantOperator, Entry: grant} }
	}, "o")
	on("O", "revoke operator", "Revoke this account as my operator", func() tea.Cmd {
		return func() tea.Msg { return app.OperatorFormMsg{What: app.RevokeOperator, Entry: grant} }
	}, "O")
	on("c", "kind", "Say what is here: account, or contract", func() tea.Cmd { return app.OpenDialog(newKindChooser(who)) }, "c")
	cmds = append(cmds, app.NewCommand(app.Bind("s", "sort", "s"), "Sort by name, or by how many tokens are owned", app.GroupHere, a.resort))
	on("D", "forget", "Forget this name", func() tea.Cmd { return forget(st, who) }, "D")
	return append(cmds, a.MasterDetail.Commands()...)
}
