package ui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// probe sends one message right before an end, at it and right after it, on
// throw-away copies of the chain.
type probe struct {
	subject Subject
	box     widget.Box
	rights  []right
	read    bool
	cursor  int // in rights
	try     int // in the tries of the right under the cursor
	seq     int
	rows    []chain.Probed
	fault   string
}

// rightsMsg brings what can be probed, probedMsg what came of it.
type (
	rightsMsg struct {
		from   *probe
		rights []right
		err    error
	}
	probedMsg struct {
		from *probe
		seq  int
		rows []chain.Probed
		err  error
	}
)

func openProbe(d *Desk, s Subject) tea.Cmd {
	p := &probe{subject: s}
	return tea.Sequence(dialog(p), p.load(d))
}

func (p *probe) load(d *Desk) tea.Cmd {
	engine, subject := d.Engine, p.subject
	return func() tea.Msg {
		msg := rightsMsg{from: p}
		msg.err = engine.View(func(v *chain.View) (err error) {
			msg.rights, err = rightsOf(v, subject)
			return err
		})
		return msg
	}
}

func (p *probe) current() (right, bool) {
	if p.cursor >= len(p.rights) {
		return right{}, false
	}
	return p.rights[p.cursor], true
}

// run sends the message around the end.
func (p *probe) run(d *Desk) tea.Cmd {
	p.seq++
	p.rows, p.fault = nil, ""
	r, ok := p.current()
	if !ok {
		return nil
	}
	p.try = min(p.try, max(len(r.tries)-1, 0))
	if r.grant.Expires.Axis == cw721.Never {
		p.fault = "this right never ends, so there is no boundary to probe"
		return nil
	}
	if len(r.tries) == 0 {
		p.fault = fmt.Sprintf("%s owns no token now that this right could be tried on", d.Call(r.grant.Owner))
		return nil
	}
	engine, seq, sender, msg, end := d.Engine, p.seq, r.grant.Spender, r.tries[p.try].msg, r.grant.Expires
	return func() tea.Msg {
		rows, _, err := engine.Probe(sender, msg, &end)
		return probedMsg{p, seq, rows, err}
	}
}

func (p *probe) Resize(b widget.Box) { p.box = b }

var probeKeys = struct{ up, down, left, right, jump, close Command }{
	up:    Command{Binding: bind("k ↑", "the right above", "k", "up"), Group: groupHere},
	down:  Command{Binding: bind("j ↓", "the right below", "j", "down"), Group: groupHere},
	left:  Command{Binding: bind("h ←", "another message", "h", "left"), Group: groupHere},
	right: Command{Binding: bind("l →", "another message", "l", "right"), Group: groupHere},
	jump:  Command{Binding: bind("enter", "clock to just before the end", "enter"), Group: groupHere},
	close: Command{Binding: bind("esc", "close", "esc", "q", "B"), Group: groupHere},
}

func (p *probe) Commands(*Desk) []Command {
	k := probeKeys
	return []Command{k.down, k.up, k.left, k.right, k.jump, k.close}
}

func (p *probe) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case rightsMsg:
		if msg.from == p {
			return p.take(d, msg), false
		}
	case probedMsg:
		if msg.from == p && msg.seq == p.seq {
			p.rows = msg.rows
			if msg.err != nil {
				p.fault = msg.err.Error()
			}
		}
	case executedMsg, movedMsg, walkedMsg, changedMsg:
		return p.load(d), false
	case tea.KeyMsg:
		return p.key(d, msg)
	}
	return nil, false
}

func (p *probe) take(d *Desk, msg rightsMsg) tea.Cmd {
	p.rights, p.read = msg.rights, true
	p.cursor = min(p.cursor, max(len(p.rights)-1, 0))
	if msg.err != nil {
		p.fault = msg.err.Error()
		return nil
	}
	return p.run(d)
}

func (p *probe) key(d *Desk, msg tea.KeyMsg) (tea.Cmd, bool) {
	r, some := p.current()
	n := len(p.rights)
	move := func(right, try int) (tea.Cmd, bool) {
		p.cursor, p.try = right, try
		return p.run(d), false
	}
	switch s := msg.String(); {
	case s == "esc" || s == "q" || s == "B":
		return nil, true
	case !some:
	case s == "j" || s == "down":
		return move((p.cursor+1)%n, p.try)
	case s == "k" || s == "up":
		return move((p.cursor+n-1)%n, p.try)
	case (s == "l" || s == "right" || s == "tab") && len(r.tries) > 0:
		return move(p.cursor, (p.try+1)%len(r.tries))
	case (s == "h" || s == "left" || s == "shift+tab") && len(r.tries) > 0:
		return move(p.cursor, (p.try+len(r.tries)-1)%len(r.tries))
	case s == "enter":
		return p.jump(d, r), false
	}
	return nil, false
}

