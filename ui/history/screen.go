package history

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Screen lists what happened, the latest first, and shows one of it
// whole: what was sent, what was answered, what changed, how things stood.
type Screen struct {
	app.MasterDetail
	detail pastDetail
	line   headLine
	past   history.State // where the history stands, as the list has it
	digits int           // of the largest number
	blocks int           // how wide the largest height is
	filter pastFilter
	typed  widget.Edit // the filter as it is typed
	typing bool
	text   string // the filter in force
}

// New makes the screen; it reads nothing before it is asked what it needs.
func New() *Screen {
	s := &Screen{MasterDetail: app.NewMasterDetail(54, historyColumns(leastDigits, leastBlocks)...), digits: leastDigits, blocks: leastBlocks, typed: widget.NewEdit()}
	s.Table.Empty, s.Table.Grows = "nothing happened yet", true
	s.Over, s.Instead, s.detail.scroll = s.head, s.strange, s.Scroll
	return s
}

// How wide the columns of the numbers and of the heights are at least, in cells.
const (
	leastDigits = 4
	leastBlocks = 7
)

func historyColumns(digits, blocks int) []widget.Column {
	return []widget.Column{
		{Title: "", Width: 2},
		{Title: "#", Width: digits, Right: true, Drop: 3},
		{Title: "BLOCK", Width: blocks, Right: true, Drop: 1},
		{Title: "SENDER", Width: 8, Drop: 2},
		{Title: "WHAT", Width: 12, Flex: 1},
		{Title: "", Width: 1},
	}
}

// Kind is [KindHistory].
func (s *Screen) Kind() app.Kind { return app.KindHistory }

// Name is the word on the tab.
func (s *Screen) Name() string { return "History" }

func (s *Screen) Typing() bool { return s.typing }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

func (s *Screen) Refresh(*app.State) { s.Stale() }

// historyRead is what was read for the screen.
type historyRead struct {
	app.Loaded[*pastFacts]
	line headLine
	past history.State
}

// Needs reads the rows in view and the node under the cursor.
func (s *Screen) Needs(st *app.State) app.Read {
	look := pastLook{filter: s.filter, line: s.line}
	var past history.State
	read := app.Lacks(&s.MasterDetail, func(v *chain.View, f app.Facts, req widget.Request) (page widget.Page, err error) {
		if past, err = v.HistoryState(); err != nil {
			return page, err
		}
		look.words = f.Words()
		return look.load(v, past, req)
	}, func(v *chain.View, f app.Facts, key string) (*pastFacts, error) {
		return readPast(v, nodeOf(key), look.line, f.Words(), st.LastSelection)
	})
	if read == nil {
		return nil
	}
	return func(v *chain.View, f app.Facts) (tea.Msg, error) {
		if look.line.head != v.Head {
			look.line = newHeadLine(v.Head)
		}
		msg, err := read(v, f)
		if err != nil {
			return nil, err
		}
		return historyRead{msg.(app.Loaded[*pastFacts]), look.line, past}, nil
	}
}

// current is the node under the cursor.
func (s *Screen) current() (history.ID, bool) {
	row, ok := s.Table.Cursor()
	return nodeOf(row.Key), ok
}

// nodeOf is the node of a row's key.
func nodeOf(key string) history.ID {
	id, _ := strconv.ParseUint(key, 10, 64)
	return history.ID(id)
}

// Subject is the token of the message under the cursor and who sent it.
func (s *Screen) Subject() app.Subject { return s.detail.subject() }

func (s *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyRead:
		s.take(st, msg)
	case app.ShowHistoryMsg:
		s.Turn(false)
		s.apply(msg.Filter)
	case app.ReadFailedMsg:
		s.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		s.Move(msg)
	case tea.KeyMsg:
		switch {
		case s.typing:
			s.typeFilter(msg)
		default:
			s.Move(msg)
		}
	}
	return nil
}

func (s *Screen) take(st *app.State, msg historyRead) {
	s.line = msg.line
	if msg.Page != nil {
		s.past = msg.past
		n := max(leastDigits, len(fmt.Sprint(msg.past.Last)))
		blocks := max(leastBlocks, s.blocks)
		for _, r := range msg.Page.Rows {
			blocks = max(blocks, widget.Width(r.Cells[2].String()))
		}
		if n != s.digits || blocks != s.blocks {
			s.digits, s.blocks = n, blocks
			s.Table.SetColumns(historyColumns(n, blocks)...)
		}
	}
	if app.Apply(&s.MasterDetail, msg.Loaded) {
		s.Scroll.Set(nil)
	}
	s.detail.facts = msg.Detail
	if s.detail.facts != nil {
		lines, to := s.detail.lines(st)
		s.Scroll.Lead(to)
		s.Scroll.Keep(lines)
	} else {
		s.Scroll.Set(nil)
	}
}

