package inspect

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// matrix shows who may transfer, burn and approve which token in a moment, and
// what differs between any two moments.
type matrix struct {
	box     widget.Box
	table   *widget.Table
	moments [2]pick // A and B
	active  int     // which of them the keys move
	compare bool
	names   []chain.Account
	letters []string // those that there are under its rules
	account int      // the one under the cursor
	first   int      // the first one in view
	asked   int      // the latest request of the table
}

// pick is a moment as it was chosen, and what that came to when it was read.
type pick struct {
	text string
	at   chain.Moment
}

// matrixMsg brings a page, with the moments as they were read; momentMsg brings
// another moment to one of the two.
type (
	matrixMsg struct {
		seq   int
		picks []string
		at    []chain.Moment
		page  widget.Page
		err   error
	}
	momentMsg struct {
		index int
		pick  pick
		err   error
	}
)

// OpenMatrix opens the matrix of who may do what with which token, at the token of s.
func OpenMatrix(st *app.State, s app.Subject) tea.Cmd {
	now := pick{"now", chain.Moment{Block: st.Block()}}
	m := &matrix{moments: [2]pick{now, now}, active: 1, names: st.Accounts, letters: letters[:3]}
	if st.Config.Rules.HasAdditionalMinters() {
		m.letters = letters
	}
	m.account = max(0, slices.IndexFunc(m.names, func(a chain.Account) bool { return a.Address == st.Actor }))
	m.table = widget.NewTable()
	m.table.Empty = "no tokens yet"
	if s.Token != nil {
		m.table.Goto(*s.Token, *s.Token)
	}
	return app.OpenDialogThen(m, st.Ask(m, func(app.Engine) tea.Msg { return app.ShownMsg{} }))
}

const matrixTokenCells = 10 // of a token's id and of its owner, at least

// accountCells is how wide the column of an account is: for "TBA→TB·".
func (m *matrix) accountCells() int { return 2*len(m.letters) + 1 }

func (m *matrix) Resize(b widget.Box) {
	m.box = b
	m.columns()
}

// shown is how many accounts fit.
func (m *matrix) shown() int {
	room := widget.FrameInner(m.box).W - 2 - matrixTokenCells
	if m.owners() {
		room -= matrixTokenCells + 2
	}
	return max(1, room/(m.accountCells()+2))
}

// owners tells that there is room for a column of owners.
func (m *matrix) owners() bool { return widget.FrameInner(m.box).W >= 70 }

// columns are the accounts in view, the one under the cursor among them.
func (m *matrix) columns() {
	inner := widget.FrameInner(m.box)
	m.first = max(0, m.account-m.shown()+1, min(m.first, m.account, len(m.names)-m.shown()))
	cols := []widget.Column{{Title: "TOKEN", Width: matrixTokenCells, Flex: 1}}
	if m.owners() {
		cols = append(cols, widget.Column{Title: "OWNER", Width: matrixTokenCells})
	}
	for i, a := range m.inView() {
		cols = append(cols, widget.Column{Title: widget.Safe(a.Name), Width: m.accountCells(), Here: m.first+i == m.account})
	}
	m.table.SetColumns(cols...)
	m.table.Resize(widget.Box{W: inner.W, H: max(inner.H-m.above()-m.below(), 1)})
}

func (m *matrix) inView() []chain.Account {
	return m.names[m.first:min(m.first+m.shown(), len(m.names))]
}

// order gives the moments in view: the one that is looked at, or both, the
// earlier one first.
func (m *matrix) order() []int {
	if !m.compare {
		return []int{m.active}
	}
	a, b := m.moments[0].at.Block, m.moments[1].at.Block
	if b.Height < a.Height || b.Height == a.Height && b.Time < a.Time {
		return []int{1, 0}
	}
	return []int{0, 1}
}

// want asks for the rows that the table needs next.
func (m *matrix) want(st *app.State) tea.Cmd {
	req, ok := m.table.Want()
	if !ok {
		return nil
	}
	m.asked = req.Seq
	reader := matrixReader{accounts: m.inView(), words: st.Words(), owners: m.owners(), letters: m.letters}
	for _, i := range m.order() {
		reader.picks = append(reader.picks, m.moments[i].text)
	}
	return st.Ask(m, func(e app.Engine) tea.Msg {
		reader.engine = e
		msg := matrixMsg{seq: req.Seq, picks: reader.picks}
		if msg.at, msg.err = reader.resolve(); msg.err == nil {
			msg.page, msg.err = widget.Load(req, func(s widget.Scan) ([]widget.Row, error) { return reader.rows(msg.at, s) })
		}
		return msg
	})
}

// Whole says that it takes the whole terminal.
func (m *matrix) FullScreen() {}

