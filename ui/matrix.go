package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// matrix shows who may transfer, burn and approve which token, now and at
// another moment, and what differs between the two.
type matrix struct {
	box    widget.Box
	table  *widget.Table
	at     cw721.Height // the other moment
	differ bool         // show what differs from now
	first  int          // the first account in view
	names  []chain.Account
}

// matrixMsg brings a page.
type matrixMsg struct {
	from *matrix
	seq  int
	at   cw721.Height
	page widget.Page
	err  error
}

// questions are what the matrix asks, each with its letter.
var questions = []struct{ action, letter string }{{"transfer", "T"}, {"burn", "B"}, {"approve", "A"}}

func openMatrix(d *Desk, s Subject) tea.Cmd {
	m := &matrix{at: d.Clock.Height, names: d.Accounts}
	m.table = widget.NewTable()
	m.table.Empty = "no tokens yet"
	if s.Token != nil {
		m.table.Goto(*s.Token, *s.Token)
	}
	return tea.Sequence(dialog(m), func() tea.Msg { return matrixMsg{from: m, seq: -1} })
}

const (
	matrixToken   = 10 // cells of a token's id and of its owner, at least
	matrixAccount = 7  // cells of an account
)

func (m *matrix) Resize(b widget.Box) {
	m.box = b
	m.columns()
}

// shown is how many accounts fit.
func (m *matrix) shown() int {
	room := widget.FrameInner(m.box).W - 2 - matrixToken
	if m.owners() {
		room -= matrixToken + 2
	}
	return max(1, room/(matrixAccount+2))
}

// owners tells that there is room for a column of owners.
func (m *matrix) owners() bool { return widget.FrameInner(m.box).W >= 70 }

// columns are the accounts in view.
func (m *matrix) columns() {
	inner := widget.FrameInner(m.box)
	m.first = max(0, min(m.first, len(m.names)-m.shown()))
	cols := []widget.Column{{Title: "TOKEN", Width: matrixToken, Flex: 1}}
	if m.owners() {
		cols = append(cols, widget.Column{Title: "OWNER", Width: matrixToken})
	}
	for _, a := range m.names[m.first:min(m.first+m.shown(), len(m.names))] {
		cols = append(cols, widget.Column{Title: widget.Safe(a.Name), Width: matrixAccount})
	}
	m.table.SetColumns(cols...)
	m.table.Resize(widget.Box{W: inner.W, H: max(inner.H-4, 1)})
}

// want asks for the rows that the table needs next.
func (m *matrix) want(d *Desk) tea.Cmd {
	req, ok := m.table.Want()
	if !ok {
		return nil
	}
	engine, at, differ, words, owners := d.Engine, m.at, m.differ, d.words(), m.owners()
	accounts := m.names[m.first:min(m.first+m.shown(), len(m.names))]
	return func() tea.Msg {
		msg := matrixMsg{from: m, seq: req.Seq, at: at}
		msg.err = lookAt(engine, at, func(v *chain.View, _ history.ID) (err error) {
			msg.page, err = widget.Load(req, func(s widget.Scan) ([]widget.Row, error) {
				return matrixRows(v, s, accounts, words, owners)
			})
			return err
		})
		if msg.err == nil && differ {
			msg.err = engine.View(func(v *chain.View) error { return compareRows(v, at, msg.page.Rows, accounts) })
		}
		return msg
	}
}

func (m *matrix) Commands(*Desk) []Command {
	return append(listed(groupHere,
		bind("← → h l", "one block back or on", "left", "right", "h", "l"), bind("H L", "ten blocks back or on", "H", "L"),
		bind("0", "back to now", "0"), bind("c", "what differs from now", "c"), bind("< >", "other accounts", "<", ">"),
		bind("w", "why, about the token", "w"), bind("esc", "close", "esc", "q")),
		listed(groupMove, m.table.Keys.Bindings()...)...)
}