func (s *Screen) View(st *app.State) string { return s.MasterDetail.View(st) }

// head is the line above the list: the filter, and which part is in view.
func (s *Screen) head(st *app.State, w int) string {
	th := st.Theme
	left, right := widget.In(themes.Faint, " / filter"), s.Table.Position()+" "
	switch {
	case s.typing:
		return " " + th.Render(themes.Key, "/") + " " + s.typed.View(th, max(w-3, 0), true, pastFilterHelp)
	case s.text != "":
		left = widget.In(themes.Key, " / ").And(themes.Text, s.text).And(themes.Faint, "  esc shows all")
	}
	if gone := s.gone(); gone != "" {
		whole := s.Table.Position() + " · " + gone + " "
		if s.text == "" && widget.Width(left.String()+whole) > w {
			left = nil // the footer has the key
		}
		if widget.Width(left.String()+whole) <= w {
			right = whole
		}
	}
	return widget.Ends(left.Render(th), widget.In(themes.Muted, right).Render(th), w)
}

// gone says how much of the history was pruned; nothing where none was.
func (s *Screen) gone() string {
	switch {
	case s.past.Forgot > 0:
		return chain.Thousands(s.past.Forgot) + " forgotten"
	case s.past.Floor > 0:
		return "older ones forgotten"
	}
	return ""
}

func (s *Screen) Commands(st *app.State) []app.Command {
	id, some := s.current()
	names := s.detail.namesOf(id)
	found := s.detail.difference(id)
	const unnamed = "this moment has no name: n gives it one"
	all := []app.Command{
		app.NewCommand(app.Bind("enter", "go there", "enter"), "Go to this moment", app.GroupHere, func() tea.Cmd { return app.GotoNode(st, id) }),
		app.NewCommand(app.Bind("y", "copy", "y"), "Copy this: JSON, command lines, scenario step", app.GroupHere, func() tea.Cmd { return s.copy(st) }),
		app.NewCommand(app.Bind("n", "name it", "n"), "Name this moment: a snapshot", app.GroupHere, func() tea.Cmd { return openNaming(st, id, "") }),
		app.NewCommand(app.Bind("r", "rename", "r"), "Rename this snapshot", app.GroupHere, func() tea.Cmd {
			return openRenaming(st, id, names)
		}).Unless(len(names) == 0, unnamed),
		app.NewCommand(app.Bind("D", "delete name", "D"), "Delete this snapshot, its name alone", app.GroupHere, func() tea.Cmd {
			return openUnnaming(st, id, names)
		}).Unless(len(names) == 0, unnamed),
		app.NewCommand(app.Bind("C", "compared", "C"), "Compared: what both contracts did", app.GroupHere, func() tea.Cmd {
			return func() tea.Msg { return app.DifferenceMsg{Title: fmt.Sprintf("at #%d", id), Found: *found} }
		}).Unless(found == nil, "no difference was found here"),
		app.NewCommand(app.Bind("space", "mark", " "), "Mark this moment, as the first or the last to record", app.GroupHere, func() tea.Cmd { return s.mark(st, id) }),
	}
	for i, c := range all {
		all[i] = c.Unless(!some, "no moment is under the cursor")
	}
	all = append(all,
		RecordCommand(st, s.recordName(), app.GroupHere, s.part()),
		app.NewCommand(app.Bind("v", "branches", "v"), "Branches: the tree of what happened", app.GroupHere, func() tea.Cmd { return OpenBranches(st) }),
		app.NewCommand(app.Bind("/", "filter", "/"), "Filter the history", app.GroupHere, func() tea.Cmd {
			s.typing = true
			s.typed.Set(s.text)
			return nil
		}),
	)
	if s.text != "" && !s.InDetail {
		all = append(all, app.NewCommand(app.Bind("esc", "show all", "esc"), "", app.GroupHere, func() tea.Cmd { s.apply(""); return nil }))
	}
	return append(append(s.Links(), all...), s.MasterDetail.Commands()...)
}
