package history

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen lists what happened, the latest first, and shows one of it
// whole: what was sent, what was answered, what changed, how things stood.
type Screen struct {
	app.Tab
	app.MasterDetail
	facts  *pastFacts // of the node in the detail; nil while nothing was read
	line   headLine
	past   history.State // where the history stands, as the list has it
	filter pastFilter
	typed  widget.Edit // the filter as it is typed
	typing bool
	text   string // the filter in force
}

// New makes the screen; it reads nothing before it is asked what it needs.
func New() *Screen {
	s := &Screen{Tab: app.NewTab(app.KindHistory, "History"), typed: widget.NewEdit(), MasterDetail: app.NewMasterDetail(54,
		widget.Column{Title: "", Width: 2},
		widget.Column{Title: "#", Width: 4, Right: true, Whole: true, Drop: 3},
		widget.Column{Title: "BLOCK", Width: 7, Right: true, Whole: true, Drop: 1},
		widget.Column{Title: "SENDER", Width: 8, Drop: 2},
		widget.Column{Title: "WHAT", Width: 12, Flex: 1},
		widget.Column{Title: "", Width: 1},
	)}
	s.Table.Empty, s.Table.Grows = "nothing happened yet", true
	s.LineAbove, s.TitlesCover = s.head, s.strange
	return s
}

func (s *Screen) Typing() bool { return s.typing }

// TypingCommands lists the keys that work while the filter is typed.
func (s *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

// historyRead is what was read for the screen.
type historyRead struct {
	app.Loaded[*pastFacts]
	line headLine
	past history.State
}

// Needs reads the rows in view and the node under the cursor.
func (s *Screen) Needs(st *app.State) app.Read {
	reader := pastReader{filter: s.filter, line: s.line}
	var past history.State
	read := app.ReadListAndDetail(&s.MasterDetail, func(v *chain.View, f app.Facts, req widget.Request) (page widget.Page, err error) {
		if past, err = v.HistoryState(); err != nil {
			return page, err
		}
		reader.words = f.Words()
		return reader.load(v, past, req)
	}, func(v *chain.View, f app.Facts, key string) (*pastFacts, error) {
		return readPast(v, nodeOf(key), reader.line, f, st.LastSelection)
	})
	if read == nil {
		return nil
	}
	return func(v *chain.View, f app.Facts) (tea.Msg, error) {
		if reader.line.head != v.Head {
			reader.line = newHeadLine(v.Head)
		}
		msg, err := read(v, f)
		if err != nil {
			return nil, err
		}
		return historyRead{msg.(app.Loaded[*pastFacts]), reader.line, past}, nil
	}
}

// nodeOf is the node of a row's key.
func nodeOf(key string) history.ID {
	id, _ := strconv.ParseUint(key, 10, 64)
	return history.ID(id)
}

// Subject is the token of the message under the cursor and who sent it.
func (s *Screen) Subject() app.Subject { return s.facts.subject() }

func (s *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case historyRead:
		if s.line = msg.line; msg.Page != nil {
			s.past = msg.past
		}
		app.ApplyLoaded(&s.MasterDetail, msg.Loaded)
		s.facts = msg.Detail
		s.Scroll.Write(s.facts.text(st))
	case app.ShowHistoryMsg:
		s.FocusDetail(false)
		s.apply(msg.Filter)
	case app.ReadFailedMsg:
		s.Table.Fail(msg.Err.Error())
	case tea.MouseMsg:
		s.Move(msg)
	case tea.KeyMsg:
		if s.typing {
			s.typeFilter(msg)
		} else {
			s.Move(msg)
		}
	}
	return nil
}

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
	case s.past.Pruned > 0:
		return chain.Thousands(s.past.Pruned) + " forgotten"
	case s.past.Floor > 0:
		return "older ones forgotten"
	}
	return ""
}

func (s *Screen) Commands(st *app.State) []app.Command {
	row, some := s.Table.Cursor()
	id := nodeOf(row.Key)
	var names []string
	var found *chain.Difference
	if s.facts != nil && s.facts.node.ID == id {
		names, found = s.facts.names, chain.DifferenceOf(s.facts.node)
	}
	const unnamed = "this moment has no name: n gives it one"
	all := []app.Command{
		app.ScreenCommand("enter", "go there", "Go to this moment", func() tea.Cmd { return app.GotoNode(st, id) }, "enter"),
		app.ScreenCommand("y", "copy", "Copy this: JSON, command lines, scenario step", func() tea.Cmd { return s.copy(st) }, "y"),
		app.ScreenCommand("n", "name it", "Name this moment: a snapshot", func() tea.Cmd { return openNaming(st, id, "") }, "n"),
		app.ScreenCommand("r", "rename", "Rename this snapshot", func() tea.Cmd { return openRenaming(st, id, names) }, "r").DisabledIf(len(names) == 0, unnamed),
		app.ScreenCommand("D", "delete name", "Delete this snapshot, its name alone", func() tea.Cmd { return openUnnaming(st, id, names) }, "D").DisabledIf(len(names) == 0, unnamed),
		app.ScreenCommand("C", "compared", "Compared: what both contracts did", func() tea.Cmd {
			return form.OpenDifference(st, fmt.Sprintf("at #%d", id), *found)
		}, "C").DisabledIf(found == nil, "no difference was found here"),
		app.ScreenCommand("space", "mark", "Mark this moment, as the first or the last to record", func() tea.Cmd { return s.mark(st, id) }, " "),
	}
	for i, c := range all {
		all[i] = c.DisabledIf(!some, "no moment is under the cursor")
	}
	all = append(all,
		RecordCommand(st, s.recordName(), app.GroupHere, s.part()),
		app.ScreenCommand("v", "branches", "Branches: the tree of what happened", func() tea.Cmd { return OpenBranches(st) }, "v"),
		app.ScreenCommand("/", "filter", "Filter the history", func() tea.Cmd {
			s.typing = true
			s.typed.Set(s.text)
			return nil
		}, "/"),
	)
	if s.text != "" && !s.InDetail {
		all = append(all, app.DialogCommand("esc", "show all", func() tea.Cmd { s.apply(""); return nil }, "esc"))
	}
	return append(append(s.LinkCommands(), all...), s.MasterDetail.Commands()...)
}
