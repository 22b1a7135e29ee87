// Package grants has the screens of approvals and of operators: who gave what to
// whom, and when it expires.
//
// It pages the index by expiry of core/chain/expiry, and must never scan tokens
// for it.
package grants

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen is a table of either the approvals or the operators, with a filter. It reads its
// rows page by page from the chain's index of grants. Its keys are in commands.go, which grants
// it lists in list.go, the columns in row.go, and what the line above them counts in heading.go.
type Screen struct {
	screenKind
	table  *widget.Table
	order  grantOrder // the order that is shown
	filter app.FilterInput[app.Filter]
	box    widget.Box
	known  listFacts // what was read last, besides the rows
}

// screenKind is what distinguishes the screen of approvals from that of operators.
type screenKind struct {
	app.Tab
	grantKind cw721.GrantKind
	emptyText string       // shown if the list has no grants
	noRowText string       // says why commands are disabled while no grant is under the cursor
	orders    []grantOrder // the orders in which the list can be shown, the default first
	sortName  string       // the name of the command that changes the order
	otherKind app.Kind     // the screen of the other kind of grants
	otherName string       // what that screen lists, such as "operators"
}

// grantOrder is an order in which the grants can be listed.
type grantOrder struct {
	title     string       // describes the order, such as "by token"
	order     expiry.Order // of the list in the chain's index of grants
	sortTitle string       // the title of the column that the list is sorted by
}

// The orders of both lists.
var (
	soonestFirst = grantOrder{"soonest to expire first", expiry.ByExpiry, expiresTitle}
	byRisk       = grantOrder{"by risk: without expiry, then the longest", expiry.ByRisk, otherFormTitle}
)

// NewApprovals returns the screen of all token approvals of the collection.
func NewApprovals() *Screen {
	return newScreen(screenKind{
		Tab:       app.NewTab(app.KindApprovals, "Approvals"),
		grantKind: cw721.GrantApproval,
		emptyText: "no approvals: p on a token gives one",
		noRowText: "no approval is under the cursor",
		orders:    []grantOrder{soonestFirst, byRisk, {"by token", expiry.ByToken, "TOKEN"}},
		sortName:  "Sort by expiry, by risk or by token",
		otherKind: app.KindOperators,
		otherName: "operators",
	})
}

// NewOperators returns the screen of all operators of the collection. An operator may act
// on every token of an owner.
func NewOperators() *Screen {
	return newScreen(screenKind{
		Tab:       app.NewTab(app.KindOperators, "Operators"),
		grantKind: cw721.GrantOperator,
		emptyText: "no operators: o grants one",
		noRowText: "no operator is under the cursor",
		orders: []grantOrder{
			soonestFirst,
			byRisk,
			{"by owner", expiry.ByOwner, "ACTS FOR"},
			{"by operator", expiry.BySpender, "OPERATOR"},
		},
		sortName:  "Sort by expiry, by risk, by owner or by operator",
		otherKind: app.KindApprovals,
		otherName: "approvals",
	})
}

// newScreen returns a screen of grants of one kind, which shows the kind's first list.
func newScreen(kind screenKind) *Screen {
	s := &Screen{
		screenKind: kind,
		table:      widget.NewTable(),
		order:      kind.orders[0],
	}
	s.filter = app.NewFilterInput(s.table, func(*app.State) { s.showOrder(s.order) },
		app.ParseFilter, app.GrantFilterKeys, filterHelp)
	s.table.EmptyText = kind.emptyText
	return s
}

// List returns the table.
func (s *Screen) List() *widget.Table { return s.table }

// Typing reports whether the filter is being typed.
func (s *Screen) Typing() bool { return s.filter.IsTyping }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// filterHelp says how a filter is typed.
const filterHelp = "text · token:ape-01 · by:alice · spender:bob · expires<10 or <90m · is:dangling"

// Resize sets where the screen is drawn. The title takes the first line, the table the
// others. With the filter is:dangling, the sentences about a grant take some lines below.
func (s *Screen) Resize(box widget.Box) {
	s.box = box
	s.table.Resize(widget.Box{W: box.W, H: max(box.H-1-s.sentenceHeight(), 0)})
}

// sentenceHeight returns how many lines below the table have the sentences about the grant
// under the cursor, with the rule above them.
func (s *Screen) sentenceHeight() int {
	if !s.filter.Filter.IsDangling {
		return 0
	}
	const maxHeight = 5
	return min(s.box.H/2, maxHeight)
}

// Refresh reloads the rows.
func (s *Screen) Refresh(*app.State) { s.table.Reload() }

