package history

import (
	"cmp"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// branches shows the tips of the tree of what happened: each is a way that
// things went. One can be entered, named, or compared with another.
type branches struct {
	*form.Browser[comparison]
	with history.ID // what the tip under the cursor is compared with; 0 is the head
}

// comparison is what is different at a tip, in words.
type comparison struct {
	tip
	with  history.ID
	texts []string
}

// OpenBranches opens the tree of all branches.
func OpenBranches(st *app.State) tea.Cmd {
	b := &branches{Browser: form.NewStack[comparison]("Branches",
		widget.Column{Title: "   BRANCH", Width: 36, Flex: 2}, widget.Column{Title: "HANGS", Width: 28, Flex: 1, Drop: 1})}
	b.OpenKey = "v"
	b.compareWith(0)
	b.Lines, b.RowCommands = b.compared, b.keys
	return b.Open(st)
}

// tipsShown bounds the list of branches.
const tipsShown = 300

// compareWith has every tip compared with a moment; 0 is the head.
func (b *branches) compareWith(with history.ID) {
	b.with = with
	b.Rows = func(v *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
		tips, more, err := readTips(v)
		rows := make([]widget.Row, len(tips))
		for i, t := range tips {
			rows[i] = widget.Row{Key: fmt.Sprint(t.node.ID), About: t, Cells: []widget.Line{
				t.line(f.Words(), with), widget.In(themes.Muted, t.about(f.Words())),
			}}
		}
		page := widget.All(req, rows)
		page.Least = more
		return page, err
	}
	b.Read = func(v *chain.View, f app.Facts, row widget.Row) (comparison, error) {
		c, from := comparison{tip: row.About.(tip), with: with}, cmp.Or(with, v.Head)
		changes, err := v.Between(from, c.node.ID)
		if err != nil {
			return c, err
		}
		c.texts, err = blocksBetween(v, from, c.node.ID)
		c.texts = append(c.texts, explain.Describe(changes, f.DisplayName)...)
		return c, err
	}
	b.Invalidate()
}

// blocksBetween tells how the block differs after two nodes, if it does.
func blocksBetween(v *chain.View, from, to history.ID) ([]string, error) {
	var blocks [2]chain.Clock
	for i, id := range []history.ID{from, to} {
		n, err := v.Node(id)
		if err != nil {
			return nil, err
		}
		blocks[i].Height, blocks[i].Time = n.Height, n.Time
		if _, after, ok := chain.ClocksOf(n); ok && n.Kind == history.KindClock {
			blocks[i] = after
		}
	}
	a, b := blocks[0], blocks[1]
	if a.Height == b.Height && a.Time == b.Time {
		return nil, nil
	}
	return []string{fmt.Sprintf("height %s → %s, %s → %s UTC", chain.Thousands(uint64(a.Height)), chain.Thousands(uint64(b.Height)), app.SecondsOf(a.Time), app.SecondsOf(b.Time))}, nil
}

// line is the tip in the list.
func (t tip) line(w app.Words, with history.ID) widget.Line {
	mark, _ := t.where.style()
	l := mark.And(themes.Muted, fmt.Sprintf(" #%-5d ", t.node.ID)).And(themes.Text, w.Node(t.node))
	if len(t.names) > 0 {
		l = l.And(themes.Accent, " ["+strings.Join(t.names, "] [")+"]")
	}
	if t.node.ID == with {
		l = l.And(themes.Warn, "  compared with")
	}
	return l
}

// about tells how a branch hangs together with the way to the head.
func (t tip) about(w app.Words) string {
	switch {
	case t.where == atHead:
		return "the chain stands here"
	case t.far:
		return fmt.Sprintf("more than %d steps of its own", stepsCounted)
	case t.where == ahead && !t.redo:
		return fmt.Sprintf("%d ahead", t.steps)
	case t.where == ahead:
		return fmt.Sprintf("%d ahead: redo goes there", t.steps)
	}
	return fmt.Sprintf("%d of its own, off #%d with %s", t.steps, t.off, w.Node(t.onward))
}

// compared are the differences. How the branch hangs together with the way to the
// head stands above them where the list has no room for it.
func (b *branches) compared(st *app.State, c comparison, w int) []widget.Line {
	from := "where the chain stands"
	if c.with != 0 {
		from = fmt.Sprintf("#%d", c.with)
	}
	head := widget.In(themes.Header, fmt.Sprintf("From %s to #%d", from, c.node.ID))
	if w < 68 {
		head = head.And(themes.Muted, "  "+c.about(st.Words()))
	}
	return append([]widget.Line{head}, points(c.texts)...)
}

func (b *branches) keys(st *app.State, row widget.Row, some bool) []app.Command {
	if !some {
		return nil
	}
	at := row.About.(tip)
	named := func(do func(*app.State, history.ID, []string) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			if len(at.names) == 0 {
				return app.Notify(app.LevelInfo, fmt.Sprintf("#%d has no name: n gives it one", at.node.ID))
			}
			return do(st, at.node.ID, at.names)
		}
	}
	return []app.Command{
		app.DialogCommand("enter", "go there", func() tea.Cmd { return app.GotoNode(st, at.node.ID) }, "enter"),
		app.DialogCommand("n", "name it", func() tea.Cmd { return openNaming(st, at.node.ID, "") }, "n"),
		app.DialogCommand("r", "rename", named(openRenaming), "r"),
		app.DialogCommand("D", "delete name", named(openUnnaming), "D"),
		app.DialogCommand("c", "compare with it", func() tea.Cmd {
			if b.with == at.node.ID {
				b.compareWith(0)
			} else {
				b.compareWith(at.node.ID)
			}
			return nil
		}, "c"),
	}
}
