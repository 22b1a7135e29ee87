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
	const isByHoldings = false // sorted by name at first
	s := &Screen{
		Tab:          app.NewTab(app.KindAccounts, "Accounts"),
		MasterDetail: app.NewMasterDetail(listShare, accountColumns(isByHoldings)...),
	}
	s.Table.EmptyText = "no names yet: n adds one"
	restart := func(*app.State) { s.Table.Restart() }
	const filterHelp = "a name, an address, a kind or a role"
	s.filter = app.NewFilterInput(s.Table, restart, app.ParseWords, nil, filterHelp)
	s.LineAbove = s.listHeading
	return s
}

// listShare is the part of the screen's width, in percent, that the list takes.
const listShare = 60

// The indexes of the columns by which the list can be sorted.
const (
	nameColumn     = 0
	holdingsColumn = 3 // the number of tokens of each account
)

// accountColumns returns the columns of the list. An arrow in its title marks the column
// that the list is sorted by. That is the column of the names, or with isByHoldings the
// one with the number of tokens, which then has the largest number first.
func accountColumns(isByHoldings bool) []widget.Column {
	columns := []widget.Column{
		{Title: "  NAME", Width: 9, Flex: 10},
		{Title: "ADDRESS", Width: 11, Flex: 1, Shorten: widget.Shorten, DropRank: 2},
		{Title: "KIND", Width: 9, DropRank: 1},
		{Title: "OWNS", Width: 4, AlignRight: true, NeverCut: true},
		{Title: "APPROVED", Width: 8, AlignRight: true},
		{Title: "ROLES", Width: 10, Flex: 50},
	}
	if !isByHoldings {
		columns[nameColumn].Sort = +1
		return columns
	}
	columns[holdingsColumn].Sort = -1
	columns[holdingsColumn].Width = 6 // room for the arrow behind the title
	return columns
}

// listHeading draws the line above the titles: the filter on the left, and the position in
// the list on the right.
func (s *Screen) listHeading(state *app.State, width int) string {
	return s.filter.Heading(state, nil, widget.Muted(s.Table.Position()+" "), width)
}

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filter.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// changeOrder changes between the order of the names and that of the number of tokens. It
// returns nil, so that it can be used as a command.
func (s *Screen) changeOrder() tea.Cmd {
	s.isByHoldings = !s.isByHoldings
	s.Table.SetColumns(accountColumns(s.isByHoldings)...)
	s.Table.Restart()
	return nil
}

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
	column := s.Table.ColumnAt(msg.X)
	sortsByName := column == nameColumn && s.isByHoldings
	sortsByHoldings := column == holdingsColumn && !s.isByHoldings
	if clicksTitle && (sortsByName || sortsByHoldings) {
		return s.changeOrder()
	}
	s.UpdatePane(msg)
	return nil
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

// Commands returns the commands for the account under the cursor and for the address book.
// Commands that need an account are disabled while none is under the cursor.
func (s *Screen) Commands(state *app.State) []app.Command {
	account, hasAccount := s.accountUnderCursor(state)
	onAccount := func(command app.Command) app.Command {
		return command.DisabledIf(!hasAccount, "no account is under the cursor")
	}
	addName := func() tea.Cmd {
		const suggestedName, actsAs = "", false
		return openAccountForm(state, suggestedName, actsAs)
	}
	actAs := func() tea.Cmd { return app.Send(app.ActAsMsg{Address: account.Address}) }
	commands := s.LinkCommands()
	if len(commands) == 0 { // otherwise enter follows the line of the details
		commands = append(commands, onAccount(app.ScreenCommand("enter", "act as", "Act as this account", actAs)))
	}

	// These work on the grant in the line of the details.
	entry, hasGrant := s.grantUnderCursor()
	for _, command := range []app.Command{
		app.ScreenCommand("r", "revoke", "Revoke this grant",
			func() tea.Cmd { return app.Send(app.GrantFormMsg{Action: app.RevokeGrant, Entry: entry}) }),
		app.ScreenCommand("p", "extend", "Extend or change this grant",
			func() tea.Cmd { return app.Send(app.GrantFormMsg{Action: app.ExtendGrant, Entry: entry}) }),
	} {
		commands = append(commands, command.DisabledIf(!hasGrant,
			"tab goes to the grants"))
	}

	changeKind := func() tea.Cmd { return app.OpenDialog(newKindChooser(account)) }
	forget := func() tea.Cmd { return askToForget(state, account) }
	var showAll []app.Command
	if s.filter.AppliedText != "" && !s.HasDetailFocus {
		showAll = append(showAll, s.filter.ShowAllCommand(state))
	}
	operatorCommands := app.OperatorCommands(state, account.Address)
	return slices.Concat(commands, showAll, []app.Command{
		app.ScreenCommand("n", "new name", "Add a name, or name an address to watch it", addName),
		s.filter.Command(),
		onAccount(operatorCommands[0]),
		onAccount(operatorCommands[1]),
		onAccount(app.ScreenCommand("c", "kind", "Say what is here: account, or contract", changeKind)),
		app.ScreenCommand("s", "sort", "Sort by name, or by how many tokens are owned", s.changeOrder),
		onAccount(app.ScreenCommand("D", "forget", "Remove this name", forget)),
	}, s.MasterDetail.Commands())
}
