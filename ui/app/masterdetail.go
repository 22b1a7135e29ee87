package app

import (
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// MasterDetail is a list with what is known of the row under its cursor: beside it, or
// below it where the box is narrow. One of the two has the keys.
type MasterDetail struct {
	box      widget.Box
	Table    *widget.Table
	Scroll   *widget.Scroll
	Share    int // hundredths of a wide box that the list takes
	Beside   int // cells from which the two stand side by side
	InDetail bool
	snug     bool   // a list above its detail takes no more lines than it has rows
	key      string // of the row whose detail was read
	fresh    bool   // that detail is still true
	// Over, where it is set, draws the line above the list.
	Over func(st *State, w int) string
	// Instead, where it is set and gives a line, lays that over the titles.
	Instead func(w int) widget.Line
	// DetailHead, where it is set, draws the line above the detail, whose box it is
	// told; it comes before the detail is drawn.
	DetailHead func(st *State, detail widget.Box) string
}

// NewMasterDetail makes a list that takes share percent of the width, with the detail of its row beside it.
func NewMasterDetail(share int, cols ...widget.Column) MasterDetail {
	return MasterDetail{Table: widget.NewTable(cols...), Scroll: widget.NewScroll(), Share: share, Beside: pairWidth}
}

// List is the list itself.
func (p *MasterDetail) List() *widget.Table { return p.Table }

// Refresh has everything that is shown read again.
func (p *MasterDetail) Refresh(*State) { p.Invalidate() }

// Typing is false: nothing is typed here.
func (p *MasterDetail) Typing() bool { return false }

// Invalidate has everything that is shown read again.
func (p *MasterDetail) Invalidate() {
	p.Table.Reload()
	p.fresh = false
}

// ReloadDetail has the detail read again.
func (p *MasterDetail) ReloadDetail() { p.fresh = false }

// StackAlways has the list always stand above the detail, and take no more lines than it
// has rows.
func (p *MasterDetail) StackAlways() { p.Beside, p.snug = math.MaxInt, true }

const pairWidth = 84 // cells from which the two stand side by side

// lowBody is the height below which a list and its detail take turns, as one
// above the other neither would show anything.
const lowBody = 9

func (p *MasterDetail) wide() bool { return p.box.W >= p.Beside }

func (p *MasterDetail) Resize(b widget.Box) {
	p.box = b
	list, detail := p.Split()
	_, list = list.SplitTop(p.head())
	p.Table.Resize(list)
	if p.DetailHead != nil {
		_, detail = detail.SplitTop(1)
	}
	p.Scroll.Resize(detail)
}

// head is how many lines stand above the list.
func (p *MasterDetail) head() int {
	if p.Over == nil {
		return 0
	}
	return 1
}

// FocusDetail gives the keys to the detail, or back to the list.
func (p *MasterDetail) FocusDetail(toDetail bool) {
	p.InDetail, p.Table.Blur, p.Scroll.Focus = toDetail, toDetail, toDetail
	p.Resize(p.box)
}

// Split shares the box; the rule between the two is in neither. Where it is too
// low for both, the one that has the keys has all of it.
func (p *MasterDetail) Split() (list, detail widget.Box) {
	if p.wide() {
		left, rest := p.box.SplitLeft(p.box.W * p.Share / 100)
		return left, widget.Box{W: max(rest.W-3, 0), H: rest.H}
	}
	if p.box.H < lowBody {
		if p.InDetail {
			return widget.Box{W: p.box.W}, p.box
		}
		return p.box, widget.Box{W: p.box.W}
	}
	part := p.box.H * 55 / 100
	if p.InDetail {
		part = p.box.H * 30 / 100
	}
	if part = max(part, 4); p.snug {
		part = min(part, p.head()+p.Table.Lines())
	}
	top, rest := p.box.SplitTop(part)
	return top, widget.Box{W: rest.W, H: max(rest.H-1, 0)}
}

// Move hands a key or the mouse to the pane that it is for, and tells whether
// that was for the list.
func (p *MasterDetail) Move(msg tea.Msg) bool {
	if m, ok := msg.(tea.MouseMsg); ok {
		list, _ := p.Split()
		inList := m.Y < list.H && m.X < list.W
		if widget.Clicked(m) {
			p.FocusDetail(!inList)
			return inList && p.Table.Click(m.Y-p.head())
		}
		if inList {
			return p.Table.Update(msg)
		}
		p.Scroll.Update(msg)
		return false
	}
	if p.InDetail {
		p.Scroll.Update(msg)
		return false
	}
	return p.Table.Update(msg)
}

func (p *MasterDetail) View(st *State) string {
	list, detail := p.Split()
	th := st.Theme
	rows := p.Table.View(th)
	if p.Instead != nil {
		if l := p.Instead(list.W); len(l) > 0 {
			_, below, _ := strings.Cut(rows, "\n")
			rows = widget.JoinV(l.Fit(th, list.W), below)
		}
	}
	if p.Over != nil {
		rows = widget.Fill(widget.JoinV(p.Over(st, list.W), rows), list)
	}
	name := ""
	if p.DetailHead != nil {
		name = p.DetailHead(st, detail) + "\n"
	}
	beside := widget.Fill(name+p.Scroll.View(th), detail)
	switch {
	case p.wide():
		gap := widget.Fill("", widget.Box{W: 1, H: list.H})
		return widget.Fill(widget.JoinH(rows, RuleDown(st, list.H, p.InDetail), gap, beside), p.box)
	case list.H == 0:
		return beside
	case list.H == p.box.H:
		return widget.Fill(rows, p.box)
	}
	return widget.Fill(widget.JoinV(rows, RuleAcross(st, p.box.W, p.InDetail), beside), p.box)
}

// Links is the command that goes where the line of the detail under the cursor
// leads; there is none where it leads nowhere.
func (p *MasterDetail) Links() []Command {
	to := p.Scroll.Link()
	if to == nil {
		return nil
	}
	return []Command{NewCommand(Bind("enter", "follow", "enter"), "Follow this line of the details", GroupHere, func() tea.Cmd { return to })}
}

// Commands are those that go from one pane to the other, and within one.
func (p *MasterDetail) Commands() []Command {
	other := NewCommand(Bind("tab", "details", "tab", "shift+tab"), "Scroll the details", GroupMove, func() tea.Cmd {
		p.FocusDetail(!p.InDetail)
		return nil
	})
	if p.InDetail {
		other.Binding, other.Name = Bind("tab esc", "list", "tab", "shift+tab", "esc"), "Go back to the list"
	}
	return append([]Command{other}, Listed(GroupMove, p.Table.Keys.Moves()...)...)
}

// RuleAcross is a horizontal line of w cells, brighter where the focus is.
func RuleAcross(st *State, w int, focus bool) string {
	return st.Theme.Render(ruleRole(focus), strings.Repeat(themes.GlyphLine, max(w, 0)))
}

// RuleDown is a vertical line of h rows, brighter where the focus is.
func RuleDown(st *State, h int, focus bool) string {
	line := " " + st.Theme.Render(ruleRole(focus), themes.GlyphSide)
	return strings.TrimSuffix(strings.Repeat(line+"\n", h), "\n")
}

// ruleRole shows by the rule before it which pane has the keys.
func ruleRole(focus bool) themes.Role {
	if focus {
		return themes.Focus
	}
	return themes.Border
}
