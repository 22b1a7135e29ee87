package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// tokens is the first screen: all tokens on the left, one of them on the right.
type tokens struct {
	box    widget.Box
	table  *widget.Table
	detail tokenDetail
	// rows reads the store in the order of ids; of narrows to an owner.
	of cw721.Address
}

func newTokens() *tokens {
	t := &tokens{table: widget.NewTable(
		widget.Column{Title: "TOKEN", Width: 8, Flex: 3},
		widget.Column{Title: "OWNER", Width: 8, Flex: 2},
		widget.Column{Title: "GRANTS", Width: 6, Drop: 2},
		widget.Column{Title: "ENDS NEXT", Width: 10, Flex: 3, Drop: 1},
	)}
	t.table.Empty = "no tokens yet: m mints one"
	return t
}

func (t *tokens) Name() string { return "Tokens" }

func (t *tokens) Typing() bool { return false }

// wide tells whether list and detail stand side by side.
func (t *tokens) wide() bool { return t.box.W >= 80 }

func (t *tokens) Resize(b widget.Box) {
	t.box = b
	list, detail := t.split()
	t.table.Resize(list)
	t.detail.box = detail
}

// split shares the box: side by side, or the detail below the list.
func (t *tokens) split() (list, detail widget.Box) {
	if t.wide() {
		left, rest := t.box.SplitLeft(t.box.W * 45 / 100)
		return left, widget.Box{W: max(rest.W-2, 0), H: rest.H}
	}
	top, rest := t.box.SplitTop(max(t.box.H/2, 3))
	return top, widget.Box{W: rest.W, H: max(rest.H-1, 0)}
}

func (t *tokens) Refresh(d *Desk) tea.Cmd {
	t.table.Reload()
	return tea.Batch(t.want(d), t.look(d))
}

// tokenPageMsg and tokenMsg bring what was read.
type (
	tokenPageMsg struct {
		page     widget.Page
		seq      int
		revision uint64
		err      error
	}
)

// want asks the store for the rows that the table needs next.
func (t *tokens) want(d *Desk) tea.Cmd {
	req, ok := t.table.Want()
	if !ok {
		return nil
	}
	engine, of, look := d.Engine, t.of, rowLook{d.Names, d.HideEnded, d.Times}
	return func() tea.Msg {
		msg := tokenPageMsg{seq: req.Seq}
		msg.err = engine.View(func(v *chain.View) (err error) {
			msg.revision = v.Revision
			msg.page, err = widget.Load(req, func(s widget.Scan) ([]widget.Row, error) {
				return readTokens(v, of, look, s)
			})
			if total, err := tokenTotal(v, of); err == nil {
				msg.page.Total = total
			}
			return err
		})
		return msg
	}
}

func tokenTotal(v *chain.View, of cw721.Address) (int, error) {
	if of != "" {
		return v.Holdings(of)
	}
	c, err := v.Collection()
	return int(c.Tokens), err
}

func readTokens(v *chain.View, of cw721.Address, look rowLook, s widget.Scan) ([]widget.Row, error) {
	walk := cw721.Walk{Reverse: s.Back}
	if s.Bound && s.Inclusive {
		walk.From = &s.From
	} else if s.Bound {
		walk.After = &s.From
	}
	rows := make([]widget.Row, 0, s.N)
	for token, err := range v.Tokens(of, walk) {
		if err != nil {
			return nil, err
		}
		if rows = append(rows, look.row(v, token)); len(rows) == s.N {
			break
		}
	}
	return rows, nil
}

// rowLook is what a row needs of the desk, captured for a command.
type rowLook struct {
	names     map[cw721.Address]string
	hideEnded bool
	times     TimeForm
}

func (l rowLook) call(a cw721.Address) string {
	if name, ok := l.names[a]; ok {
		return name
	}
	return widget.Middle(string(a), addressWidth)
}

// grantsShown is how many grants a row draws as signs.
const grantsShown = 5