// jump moves the clock to just before the end.
func (p *probe) jump(d *Desk, r right) tea.Cmd {
	before := r.grant.Expires
	if now, end, ends := before.Compare(d.Block()); !ends || end <= now+1 {
		return say(levelInfo, "the end is not ahead of the clock; u goes back")
	}
	before.Value--
	return advance(d, stepToward(before, d.Clock), 0)
}

const probeWidth = 92

func (p *probe) View(d *Desk) string {
	box := widget.Box{W: min(p.box.W, probeWidth), H: p.box.H}
	inner := widget.FrameInner(box)
	below := p.below(d, max(inner.W-2, 2))
	list := p.list(d, max(1, min(8, inner.H-len(below)-1)))
	lines := append(append(list, widget.Plain("")), below...)
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = " " + l.Fit(d.Theme, max(inner.W-1, 0))
	}
	box.H = min(box.H, len(lines)+box.H-inner.H)
	return widget.Frame(d.Theme, "Boundary probe", strings.Join(out, "\n"), true, box)
}

// list shows the rights around the cursor.
func (p *probe) list(d *Desk, h int) []widget.Line {
	switch {
	case !p.read:
		return []widget.Line{widget.In(themes.Muted, "reading"+themes.GlyphEllipsis)}
	case len(p.rights) == 0:
		return []widget.Line{widget.In(themes.Muted, "nobody was given a right here that could end")}
	}
	var lines []widget.Line
	top := max(0, min(p.cursor-h/2, len(p.rights)-h))
	for i := top; i < min(top+h, len(p.rights)); i++ {
		g := p.rights[i].grant
		sign, role := themes.GlyphLive+" ", themes.Live
		if g.Expires.Expired(d.Block()) {
			sign, role = themes.GlyphEnded+" ", themes.Ended
		}
		pointer, text := "  ", themes.Text
		if i == p.cursor {
			pointer, text = themes.GlyphPointer+" ", themes.Strong
		}
		lines = append(lines, widget.In(themes.Accent, pointer).And(role, sign).
			And(text, widget.Fit(widget.Safe(p.rights[i].text(d)), 34)+" ").And(role, d.When(g.Expires)))
	}
	return lines
}

// below shows what was tried and what came of it.
func (p *probe) below(d *Desk, w int) []widget.Line {
	r, ok := p.current()
	if !ok {
		if p.fault != "" {
			return []widget.Line{widget.In(themes.Bad, themes.GlyphNo+" "+p.fault)}
		}
		return nil
	}
	tries := widget.In(themes.Muted, "as ").And(themes.Strong, d.Call(r.grant.Spender)).And(themes.Muted, "  ")
	for i, t := range r.tries {
		role := themes.Muted
		if i == p.try {
			role = themes.Selected
		}
		tries = tries.And(role, " "+t.name+" ").And(themes.Text, " ")
	}
	lines := []widget.Line{tries}
	if t := min(p.try, len(r.tries)-1); t >= 0 {
		lines = append(lines, widget.In(themes.Faint, string(r.tries[t].msg)))
	}
	lines = append(lines, widget.Plain(""))
	if p.fault != "" {
		return append(lines, widget.WrapLine(widget.In(themes.Warn, themes.GlyphInfo+" "+p.fault), w)...)
	}
	if len(p.rows) == 0 {
		return append(lines, widget.In(themes.Muted, "trying"+themes.GlyphEllipsis))
	}
	for _, row := range p.rows {
		lines = append(lines, widget.WrapLine(probedLine(d, r.grant.Expires.Axis, row), w)...)
		if row.By != "" {
			lines = append(lines, widget.WrapLine(widget.In(themes.Muted, "          "+row.By), w)...)
		}
	}
	closing := "An end is over at its very value. Nothing of this was kept."
	if chain.Steady(p.rows) {
		closing = "The answer is the same on both sides: another right carries on beyond this end. Nothing of this was kept."
	}
	lines = append(lines, widget.Plain(""))
	return append(lines, widget.WrapLine(widget.In(themes.Muted, closing), w)...)
}

// probedLine is one of the three moments.
func probedLine(d *Desk, axis cw721.Axis, row chain.Probed) widget.Line {
	name := map[int]string{-1: "end − 1", 0: "end", 1: "end + 1"}[row.Offset]
	at := fmt.Sprintf("height %s", chain.Thousands(uint64(row.Block.Height)))
	if axis == cw721.AtTime {
		at = fmt.Sprintf("%d ns", row.Block.Time)
		if d.Times != Exact {
			at = chain.UTC(row.Block.Time) + " UTC"
		}
	}
	l := widget.In(themes.Header, widget.Fit(name, 9)).And(themes.Text, widget.Fit(at, max(16, widget.Width(at)))+"  ")
	if r := row.Receipt.Refusal; r != nil {
		return append(l, verdict(false)...).And(themes.Text, r.Text)
	}
	return append(l, verdict(true)...).And(themes.Text, d.summary(row.Receipt))
}
