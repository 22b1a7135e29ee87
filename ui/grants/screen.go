// Package grants has the screens of approvals and of operators: who gave what to
// whom, and when it expires.
//
// It pages the index by expiry of core/chain/expiry, and must never scan tokens
// for it.
package grants

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen is a table of either the approvals or the operators, with a filter. It reads its
// rows page by page from the chain's index of grants.
type Screen struct {
	screenKind
	table  *widget.Table
	order  grantOrder // the order that is shown
	filter app.FilterInput[app.Filter]
	box    widget.Box
	count  grantCount // the number of grants in the list
	// dangling has what the filter is:dangling found.
	dangling danglingGrants
	// entries holds the grants whose rows were read, by the keys of the rows.
	entries map[string]expiry.Entry
	// realExpiries says until when each grant on the screen lets a token be moved if the
	// owner does nothing. That can be later than the expiry of the grant.
	realExpiries app.RealExpiries
}

// screenKind is what distinguishes the screen of approvals from that of operators.
type screenKind struct {
	app.Tab
	grantKind    cw721.GrantKind
	emptyText    string       // shown if the list has no grants
	noRowText    string       // says why commands are disabled while no grant is under the cursor
	orders       []grantOrder // the orders in which the list can be shown, the default first
	expiryColumn int          // index of the column of expiries
	// columns returns the columns of the list for the form in which the user sees expiries.
	columns func(app.TimeForm) []widget.Column
	// cells returns the cells of a grant's row.
	cells func(app.RowView, *chain.View, expiry.Entry) ([]widget.Line, error)
	// commands returns what can be done with the grant under the cursor, or with the
	// selected grants.
	commands  func(state *app.State, entry expiry.Entry, selected []expiry.Entry, asOwners bool) []app.Command
	sortName  string   // the name of the command that changes the order
	otherKind app.Kind // the screen of the other kind of grants
	otherName string   // what that screen lists, such as "operators"
}

// grantOrder is an order in which the grants can be listed.
type grantOrder struct {
	title      string      // describes the order, such as "by token"
	list       expiry.List // the list in the chain's index of grants
	sortColumn int         // index of the column that the list is sorted by
}

// newScreen returns a screen of grants of one kind, which shows the kind's first list.
func newScreen(kind screenKind) *Screen {
	s := &Screen{
		screenKind: kind,
		table:      widget.NewTable(),
		order:      kind.orders[0],
		entries:    map[string]expiry.Entry{},
	}
	restart := func(*app.State) { s.showOrder(s.order) }
	s.filter = app.NewFilterInput(s.table, restart, app.ParseGrantFilter, app.GrantFilterKeys, filterHelp)
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

// showNextOrder is a command that sorts the list by the order after the current one. After
// the last order comes the first one.
func (s *Screen) showNextOrder() tea.Cmd {
	next := slices.Index(s.orders, s.order) + 1
	s.showOrder(s.orders[next%len(s.orders)])
	return nil
}

// grantUnderCursor returns the grant under the cursor. exists is false if there is none.
func (s *Screen) grantUnderCursor() (entry expiry.Entry, exists bool) {
	row, hasRow := s.table.Cursor()
	if !hasRow {
		return entry, false
	}
	entry, exists = s.entries[row.Key]
	return entry, exists
}

// selectedGrants returns the selected grants in the order of selection.
func (s *Screen) selectedGrants() (selected []expiry.Entry) {
	for _, key := range s.table.MarkedKeys() {
		if entry, isRead := s.entries[key]; isRead {
			selected = append(selected, entry)
		}
	}
	return selected
}

// grantsToSearch returns the grants whose real expiries the screen shows: those of the rows
// that the table holds, those on the screen first, and those that are counted in the title.
func (s *Screen) grantsToSearch() (grants []cw721.Grant) {
	for _, row := range s.table.RowsFromTop() {
		grants = append(grants, s.entries[row.Key].Grant)
	}
	return append(grants, s.count.first...)
}

// Subject returns the token and the accounts of the grant under the cursor, from which
// dialogs and other screens start. It is empty if there is none.
func (s *Screen) Subject() app.Subject {
	entry, exists := s.grantUnderCursor()
	if !exists {
		return app.Subject{}
	}
	subject := app.Subject{
		Account:  entry.Spender,
		Giver:    entry.Owner,
		Expires:  entry.Expires,
		Expiries: []cw721.Expiration{entry.Expires},
	}
	if entry.Kind == cw721.GrantApproval {
		subject.Token = &entry.Token
	}
	return subject
}

// Update handles one event: a key, the mouse, the answer of a background read, or a change
// of the chain.
func (s *Screen) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case grantsRead:
		s.applyRead(msg)
	case app.RealExpiries:
		s.realExpiries = msg
	case app.ReadFailedMsg:
		s.table.Fail(msg.Err.Error())
	case app.ShowGrantMsg:
		s.filter.Set(state, msg.Filter)
		s.showOrder(s.orders[0])
		if msg.Filter == "" {
			s.table.Goto(s.order.list.Place(msg.Grant), grantKey(msg.Grant))
		}
	case form.BatchOverMsg:
		s.table.ClearMarks()
	case tea.MouseMsg:
		s.updateMouse(msg)
	case tea.KeyMsg:
		if !s.filter.Update(state, msg) {
			s.table.Update(msg)
		}
	}
	return nil
}

