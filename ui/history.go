package ui

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// historyScreen lists what happened, the latest first, and shows one of it
// whole: what was sent, what was answered, what changed, how things stood.
type historyScreen struct {
	pair
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

func newHistoryScreen() *historyScreen {
	s := &historyScreen{pair: newPair(54, historyColumns(leastDigits, leastBlocks)...), digits: leastDigits, blocks: leastBlocks, typed: widget.NewEdit()}
	s.table.Empty = "nothing happened yet"
	s.over, s.instead, s.detail.scroll = s.head, s.strange, s.scroll
	return s
}

// How wide the columns of the numbers and of the heights are at least, in cells.
const (
	leastDigits = 4
	leastBlocks = 7
)

func historyColumns(digits, blocks int) []widget.Column {
	return []widget.Column{
		{Title: "", Width: 1},
		{Title: "#", Width: digits, Right: true, Drop: 3},
		{Title: "BLOCK", Width: blocks, Right: true, Drop: 1},
		{Title: "SENDER", Width: 8, Drop: 2},
		{Title: "WHAT", Width: 12, Flex: 1},
		{Title: "", Width: 1},
	}
}

// Kind is [KindHistory].
func (s *historyScreen) Kind() Kind { return KindHistory }

// Name is the word on the tab.
func (s *historyScreen) Name() string { return "History" }

func (s *historyScreen) Typing() bool { return s.typing }

func (s *historyScreen) typingCommands(*Desk) []Command { return filterKeys }

func (s *historyScreen) Refresh(*Desk) { s.stale() }

// historyRead is what was read for the screen.
type historyRead struct {
	loaded[*pastFacts]
	line headLine
	past history.State
}

// Needs reads the rows in view and the node under the cursor.
func (s *historyScreen) Needs(d *Desk) Read {
	look := pastLook{filter: s.filter, line: s.line}
	var past history.State
	read := load(&s.pair, func(v *chain.View, f Facts, req widget.Request) (page widget.Page, err error) {
		if past, err = v.HistoryState(); err != nil {
			return page, err
		}
		look.words = f.words()
		return look.load(v, past, req)
	}, func(v *chain.View, f Facts, key string) (*pastFacts, error) {
		return readPast(v, nodeOf(key), look.line, f.words(), d.Looked)
	})
	if read == nil {
		return nil
	}
	return func(v *chain.View, f Facts) (tea.Msg, error) {
		if look.line.head != v.Head {
			look.line = newHeadLine(v.Head)
		}
		msg, err := read(v, f)
		if err != nil {
			return nil, err
		}
		return historyRead{msg.(loaded[*pastFacts]), look.line, past}, nil
	}
}

// current is the node under the cursor.
func (s *historyScreen) current() (history.ID, bool) {
	row, ok := s.table.Cursor()
	return nodeOf(row.Key), ok
}

// nodeOf is the node of a row's key.
func nodeOf(key string) history.ID {
	id, _ := strconv.ParseUint(key, 10, 64)
	return history.ID(id)
}

// Subject is the token of the message under the cursor and who sent it.
func (s *historyScreen) Subject() Subject { return s.detail.subject() }

func (s *historyScreen) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyRead:
		s.take(d, msg)
	case readFailedMsg:
		s.table.Fail(msg.err.Error())
	case tea.MouseMsg:
		s.move(msg)
	case tea.KeyMsg:
		switch {
		case s.typing:
			s.typeFilter(msg)
		case msg.String() == "esc" && s.text != "":
			s.apply("")
		default:
			s.move(msg)
		}
	}
	return nil
}

func (s *historyScreen) take(d *Desk, msg historyRead) {
	s.line = msg.line
	if msg.page != nil {
		s.past = msg.past
		n := max(leastDigits, len(fmt.Sprint(msg.past.Last)))
		blocks := max(leastBlocks, s.blocks)
		for _, r := range msg.page.Rows {
			blocks = max(blocks, widget.Width(r.Cells[2].String()))
		}
		if n != s.digits || blocks != s.blocks {
			s.digits, s.blocks = n, blocks
			s.table.SetColumns(historyColumns(n, blocks)...)
		}
	}
	if take(&s.pair, msg.loaded) {
		s.scroll.Set(nil)
	}
	s.detail.facts = msg.detail
	if s.detail.facts != nil {
		s.scroll.Keep(s.detail.lines(d))
	} else {
		s.scroll.Set(nil)
	}
}

func (s *historyScreen) View(d *Desk) string { return s.pair.View(d) }

// head is the line above the list: the filter, and which part is in view.
func (s *historyScreen) head(d *Desk, w int) string {
	th := d.Theme
	left, right := widget.In(themes.Faint, " / filter"), s.table.Position()+" "
	switch {
	case s.typing:
		return " " + th.Render(themes.Key, "/") + " " + s.typed.View(th, max(w-3, 0), true, pastFilterHelp)
	case s.text != "":
		left = widget.In(themes.Key, " / ").And(themes.Text, s.text).And(themes.Faint, "  esc shows all")
	}
	if gone := s.gone(); gone != "" {
		whole := s.table.Position() + " · " + gone + " "
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
func (s *historyScreen) gone() string {
	switch {
	case s.past.Forgot > 0:
		return widget.Group(s.past.Forgot) + " forgotten"
	case s.past.Floor > 0:
		return "older ones forgotten"
	}
	return ""
}

func (s *historyScreen) Commands(d *Desk) []Command {
	id, some := s.current()
	names := s.detail.namesOf(id)
	const unnamed = "this moment has no name: n gives it one"
	all := []Command{
		{bind("enter", "go there", "enter"), "Go to this moment", groupHere, func() tea.Cmd { return gotoNode(d, id) }},
		{bind("y", "copy", "y"), "Copy this: JSON, command lines, scenario step", groupHere, func() tea.Cmd { return s.copy(d) }},
		{bind("n", "name it", "n"), "Name this moment: a snapshot", groupHere, func() tea.Cmd { return openNaming(d, id) }},
		Command{bind("r", "rename", "r"), "Rename this snapshot", groupHere, func() tea.Cmd {
			return openRenaming(id, names)
		}}.unless(len(names) == 0, unnamed),
		Command{bind("d", "delete name", "d"), "Delete this snapshot, its name alone", groupHere, func() tea.Cmd {
			return openUnnaming(d, id, names)
		}}.unless(len(names) == 0, unnamed),
		{bind("space", "mark", " "), "Mark this moment, as the first or the last to record", groupHere, func() tea.Cmd { return s.mark(d, id) }},
	}
	for i, c := range all {
		all[i] = c.unless(!some, "no moment is under the cursor")
	}
	all = append(all,
		recordCommand(d, s.recordName(), groupHere, s.part()),
		Command{bind("v", "branches", "v"), "Branches: the tree of what happened", groupHere, func() tea.Cmd { return openBranches(d) }},
		Command{bind("/", "filter", "/"), "Filter the history", groupHere, func() tea.Cmd {
			s.typing = true
			s.typed.Set(s.text)
			return nil
		}},
	)
	return append(all, s.pair.Commands()...)
}

// gotoNode goes to a moment, on whatever branch.
func gotoNode(d *Desk, id history.ID) tea.Cmd {
	return d.write(func(e Engine) tea.Msg {
		w, err := e.Goto(fmt.Sprint(id))
		return walkedMsg{walked: w, node: id, err: err}
	})
}
