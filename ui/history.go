package ui

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// historyScreen lists what happened, the latest first, and shows one of it
// whole: what was sent, what was answered, what changed, how things stood.
type historyScreen struct {
	box    widget.Box
	table  *widget.Table
	detail pastDetail
	line   headLine
	filter pastFilter
	typed  widget.Edit // the filter as it is typed
	typing bool
	text   string // the filter in force
	engine Engine // what was read; a lesson has another one
}

func newHistoryScreen() *historyScreen {
	s := &historyScreen{table: widget.NewTable(
		widget.Column{Title: "", Width: 1},
		widget.Column{Title: "#", Width: 4, Right: true, Drop: 3},
		widget.Column{Title: "BLOCK", Width: 7, Right: true, Drop: 1},
		widget.Column{Title: "SENDER", Width: 8, Drop: 2},
		widget.Column{Title: "WHAT", Width: 12, Flex: 1},
		widget.Column{Title: "", Width: 1},
	), typed: widget.NewEdit()}
	s.table.Empty = "nothing happened yet"
	s.detail.scroll = widget.NewScroll()
	return s
}

func (s *historyScreen) Name() string { return "History" }

func (s *historyScreen) Typing() bool { return s.typing }

func (s *historyScreen) typingCommands(*Desk) []Command { return filterKeys }

func (s *historyScreen) wide() bool { return s.box.W >= 80 }

func (s *historyScreen) Resize(b widget.Box) {
	s.box = b
	list, detail := s.split()
	_, rows := list.SplitTop(1)
	s.table.Resize(rows)
	s.detail.resize(detail)
}

func (s *historyScreen) split() (list, detail widget.Box) {
	if s.wide() {
		left, rest := s.box.SplitLeft(s.box.W * 54 / 100)
		return left, widget.Box{W: max(rest.W-2, 0), H: rest.H}
	}
	top, rest := s.box.SplitTop(max(s.box.H/2, 3))
	return top, widget.Box{W: rest.W, H: max(rest.H-1, 0)}
}

func (s *historyScreen) Refresh(d *Desk) tea.Cmd {
	if s.engine != d.Engine {
		s.engine, s.line = d.Engine, headLine{}
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
		return s.mouse(d, msg)
	case tea.KeyMsg:
		if s.typing {
			return s.typeFilter(d, msg)
		}
		if msg.String() == "esc" && s.text != "" {
			return s.apply(d, "")
		}
		if s.detail.focus {
			s.detail.scroll.Update(msg)
			return nil
		}
		if s.table.Update(msg) {
			return tea.Batch(s.want(d), s.look(d))
		}
	}
	return nil
}

func (s *historyScreen) take(d *Desk, msg pastPageMsg) tea.Cmd {
	if msg.err != nil {
		s.table.Fail(msg.seq, msg.err.Error())
		return nil
	}
	s.line = msg.line
	s.table.Set(msg.page)
	return tea.Batch(s.want(d), s.look(d))
}

func (s *historyScreen) mouse(d *Desk, msg tea.MouseMsg) tea.Cmd {
	list, _ := s.split()
	over := msg.Y < list.H && (msg.X < list.W || !s.wide())
	switch {
	case msg.Button == tea.MouseButtonLeft && msg.Action == tea.MouseActionPress:
		s.detail.focus = !over
		s.table.Blur = !over
		if over && s.table.Click(msg.Y-1) {
			return tea.Batch(s.want(d), s.look(d))
		}
	case !over:
		s.detail.scroll.Update(msg)
	case s.table.Update(msg):
		return tea.Batch(s.want(d), s.look(d))
	}
	return nil
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

func (s *historyScreen) View(d *Desk) string {
	list, _ := s.split()
	th := d.Theme
	left := widget.JoinV(s.head(d, list.W), s.table.View(th))
	left = widget.Fill(left, list)
	if s.wide() {
		side := widget.Fill(ruleDown(d, list.H, s.detail.focus), widget.Box{W: 2, H: list.H})
		return widget.Fill(widget.JoinH(left, side, s.detail.view(d)), s.box)
	}
	return widget.Fill(widget.JoinV(left, ruleAcross(d, s.box.W, s.detail.focus), s.detail.view(d)), s.box)
}

// head is the line above the list: the filter, and which part is in view.
func (s *historyScreen) head(d *Desk, w int) string {
	th := d.Theme
	right := widget.In(themes.Muted, s.table.Position()+" ").Render(th)
	switch {
	case s.typing:
		return " " + th.Render(themes.Key, "/") + " " + s.typed.View(th, max(w-3, 0), true, pastFilterHelp)
	case s.text != "":
		return widget.Ends(widget.In(themes.Key, " / ").And(themes.Text, s.text).And(themes.Faint, "  esc shows all").Render(th), right, w)
	}
	return widget.Ends(widget.In(themes.Faint, " / filter").Render(th), right, w)
}

// typeFilter takes a key while the filter is typed; it works as it is typed.
func (s *historyScreen) typeFilter(d *Desk, msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		s.typing = false
		return nil
	case "esc":
		s.typing = false
		return s.apply(d, "")
	}
	if s.typed.Update(msg) {
		return s.apply(d, s.typed.Value())
	}
	return nil
}

func (s *historyScreen) apply(d *Desk, text string) tea.Cmd {
	if text == s.text {
		return nil
	}
	s.text, s.filter = text, parsePastFilter(text)
	s.table.Empty = "nothing happened yet"
	if text != "" {
		s.table.Empty = "nothing like that happened; / changes the filter: " + pastFilterHelp
	}
	s.table.Restart()
	return s.want(d)
}

func (s *historyScreen) Commands(d *Desk) []Command {
	var all []Command
	if id, ok := s.current(); ok {
		all = []Command{
			{bind("enter", "go there", "enter"), "Go to this moment", groupHere, func() tea.Cmd { return gotoNode(d, id) }},
			{bind("y", "copy", "y"), "Copy this: JSON, command lines, scenario step", groupHere, func() tea.Cmd { return s.copy(d) }},
			{bind("n", "name it", "n"), "Name this moment: a snapshot", groupHere, func() tea.Cmd { return openNaming(d, id) }},
			{bind("space", "mark", " "), "Mark this moment, as the first or the last to record", groupHere, func() tea.Cmd { return s.mark(d, id) }},
		}
	}
	all = append(all,
		Command{bind("R", "record", "R"), s.recordName(), groupHere, func() tea.Cmd { return openRecord(d, s.part()) }},
		Command{bind("v", "branches", "v"), "Branches: the tree of what happened", groupHere, func() tea.Cmd { return openBranches(d) }},
		Command{bind("/", "filter", "/"), "Filter the history", groupHere, func() tea.Cmd {
			s.typing = true
			s.typed.Set(s.text)
			return nil
		}},
		Command{bind("tab", "other pane", "tab", "shift+tab"), "The other pane", groupMove, func() tea.Cmd {
			s.detail.focus = !s.detail.focus
			s.table.Blur = s.detail.focus
			return nil
		}},
	)
	moves := slices.DeleteFunc(s.table.Keys.Bindings(), func(b key.Binding) bool { return slices.Contains(b.Keys(), " ") })
	return append(all, listed(groupMove, moves...)...)
}

// gotoNode goes to a moment, on whatever branch.
func gotoNode(d *Desk, id history.ID) tea.Cmd {
	engine := d.Engine
	return d.write(func() tea.Msg {
		w, err := engine.Goto(fmt.Sprint(id))
		return walkedMsg{walked: w, node: id, err: err}
	})
}