func (l rowLook) row(v *chain.View, t chain.Token) widget.Row {
	block := v.Clock.Block()
	var signs, ends widget.Line
	var next, last *cw721.Approval
	for i, a := range t.Approvals {
		over := a.Expires.Expired(block)
		if over && l.hideEnded {
			continue
		}
		sign, role := themes.GlyphLive, themes.Live
		if over {
			sign, role = themes.GlyphEnded, themes.Ended
		}
		if i < grantsShown {
			signs = signs.And(role, sign)
		} else if i == grantsShown {
			signs = signs.And(themes.Muted, "+")
		}
		if over {
			last = &t.Approvals[i]
		} else if a.Expires.Axis != cw721.Never && (next == nil || sooner(v.Clock, a.Expires, next.Expires)) {
			next = &t.Approvals[i]
		}
	}
	form := Desk{Facts: Facts{Clock: v.Clock}, Times: l.times}
	switch {
	case next != nil:
		ends = widget.Plain(l.call(next.Spender) + " " + form.When(next.Expires))
	case last != nil:
		ends = widget.In(themes.Ended, l.call(last.Spender)+" "+form.When(last.Expires))
	}
	if len(signs) == 0 {
		signs = widget.In(themes.Faint, themes.GlyphDot)
	}
	return widget.Row{Key: t.ID, Cells: []widget.Line{widget.Plain(t.ID), widget.Plain(l.call(t.Owner)), signs, ends}}
}

// sooner tells which of two ends comes first, heights by their estimated time.
func sooner(c chain.Clock, a, b cw721.Expiration) bool {
	at := func(e cw721.Expiration) cw721.Time {
		if e.Axis == cw721.AtHeight {
			return c.At(cw721.Height(e.Value))
		}
		return cw721.Time(e.Value)
	}
	return at(a) < at(b)
}

func (t *tokens) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tokenPageMsg:
		if msg.err != nil {
			t.table.Fail(msg.seq, msg.err.Error())
			return nil
		}
		t.table.Set(msg.page)
		return tea.Batch(t.want(d), t.look(d))
	case tokenDetailMsg:
		t.detail.take(msg)
		return nil
	case tea.KeyMsg, tea.MouseMsg:
		if click, ok := msg.(tea.MouseMsg); ok && click.Action == tea.MouseActionPress && click.Button == tea.MouseButtonLeft {
			list, _ := t.split()
			if click.X < list.W && click.Y < list.H && t.table.Click(click.Y) {
				return tea.Batch(t.want(d), t.look(d))
			}
			return nil
		}
		if t.table.Update(msg) {
			return tea.Batch(t.want(d), t.look(d))
		}
	}
	return nil
}

// look reads the token under the cursor for the detail.
func (t *tokens) look(d *Desk) tea.Cmd {
	row, ok := t.table.Cursor()
	if !ok {
		t.detail.clear()
		return nil
	}
	return t.detail.load(d, row.Key)
}

func (t *tokens) View(d *Desk) string {
	list, _ := t.split()
	th := d.Theme
	if t.wide() {
		side := widget.Fill(verticalRule(d, list.H), widget.Box{W: 2, H: list.H})
		return widget.JoinH(t.table.View(th), side, t.detail.view(d))
	}
	return widget.JoinV(t.table.View(th), horizontalRule(d, t.box.W), t.detail.view(d))
}

// Commands are those on the token under the cursor.
func (t *tokens) Commands(d *Desk) []Command {
	_, some := t.table.Cursor()
	on := func(open func(*Desk, chain.Token) tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			token, ok := t.detail.shown()
			if !ok {
				return nil
			}
			return open(d, token)
		}
	}
	cmds := []Command{}
	if some {
		cmds = []Command{
			{bind("t", "transfer", "t"), "Transfer this token", groupHere, on(func(d *Desk, x chain.Token) tea.Cmd { return transferForm(d, x.ID) })},
			{bind("p", "approve", "p"), "Approve a spender for this token", groupHere, on(func(d *Desk, x chain.Token) tea.Cmd { return approveForm(d, x.ID) })},
			{bind("r", "revoke", "r"), "Revoke an approval of this token", groupHere, on(func(d *Desk, x chain.Token) tea.Cmd { return revokeForm(d, x.ID, x.Approvals) })},
			{bind("d", "deliver", "d"), "Deliver this token to a contract", groupHere, on(func(d *Desk, x chain.Token) tea.Cmd { return sendForm(d, x.ID) })},
			{bind("b", "burn", "b"), "Burn this token", groupHere, on(func(d *Desk, x chain.Token) tea.Cmd { return burnForm(d, x.ID) })},
		}
	}
	cmds = append(cmds, Command{bind("m", "mint", "m"), "Mint a token", groupHere, func() tea.Cmd { return mintForm(d) }})
	return append(cmds, listed(groupMove, t.table.Keys.Bindings()...)...)
}
