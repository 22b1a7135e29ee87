package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// pair is a list with what is known of the row under its cursor: beside it, or
// below it where the box is narrow. One of the two has the keys.
type pair struct {
	box      widget.Box
	table    *widget.Table
	scroll   *widget.Scroll
	share    int // hundredths of a wide box that the list takes
	beside   int // cells from which the two stand side by side
	inDetail bool
	key      string // of the row whose detail was read
	fresh    bool   // that detail is still true
	// over, where it is set, draws the line above the list.
	over func(d *Desk, w int) string
	// instead, where it is set and gives a line, lays that over the titles.
	instead func(w int) widget.Line
	// name, where it is set, draws the line above the detail, whose box it is
	// told; it comes before the detail is drawn.
	name func(d *Desk, detail widget.Box) string
}

func newPair(share int, cols ...widget.Column) pair {
	return pair{table: widget.NewTable(cols...), scroll: widget.NewScroll(), share: share, beside: pairWidth}
}

// stale has everything that is shown read again.
func (p *pair) stale() {
	p.table.Reload()
	p.fresh = false
}

const pairWidth = 84 // cells from which the two stand side by side

// lowBody is the height below which a list and its detail take turns, as one
// above the other neither would show anything.
const lowBody = 9

func (p *pair) wide() bool { return p.box.W >= p.beside }

func (p *pair) Resize(b widget.Box) {
	p.box = b
	list, detail := p.split()
	_, list = list.SplitTop(p.head())
	p.table.Resize(list)
	if p.name != nil {
		_, detail = detail.SplitTop(1)
	}
	p.scroll.Resize(detail)
}

// head is how many lines stand above the list.
func (p *pair) head() int {
	if p.over == nil {
		return 0
	}
	return 1
}

// turn gives the keys to the detail, or back to the list.
func (p *pair) turn(toDetail bool) {
	p.inDetail = toDetail
	p.Resize(p.box)
}

// split shares the box; the rule between the two is in neither. Where it is too
// low for both, the one that has the keys has all of it.
func (p *pair) split() (list, detail widget.Box) {
	if p.wide() {
		left, rest := p.box.SplitLeft(p.box.W * p.share / 100)
		return left, widget.Box{W: max(rest.W-3, 0), H: rest.H}
	}
	if p.box.H < lowBody {
		if p.inDetail {
			return widget.Box{W: p.box.W}, p.box
		}
		return p.box, widget.Box{W: p.box.W}
	}
	part := p.box.H * 55 / 100
	if p.inDetail {
		part = p.box.H * 30 / 100
	}
	top, rest := p.box.SplitTop(max(part, 4))
	return top, widget.Box{W: rest.W, H: max(rest.H-1, 0)}
}

// move hands a key or the mouse to the pane that it is for, and tells whether
// that was for the list.
func (p *pair) move(msg tea.Msg) bool {
	if m, ok := msg.(tea.MouseMsg); ok {
		list, _ := p.split()
		inList := m.Y < list.H && m.X < list.W
		if m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft {
			p.turn(!inList)
			return inList && p.table.Click(m.Y-p.head())
		}
		if inList {
			return p.table.Update(msg)
		}
		p.scroll.Update(msg)
		return false
	}
	if p.inDetail {
		p.scroll.Update(msg)
		return false
	}
	return p.table.Update(msg)
}

func (p *pair) View(d *Desk) string {
	list, detail := p.split()
	p.table.Blur = p.inDetail
	th := d.Theme
	rows := p.table.View(th)
	if p.instead != nil {
		if l := p.instead(list.W); len(l) > 0 {
			rows = overTitles(rows, l, d, list.W)
		}
	}
	if p.over != nil {
		rows = widget.Fill(widget.JoinV(p.over(d, list.W), rows), list)
	}
	name := ""
	if p.name != nil {
		name = p.name(d, detail) + "\n"
	}
	beside := widget.Fill(name+p.scroll.View(th), detail)
	switch {
	case p.wide():
		gap := widget.Fill("", widget.Box{W: 1, H: list.H})
		return widget.Fill(widget.JoinH(rows, ruleDown(d, list.H, p.inDetail), gap, beside), p.box)
	case list.H == 0:
		return beside
	case list.H == p.box.H:
		return widget.Fill(rows, p.box)
	}
	return widget.Fill(widget.JoinV(rows, ruleAcross(d, p.box.W, p.inDetail), beside), p.box)
}

// Commands are those that go from one pane to the other, and within one.
func (p *pair) Commands() []Command {
	other := Command{bind("tab", "details", "tab", "shift+tab"), "Scroll the details", groupMove, func() tea.Cmd {
		p.turn(!p.inDetail)
		return nil
	}}
	if p.inDetail {
		other.Binding, other.Name = bind("tab esc", "list", "tab", "shift+tab", "esc"), "Go back to the list"
		return append([]Command{other}, listed(groupMove, p.scroll.Bindings()...)...)
	}
	keys := p.table.Keys
	return append([]Command{other}, listed(groupMove, keys.Down, keys.Up, keys.HalfDown, keys.HalfUp, keys.PageDown, keys.PageUp, keys.Top, keys.Bottom)...)
}

// horizontalRule parts what stands above from what stands below.
func horizontalRule(d *Desk, w int) string { return ruleAcross(d, w, false) }

func ruleAcross(d *Desk, w int, focus bool) string {
	return d.Theme.Render(ruleRole(focus), strings.Repeat(themes.GlyphLine, w))
}

func ruleDown(d *Desk, h int, focus bool) string {
	line := " " + d.Theme.Render(ruleRole(focus), themes.GlyphSide)
	return strings.TrimSuffix(strings.Repeat(line+"\n", h), "\n")
}

// ruleRole shows by the rule before it which pane has the keys.
func ruleRole(focus bool) themes.Role {
	if focus {
		return themes.Focus
	}
	return themes.Border
}