// updateMouse scrolls on the wheel. A click moves the cursor to its row, or sorts by the
// column whose title was clicked.
func (s *Screen) updateMouse(msg tea.MouseMsg) {
	if !widget.IsClick(msg) {
		s.table.Update(msg)
		return
	}

	// A click on a title sorts by that column.
	const titlesY = 1 // the line of the titles, below the filter
	column := s.table.ColumnAt(msg.X)
	for _, order := range s.orders {
		if msg.Y == titlesY && order.sortColumn == column {
			s.showOrder(order)
			return
		}
	}
	s.table.Click(msg.Y - titlesY)
}

// View draws the title of the list and its rows. Rows whose grants have just expired
// flash. While the filter has a mistake, the text about it replaces the column titles.
func (s *Screen) View(state *app.State) string {
	columns := s.columns(state.Times)
	columns[s.order.sortColumn].Sort = +1
	s.table.SetColumns(columns...)
	s.table.FlashingKeys = state.FlashingRowKeys(func(entry expiry.Entry) string { return grantKey(entry.Grant) })

	s.markRenewable()
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

// markRenewable puts an arrow behind the expiry of some grants on the screen: of those that
// have effect after it, because their spender can renew them alone.
func (s *Screen) markRenewable() {
	for _, row := range s.table.InView() {
		if s.realExpiries.IsLaterThanStored(s.entries[row.Key].Grant) {
			expiryCell := row.Cells[s.expiryColumn]
			arrow := &expiryCell[1] // grantCells left room for the arrow behind the expiry
			arrow.Text = " " + themes.GlyphArrow
		}
	}
}

// titleLine draws the line above the list. While the filter is typed, the line shows it.
// Otherwise the left side says how many grants there are, how many of them never expire or
// can be renewed by their spender, how many are selected, and how they are sorted. On the
// right is the position in the list.
func (s *Screen) titleLine(state *app.State) string {
	position := widget.Muted(s.table.Position() + " ")
	var left widget.Line

	// Take the longest text about renewable grants with which the line fits.
	for _, renewable := range s.renewableTexts() {
		left = widget.Muted(" "+s.countText()).Append(themes.Warn, renewable)
		if count := len(s.table.MarkedKeys()); count > 0 {
			left = left.Append(themes.Accent, fmt.Sprintf("%s %d selected · ", themes.GlyphMarked, count))
		}
		left = left.Muted(s.order.title)
		if state.HideExpired {
			left = left.Append(themes.Faint, "  expired ones hidden")
		}
		const signWidth = 3 // of " / " before the filter
		if left.Width()+signWidth+widget.Width(s.filter.AppliedText)+position.Width() < s.box.W {
			break
		}
	}
	return s.filter.Heading(state, left, position, s.box.W)
}

// renewableTexts returns texts that say how many grants of the list can be renewed by their
// spender without the owner. The texts say the same, the longest first: "→ 5 renewable
// without the owner: W shows how · " down to "→ 5 renewable · ". In a long list they say "5 of
// the first 50". If there is no such grant, or not all were searched yet, the only text is "".
func (s *Screen) renewableTexts() []string {
	count, isExact := s.realExpiries.CountWithLaterExpiry(s.count.first)
	if count == 0 || !isExact {
		return []string{""}
	}
	number := fmt.Sprintf("%s %d ", themes.GlyphArrow, count)
	if s.count.number > maxSearched {
		number += fmt.Sprintf("of the first %d ", maxSearched)
	}
	return []string{
		number + app.RenewableHint + ": W shows how · ",
		number + app.RenewableHint + " · ",
		number + "renewable · ",
	}
}

// countText says how many grants the list has and how many of them never expire, such as
// "16 approvals · 4 never · ". It returns "" if they were not counted.
func (s *Screen) countText() string {
	if found := s.dangling; s.filter.Filter.IsDangling {
		text := "%d dangling of %d looked at · "
		if found.gap != "" {
			text = "at least " + text // the sentences below may have no room for the gap
		}
		return fmt.Sprintf(text, len(found.findings), found.judgedCount)
	}
	if s.count.number == 0 {
		return ""
	}
	text := app.Plural(s.count.number, string(s.grantKind))
	if s.count.number == maxGrantsCounted {
		text = human.Thousands(maxGrantsCounted) + "+ " + string(s.grantKind) + "s"
	}
	if s.count.endlessCount > 0 {
		text += " · " + human.Thousands(s.count.endlessCount) + " never"
	}
	return text + " · "
}

// Commands returns what the user can do now: the commands for the grant under the cursor,
// and those for the list.
func (s *Screen) Commands(state *app.State) []app.Command {
	entry, exists := s.grantUnderCursor()
	selected := s.selectedGrants()
	var commands []app.Command
	if s.grantKind == cw721.GrantOperator {
		commands = append(commands, app.OperatorCommands(state, "")[0])
	}

	// The footer has room for two commands for the grant and for the key of the other list,
	// so these come first.
	const commandsInFooter = 2
	for i, command := range s.commands(state, entry, selected, s.filter.Filter.IsDangling) {
		if i == commandsInFooter {
			commands = append(commands, s.otherListCommand(state, entry))
		}
		commands = append(commands, command.DisabledIf(!exists, s.noRowText))
	}
	commands = append(commands,
		app.ScreenCommand("s", "sort", s.sortName, s.showNextOrder),
		s.filter.Command())
	commands = append(commands, s.selectCommands(state)...)

	// Esc clears the selection, or without a selection the filter.
	selectNone := func() tea.Cmd {
		s.table.ClearMarks()
		return nil
	}
	switch {
	case len(selected) > 0:
		commands = append(commands, app.DialogCommand("esc", "select none", selectNone))
	case s.filter.AppliedText != "":
		commands = append(commands, s.filter.ShowAllCommand(state))
	}
	moveKeys := app.KeysForHelp(app.GroupMove, s.table.Keys.Bindings()...)
	return append(commands, moveKeys...)
}

// otherListCommand returns the command that shows the screen of the other kind of grants,
// operators or approvals. That screen gets the filter of this one. Without a filter it
// shows the grants to the spender under the cursor.
func (s *Screen) otherListCommand(state *app.State, entry expiry.Entry) app.Command {
	filter := cmp.Or(s.filter.AppliedText, "spender:"+state.InputText(entry.Spender))
	show := func() tea.Cmd { return app.GoTo(s.otherKind, app.ShowGrantMsg{Filter: filter}) }
	command := app.ScreenCommand("tab", s.otherName, "The other list of grants, of the same account", show)
	return command.DisabledIf(filter == "spender:", s.noRowText)
}

// selectCommands returns the commands that select grants of the list. The screen then
// remembers these grants, because commands work on the grants of the selected rows.
func (s *Screen) selectCommands(state *app.State) []app.Command {
	reader := s.newReader(state)
	var entries []expiry.Entry
	walkView := func(view *chain.View) widget.Walk {
		return func(part widget.ListPart, yield rowYield) error {
			if err := reader.prepare(view); err != nil {
				return err
			}
			return reader.walk(view, part, &entries, yield)
		}
	}
	return app.SelectCommands(state, s.table, walkView, func() { s.remember(entries) })
}

// remember keeps the grants of rows by the keys of the rows.
func (s *Screen) remember(entries []expiry.Entry) {
	for _, entry := range entries {
		s.entries[grantKey(entry.Grant)] = entry
	}
}