func (m *matrix) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case matrixMsg:
		if msg.from != m {
			return nil, false
		}
		return m.take(d, msg), false
	case movedMsg, walkedMsg, executedMsg, changedMsg:
		return m.again(d), false
	case tea.MouseMsg:
		m.table.Update(msg)
		return m.want(d), false
	case tea.KeyMsg:
		return m.key(d, msg)
	}
	return nil, false
}

func (m *matrix) take(d *Desk, msg matrixMsg) tea.Cmd {
	switch {
	case msg.seq < 0:
		m.columns() // the box is known now
	case msg.err != nil:
		m.table.Fail(msg.seq, msg.err.Error())
	default:
		m.table.Set(msg.page)
	}
	return m.want(d)
}

func (m *matrix) again(d *Desk) tea.Cmd {
	m.table.Reload()
	return m.want(d)
}

func (m *matrix) key(d *Desk, msg tea.KeyMsg) (tea.Cmd, bool) {
	back := func(n cw721.Height) cw721.Height { return m.at - min(m.at, n) }
	on := func(n cw721.Height) cw721.Height { return max(m.at, m.at+n) }
	switch msg.String() {
	case "esc", "q":
		return nil, true
	case "left", "h":
		m.at = back(1)
	case "right", "l":
		m.at = on(1)
	case "H", "shift+left":
		m.at = back(10)
	case "L", "shift+right":
		m.at = on(10)
	case "0":
		m.at = d.Clock.Height
	case "c":
		m.differ = !m.differ
	case "<":
		m.first -= m.shown()
		m.columns()
	case ">":
		m.first += m.shown()
		m.columns()
	case "w":
		if row, ok := m.table.Cursor(); ok {
			return openWhy(d, Subject{Token: &row.Key}), false
		}
		return nil, false
	default:
		m.table.Update(msg)
		return m.want(d), false
	}
	return m.again(d), false
}

func (m *matrix) View(d *Desk) string {
	th, w := d.Theme, widget.FrameInner(m.box).W
	head := widget.In(themes.Strong, " height "+chain.Thousands(uint64(m.at)))
	switch {
	case m.at > d.Clock.Height:
		head = head.And(themes.Muted, " in "+chain.Blocks(uint64(m.at-d.Clock.Height)))
	case m.at < d.Clock.Height:
		head = head.And(themes.Warn, " "+chain.Blocks(uint64(d.Clock.Height-m.at))+" ago")
	default:
		head = head.And(themes.Accent, " now")
	}
	legend := widget.In(themes.Muted, " T transfer  B burn  A approve   ").And(themes.Strong, "= ").And(themes.Muted, "owner  ").
		And(themes.Live, "a ").And(themes.Muted, "approved  ").And(themes.Accent, "o ").And(themes.Muted, "operator")
	if m.differ {
		head = head.And(themes.Muted, "  compared with now")
		order := " then " + themes.GlyphArrow + " now   "
		if m.at > d.Clock.Height {
			order = " now " + themes.GlyphArrow + " then   "
		}
		legend = widget.In(themes.Muted, order).And(themes.Faint, "= ").And(themes.Muted, "the same   ").
			And(themes.Good, "a right gained").And(themes.Muted, "   ").And(themes.Bad, "a right lost")
	}
	accounts := fmt.Sprintf("accounts %d–%d of %d ", m.first+1, min(m.first+m.shown(), len(m.names)), len(m.names))
	hint := widget.In(themes.Key, " ← →").And(themes.Muted, " block  ").And(themes.Key, "c").And(themes.Muted, " compare  ").
		And(themes.Key, "0").And(themes.Muted, " now  ").And(themes.Key, "< >").And(themes.Muted, " accounts  ").
		And(themes.Key, "w").And(themes.Muted, " why  ").And(themes.Key, "esc").And(themes.Muted, " closes")
	body := widget.JoinV(
		widget.Ends(head.Render(th), th.Render(themes.Muted, m.table.Position()+"  "+accounts), w),
		legend.Fit(th, w), m.table.View(th), ruleAcross(d, w, false), hint.Fit(th, w))
	return widget.Frame(th, "Access matrix", body, true, m.box)
}
