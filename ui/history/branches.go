package history

import (
	"fmt"

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
	box    widget.Box
	tips   []tip
	more   bool
	read   bool
	fault  string
	cursor int
	with   history.ID // what the tip under the cursor is compared with; 0 is the head
	seq    int
	diff   []widget.Line
	text   *widget.Scroll // the comparison
}

// tip is the last node of a branch.
type tip struct {
	node   history.Node
	where  standing
	off    history.ID // where it left the way to the head
	steps  int
	far    bool
	redo   bool // redo comes here
	names  []string
	onward history.Node // the first node of its own
}

type (
	tipsMsg struct {
		tips []tip
		more bool
		err  error
	}
	comparedMsg struct {
		seq   int
		lines []widget.Line
	}
)

// OpenBranches opens the tree of all branches.
func OpenBranches(st *app.State) tea.Cmd {
	b := &branches{text: widget.NewScroll()}
	return app.OpenDialogThen(b, b.load(st))
}

func (b *branches) load(st *app.State) tea.Cmd {
	return st.Ask(b, func(e app.Engine) tea.Msg {
		var msg tipsMsg
		msg.err = e.View(func(v *chain.View) (err error) {
			msg.tips, msg.more, err = readTips(v)
			return err
		})
		return msg
	})
}

// tipsShown bounds the list of branches.
const tipsShown = 300

// readTips finds the nodes that nothing follows, the youngest first.
func readTips(v *chain.View) (tips []tip, more bool, err error) {
	names := map[history.ID][]string{}
	snapshots, err := v.Snapshots()
	if err != nil {
		return nil, false, err
	}
	for _, s := range snapshots {
		names[s.ID] = append(names[s.ID], s.Name)
	}
	parents := map[history.ID]bool{}
	for n, err := range v.History(0) {
		if err != nil {
			return nil, false, err
		}
		if !parents[n.ID] {
			if len(tips) == tipsShown {
				more = true
				break
			}
			tips = append(tips, tip{node: n, names: names[n.ID]})
		}
		delete(parents, n.ID)
		parents[n.Parent] = true
	}
	for i := range tips {
		if err := tips[i].place(v); err != nil {
			return nil, false, err
		}
	}
	return tips, more, nil
}

// place finds where a tip left the way to the head.
func (t *tip) place(v *chain.View) error {
	line := newHeadLine(v.Head)
	for at := t.node; ; t.steps++ {
		var err error
		if line, err = line.more(v, at.ID); err != nil {
			return err
		}
		if line.has(at.ID) {
			t.off = at.ID
			break
		}
		if t.far = t.steps >= stepsCounted; t.far {
			break
		}
		t.onward = at
		if at, err = v.Node(at.Parent); err != nil {
			return err
		}
	}
	switch {
	case t.node.ID == v.Head:
		t.where = atHead
	case t.off == v.Head:
		t.where = ahead
		var err error
		if t.redo, err = v.RedoLeadsTo(t.node.ID); err != nil {
			return err
		}
	default:
		t.where = aside
	}
	return nil
}

// compare reads in words what is different at the tip under the cursor.
func (b *branches) compare(st *app.State) tea.Cmd {
	b.seq++
	b.diff = nil
	b.text.Set(nil) // from the top again
	if b.cursor >= len(b.tips) {
		return nil
	}
	seq, with, to, call := b.seq, b.with, b.tips[b.cursor].node.ID, st.Words().Call
	return st.Ask(b, func(e app.Engine) tea.Msg {
		msg := comparedMsg{seq: seq}
		err := e.View(func(v *chain.View) error {
			if with == 0 {
				with = v.Head
			}
			changes, err := v.Between(with, to)
			if err != nil {
				return err
			}
			if text, err := blocksBetween(v, with, to); err != nil {
				return err
			} else if text != "" {
				msg.lines = append(msg.lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, text))
			}
			for _, text := range explain.Describe(changes, call) {
				msg.lines = append(msg.lines, widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, text))
			}
			if len(msg.lines) == 0 {
				msg.lines = []widget.Line{widget.In(themes.Faint, "  nothing")}
			}
			return nil
		})
		if err != nil {
			msg.lines = []widget.Line{widget.In(themes.Bad, "  "+themes.GlyphNo+" "+err.Error())}
		}
		return msg
	})
}

// blocksBetween tells how the block differs after two nodes.
func blocksBetween(v *chain.View, from, to history.ID) (string, error) {
	var blocks [2]chain.Clock
	for i, id := range []history.ID{from, to} {
		n, err := v.Node(id)
		if err != nil {
			return "", err
		}
		blocks[i].Height, blocks[i].Time = n.Height, n.Time
		if _, after, ok := chain.ClocksOf(n); ok && n.Kind == history.KindClock {
			blocks[i] = after
		}
	}
	a, b := blocks[0], blocks[1]
	if a.Height == b.Height && a.Time == b.Time {
		return "", nil
	}
	return fmt.Sprintf("height %s → %s, %s → %s UTC", chain.Thousands(uint64(a.Height)), chain.Thousands(uint64(b.Height)), app.SecondsOf(a.Time), app.SecondsOf(b.Time)), nil
}

func (b *branches) Resize(box widget.Box) { b.box = box }

func (b *branches) Commands(*app.State) []app.Command {
	return append(app.Listed(app.GroupHere,
		app.Bind("enter", "go there", "enter"), app.Bind("esc", "close", "esc", "q", "v"), app.Bind("j k ↓ ↑", "move", "j", "k", "down", "up"),
		app.Bind("n", "name it", "n"), app.Bind("r", "rename", "r"), app.Bind("D", "delete name", "D"), app.Bind("c", "compare with it", "c")),
		form.ReadAsideOn(b.text)...)
}

func (b *branches) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tipsMsg:
		b.tips, b.more, b.read = msg.tips, msg.more, true
		if msg.err != nil {
			b.fault = msg.err.Error()
		}
		b.cursor = min(b.cursor, max(len(b.tips)-1, 0))
		return b.compare(st), false
	case comparedMsg:
		if msg.seq == b.seq {
			b.diff = msg.lines
		}
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		return b.load(st), false
	case tea.MouseMsg:
		form.ReadAside(b.text, msg)
	case tea.KeyMsg:
		if !form.ReadAside(b.text, msg) {
			return b.key(st, msg.String())
		}
	}
	return nil, false
}

func (b *branches) key(st *app.State, key string) (tea.Cmd, bool) {
	switch key {
	case "esc", "q", "v":
		return nil, true
	}
	if len(b.tips) == 0 {
		return nil, false
	}
	at := b.tips[b.cursor]
	switch key {
	case "j", "down":
		b.cursor = min(b.cursor+1, len(b.tips)-1)
		return b.compare(st), false
	case "k", "up":
		b.cursor = max(b.cursor-1, 0)
		return b.compare(st), false
	case "g", "home":
		b.cursor = 0
		return b.compare(st), false
	case "G", "end":
		b.cursor = len(b.tips) - 1
		return b.compare(st), false
	case "enter":
		return app.GotoNode(st, at.node.ID), false
	case "n":
		return openNaming(st, at.node.ID, ""), false
	case "r", "D":
		switch {
		case len(at.names) == 0:
			return app.Say(app.LevelInfo, fmt.Sprintf("#%d has no name: n gives it one", at.node.ID)), false
		case key == "r":
			return openRenaming(st, at.node.ID, at.names), false
		}
		return openUnnaming(st, at.node.ID, at.names), false
	case "c":
		if b.with == at.node.ID {
			b.with = 0
		} else {
			b.with = at.node.ID
		}
		return b.compare(st), false
	}
	return nil, false
}