func (m *matrix) Commands(st *app.State) []app.Command {
	blocks := func(n cw721.Height) func(int) tea.Cmd {
		return func(way int) tea.Cmd { return m.move(st, way < 0, n) }
	}
	others := func(way int) tea.Cmd {
		return m.toAccount(st, m.account+way*m.shown(), m.first+way*m.shown())
	}
	other := func(compare bool, active int) tea.Cmd {
		m.compare, m.active = compare, active
		m.columns()
		return m.again(st)
	}
	return slices.Concat(
		app.Pair("← → h l", "block", blocks(1), -1, "left h", "right l"),
		app.Pair("H L", "ten blocks", blocks(10), -1, "H shift+left", "L shift+right"),
		app.Pair("e E", "next, or before it", func(way int) tea.Cmd { return m.toEnd(st, way < 0) }, +1, "e", "E"),
		[]app.Command{
			app.Key("0", "now", func() tea.Cmd { return m.set(st, pick{"now", chain.Moment{Block: st.Block()}}) }, "0"),
			app.Key("m enter", "moment", func() tea.Cmd { return openMoments(st, m) }, "m", "enter"),
			app.Key("c", "compare", func() tea.Cmd { return other(!m.compare, m.active) }, "c"),
			app.Key("tab", "the other moment", func() tea.Cmd { return other(true, 1-m.active) }, "tab", "shift+tab"),
		},
		app.Pair("< >", "account", func(way int) tea.Cmd { return m.toAccount(st, m.account+way, m.first) }, -1, "<", ">"),
		app.Pair("{ }", "other accounts", others, -1, "{", "}"),
		[]app.Command{app.Key("w", "why", func() tea.Cmd { return m.explain(st) }, "w"), app.Close},
		app.Listed(app.GroupMove, m.table.Keys.Bindings()...))
}

func (m *matrix) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case app.ShownMsg:
		m.columns() // the box is known now
		return m.want(st), false
	case matrixMsg:
		return m.applyRead(st, msg), false
	case momentMsg:
		if msg.err != nil {
			return app.Notify(app.LevelInfo, msg.err.Error()), false
		}
		m.moments[msg.index] = msg.pick
		return m.again(st), false
	case app.MovedMsg, app.WalkedMsg, app.ExecutedMsg, app.ChangedMsg:
		return m.again(st), false
	case tea.MouseMsg:
		if widget.Clicked(msg) && m.table.Click(msg.Y-m.above()) {
			return m.toAccount(st, m.accountAt(msg.X), m.first), false
		}
		m.table.Update(msg)
		return m.want(st), false
	case tea.KeyMsg:
		if cmd, done, ok := app.Press(m.Commands(st), msg); ok {
			return cmd, done
		}
		m.table.Update(msg)
		return m.want(st), false
	}
	return nil, false
}

func (m *matrix) applyRead(st *app.State, msg matrixMsg) tea.Cmd {
	order := m.order()
	for n, at := range msg.at {
		if n < len(order) && m.moments[order[n]].text == msg.picks[n] {
			m.moments[order[n]].at = at
		}
	}
	if msg.err != nil {
		if msg.seq == m.asked {
			m.table.Fail(msg.err.Error())
		}
		return m.want(st)
	}
	m.table.Set(msg.page)
	if now := m.order(); len(now) == 2 && now[0] != order[0] {
		return m.again(st) // the moments turned out the other way round
	}
	return m.want(st)
}

func (m *matrix) again(st *app.State) tea.Cmd {
	m.table.Reload()
	return m.want(st)
}

// move takes the moment that the keys are for by blocks.
func (m *matrix) move(st *app.State, back bool, blocks cw721.Height) tea.Cmd {
	h := m.moments[m.active].at.Block.Height
	if back {
		h -= min(h, blocks)
	} else {
		h = max(h, h+blocks)
	}
	return m.set(st, pick{fmt.Sprintf("h%d", h), chain.Moment{Block: cw721.Block{Height: h}}})
}

func (m *matrix) set(st *app.State, p pick) tea.Cmd {
	m.moments[m.active] = p
	return m.again(st)
}

// toEnd goes to the next expiry, or says that there is none.
func (m *matrix) toEnd(st *app.State, before bool) tea.Cmd {
	text := "next"
	if before {
		text = "before-next"
	}
	at := m.active
	return st.Ask(m, func(e app.Engine) tea.Msg {
		p, err := findMoment(e, text)
		return momentMsg{at, p, err}
	})
}

// findMoment reads what a text means as a moment.
func findMoment(e app.Engine, text string) (pick, error) {
	at, err := chain.Read(e, func(v *chain.View) (chain.Moment, error) { return v.ParseMoment(text) })
	return pick{text: text, at: at}, err
}
