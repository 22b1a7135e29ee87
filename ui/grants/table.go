package grants

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// grantTable is a table of grants of one kind, paged from the index by expiry: what the
// Approvals and the Operators screens share.
type grantTable struct {
	table *widget.Table
	kind  cw721.GrantKind
	list  expiry.List
	about string // the view in words
	cells func(app.RowView, *chain.View, expiry.Entry) ([]widget.Line, error)

	byColumn map[int]grantView // the lists in the order of a column

	box   widget.Box
	count grantCount
	// entries are the grants whose rows came, by the keys of the rows.
	entries map[string]expiry.Entry
}

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
}

// grantKey tells a grant from all others of its kind. Addresses hold no NUL.
func grantKey(g cw721.Grant) string {
	return string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// Resize gives the table its box.
func (g *grantTable) Resize(b widget.Box) {
	g.box = b
	g.table.Resize(widget.Box{W: b.W, H: max(b.H-1, 0)})
}

// show changes to another list.
func (g *grantTable) show(list expiry.List, about string) {
	g.list, g.about = list, about
	g.entries = map[string]expiry.Entry{}
	g.table.Restart()
}

// Refresh has the rows read again.
func (g *grantTable) Refresh(*app.State) { g.table.Reload() }

// Needs reads the rows that the table lacks.
func (g *grantTable) Needs(st *app.State) app.Read {
	req, ok := g.table.Want()
	if !ok {
		return nil
	}
	look, list, kind, cells, count := st.RowView(), g.list, g.kind, g.cells, g.count
	list.Live = st.HideEnded
	return func(v *chain.View, f app.Facts) (tea.Msg, error) {
		look.Facts = f
		var out grantsRead
		var err error
		out.page, err = widget.Load(req, func(s widget.Scan) ([]widget.Row, error) {
			w := expiry.Walk{Inclusive: s.Inclusive, Reverse: s.Back}
			if s.Bound {
				w.Place = &s.From
			}
			var rows []widget.Row
			for e, err := range v.List(list, w) {
				if err != nil {
					return nil, err
				}
				if e.Kind != kind {
					continue
				}
				line, err := cells(look, v, e)
				if err != nil {
					return nil, err
				}
				row := widget.Row{Key: grantKey(e.Grant), Place: list.Place(e.Grant), Cells: line}
				if e.Expires.Expired(v.Clock.Block()) {
					row.Role = themes.Expired
				}
				rows, out.entries = append(rows, row), append(out.entries, e)
				if len(rows) == s.N {
					break
				}
			}
			return rows, nil
		})
		if err != nil {
			return nil, err
		}
		if out.count, err = count.in(v, list, kind); out.count.n < grantsCounted {
			out.page.Total = out.count.n
		}
		out.page = app.Positioned(req, out.page)
		return out, err
	}
}

// take takes what was read.
func (g *grantTable) take(msg grantsRead) {
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
	g.count = msg.count
	for _, e := range msg.entries {
		g.entries[grantKey(e.Grant)] = e
	}
	g.table.Set(msg.page)
}

// current is the grant under the cursor.
func (g *grantTable) current() (expiry.Entry, bool) {
	row, ok := g.table.Cursor()
	if !ok {
		return expiry.Entry{}, false
	}
	e, ok := g.entries[row.Key]
	return e, ok
}

// selected are the grants that were selected, in that order.
func (g *grantTable) selected() (all []expiry.Entry) {
	for _, key := range g.table.Marked() {
		if e, ok := g.entries[key]; ok {
			all = append(all, e)
		}
	}
	return all
}

// Update takes keys, the mouse and what was read.
func (g *grantTable) Update(_ *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case grantsRead:
		g.take(msg)
	case app.ReadFailedMsg:
		g.table.Fail(msg.Err.Error())
	case form.BatchOverMsg:
		g.table.ClearMarks()
	case tea.MouseMsg:
		if view, ok := g.byColumn[g.table.ColumnAt(msg.X)]; app.Clicked(msg) && msg.Y == 1 && ok {
			g.show(view.list, view.about)
			return nil
		}
		if app.Clicked(msg) {
			g.table.Click(msg.Y - 1)
			return nil
		}
		g.table.Update(msg)
	case tea.KeyMsg:
		g.table.Update(msg)
	}
	return nil
}

func (g *grantTable) view(st *app.State) string {
	left := widget.In(themes.Muted, " "+g.about)
	if n := len(g.table.Marked()); n > 0 {
		left = left.And(themes.Accent, fmt.Sprintf("  %s %d selected", themes.GlyphMarked, n))
	}
	if st.HideEnded {
		left = left.And(themes.Faint, "  expired ones hidden")
	}
	right := widget.In(themes.Muted, g.table.Position())
	if g.count.n == grantsCounted && g.table.Len() > 0 {
		right = right.And(themes.Muted, " of "+chain.Thousands(grantsCounted)+"+")
	}
	right = right.And(themes.Text, " ")
	head := widget.Ends(left.Render(st.Theme), right.Render(st.Theme), g.box.W)
	return widget.Fill(widget.JoinV(head, g.table.View(st.Theme)), g.box)
}

// narrow opens the choice of views: whole lists, or all that one account gave
// or was given.
func (g *grantTable) narrow(st *app.State, whole []grantView) tea.Cmd {
	views := slices.Clone(whole)
	add := func(a cw721.Address, of string, at expiry.Index) {
		name := st.Call(a)
		views = append(views, grantView{strings.ReplaceAll(of, "%", name), expiry.List{Index: at}})
	}
	about := func(a cw721.Address) {
		at := expiry.Index{Operators: g.list.Operators}
		at.Owner = a
		add(a, "given by %", at)
		at.Owner, at.Spender = "", a
		add(a, "given to %", at)
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
	var items []widget.Item
	byID := map[string]grantView{}
	for i, v := range views {
		id := fmt.Sprint(i)
		byID[id] = v
		items = append(items, widget.Item{ID: id, Title: v.about})
	}
	return app.OpenDialog(form.NewChooser("Show", "a list, or an account", items, func(st *app.State, id string) tea.Cmd {
		g.show(byID[id].list, byID[id].about)
		return nil
	}))
}

// point puts the cursor on a grant, in the list of all.
func (g *grantTable) point(to cw721.Grant, all grantView) {
	g.show(all.list, all.about)
	g.table.Goto(g.list.Place(to), grantKey(to))
}

// grantView is a list of grants with its name.
type grantView struct {
	about string
	list  expiry.List
}

// next is the view that follows the one that is shown; the first after any
// other.
func (g *grantTable) next(views []grantView) {
	at := slices.IndexFunc(views, func(v grantView) bool { return v.list == g.list })
	v := views[(at+1)%len(views)]
	g.show(v.list, v.about) // its name stands above the list
}
