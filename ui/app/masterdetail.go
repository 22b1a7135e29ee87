package app

import (
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain/history"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// MasterDetail is a pane with a list and a pane with the detail of the row under the list's
// cursor; read.go reads what both show. In a wide box the detail is beside the list, otherwise
// below it. One of the two panes has the focus, which means that it gets the keys.
type MasterDetail struct {
	Table          *widget.Table  // the list
	Scroll         *widget.Scroll // the detail
	ListShare      int            // the percentage of a wide box that the list takes
	MinWidthBeside int            // the width, in cells, from which the panes are side by side
	HasListHead    bool           // a line is drawn above the list; see [Heads]
	HasDetailHead  bool           // a line is drawn above the detail
	HasDetailFocus bool           // the detail has the focus, and not the list
	ReadHead       history.ID     // the position in the history at which the rows were read; 0 at first

	box           widget.Box // the box of both panes
	shrinksToRows bool       // a list above its detail takes no more lines than it has rows
	detailKey     string     // the key of the row whose detail was read
	isDetailRead  bool       // that detail was read and is not out of date
}

// Heads are the lines that a screen draws above its two panes.
type Heads struct {
	List   string      // above the list, if that has such a line
	Titles widget.Line // covers the titles of the list; an empty line covers nothing
	Detail string      // above the detail, if that has such a line
}

const (
	minWidthBeside   = 84 // the usual width, in cells, from which the two panes are side by side
	minHeightForBoth = 9  // in a lower box, both panes would only have room for their titles
)

// NewMasterDetail returns a list that takes share percent of a wide box.
func NewMasterDetail(share int, columns ...widget.Column) MasterDetail {
	return MasterDetail{
		Table:          widget.NewTable(columns...),
		Scroll:         widget.NewScroll(),
		ListShare:      share,
		MinWidthBeside: minWidthBeside,
	}
}

// StackAlways puts the list above the detail whatever the width of the box is. The list
// then takes no more lines than it has rows.
func (m *MasterDetail) StackAlways() {
	m.MinWidthBeside = math.MaxInt
	m.shrinksToRows = true
}

// List returns the list.
func (m *MasterDetail) List() *widget.Table { return m.Table }

// Invalidate makes the next reading ([ReadListAndDetail]) read the rows and the detail again.
// The old ones stay on the screen until then.
func (m *MasterDetail) Invalidate() {
	m.Table.Reload()
	m.isDetailRead = false
}

// ReloadDetail makes the next reading read the detail again, but not the rows.
func (m *MasterDetail) ReloadDetail() { m.isDetailRead = false }

// SetDetailFocus gives the focus to the detail if hasFocus is true, otherwise to the list. If
// the list is above the detail, the pane with the focus also gets more lines.
func (m *MasterDetail) SetDetailFocus(hasFocus bool) {
	m.HasDetailFocus = hasFocus
	m.Table.IsBlurred = hasFocus
	m.Scroll.HasFocus = hasFocus
	m.Resize(m.box)
}

// Resize divides a box between the list and the detail.
func (m *MasterDetail) Resize(box widget.Box) {
	m.box = box

	// Each pane can have a line above it, which leaves less for the pane itself.
	list, detail := m.Split()
	_, rows := list.SplitTop(m.linesOverList())
	m.Table.Resize(rows)
	if m.HasDetailHead {
		_, detail = detail.SplitTop(1)
	}
	m.Scroll.Resize(detail)
}

// isWide reports whether the box is wide enough to show the detail beside the list.
func (m *MasterDetail) isWide() bool { return m.box.W >= m.MinWidthBeside }

// DetailColumn returns the column of the rule between the list and the detail in a box of
// width cells. ok is false if the detail is below the list.
func (m *MasterDetail) DetailColumn(width int) (column int, ok bool) {
	return width*m.ListShare/100 + 1, width >= m.MinWidthBeside
}

// linesOverList returns the number of lines above the list, 0 or 1.
func (m *MasterDetail) linesOverList() int {
	if m.HasListHead {
		return 1
	}
	return 0
}

// Split returns the boxes of the list and the detail. In a wide box they are side by side.
// Otherwise the list is above the detail, with a line between them that belongs to neither. In
// a box of few lines, the pane with the focus gets all of them, and the other box is empty.
func (m *MasterDetail) Split() (list, detail widget.Box) {
	if m.isWide() {
		const ruleWidth = 3
		list, right := m.box.SplitLeft(m.box.W * m.ListShare / 100)
		return list, widget.Box{W: max(right.W-ruleWidth, 0), H: right.H}
	}

	emptyBox := widget.Box{W: m.box.W}
	switch {
	case m.box.H >= minHeightForBoth:
	case m.HasDetailFocus:
		return emptyBox, m.box
	default:
		return m.box, emptyBox
	}

	// The pane with the focus gets the larger part.
	const minListHeight = 4
	percentage := 55
	if m.HasDetailFocus {
		percentage = 30
	}
	listHeight := max(m.box.H*percentage/100, minListHeight)
	if m.shrinksToRows {
		listHeight = min(listHeight, m.linesOverList()+m.Table.Lines())
	}
	const ruleHeight = 1
	list, below := m.box.SplitTop(listHeight)
	return list, widget.Box{W: below.W, H: max(below.H-ruleHeight, 0)}
}

// UpdatePane hands a key to the pane with the focus, or the mouse to the pane under it. It
// reports whether the list handled the message. A click also gives the focus to the pane
// under it, and in the list moves the cursor to the clicked row.
func (m *MasterDetail) UpdatePane(msg tea.Msg) bool {
	isInList := !m.HasDetailFocus
	mouse, isMouse := msg.(tea.MouseMsg)
	if isMouse {
		list, _ := m.Split()
		isInList = mouse.Y < list.H && mouse.X < list.W
	}
	switch {
	case isMouse && widget.IsClick(mouse):
		m.SetDetailFocus(!isInList)
		return isInList && m.Table.Click(mouse.Y-m.linesOverList())
	case isInList:
		return m.Table.Update(msg)
	}
	m.Scroll.Update(msg)
	return false
}

// ClickedTitle returns the title of the column of the list that was clicked. isClicked is true
// also for a click beside the columns, on the line of the titles.
func (m *MasterDetail) ClickedTitle(msg tea.MouseMsg) (title string, isClicked bool) {
	list, _ := m.Split()
	if !widget.IsClick(msg) || msg.Y != m.linesOverList() || msg.X >= list.W {
		return "", false
	}
	return m.Table.TitleAt(msg.X), true
}

// View draws the panes without lines above them.
func (m *MasterDetail) View(state *State) string { return m.Draw(state, Heads{}) }

// Draw draws the list and the detail with a line between them, in the boxes of
// [MasterDetail.Split].
func (m *MasterDetail) Draw(state *State, heads Heads) string {
	listBox, detailBox := m.Split()
	list := m.Table.View(state.Theme)
	if len(heads.Titles) > 0 {
		_, rows, _ := strings.Cut(list, "\n")
		list = widget.JoinVertically(heads.Titles.Fit(state.Theme, listBox.W), rows)
	}
	if m.HasListHead {
		list = belowHead(heads.List, list, listBox)
	}
	detail := m.Scroll.View(state.Theme)
	if m.HasDetailHead {
		detail = belowHead(heads.Detail, detail, detailBox)
	}

	// The list, the detail and the rule fill their boxes, so nothing has to be measured again.
	switch {
	case m.isWide():
		rule := RuleDown(state, listBox.H, m.HasDetailFocus)
		gap := widget.Fill("", widget.Box{W: 1, H: listBox.H})
		return widget.JoinHorizontally(list, rule, gap, detail)
	case listBox.H == 0: // the detail has the focus
		return detail
	case listBox.H == m.box.H:
		return list
	}
	return list + "\n" + RuleAcross(state, m.box.W, m.HasDetailFocus) + "\n" + detail
}

// belowHead draws a line above what a pane shows. box is the box of both.
func belowHead(head, pane string, box widget.Box) string {
	top, below := box.SplitTop(1)
	head = widget.Fill(head, top)
	if below.H == 0 {
		return head
	}
	return head + "\n" + pane
}

// LinkCommands returns the command that follows the link in the current line of the
// detail, if it has one, for example to the account that the line names.
func (m *MasterDetail) LinkCommands() []Command {
	link, _ := m.Scroll.Link()
	if link == nil {
		return nil
	}
	return []Command{ScreenCommand("enter", "follow", "Follow this line of the details",
		func() tea.Cmd { return link })}
}

// Commands returns the command that gives the focus to the other pane. It also returns, for
// help only, the keys that move in the list.
func (m *MasterDetail) Commands() []Command {
	changePane := func() tea.Cmd {
		m.SetDetailFocus(!m.HasDetailFocus)
		return nil
	}
	command := ScreenCommand("tab", "details", "Scroll the details", changePane, "tab", "shift+tab")
	if m.HasDetailFocus {
		command = ScreenCommand("tab esc", "list", "Go back to the list", changePane, "tab", "shift+tab", "esc")
	}
	return InGroup(GroupMove, append([]Command{command}, KeysForHelp(GroupMove, m.Table.Keys.Moves()...)...))
}

// RuleAcross draws a horizontal line of width cells. It is brighter if hasFocus, which the pane
// that follows it has.
func RuleAcross(state *State, width int, hasFocus bool) string {
	line := strings.Repeat(themes.GlyphLine, max(width, 0))
	return state.Theme.Render(ruleRole(hasFocus), line)
}

// RuleDown is [RuleAcross] for a vertical line, height lines high, with a space on its left.
func RuleDown(state *State, height int, hasFocus bool) string {
	line := " " + state.Theme.Render(ruleRole(hasFocus), themes.GlyphSide)
	return strings.TrimSuffix(strings.Repeat(line+"\n", height), "\n")
}

func ruleRole(hasFocus bool) themes.Role {
	if hasFocus {
		return themes.Focus
	}
	return themes.Border
}
