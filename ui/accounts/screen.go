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

// Screen lists the accounts with names. The detail shows the grants that the account under the
// cursor has given and received. Its keys are in commands.go, what is read of an account for
// the list in list.go, the columns in row.go, and the sections of the detail in detail.go.
type Screen struct {
	app.FilteredScreen[app.Filter]
	detail       *accountDetail // nil until it is read
	isByHoldings bool           // sorted by holdings and not by name
}

// listShare is the part of the screen's width, in percent, that the list takes.
const listShare = 60

// New returns the screen. It reads nothing until the root asks what it needs.
func New() *Screen {
	s := &Screen{}
	s.Tab = app.NewTab(app.KindAccounts, "Accounts")
	s.Panes = app.NewMasterDetail(listShare)
	s.Panes.HasListHead = true
	s.Panes.Table.EmptyText = "no names yet: n adds one"
	s.Filter = app.NewFilterInput(s.Panes.Table, func(*app.State) { s.Panes.Table.Restart() },
		app.ParseWords, nil, "a name, an address, a kind or a role")
	s.setColumns()
	return s
}

// Resize divides the box between the list and the details. In a box of 160 cells or more,
// the list gets enough for whole addresses.
func (s *Screen) Resize(box widget.Box) {
	s.Panes.ListShare = listShare
	if box.W >= 160 {
		s.Panes.ListShare = 64
	}
	s.Panes.Resize(box)
}

// NextRead returns the background read of the rows that the list needs and of the account
// under the cursor. It returns nil if the screen shows all of that already.
func (s *Screen) NextRead(state *app.State) app.Read {
	// The readers run on another goroutine, so they use copies.
	hidesExpired := state.HideExpired
	isByHoldings := s.isByHoldings
	filter := s.Filter.Filter
	return app.ReadListAndDetail(&s.Panes,
		func(view *chain.View, facts app.Facts, request widget.Request) (widget.Page, error) {
			rows, err := readRows(view, facts, filter, isByHoldings)
			return widget.WholePage(request, rows), err
		},
		func(view *chain.View, facts app.Facts, name string) (*accountDetail, error) {
			return readAccountDetail(view, facts, name, hidesExpired)
		})
}

// Update handles one event: a key, the mouse, the answer of a background read, or a
// request to show an account.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.LoadedPane[*accountDetail]:
		app.ApplyLoaded(&s.Panes, msg)
		s.detail = msg.Detail
		s.Panes.Scroll.Write(s.detail.text(state))
	case app.ShowAccountMsg:
		s.Panes.SetDetailFocus(false)
		s.Filter.Set(state, "")
		s.Panes.Table.Goto(msg.Name, msg.Name) // the name is the place of a row and its key
	case tea.MouseMsg:
		title, _ := s.Panes.ClickedTitle(msg)
		if title == nameTitle && s.isByHoldings || title == holdingsTitle && !s.isByHoldings {
			return s.changeOrder()
		}
		s.UpdatePanes(state, msg)
	default:
		s.UpdatePanes(state, msg)
	}
	return nil
}

// View draws the list below its filter and the position in it, and the detail.
func (s *Screen) View(state *app.State) string {
	list, _ := s.Panes.Split()
	position := widget.Muted(s.Panes.Table.Position() + " ")
	return s.Panes.Draw(state, app.Heads{List: s.Filter.Heading(state, nil, position, list.W)})
}

// Subject returns what dialogs and other screens start from: the account under the cursor.
// It is empty until the account has been read.
func (s *Screen) Subject() app.Subject {
	row, hasRow := s.Panes.Table.Cursor()
	if !hasRow || s.detail == nil || s.detail.Name != row.Key {
		return app.Subject{}
	}
	subject := app.Subject{Account: s.detail.Address}
	for _, grant := range slices.Concat(s.detail.receivedGrants, s.detail.givenGrants) {
		subject.Expiries = append(subject.Expiries, grant.Expires)
	}
	return subject
}
