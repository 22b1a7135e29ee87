package ui

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

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
	engine Engine // what was read; a lesson has another one
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

func (s *historyScreen) Name() string { return "History" }

func (s *historyScreen) Typing() bool { return s.typing }

func (s *historyScreen) typingCommands(*Desk) []Command { return filterKeys }

func (s *historyScreen) Refresh(d *Desk) tea.Cmd {
	if s.engine != d.Engine {
		s.engine, s.line, s.past = d.Engine, headLine{}, history.State{}
		s.blocks = 0
		s.detail.clear()
		s.table.Restart()
	}
	s.table.Reload()
	return tea.Batch(s.want(d), s.look(d))
}

// current is the node under the cursor.
func (s *historyScreen) current() (history.ID, bool) {
	row, ok := s.table.Cursor()
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseUint(row.Key, 10, 64)
	return history.ID(id), err == nil
}

// Subject is the token of the message under the cursor and who sent it.
func (s *historyScreen) Subject() Subject { return s.detail.subject() }

func (s *historyScreen) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pastPageMsg:
		return s.take(d, msg)
	case pastDetailMsg:
		return s.detail.take(d, msg)
	case tea.MouseMsg:
		return s.moved(d, msg)
	case tea.KeyMsg:
		if s.typing {
			return s.typeFilter(d, msg)
		}
		if msg.String() == "esc" && s.text != "" {
			return s.apply(d, "")
		}
		return s.moved(d, msg)
	}
	return nil
}

// moved hands a key or the mouse to the list or the detail, and reads what that
// brings into view.
func (s *historyScreen) moved(d *Desk, msg tea.Msg) tea.Cmd {
	if s.move(msg) {
		return tea.Batch(s.want(d), s.look(d))
	}
	return nil
}

func (s *historyScreen) take(d *Desk, msg pastPageMsg) tea.Cmd {
	if msg.err != nil {
		s.table.Fail(msg.seq, msg.err.Error())
		return nil
	}
	s.line, s.past = msg.line, msg.past
	n := max(leastDigits, len(fmt.Sprint(msg.past.Last)))
	blocks := max(leastBlocks, s.blocks)
	for _, r := range msg.page.Rows {
		blocks = max(blocks, widget.Width(r.Cells[2].String()))
	}
	if n != s.digits || blocks != s.blocks {
		s.digits, s.blocks = n, blocks
		s.table.SetColumns(historyColumns(n, blocks)...)
	}
	s.table.Set(msg.page)
	return tea.Batch(s.want(d), s.look(d))
}

// look reads the node under the cursor.
func (s *historyScreen) look(d *Desk) tea.Cmd {
	id, ok := s.current()
	if !ok {
		s.detail.clear()
		return nil
	}
	return s.detail.load(d, id, s.line)
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
	engine := d.Engine
	return d.write(func() tea.Msg {
		w, err := engine.Goto(fmt.Sprint(id))
		return walkedMsg{walked: w, node: id, err: err}
	})
}
