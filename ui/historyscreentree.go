package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/themes"
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
}

// tip is the last node of a branch.
type tip struct {
	node   history.Node
	where  standing
	off    history.ID // where it left the way to the head
	steps  int
	far    bool
	names  []string
	onward history.Node // the first node of its own
}

type (
	tipsMsg struct {
		from *branches
		tips []tip
		more bool
		err  error
	}
	comparedMsg struct {
		from  *branches
		seq   int
		lines []widget.Line
	}
)

func openBranches(d *Desk) tea.Cmd {
	b := &branches{}
	return tea.Sequence(dialog(b), b.load(d))
}

func (b *branches) load(d *Desk) tea.Cmd {
	engine := d.Engine
	return func() tea.Msg {
		msg := tipsMsg{from: b}
		msg.err = engine.View(func(v *chain.View) (err error) {
			msg.tips, msg.more, err = readTips(v)
			return err
		})
		return msg
	}
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
	default:
		t.where = aside
	}
	return nil
}

// compare reads in words what is different at the tip under the cursor.
func (b *branches) compare(d *Desk) tea.Cmd {
	b.seq++
	b.diff = nil
	if b.cursor >= len(b.tips) {
		return nil
	}
	engine, seq, with, to, call := d.Engine, b.seq, b.with, b.tips[b.cursor].node.ID, d.words().call
	return func() tea.Msg {
		msg := comparedMsg{from: b, seq: seq}
		err := engine.View(func(v *chain.View) error {
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
			for _, text := range chain.Describe(changes, call) {
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
	}
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
		if _, after, ok := clocksOf(n); ok && n.Kind == history.KindClock {
			blocks[i] = after
		}
	}
	a, b := blocks[0], blocks[1]
	if a.Height == b.Height && a.Time == b.Time {
		return "", nil
	}
	return fmt.Sprintf("height %s → %s, %s → %s UTC", chain.Thousands(uint64(a.Height)), chain.Thousands(uint64(b.Height)), secondsOf(a.Time), secondsOf(b.Time)), nil
}

func (b *branches) Resize(box widget.Box) { b.box = box }

func (b *branches) Commands(*Desk) []Command {
	return listed(groupHere,
		bind("j ↓", "the branch below", "j", "down"), bind("k ↑", "the branch above", "k", "up"),
		bind("enter", "enter the branch", "enter"), bind("n", "name it", "n"),
		bind("c", "compare with this one from now on", "c"), bind("esc", "close", "esc", "q", "v"))
}

func (b *branches) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case tipsMsg:
		if msg.from != b {
			return nil, false
		}
		b.tips, b.more, b.read = msg.tips, msg.more, true
		if msg.err != nil {
			b.fault = msg.err.Error()
		}
		b.cursor = min(b.cursor, max(len(b.tips)-1, 0))
		return b.compare(d), false
	case comparedMsg:
		if msg.from == b && msg.seq == b.seq {
			b.diff = msg.lines
		}
	case executedMsg, movedMsg, walkedMsg, changedMsg:
		return b.load(d), false
	case tea.KeyMsg:
		return b.key(d, msg.String())
	}
	return nil, false
}

func (b *branches) key(d *Desk, key string) (tea.Cmd, bool) {
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
		return b.compare(d), false
	case "k", "up":
		b.cursor = max(b.cursor-1, 0)
		return b.compare(d), false
	case "g", "home":
		b.cursor = 0
		return b.compare(d), false
	case "G", "end":
		b.cursor = len(b.tips) - 1
		return b.compare(d), false
	case "enter":
		return gotoNode(d, at.node.ID), false
	case "n":
		return openNaming(d, at.node.ID), false
	case "c":
		if b.with == at.node.ID {
			b.with = 0
		} else {
			b.with = at.node.ID
		}
		return b.compare(d), false
	}
	return nil, false
}

const branchesWidth = 108

func (b *branches) View(d *Desk) string {
	box := widget.Box{W: min(b.box.W, branchesWidth), H: b.box.H}
	inner := widget.FrameInner(box)
	var lines []widget.Line
	switch {
	case b.fault != "":
		lines = append(lines, widget.In(themes.Bad, themes.GlyphNo+" "+b.fault))
	case !b.read:
		lines = append(lines, widget.In(themes.Muted, "reading"+themes.GlyphEllipsis))
	default:
		h := max(1, (inner.H-4)/2)
		lines = append(b.list(d, h), widget.Plain(""))
		lines = append(lines, b.comparison(d)...)
	}
	hint := widget.In(themes.Key, "enter").And(themes.Muted, " enters  ").And(themes.Key, "n").And(themes.Muted, " names  ").
		And(themes.Key, "c").And(themes.Muted, " compares with it  ").And(themes.Key, "esc").And(themes.Muted, " closes")
	body := make([]string, 0, len(lines)+2)
	for _, l := range lines {
		for _, part := range widget.WrapLine(l, max(inner.W-2, 2)) {
			body = append(body, " "+part.Fit(d.Theme, max(inner.W-1, 0)))
		}
	}
	body = append(body[:min(len(body), max(inner.H-2, 0))], "", " "+hint.Fit(d.Theme, max(inner.W-1, 0)))
	box.H = min(box.H, len(body)+box.H-inner.H)
	return widget.Frame(d.Theme, "Branches", strings.Join(body, "\n"), true, box)
}

func (b *branches) list(d *Desk, h int) []widget.Line {
	var lines []widget.Line
	top := max(0, min(b.cursor-h/2, len(b.tips)-h))
	for i := top; i < min(top+h, len(b.tips)); i++ {
		pointer, role := "  ", themes.Text
		if i == b.cursor {
			pointer, role = themes.GlyphPointer+" ", themes.Strong
		}
		t := b.tips[i]
		mark, _ := t.where.look()
		l := append(widget.In(themes.Accent, pointer), mark...)
		l = l.And(themes.Muted, fmt.Sprintf(" #%-5d", t.node.ID)).And(role, d.words().node(t.node))
		for _, name := range t.names {
			l = l.And(themes.Accent, " ["+name+"]")
		}
		if t.node.ID == b.with {
			l = l.And(themes.Warn, "  compared with")
		}
		lines = append(lines, l.And(themes.Muted, "  "+t.about(d)))
	}
	if b.more {
		lines = append(lines, widget.In(themes.Faint, fmt.Sprintf("only the youngest %d branches are shown", tipsShown)))
	}
	return lines
}

// about tells how a branch hangs together with the way to the head.
func (t tip) about(d *Desk) string {
	switch {
	case t.where == atHead:
		return "the chain stands here"
	case t.far:
		return fmt.Sprintf("more than %d steps of its own", stepsCounted)
	case t.where == ahead:
		return fmt.Sprintf("%d ahead: redo goes there", t.steps)
	}
	return fmt.Sprintf("%d of its own, off #%d with %s", t.steps, t.off, d.words().node(t.onward))
}

// comparison heads the differences.
func (b *branches) comparison(d *Desk) []widget.Line {
	if len(b.tips) == 0 {
		return nil
	}
	from := "where the chain stands"
	if b.with != 0 {
		from = fmt.Sprintf("#%d", b.with)
	}
	head := widget.In(themes.Header, fmt.Sprintf("From %s to #%d", from, b.tips[b.cursor].node.ID))
	if b.diff == nil {
		return []widget.Line{head, widget.In(themes.Muted, "  comparing"+themes.GlyphEllipsis)}
	}
	return append([]widget.Line{head}, b.diff...)
}
