package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/ui/widget"
)

// tokens is the first screen: all tokens, and one of them whole.
type tokens struct {
	pair
	detail   tokenDetail
	search   search
	sortEnds bool // in the order in which approvals expire
}

func newTokens() *tokens {
	t := &tokens{pair: newPair(47), search: search{edit: widget.NewEdit()}}
	t.beside, t.detail.scroll = 80, t.scroll
	t.over, t.instead, t.name = t.line, t.problem, t.detail.head
	t.titles()
	return t
}

// titles names the columns and shows which of them orders the rows. In a narrow
// list the signs of the grants stand in front of what ends next, so that live
// and ended ones are told apart in every width.
func (t *tokens) titles() {
	list, _ := t.split()
	narrow := list.W < 52
	cols := []widget.Column{
		{Title: "TOKEN", Width: 11, Flex: 3, Hide: narrow, Ends: true},
		{Title: "OWNER", Width: 8, Flex: 2, Hide: narrow},
		{Title: "GRANTS", Width: 6, Hide: narrow},
		{Title: "ENDS NEXT", Width: 14, Flex: 4, Hide: narrow},
		{Title: "ENDS NEXT", Width: 17, Flex: 4, Hide: !narrow},
	}
	if narrow {
		cols[0] = widget.Column{Title: "TOKEN", Width: 9, Flex: 2, Ends: true}
		cols[1] = widget.Column{Title: "OWNER", Width: tailShown + 1}
	}
	if t.sortEnds || t.search.filter.byEnd() {
		cols[3].Sort, cols[4].Sort = +1, +1
	} else {
		cols[0].Sort = +1
	}
	t.table.SetColumns(cols...)
	t.table.Empty = "no tokens yet: m mints one"
	if t.search.applied != "" {
		t.table.Empty = "no token fits the filter: esc shows all"
	} else if t.sortEnds {
		t.table.Empty = "no approvals: s sorts by id again"
	}
}

// Kind is [KindTokens].
func (t *tokens) Kind() Kind { return KindTokens }

// Name is the word on the tab.
func (t *tokens) Name() string { return "Tokens" }

func (t *tokens) Typing() bool { return t.search.typing }

func (t *tokens) typingCommands(*Desk) []Command { return filterKeys }

func (t *tokens) Resize(b widget.Box) {
	if t.share = 47; b.W < 100 {
		t.share = 52
	}
	t.pair.Resize(b)
	t.titles()
}

func (t *tokens) Refresh(d *Desk) {
	t.stale()
	if t.search.scan != nil && t.list(d).seeks() { // the clock may have moved what fits
		t.rescan(d)
	}
}

// list is what is shown, captured for a command.
func (t *tokens) list(d *Desk) tokenList {
	return tokenList{filter: t.search.filter, byEnd: t.sortEnds, look: d.look()}
}

// tokensRead is what was read for the screen.
type tokensRead struct {
	loaded[*tokenFacts]
	batch *scanBatch // what a scan has found; nil where none goes on
}

// Needs reads rows and the token under the cursor, and goes on with a scan.
func (t *tokens) Needs(d *Desk) Read {
	list, look := t.list(d), d.look()
	rows := func(v *chain.View, f Facts, req widget.Request) (widget.Page, error) {
		list.look.Facts = f
		return list.page(v, req)
	}
	var req widget.Request
	var more bool
	if t.search.scan == nil {
		req, more = t.table.Want()
	} else if req, more = t.wanted(); more {
		found := t.search.scan.serve(req)
		rows = func(v *chain.View, f Facts, req widget.Request) (widget.Page, error) {
			look.Facts = f
			return found.page(v, req, look)
		}
	}
	shown := loadFor(&t.pair, req, more, rows, func(v *chain.View, f Facts, id string) (*tokenFacts, error) { return readToken(v, id, f.SeenBy) })
	batch := t.search.next()
	if shown == nil && batch == nil {
		return nil
	}
	return func(v *chain.View, f Facts) (tea.Msg, error) {
		var out tokensRead
		if shown != nil {
			msg, err := shown(v, f)
			if err != nil {
				return nil, err
			}
			out.loaded = msg.(loaded[*tokenFacts])
		}
		if batch == nil {
			return out, nil
		}
		found, err := batch(v)
		out.batch = &found
		return out, err
	}
}

// showTokenMsg asks for a token to be shown, from another screen.
type showTokenMsg struct{ id string }

// showToken gives the command that goes to a token on the first screen.
func showToken(id string) tea.Cmd {
	return tea.Sequence(
		func() tea.Msg { return showScreenMsg(KindTokens) },
		func() tea.Msg { return showTokenMsg{id} })
}

func (t *tokens) Update(d *Desk, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tokensRead:
		if shown := msg.loaded; shown.page != nil || shown.some {
			t.detail.show(shown.detail, take(&t.pair, shown))
		}
		if msg.batch != nil {
			t.takeBatch(d, *msg.batch)
		}
	case readFailedMsg:
		t.table.Fail(msg.err.Error())
	case showTokenMsg:
		t.sortEnds = false
		t.turn(false)
		t.search.edit.Set("")
		t.applyFilter(d)
		t.titles()
		t.table.Goto(msg.id, msg.id)
	case executedMsg:
		for _, scan := range []*tokenScan{t.search.scan, t.search.again} {
			if scan != nil && !scan.list.seeks() && msg.err == nil {
				scan.follow(msg.receipt)
			}
		}
	case walkedMsg:
		t.rescan(d)
	case batchOverMsg:
		t.table.ClearMarks()
	case tea.KeyMsg:
		if t.search.typing {
			t.filterKey(d, msg)
			return nil
		}
		t.move(msg)
	case tea.MouseMsg:
		t.move(msg)
	}
	return nil
}

func (t *tokens) View(d *Desk) string { return t.pair.View(d) }
