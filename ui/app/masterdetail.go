package app

import (
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// MasterDetail is a list and the detail of the row under its cursor. In a wide
// box the detail is beside the list, otherwise below it. One of the two panes has
// the keys.
type MasterDetail struct {
	Table          *widget.Table
	Scroll         *widget.Scroll // the detail
	ListShare      int            // the percentage of a wide box that the list takes
	MinWidthBeside int            // the width, in cells, from which the panes are side by side
	// InDetail means that the detail has the keys.
	InDetail bool
	// LineAbove, which can be nil, draws the line above the list.
	LineAbove func(st *State, width int) string
	// TitlesCover, which can be nil, returns a line that covers the titles of the
	// list. An empty line covers nothing.
	TitlesCover func(width int) widget.Line
	// DetailHead, which can be nil, draws the line above the detail. It is called
	// before the detail is drawn.
	DetailHead func(st *State, detail widget.Box) string

	box           widget.Box
	shrinksToRows bool   // a list above its detail takes no more lines than it has rows
	detailKey     string // the key of the row whose detail was read
	isDetailRead  bool   // the detail of that row is still true
}

// The sizes, in cells, at which a list and its detail change their places.
const (
	// pairWidth is the usual width from which two panes are side by side.
	pairWidth = 84
	// lowBody is the height below which only the pane that has the keys is drawn. Of two
	// panes above each other, neither would have room for more than its title.
	lowBody = 9
)

// NewMasterDetail returns a list that takes share percent of a wide box.
func NewMasterDetail(share int, cols ...widget.Column) MasterDetail {
	return MasterDetail{Table: widget.NewTable(cols...), Scroll: widget.NewScroll(), ListShare: share, MinWidthBeside: pairWidth}
}

// StackAlways puts the list above the detail whatever the width of the box is. The list
// then takes no more lines than it has rows.
func (p *MasterDetail) StackAlways() {
	p.MinWidthBeside = math.MaxInt
	p.shrinksToRows = true
}

// List returns the list.
func (p *MasterDetail) List() *widget.Table { return p.Table }

// Typing is false: the list has no text field.
func (p *MasterDetail) Typing() bool { return false }

// Refresh does the same as Invalidate. It is part of [Screen].
func (p *MasterDetail) Refresh(*State) { p.Invalidate() }

// Invalidate marks the rows and the detail as out of date, so that the next reading
// ([ReadListAndDetail]) reads them again. The old ones stay on the screen until then.
func (p *MasterDetail) Invalidate() {
	p.Table.Reload()
	p.isDetailRead = false
}

// ReloadDetail marks the detail as out of date, so that the next reading reads it again.
// The rows stay as they are.
func (p *MasterDetail) ReloadDetail() { p.isDetailRead = false }

// FocusDetail gives the keys to the detail, or with false to the list. The boxes may
// change: the pane with the keys is higher if the list is above the detail.
func (p *MasterDetail) FocusDetail(toDetail bool) {
	p.InDetail = toDetail
	p.Table.IsBlurred = toDetail
	p.Scroll.HasFocus = toDetail
	p.Resize(p.box)
}

// Resize shares a box between the list and the detail. The line above the list and the
// one above the detail, if there are any, are taken from their boxes.
func (p *MasterDetail) Resize(b widget.Box) {
	p.box = b
	list, detail := p.Split()
	_, rows := list.SplitTop(p.linesOverList())
	p.Table.Resize(rows)
	if p.DetailHead != nil {
		_, detail = detail.SplitTop(1)
	}
	p.Scroll.Resize(detail)
}

// isWide reports whether the box is wide enough to show the detail beside the list.
func (p *MasterDetail) isWide() bool { return p.box.W >= p.MinWidthBeside }

// DetailColumn returns the column of the rule between the list and the detail in a box of
// width cells. ok is false for a box in which the detail is below the list.
func (p *MasterDetail) DetailColumn(width int) (column int, ok bool) {
	return width*p.ListShare/100 + 1, width >= p.MinWidthBeside
}

// linesOverList is the number of lines above the list.
func (p *MasterDetail) linesOverList() int {
	if p.LineAbove == nil {
		return 0
	}
	return 1
}

// Split returns the boxes of the list and the detail. In a wide box they are side by
// side. Otherwise the list is above, with 55 % of the lines, or 30 % while the detail has
// the keys. The rule between them belongs to neither. In a box of few lines, the pane
// with the keys takes all of them.
func (p *MasterDetail) Split() (list, detail widget.Box) {
	if p.isWide() {
		const ruleWidth = 3
		list, right := p.box.SplitLeft(p.box.W * p.ListShare / 100)
		return list, widget.Box{W: max(right.W-ruleWidth, 0), H: right.H}
	}

	// Few lines are not worth dividing.
	hidden := widget.Box{W: p.box.W}
	if p.box.H < lowBody && p.InDetail {
		return hidden, p.box
	}
	if p.box.H < lowBody {
		return p.box, hidden
	}

	// The pane with the keys gets the larger part.
	listHeight := max(p.box.H*55/100, 4)
	if p.InDetail {
		listHeight = max(p.box.H*30/100, 4)
	}
	if p.shrinksToRows {
		listHeight = min(listHeight, p.linesOverList()+p.Table.Lines())
	}
	list, below := p.box.SplitTop(listHeight)
	return list, widget.Box{W: below.W, H: max(below.H-1, 0)}
}

// Move hands a key or the mouse to a pane, and reports whether the list handled it. A
// click also gives the keys to the pane.
func (p *MasterDetail) Move(msg tea.Msg) bool {
	if mouse, ok := msg.(tea.MouseMsg); ok {
		return p.moveByMouse(mouse)
	}
	if p.InDetail {
		p.Scroll.Update(msg)
		return false
	}
	return p.Table.Update(msg)
}

// moveByMouse handles a click or the wheel at a place in the box, and reports whether
// the list handled it. A click gives the keys to the pane at that place, and puts the
// cursor of the list on the clicked row. The wheel scrolls the pane at that place.
func (p *MasterDetail) moveByMouse(msg tea.MouseMsg) bool {
	list, _ := p.Split()
	isInList := msg.Y < list.H && msg.X < list.W
	switch {
	case widget.IsClick(msg):
		p.FocusDetail(!isInList)
		return isInList && p.Table.Click(msg.Y-p.linesOverList())
	case isInList:
		return p.Table.Update(msg)
	}
	p.Scroll.Update(msg)
	return false
}

// View draws the list and the detail with a rule between them: side by side in a wide
// box, otherwise one above the other. In a box of few lines it draws only the pane with
// the keys.
func (p *MasterDetail) View(st *State) string {
	listBox, detailBox := p.Split()
	list := p.listView(st, listBox)
	detail := p.detailView(st, detailBox)
	switch {
	case p.isWide():
		gap := widget.Fill("", widget.Box{W: 1, H: listBox.H})
		return widget.Fill(widget.JoinH(list, RuleDown(st, listBox.H, p.InDetail), gap, detail), p.box)
	case listBox.H == 0:
		return detail
	case listBox.H == p.box.H:
		return widget.Fill(list, p.box)
	}
	return widget.Fill(widget.JoinV(list, RuleAcross(st, p.box.W, p.InDetail), detail), p.box)
}

// listView draws the list with the line above it, or with the line that covers its
// titles.
func (p *MasterDetail) listView(st *State, box widget.Box) string {
	view := p.Table.View(st.Theme)
	if p.TitlesCover != nil {
		if line := p.TitlesCover(box.W); len(line) > 0 {
			_, rows, _ := strings.Cut(view, "\n")
			view = widget.JoinV(line.Fit(st.Theme, box.W), rows)
		}
	}
	if p.LineAbove == nil {
		return view
	}
	return widget.Fill(widget.JoinV(p.LineAbove(st, box.W), view), box)
}

// detailView draws the detail with the line above it.
func (p *MasterDetail) detailView(st *State, box widget.Box) string {
	head := ""
	if p.DetailHead != nil {
		head = p.DetailHead(st, box) + "\n"
	}
	return widget.Fill(head+p.Scroll.View(st.Theme), box)
}

// LinkCommands returns the command that follows the link in the current line of the
// detail, for example to the account that the line names. The list is empty if the line
// has no link.
func (p *MasterDetail) LinkCommands() []Command {
	link := p.Scroll.Link()
	if link == nil {
		return nil
	}
	return []Command{ScreenCommand("enter", "follow", "Follow this line of the details", func() tea.Cmd { return link })}
}

// Commands returns the command that gives the keys to the other pane, and lists the keys
// that move in a pane.
func (p *MasterDetail) Commands() []Command {
	changePane := func() tea.Cmd {
		p.FocusDetail(!p.InDetail)
		return nil
	}
	command := ScreenCommand("tab", "details", "Scroll the details", changePane, "tab", "shift+tab")
	if p.InDetail {
		command = ScreenCommand("tab esc", "list", "Go back to the list", changePane, "tab", "shift+tab", "esc")
	}
	command.Group = GroupMove
	return append([]Command{command}, KeysForHelp(GroupMove, p.Table.Keys.Moves()...)...)
}

// RuleAcross draws a horizontal line of width cells. It is brighter if the pane that
// follows it has the focus.
func RuleAcross(st *State, width int, hasFocus bool) string {
	return st.Theme.Render(ruleRole(hasFocus), strings.Repeat(themes.GlyphLine, max(width, 0)))
}

// RuleDown draws a vertical line, height lines high, with a space on its left. It is
// brighter if the pane that follows it has the focus.
func RuleDown(st *State, height int, hasFocus bool) string {
	line := " " + st.Theme.Render(ruleRole(hasFocus), themes.GlyphSide)
	return strings.TrimSuffix(strings.Repeat(line+"\n", height), "\n")
}

// ruleRole returns the style of the line between two panes, which is brighter if the pane
// that follows it has the focus.
func ruleRole(hasFocus bool) themes.Role {
	if hasFocus {
		return themes.Focus
	}
	return themes.Border
}
