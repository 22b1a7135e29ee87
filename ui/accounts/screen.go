// Package accounts is the screen of the address book: the accounts with names,
// what each owns and was granted, the forms for them, and the choice of who acts.
//
// An address is only a text here. The package never sees the keys of a wallet.
package accounts

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists the accounts with names. The detail shows the grants that the
// account under the cursor has given and received.
type Screen struct {
	app.Tab
	app.MasterDetail
	detail       *accountDetail // nil until it is read
	isByHoldings bool           // sorted by holdings and not by name
	filter       app.FilterInput[app.Filter]
}

// New returns the screen. It reads nothing until the root asks what it needs.
func New() *Screen {
	s := &Screen{
		Tab:          app.NewTab(app.KindAccounts, "Accounts"),
		MasterDetail: app.NewMasterDetail(listShare),
	}
	s.Table.EmptyText = "no names yet: n adds one"
	restart := func(*app.State) { s.Table.Restart() }
	const filterHelp = "a name, an address, a kind or a role"
	s.filter = app.NewFilterInput(s.Table, restart, app.ParseWords, nil, filterHelp)
	s.LineAbove = s.listHeading
	s.setColumns()
	return s
}

// listShare is the part of the screen's width, in percent, that the list takes.
const listShare = 60

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filter.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// Resize divides the box between the list and the details. The list takes 60 % of the
// width. In a box of 160 or more cells it takes 64 %, which is enough for whole addresses.
func (s *Screen) Resize(box widget.Box) {
	s.ListShare = listShare
	if box.W >= 160 {
		s.ListShare = 64
	}
	s.MasterDetail.Resize(box)
}

// NextRead returns the background read of the rows that the list needs and of the account
// under the cursor. It returns nil if the screen shows all of that already.
func (s *Screen) NextRead(state *app.State) app.Read {
	// The readers run on another goroutine, so they use copies.
	rowView := state.RowView()
	hidesExpired := state.HideExpired
	isByHoldings := s.isByHoldings
	filter := s.filter.Filter
	readPage := func(view *chain.View, facts app.Facts, request widget.Request) (widget.Page, error) {
		rowView.Facts = facts
		rows, err := readRows(view, rowView, filter, isByHoldings)
		return widget.WholePage(request, rows), err
	}
	readDetail := func(view *chain.View, facts app.Facts, name string) (*accountDetail, error) {
		return readAccountDetail(view, facts, name, hidesExpired)
	}
	return app.ReadListAndDetail(&s.MasterDetail, readPage, readDetail)
}

// Update handles one event: a key, the mouse, the answer of a background read, or a
// request to show an account.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*accountDetail]:
		app.ApplyLoaded(&s.MasterDetail, msg)
		s.detail = msg.Detail
		s.Scroll.Write(s.detail.text(state))
	case app.ShowAccountMsg:
		s.SetDetailFocus(false)
		s.filter.Set(state, "")
		s.Table.Goto(msg.Name, msg.Name) // the name is the place of a row and its key
	case app.ReadFailedMsg:
		s.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		return s.updateMouse(msg)
	case tea.KeyMsg:
		if !s.filter.Update(state, msg) {
			s.UpdatePane(msg)
		}
	}
	return nil
}

// updateMouse moves the cursor, or sorts the list by the names or by the numbers of
// tokens after a click on the title of that column.
func (s *Screen) updateMouse(msg tea.MouseMsg) tea.Cmd {
	const titleRow = 1 // the line of the titles, below the filter
	list, _ := s.Split()
	clicksTitle := widget.IsClick(msg) && msg.Y == titleRow && msg.X < list.W

	// A click on the column that the list is sorted by changes nothing.
	title := s.Table.TitleAt(msg.X)
	sortsByName := title == nameTitle && s.isByHoldings
	sortsByHoldings := title == holdingsTitle && !s.isByHoldings
	if clicksTitle && (sortsByName || sortsByHoldings) {
		return s.changeOrder()
	}
	s.UpdatePane(msg)
	return nil
}

// listHeading draws the line above the titles: the filter on the left, and the position in
// the list on the right.
func (s *Screen) listHeading(state *app.State, width int) string {
	return s.filter.Heading(state, nil, widget.Muted(s.Table.Position()+" "), width)
}

// accountUnderCursor returns the account under the cursor. The second result is false if
// there is none, or if the account was removed after its row was read.
func (s *Screen) accountUnderCursor(state *app.State) (chain.Account, bool) {
	row, hasRow := s.Table.Cursor()
	hasName := func(account chain.Account) bool { return account.Name == row.Key }
	i := slices.IndexFunc(state.Accounts, hasName)
	if !hasRow || i < 0 {
		return chain.Account{}, false
	}
	return state.Accounts[i], true
}

// grantUnderCursor returns the approval or the operator in the line of the details that has the
// cursor. exists is false if there is none.
func (s *Screen) grantUnderCursor() (entry expiry.Entry, exists bool) {
	if link, line := s.Scroll.Link(); link != nil && s.detail != nil {
		entry, exists = s.detail.grantsByLine[line]
	}
	return entry, exists
}

// Subject returns what dialogs and other screens start from: the account under the cursor.
// It is empty until the account has been read.
func (s *Screen) Subject() app.Subject {
	row, hasRow := s.Table.Cursor()
	isRead := s.detail != nil && s.detail.Name == row.Key
	if !hasRow || !isRead {
		return app.Subject{}
	}
	return app.Subject{Account: s.detail.Address, Expiries: s.detail.expiries()}
}