// showOrder sorts the list by an order. The table is read anew, around the cursor.
func (s *Screen) showOrder(order grantOrder) {
	s.order = order
	s.Resize(s.box)
	s.table.EmptyText = s.emptyText
	if s.filter.AppliedText != "" {
		s.table.EmptyText = "nothing fits the filter: esc shows all"
	}
	s.table.Restart()
}

// NextRead returns the next background read for the screen, or nil if nothing is missing on
// it. The rows are read first, and then the real expiries of their grants.
func (s *Screen) NextRead(state *app.State) app.Read {
	req, needsRows := s.table.NextRequest()
	if !needsRows {
		return s.known.realExpiries.NextRead(state, s.grantsToSearch())
	}
	reader := s.newReader(state)
	if entry, isKnown := req.OwnerData.(expiry.Entry); isKnown {
		// Without this grant, the list shows what comes after it, maybe in another order.
		req.Place = reader.list.Place(entry.Grant)
	}
	return func(view *chain.View, facts app.Facts) (tea.Msg, error) {
		reader.view = view
		reader.rowView.Facts = facts
		return reader.read(req)
	}
}

// Update handles one event: a key, the mouse, the answer of a background read, or a change
// of the chain.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case grantsRead:
		s.known = msg.known
		if s.filter.Filter.IsDangling {
			s.table.EmptyText = "none of those that were looked at dangles: tab looks at the " + s.otherName
		}
		s.table.Set(msg.page)
	case app.RealExpiries:
		s.known.realExpiries = msg
	case app.ReadFailedMsg:
		s.table.Fail(msg.Err.Error())
	case app.ShowGrantMsg:
		s.filter.Set(state, msg.Filter)
		s.showOrder(s.orders[0])
		if msg.Filter == "" {
			place := expiry.List{Order: s.order.order}.Place(msg.Grant)
			s.table.Goto(place, app.GrantKey(msg.Grant))
		}
	case form.BatchOverMsg:
		s.table.ClearMarks()
	case tea.MouseMsg:
		const titlesY = 1 // the line of the titles, below the filter
		switch {
		case !widget.IsClick(msg):
			s.table.Update(msg)
		case msg.Y == titlesY:
			s.sortByColumn(s.table.TitleAt(msg.X))
		default:
			s.table.Click(msg.Y - titlesY)
		}
	case tea.KeyMsg:
		if !s.filter.Update(state, msg) {
			s.table.Update(msg)
		}
	}
	return nil
}

// sortByColumn sorts by the column with a title, if the list has such an order.
func (s *Screen) sortByColumn(title string) {
	for _, order := range s.orders {
		if order.sortTitle == title {
			s.showOrder(order)
		}
	}
}

// View draws the title of the list and its rows. Rows whose grants have just expired
// flash. While the filter has a mistake, the text about it replaces the column titles.
func (s *Screen) View(state *app.State) string {
	columns := listedGrant{rowView: state.RowView()}.columns(s.grantKind)
	s.table.SetColumns(columns...)
	s.table.SortTitle = s.order.sortTitle
	s.table.FlashingKeys = state.FlashingRowKeys(func(entry expiry.Entry) string { return app.GrantKey(entry.Grant) })

	s.markRenewable(columns)
	title := s.titleLine(state)
	rows := s.table.View(state.Theme)
	if problem := s.filter.Problem(s.box.W); problem != nil {
		_, withoutTitles, _ := strings.Cut(rows, "\n")
		rows = widget.JoinVertically(problem.Fit(state.Theme, s.box.W), withoutTitles)
	}
	if height := s.sentenceHeight(); height > 0 {
		var sentences []widget.Line
		for _, line := range s.danglingLines(state) {
			sentences = append(sentences, widget.WrapLine(line, s.box.W)...)
		}
		sentences = sentences[:min(len(sentences), height-1)] // the rule takes a line
		text := widget.DrawLines(state.Theme, sentences, s.box.W)
		rows = widget.JoinVertically(rows, app.RuleAcross(state, s.box.W, false), text)
	}
	return widget.Fill(widget.JoinVertically(title, rows), s.box)
}

// grantUnderCursor returns the grant under the cursor. exists is false if there is none.
func (s *Screen) grantUnderCursor() (entry expiry.Entry, exists bool) {
	row, hasRow := s.table.Cursor()
	if !hasRow {
		return entry, false
	}
	return entryOf(row), true
}

// Subject returns the token and the accounts of the grant under the cursor, from which
// dialogs and other screens start. It is empty if there is none.
func (s *Screen) Subject() app.Subject {
	entry, exists := s.grantUnderCursor()
	if !exists {
		return app.Subject{}
	}
	return app.SubjectOfGrant(entry.Grant)
}
