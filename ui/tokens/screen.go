package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen is the first screen: all tokens, and one of them whole.
type Screen struct {
	app.Tab
	app.MasterDetail
	detail   tokenDetail
	search   search
	sortEnds bool // in the order in which approvals expire
}

// New makes the screen; it reads nothing before it is asked what it needs.
func New() *Screen {
	t := &Screen{Tab: app.NewTab(app.KindTokens, "Tokens"), MasterDetail: app.NewMasterDetail(47), search: search{edit: widget.NewEdit()}}
	t.Beside, t.detail.scroll = 80, t.Scroll
	t.Over, t.Instead, t.DetailHead = t.line, t.problem, t.detail.head
	t.titles()
	return t
}

// titles names the columns and shows which of them orders the rows. In a narrow
// list the signs of the grants stand in front of what expires next, so that live
// and expired ones are told apart in every width.
func (t *Screen) titles() {
	list, _ := t.Split()
	narrow := list.W < 52
	cols := []widget.Column{
		{Title: "TOKEN", Width: 11, Flex: 3, Hide: narrow, Ends: true},
		{Title: "OWNER", Width: 8, Flex: 2, Hide: narrow},
		{Title: "GRANTS", Width: 6, Flex: 1, Hide: narrow},
		{Title: "EXPIRES NEXT", Width: 14, Flex: 4, Hide: narrow},
		{Title: "EXPIRES NEXT", Width: 17, Flex: 4, Hide: !narrow},
	}
	if narrow {
		cols[0] = widget.Column{Title: "TOKEN", Width: 9, Flex: 2, Ends: true}
		cols[1] = widget.Column{Title: "OWNER", Width: app.AddressTailWidth + 1, Flex: 1}
	}
	if t.sortEnds || t.search.filter.byExpiry() {
		cols[3].Sort, cols[4].Sort = +1, +1
	} else {
		cols[0].Sort = +1
	}
	t.Table.SetColumns(cols...)
	t.Table.Empty = "no tokens yet: m mints one"
	if t.search.applied != "" {
		t.Table.Empty = "no token fits the filter: esc shows all"
	} else if t.sortEnds {
		t.Table.Empty = "no approvals: s sorts by id again"
	}
}

func (t *Screen) Typing() bool { return t.search.typing }

// TypingCommands lists the keys that work while the filter is typed.
func (t *Screen) TypingCommands(*app.State) []app.Command { return app.FilterKeys }

func (t *Screen) Resize(b widget.Box) {
	if t.Share = 47; b.W < 100 {
		t.Share = 52
	}
	t.MasterDetail.Resize(b)
	t.titles()
}

func (t *Screen) Refresh(st *app.State) {
	t.Invalidate()
	if t.search.scan != nil && t.list(st).seeks() { // the clock may have moved what fits
		t.rescan(st)
	}
}

// list is what is shown, captured for a command.
func (t *Screen) list(st *app.State) tokenList {
	return tokenList{filter: t.search.filter, byExpiry: t.sortEnds, look: st.RowView()}
}

// tokensRead is what was read for the screen.
type tokensRead struct {
	app.Loaded[*tokenFacts]
	batch *scanBatch // what a scan has found; nil where none goes on
}

// Needs reads rows and the token under the cursor, and goes on with a scan.
func (t *Screen) Needs(st *app.State) app.Read {
	list, look := t.list(st), st.RowView()
	rows := func(v *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
		list.look.Facts = f
		return list.page(v, req)
	}
	var req widget.Request
	var more bool
	if t.search.scan == nil {
		req, more = t.Table.Want()
	} else if req, more = t.wanted(); more {
		page := t.search.scan.page()
		rows = func(v *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
			look.Facts = f
			return page(v, req, look)
		}
	}
	known := t.detail.facts
	shown := app.ReadListAndDetailFor(&t.MasterDetail, req, more, rows, func(v *chain.View, f app.Facts, id string) (*tokenFacts, error) {
		read, err := readToken(v, id, f.SeenBy)
		if err == nil && read != nil && known != nil && known.token.ID == id {
			read.ends, err = known.ends.Read(v, read.approvals) // it is on the screen, and stays there
		}
		return read, err
	})
	if shown == nil {
		if known != nil {
			if ends := known.ends.Needs(st, known.approvals); ends != nil {
				return ends
			}
		}
		_, box := t.Split()
		if pic := t.detail.needs(st, box); pic != nil {
			return pic
		}
	}
	batch := t.search.next()
	if shown == nil && batch == nil {
		return nil
	}
	return func(v *chain.View, f app.Facts) (tea.Msg, error) {
		var out tokensRead
		if shown != nil {
			msg, err := shown(v, f)
			if err != nil {
				return nil, err
			}
			out.Loaded = msg.(app.Loaded[*tokenFacts])
		}
		if batch == nil {
			return out, nil
		}
		found, err := batch(v)
		out.batch = &found
		return out, err
	}
}

func (t *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tokensRead:
		if shown := msg.Loaded; shown.Page != nil || shown.Some {
			if app.Apply(&t.MasterDetail, shown) {
				t.detail.pic = t.detail.pic.without()
			}
			t.detail.facts = shown.Detail
		}
		if msg.batch != nil {
			t.applyBatch(st, *msg.batch)
		}
	case app.RealEnds:
		facts := *t.detail.facts
		facts.ends = msg
		t.detail.facts = &facts
	case shownPicture:
		t.detail.pic = msg
	case app.ReadFailedMsg:
		t.Table.Fail(msg.Err.Error())
	case app.ShowTokenMsg:
		t.sortEnds = false
		t.FocusDetail(false)
		t.search.edit.Set(msg.Filter)
		t.applyFilter(st)
		t.titles()
		t.Table.Goto(msg.ID, msg.ID)
	case app.ExecutedMsg:
		for _, scan := range []*tokenScan{t.search.scan, t.search.again} {
			if scan != nil && !scan.list.seeks() && msg.Err == nil {
				scan.applyReceipt(msg.Receipt)
			}
		}
		t.count()
	case app.WalkedMsg:
		t.rescan(st)
		t.applyWalk(st, msg)
	case form.BatchOverMsg:
		t.Table.ClearMarks()
	case tea.KeyMsg:
		if t.search.typing {
			t.filterKey(st, msg)
			return nil
		}
		t.Move(msg)
	case tea.MouseMsg:
		if list, _ := t.Split(); widget.Clicked(msg) && msg.Y == 1 && msg.X < list.W {
			return t.sortBy(st, t.Table.ColumnAt(msg.X))
		}
		t.Move(msg)
	}
	return nil
}

// applyWalk puts the cursor on the token that an undo or a redo was about, unless it
// is gone by it. In the order of expiry it does where that token stands nearby.
func (t *Screen) applyWalk(st *app.State, msg app.WalkedMsg) {
	thing, _ := msg.Subject(st)
	gone := "burn"
	if msg.Verb == "undid" {
		gone = "mint"
	}
	switch id := thing.Token; {
	case id == nil, thing.Action == gone:
	case t.list(st).seeks():
		t.Table.GotoNearby(*id)
	default:
		t.Table.Goto(*id, *id)
	}
}

func (t *Screen) View(st *app.State) string {
	t.Table.Flash = st.Flashing(func(e expiry.Entry) string { return e.Token })
	return t.MasterDetail.View(st)
}

// Subject is the token under the cursor.
func (t *Screen) Subject() app.Subject {
	row, ok := t.Table.Cursor()
	if !ok {
		return app.Subject{}
	}
	return app.Subject{Token: &row.Key}
}
