package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// grantTable is a table of grants of one kind, paged from the agenda: what the
// Approvals and the Operators screens share.
type grantTable struct {
	table *widget.Table
	kind  cw721.GrantKind
	list  expiry.List
	about string // the view in words
	cells func(rowLook, *chain.View, expiry.Entry) ([]widget.Line, error)

	box    widget.Box
	engine Engine
	count  grantCount
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

type grantPageMsg struct {
	table   *grantTable
	page    widget.Page
	entries []expiry.Entry
	count   grantCount
	seq     int
	err     error
}

// grantKey tells a grant from all others of its kind. Addresses hold no NUL.
func grantKey(g cw721.Grant) string {
	return string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

func (g *grantTable) resize(b widget.Box) {
	g.box = b
	g.table.Resize(widget.Box{W: b.W, H: max(b.H-1, 0)})
}

// show changes to another list.
func (g *grantTable) show(d *Desk, list expiry.List, about string) tea.Cmd {
	g.list, g.about = list, about
	g.entries = map[string]expiry.Entry{}
	g.table.Restart()
	return g.want(d)
}

func (g *grantTable) refresh(d *Desk) tea.Cmd {
	if g.engine != d.Engine {
		g.engine = d.Engine
		return g.show(d, g.list, g.about)
	}
	g.table.Reload()
	return g.want(d)
}

// want asks for the rows that the table needs next.
func (g *grantTable) want(d *Desk) tea.Cmd {
	req, ok := g.table.Want()
	if !ok {
		return nil
	}
	engine, look, list, kind, cells, count := d.Engine, d.look(), g.list, g.kind, g.cells, g.count
	list.Live = d.HideEnded
	return func() tea.Msg {
		msg := grantPageMsg{table: g, seq: req.Seq}
		msg.err = engine.View(func(v *chain.View) (err error) {
			msg.page, err = widget.Load(req, func(s widget.Scan) ([]widget.Row, error) {
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
						row.Role = themes.Ended
					}
					rows, msg.entries = append(rows, row), append(msg.entries, e)
					if len(rows) == s.N {
						break
					}
				}
				return rows, nil
			})
			if err == nil {
				msg.count, err = count.in(v, list, kind)
			}
			return err
		})
		if msg.count.n < grantsCounted {
			msg.page.Total = msg.count.n
		}
		msg.page = known(req, msg.page)
		return msg
	}
}

// take takes rows; it says whether the message was for this table.
func (g *grantTable) take(d *Desk, msg grantPageMsg) tea.Cmd {
	if msg.table != g {
		return nil
	}
	if msg.err != nil {
		g.table.Fail(msg.seq, msg.err.Error())
		return nil
	}
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
	return g.want(d)
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

// input takes keys and the mouse.
func (g *grantTable) input(d *Desk, msg tea.Msg) tea.Cmd {
	if click, ok := msg.(tea.MouseMsg); ok && click.Action == tea.MouseActionPress && click.Button == tea.MouseButtonLeft {
		g.table.Click(click.Y - 1)
		return g.want(d)
	}
	if g.table.Update(msg) {
		return g.want(d)
	}
	return nil
}

func (g *grantTable) view(d *Desk) string {
	left := widget.In(themes.Muted, " "+g.about)
	if n := len(g.table.Marked()); n > 0 {
		left = left.And(themes.Accent, fmt.Sprintf("  %s %d selected", themes.GlyphMarked, n))
	}
	if d.HideEnded {
		left = left.And(themes.Faint, "  ended ones hidden")
	}
	right := widget.In(themes.Muted, g.table.Position())
	if g.count.n == grantsCounted && g.table.Len() > 0 {
		right = right.And(themes.Muted, " of "+chain.Thousands(grantsCounted)+"+")
	}
	right = right.And(themes.Text, " ")
	head := widget.Ends(left.Render(d.Theme), right.Render(d.Theme), g.box.W)
	return widget.Fill(widget.JoinV(head, g.table.View(d.Theme)), g.box)
}

// narrow opens the choice of views: whole lists, or all that one account gave
// or was given.
func (g *grantTable) narrow(d *Desk, whole []grantView) tea.Cmd {
	views := slices.Clone(whole)
	add := func(a cw721.Address, of string, at expiry.Index) {
		name := d.Call(a)
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
			if _, named := d.Names[a]; !named {
				about(a)
			}
		}
	}
	for _, a := range d.Accounts {
		about(a.Address)
	}
	var items []widget.Item
	byID := map[string]grantView{}
	for i, v := range views {
		id := fmt.Sprint(i)
		byID[id] = v
		items = append(items, widget.Item{ID: id, Title: v.about})
	}
	return dialog(newChooser("Show", "a list, or an account", items, func(d *Desk, id string) tea.Cmd {
		return g.show(d, byID[id].list, byID[id].about)
	}))
}

// showGrantMsg asks for an operator grant to be shown, from another screen.
type showGrantMsg struct{ grant cw721.Grant }

// showEntry gives the command that shows what ends at a mark of the clock: the
// token of an approval, the grant of an operator, the role that is offered.
func showEntry(d *Desk, e expiry.Entry) tea.Cmd {
	about := say(levelInfo, d.gain(e)+" "+d.When(e.Expires))
	switch e.Kind {
	case cw721.GrantApproval:
		return tea.Sequence(about, showToken(e.Token))
	case cw721.GrantOperator:
		return tea.Sequence(about,
			func() tea.Msg { return showScreenMsg(placeOperators) },
			func() tea.Msg { return showGrantMsg{e.Grant} })
	}
	return tea.Sequence(about, func() tea.Msg { return showScreenMsg(placeCollection) })
}

// point puts the cursor on a grant, in the list of all.
func (g *grantTable) point(d *Desk, to cw721.Grant, all grantView) tea.Cmd {
	g.show(d, all.list, all.about)
	g.table.Goto(g.list.Place(to), grantKey(to))
	return g.want(d)
}

// grantView is a list of grants with its name.
type grantView struct {
	about string
	list  expiry.List
}

// next is the view that follows the one that is shown; the first after any
// other.
func (g *grantTable) next(d *Desk, views []grantView) tea.Cmd {
	at := slices.IndexFunc(views, func(v grantView) bool { return v.list == g.list })
	v := views[(at+1)%len(views)]
	return g.show(d, v.list, v.about) // its name stands above the list
}
