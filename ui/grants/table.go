package grants

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// Screen is a table of grants of one kind, paged from the index by expiry. Its
// methods run in Update and View; what it reads runs in a command of the root.
type Screen struct {
	kindOfGrants
	table *widget.Table
	view  grantView
	box   widget.Box
	count grantCount
	// entries are the grants whose rows came, by the keys of the rows.
	entries map[string]expiry.Entry
	ends    app.RealEnds // of those on the screen
}

// kindOfGrants is what the screens of approvals and of operators differ in.
type kindOfGrants struct {
	app.Tab
	kind        cw721.GrantKind
	empty, none string // what to say where there are no grants, and none under the cursor
	views       []grantView
	columns     func(app.TimeForm) []widget.Column
	cells       func(app.RowView, *chain.View, expiry.Entry) ([]widget.Line, error)
	subject     func(expiry.Entry) app.Subject
	// commands are those on the grant under the cursor, by on, and others.
	commands    func(g *Screen, st *app.State, e expiry.Entry, on func(app.Command) app.Command) []app.Command
	sorts, find string // names of commands
}

// grantView is a list of grants with its name, and the column whose order it has.
type grantView struct {
	about  string
	list   expiry.List
	column int
}

func newScreen(k kindOfGrants) *Screen {
	g := &Screen{kindOfGrants: k, table: widget.NewTable(), view: k.views[0]}
	g.table.Empty = k.empty
	return g
}

// List is the list of grants.
func (g *Screen) List() *widget.Table { return g.table }

// Typing is false: nothing is typed here.
func (g *Screen) Typing() bool { return false }

// grantCount is how many grants a list has, at a revision. No index counts them,
// so they are walked, as far as that takes no time that a person would notice.
type grantCount struct {
	list     expiry.List
	revision uint64
	n        int // at most grantsCounted
}

// grantsCounted bounds the walk that counts.
const grantsCounted = 5000

// in gives the count in a view: as it is, if nothing has changed since.
func (c grantCount) in(v *chain.View, list expiry.List, kind cw721.GrantKind) (grantCount, error) {
	if c.revision == v.Revision && c.list == list {
		return c, nil
	}
	c = grantCount{list: list, revision: v.Revision}
	for e, err := range v.List(list, expiry.Walk{}) {
		if err != nil {
			return c, err
		}
		if e.Kind == kind {
			c.n++
		}
		if c.n == grantsCounted {
			break
		}
	}
	return c, nil
}

// entriesKept is how many grants are remembered at most, selected ones aside.
const entriesKept = 4096

// grantsRead is what was read for the table.
type grantsRead struct {
	page    widget.Page
	entries []expiry.Entry
	count   grantCount
	ends    app.RealEnds
}

