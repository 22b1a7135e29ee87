// Package accounts is the screen of the address book: the accounts with names,
// what each owns and was granted, the forms for them, and the choice of who acts.
//
// An address is only a text here. The package never sees the keys of a wallet.
package accounts

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the accounts with names. The detail shows the grants that the
// account under the cursor has given and received.
type Screen struct {
	app.Tab
	panes        app.MasterDetail // the list and the detail
	detail       *accountDetail   // nil until it is read
	isByHoldings bool             // sorted by holdings and not by name
	filter       app.FilterInput[app.Filter]
}

// listShare is the part of the screen's width, in percent, that the list takes.
const listShare = 60

// New returns the screen. It reads nothing until the root asks what it needs.
func New() *Screen {
	s := &Screen{
		Tab:   app.NewTab(app.KindAccounts, "Accounts"),
		panes: app.NewMasterDetail(listShare),
	}
	s.panes.HasListHead = true
	s.panes.Table.EmptyText = "no names yet: n adds one"
	s.filter = app.NewFilterInput(s.panes.Table, func(*app.State) { s.panes.Table.Restart() },
		app.ParseWords, nil, "a name, an address, a kind or a role")
	s.setColumns()
	return s
}

// List returns the list.
func (s *Screen) List() *widget.Table { return s.panes.Table }

// DetailColumn implements [app.PaneScreen].
func (s *Screen) DetailColumn(width int) (column int, ok bool) { return s.panes.DetailColumn(width) }

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filter.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// Resize divides the box between the list and the details. In a box of 160 cells or more,
// the list gets enough for whole addresses.
func (s *Screen) Resize(box widget.Box) {
	s.panes.ListShare = listShare
	if box.W >= 160 {
		s.panes.ListShare = 64
	}
	s.panes.Resize(box)
}

// Refresh makes the next reading read the rows and the detail again.
func (s *Screen) Refresh(*app.State) { s.panes.Invalidate() }

// NextRead returns the background read of the rows that the list needs and of the account
// under the cursor. It returns nil if the screen shows all of that already.
func (s *Screen) NextRead(state *app.State) app.Read {
	// The readers run on another goroutine, so they use copies.
	rowView := state.RowView()
	isByHoldings := s.isByHoldings
	filter := s.filter.Filter
	return app.ReadListAndDetail(&s.panes,
		func(view *chain.View, facts app.Facts, request widget.Request) (widget.Page, error) {
			rowView.Facts = facts
			rows, err := readRows(view, rowView, filter, isByHoldings)
			return widget.WholePage(request, rows), err
		},
		func(view *chain.View, facts app.Facts, name string) (*accountDetail, error) {
			return readAccountDetail(view, facts, name, rowView.HideExpired)
		})
}

// Update handles one event: a key, the mouse, the answer of a background read, or a
// request to show an account.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*accountDetail]:
		app.ApplyLoaded(&s.panes, msg)
		s.detail = msg.Detail
		s.panes.Scroll.Write(s.detail.text(state))
	case app.ShowAccountMsg:
		s.panes.SetDetailFocus(false)
		s.filter.Set(state, "")
		s.panes.Table.Goto(msg.Name, msg.Name) // the name is the place of a row and its key
	case app.ReadFailedMsg:
		s.panes.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		const titlesY = 1 // the line of the titles, below the filter
		list, _ := s.panes.Split()
		if widget.IsClick(msg) && msg.Y == titlesY && msg.X < list.W {
			title := s.panes.Table.TitleAt(msg.X)
			if title == nameTitle && s.isByHoldings || title == holdingsTitle && !s.isByHoldings {
				return s.changeOrder()
			}
		}
		s.panes.UpdatePane(msg)
	case tea.KeyMsg:
		if !s.filter.Update(state, msg) {
			s.panes.UpdatePane(msg)
		}
	}
	return nil
}

// View draws the list below its filter and the position in it, and the detail.
func (s *Screen) View(state *app.State) string {
	list, _ := s.panes.Split()
	position := widget.Muted(s.panes.Table.Position() + " ")
	return s.panes.Draw(state, app.Heads{List: s.filter.Heading(state, nil, position, list.W)})
}

// accountUnderCursor returns the account under the cursor. The second result is false if
// there is none, or if the account was removed after its row was read.
func (s *Screen) accountUnderCursor(state *app.State) (chain.Account, bool) {
	row, hasRow := s.panes.Table.Cursor()
	if !hasRow {
		return chain.Account{}, false
	}
	return accountNamed(state.Accounts, row.Key)
}

// accountNamed returns the account with a name, and whether there is one.
func accountNamed(accounts []chain.Account, name string) (chain.Account, bool) {
	i := slices.IndexFunc(accounts, func(account chain.Account) bool { return account.Name == name })
	if i < 0 {
		return chain.Account{}, false
	}
	return accounts[i], true
}

// Subject returns what dialogs and other screens start from: the account under the cursor.
// It is empty until the account has been read.
func (s *Screen) Subject() app.Subject {
	row, hasRow := s.panes.Table.Cursor()
	if !hasRow || s.detail == nil || s.detail.Name != row.Key {
		return app.Subject{}
	}
	subject := app.Subject{Account: s.detail.Address}
	for _, grant := range slices.Concat(s.detail.receivedGrants, s.detail.givenGrants) {
		subject.Expiries = append(subject.Expiries, grant.Expires)
	}
	return subject
}
