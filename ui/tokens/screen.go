package tokens

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
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
	// changed are the messages whose changes a sparse list does not show yet.
	changed []history.ID
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

// list is what is shown, captured for a command.
func (t *Screen) list(st *app.State) tokenList {
	return tokenList{filter: t.search.filter, byExpiry: t.sortEnds, look: st.RowView(), changed: t.changed}
}

// tokensRead is what was read for the screen.
type tokensRead struct {
	app.Loaded[*tokenFacts]
	changed int // how many of the changes the rows show
}

// Needs reads rows and the token under the cursor.
func (t *Screen) Needs(st *app.State) app.Read {
	list := t.list(st)
	known := t.detail.facts
	shown := app.ReadListAndDetail(&t.MasterDetail, func(v *chain.View, f app.Facts, req widget.Request) (widget.Page, error) {
		list.look.Facts = f
		return list.page(v, req)
	}, func(v *chain.View, f app.Facts, id string) (*tokenFacts, error) {
		read, err := readToken(v, id, f.SeenBy)
		if err == nil && read != nil && known != nil && known.token.ID == id {
			read.ends, err = known.ends.Read(v, read.approvals) // it is on the screen, and stays there
		}
		return read, err
	})
	if shown != nil {
		return func(v *chain.View, f app.Facts) (tea.Msg, error) {
			msg, err := shown(v, f)
			if err != nil {
				return nil, err
			}
			return tokensRead{Loaded: msg.(app.Loaded[*tokenFacts]), changed: len(list.changed)}, nil
		}
	}
	if known != nil {
		if ends := known.ends.Needs(st, known.approvals); ends != nil {
			return ends
		}
	}
	_, box := t.Split()
	return t.detail.needs(st, box)
}

func (t *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tokensRead:
		if msg.Page != nil {
			t.changed = t.changed[min(msg.changed, len(t.changed)):]
		}
		if app.Apply(&t.MasterDetail, msg.Loaded) {
			t.detail.pic = t.detail.pic.without()
		}
		t.detail.facts = msg.Detail
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
		t.noteChanges(msg.Receipt.Node)
	case app.WalkedMsg:
		t.noteWalk(msg.Walked.Nodes)
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

// mostChanges bounds the messages whose changes are looked at one by one.
const mostChanges = 1000

// noteChanges has what some messages changed looked at when a sparse list is read
// again, so that it is not searched anew. Of too many it is.
func (t *Screen) noteChanges(nodes ...history.ID) {
	if !t.Table.Sparse {
		return
	}
	t.changed = append(t.changed, nodes...)
	if len(t.changed) > mostChanges {
		t.changed = nil
		row, _ := t.Table.Cursor()
		t.Table.Goto(row.Key, row.Key)
	}
}

func (t *Screen) noteWalk(nodes []history.Node) {
	for _, n := range nodes {
		t.noteChanges(n.ID)
	}
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
	case t.Table.Sparse, t.list(st).inOrderOfExpiry():
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