// grantKey tells a grant from all others of its kind. Addresses hold no NUL.
func grantKey(g cw721.Grant) string {
	return string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// Resize gives the table its box.
func (g *Screen) Resize(b widget.Box) {
	g.box = b
	g.table.Resize(widget.Box{W: b.W, H: max(b.H-1, 0)})
}

// show changes to another list.
func (g *Screen) show(v grantView) tea.Cmd {
	g.view, g.entries = v, map[string]expiry.Entry{}
	g.table.Restart()
	return nil
}

// Refresh has the rows read again.
func (g *Screen) Refresh(*app.State) { g.table.Reload() }

// Needs reads the rows that the table lacks.
func (g *Screen) Needs(st *app.State) app.Read {
	req, ok := g.table.Want()
	if !ok {
		return g.ends.Needs(st, g.onScreen())
	}
	look, list, kind, cells, count := st.RowView(), g.view.list, g.kind, g.cells, g.count
	list.Live = st.HideExpired
	ends, shown, entries := g.ends, g.onScreen(), maps.Clone(g.entries)
	return func(v *chain.View, f app.Facts) (tea.Msg, error) {
		look.Facts = f
		var out grantsRead
		var err error
		out.page, err = widget.Load(req, func(part widget.Scan, yield func(string, *widget.Row) bool) error {
			for e, err := range v.List(list, app.ListWalk(part)) {
				if err != nil {
					return err
				}
				var row *widget.Row
				if e.Kind == kind {
					line, err := cells(look, v, e)
					if err != nil {
						return err
					}
					row = &widget.Row{Key: grantKey(e.Grant), Cells: line}
					if e.Expires.Expired(v.Clock.Block()) {
						row.Role = themes.Expired
					}
					out.entries = append(out.entries, e)
				}
				if !yield(list.Place(e.Grant), row) {
					return nil
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if out.count, err = count.in(v, list, kind); out.count.n < grantsCounted {
			out.page.Total = out.count.n
		}
		out.page = app.WithPosition(req, out.page)
		for _, e := range out.entries {
			if req.Seek == widget.Around && entries[grantKey(e.Grant)] != e {
				shown = append(shown, e.Grant) // new since then, so its sign comes with it
			}
		}
		if err == nil {
			out.ends, err = ends.Read(v, shown)
		}
		return out, err
	}
}

// applyRead shows what was read.
func (g *Screen) applyRead(msg grantsRead) {
	if len(g.entries) > entriesKept {
		for key := range g.entries {
			if !g.table.IsMarked(key) {
				delete(g.entries, key)
			}
		}
	}
	if g.entries == nil {
		g.entries = map[string]expiry.Entry{}
	}
	g.count, g.ends = msg.count, msg.ends
	for _, e := range msg.entries {
		g.entries[grantKey(e.Grant)] = e
	}
	g.table.Set(msg.page)
}

// onScreen are the grants of the rows on the screen.
func (g *Screen) onScreen() (grants []cw721.Grant) {
	for _, row := range g.table.InView() {
		grants = append(grants, g.entries[row.Key].Grant)
	}
	return grants
}

// signOutlived puts a sign behind the expiries on the screen that are outlived, and
// tells whether there are any.
func (g *Screen) signOutlived() (some bool) {
	at := g.views[0].column // of the expiry
	for _, row := range g.table.InView() {
		if g.ends.Later(g.entries[row.Key].Grant) {
			row.Cells[at][1].Text, some = " "+themes.GlyphArrow, true
		}
	}
	return some
}

// current is the grant under the cursor.
func (g *Screen) current() (expiry.Entry, bool) {
	row, ok := g.table.Cursor()
	if !ok {
		return expiry.Entry{}, false
	}
	e, ok := g.entries[row.Key]
	return e, ok
}

// selected are the grants that were selected, in that order.
func (g *Screen) selected() (all []expiry.Entry) {
	for _, key := range g.table.Marked() {
		if e, ok := g.entries[key]; ok {
			all = append(all, e)
		}
	}
	return all
}

// Update takes keys, the mouse and what was read.
func (g *Screen) Update(st *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case grantsRead:
		g.applyRead(msg)
	case app.RealEnds:
		g.ends = msg
	case app.ReadFailedMsg:
		g.table.Fail(msg.Err.Error())
	case app.ShowGrantMsg:
		g.show(g.views[0])
		g.table.Goto(g.view.list.Place(msg.Grant), grantKey(msg.Grant))
	case app.WalkedMsg:
		g.applyWalk(msg.Subject(st))
	case form.BatchOverMsg:
		g.table.ClearMarks()
	case tea.MouseMsg:
		at := g.table.ColumnAt(msg.X)
		if i := slices.IndexFunc(g.views, func(v grantView) bool { return v.column == at }); widget.Clicked(msg) && msg.Y == 1 && i >= 0 {
			return g.show(g.views[i])
		}
		if widget.Clicked(msg) {
			g.table.Click(msg.Y - 1)
			return nil
		}
		g.table.Update(msg)
	case tea.KeyMsg:
		g.table.Update(msg)
	}
	return nil
}

// applyWalk puts the cursor on the grant that an undo or a redo was about, where the
// list has shown it before: the first of its token where the message names none.
func (g *Screen) applyWalk(thing app.Subject, sender cw721.Address) {
	place, key := "", ""
	for k, e := range g.entries {
		at, about := g.view.list.Place(e.Grant), thing.Account == "" || e.Spender == thing.Account
		if thing.Token != nil {
			about = about && g.kind == cw721.GrantApproval && e.Token == *thing.Token
		} else {
			about = about && g.kind == cw721.GrantOperator && e.Owner == sender
		}
		if about && (key == "" || at < place) {
			place, key = at, k
		}
	}
	if key != "" {
		g.table.Goto(place, key)
	}
}

// View fills the box with the name of the list, and the list.
func (g *Screen) View(st *app.State) string {
	cols := g.columns(st.Times)
	for _, v := range g.views {
		if v.list.Order == g.view.list.Order {
			cols[v.column].Sort = +1
		}
	}
	g.table.SetColumns(cols...)
	left := widget.In(themes.Muted, " "+g.view.about)
	if n := len(g.table.Marked()); n > 0 {
		left = left.And(themes.Accent, fmt.Sprintf("  %s %d selected", themes.GlyphMarked, n))
	}
	if st.HideExpired {
		left = left.And(themes.Faint, "  expired ones hidden")
	}
	outlived := g.signOutlived()
	if outlived {
		left = left.And(themes.Warn, app.Outlives)
	}
	right := widget.In(themes.Muted, g.table.Position())
	if g.count.n == grantsCounted && g.table.Len() > 0 {
		right = right.And(themes.Muted, " of "+chain.Thousands(grantsCounted)+"+")
	}
	right = right.And(themes.Text, " ")
	if how := ": W shows how"; outlived && widget.Width(left.String()+how+right.String()) < g.box.W {
		left = left.And(themes.Muted, how)
	}
	g.table.Flash = st.Flashing(func(e expiry.Entry) string { return grantKey(e.Grant) })
	head := widget.Ends(left.Render(st.Theme), right.Render(st.Theme), g.box.W)
	return widget.Fill(widget.JoinV(head, g.table.View(st.Theme)), g.box)
}

// narrow opens the choice of views: whole lists, or all that one account gave
// or was given.
func (g *Screen) narrow(st *app.State) tea.Cmd {
	views := slices.Clone(g.views)
	about := func(a cw721.Address) {
		at := expiry.Index{Operators: g.kind == cw721.GrantOperator, Owner: a}
		views = append(views, grantView{"given by " + st.DisplayName(a), expiry.List{Index: at}, 0})
		at.Owner, at.Spender = "", a
		views = append(views, grantView{"given to " + st.DisplayName(a), expiry.List{Index: at}, 0})
	}
	if e, ok := g.current(); ok {
		for _, a := range []cw721.Address{e.Owner, e.Spender} {
			if _, named := st.Names[a]; !named {
				about(a)
			}
		}
	}
	for _, a := range st.Accounts {
		about(a.Address)
	}
	items := make([]widget.Item, len(views))
	for i, v := range views {
		items[i] = widget.Item{ID: fmt.Sprint(i), Title: v.about}
	}
	return app.OpenDialog(form.NewChooser("Show", "a list, or an account", items, func(_ *app.State, id string) tea.Cmd {
		i, _ := strconv.Atoi(id)
		return g.show(views[i])
	}))
}

// next is the view that follows the one that is shown; the first after any other.
func (g *Screen) next() tea.Cmd {
	return g.show(g.views[(slices.Index(g.views, g.view)+1)%len(g.views)]) // its name stands above the list
}

// Subject is the grant under the cursor.
func (g *Screen) Subject() app.Subject {
	e, ok := g.current()
	if !ok {
		return app.Subject{}
	}
	return g.subject(e)
}

// Commands are those on the grant under the cursor, and those on the list.
func (g *Screen) Commands(st *app.State) []app.Command {
	e, some := g.current()
	cmds := g.commands(g, st, e, func(c app.Command) app.Command { return c.Unless(!some, g.none) })
	cmds = append(cmds, app.Here("s", "sort", g.sorts, g.next, "s"), app.Here("/", "show", g.find, func() tea.Cmd { return g.narrow(st) }, "/"))
	if len(g.selected()) > 0 {
		cmds = append(cmds, app.Here("esc", "select none", "", func() tea.Cmd { g.table.ClearMarks(); return nil }, "esc"))
	} else if g.view != g.views[0] {
		cmds = append(cmds, app.Here("esc", "show all", "", func() tea.Cmd { return g.show(g.views[0]) }, "esc"))
	}
	return append(cmds, app.Listed(app.GroupMove, g.table.Keys.Bindings()...)...)
}
