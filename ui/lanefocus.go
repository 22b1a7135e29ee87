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
	"ephemera/ui/app"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// laneFocus is a dialog that stands in the place of the clock. It draws the lanes with a
// cursor that moves from mark to mark, and above them the names of the grants that the mark
// under the cursor counts.
type laneFocus struct {
	box    widget.Box
	mark   lanePlace  // the mark under the cursor
	grants markGrants // of the mark under the cursor
	isRead bool       // grants were read since the cursor moved
}

// laneFocusHeight is the number of lines of a laneFocus: the names, the scale and two lanes.
const laneFocusHeight = 4

// markGrants are the first grants that a mark of the lanes counts.
type markGrants struct {
	mark    lanePlace
	entries []expiry.Entry
	hasMore bool
	err     error
}

// openLaneFocus opens the dialog with the cursor on the first mark.
func openLaneFocus(st *app.State) tea.Cmd {
	beforeFirst := lanePlace{axis: cw721.AtHeight, column: -1} // no mark, so the first reading goes to the first one
	l := &laneFocus{mark: beforeFirst}
	return app.OpenDialogThen(l, st.Ask(l, func(app.Engine) tea.Msg { return app.ShownMsg{} }))
}

// openMark opens the list of all grants that a mark counts. The mark is one of the lanes in
// a width of cells.
func openMark(st *app.State, mark lanePlace, width int) tea.Cmd {
	chart := chartOf(st, width)
	first, last := chart.ends(mark)
	return inspect.OpenExpiries(st, mark.axis, first, last)
}

// Resize sets the box of the dialog. The width decides which marks the lanes have.
func (l *laneFocus) Resize(b widget.Box) { l.box = b }

// Commands returns the keys of the dialog: left and right move to another mark, and enter
// lists the grants of the mark.
func (l *laneFocus) Commands(st *app.State) []app.Command {
	move := func(by int) tea.Cmd { return l.moveBy(st, by) }
	return append(
		app.OppositeCommands("← → h l", "mark", move, -1, "left h k up", "right l j down"),
		app.DialogCommand("enter", "list its grants", func() tea.Cmd { return openMark(st, l.mark, l.box.W) }),
		app.Close)
}

// Update reads the grants of the mark when the dialog is shown and when the facts have
// changed, and runs the command of a key. After enter the list takes the place of the
// dialog.
func (l *laneFocus) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case app.ShownMsg, app.FactsChangedMsg:
		return l.moveBy(st, 0), false
	case markGrants:
		if msg.mark == l.mark {
			l.grants = msg
			l.isRead = true
		}
	case tea.KeyMsg:
		cmd, done, _ = app.PressKey(l.Commands(st), msg)
		return cmd, done || msg.String() == "enter"
	}
	return nil, false
}

// moveBy moves the cursor by a number of marks, and stops at the first and the last one. It
// returns the command that reads the grants of the mark. If the mark under the cursor is
// gone, the cursor moves as from the first one.
func (l *laneFocus) moveBy(st *app.State, by int) tea.Cmd {
	chart := chartOf(st, l.box.W)
	marks := chart.marks()
	if len(marks) == 0 {
		return nil
	}

	// A mark is a place in a lane where grants expire.
	index := max(0, slices.Index(marks, l.mark)) + by
	mark := marks[max(0, min(index, len(marks)-1))]
	l.mark = mark
	l.isRead = false

	// Read the grants that expire between the two ends of the mark.
	first, last := chart.ends(mark)
	return st.Ask(l, func(e app.Engine) tea.Msg {
		grants := markGrants{mark: mark}
		grants.err = e.View(func(v *chain.View) (err error) {
			grants.entries, grants.hasMore, err = app.TakeFirst(v.ExpiringBetween(mark.axis, first, last), expiry.MaxCount)
			return err
		})
		return grants
	})
}

// View draws the names of the grants of the mark, and below them the scale and the lanes.
func (l *laneFocus) View(st *app.State) string {
	chart := chartOf(st, l.box.W)
	marks := chart.marks()
	position := fmt.Sprintf("mark %d of %d ", slices.Index(marks, l.mark)+1, len(marks))
	names := widget.In(themes.Title, " LANES").Text("  " + l.grantsText(st))
	positionLine := widget.Muted(position)
	namesWidth := max(0, l.box.W-positionLine.Width()-1)
	head := widget.JoinEnds(names.Fit(st.Theme, namesWidth), positionLine.Render(st.Theme), l.box.W)
	return widget.Fill(widget.JoinV(head, lanesView(st, nil, &l.mark, l.box.W)), l.box)
}

// grantsText names the grants of the mark under the cursor: "ape-0042 → bob, in 5 blocks"
// for one, and for several "3 grants, the first in 5 blocks: ape-0042 → bob, ape-0007 →
// carol, 1 more". It is empty until the grants were read.
func (l *laneFocus) grantsText(st *app.State) string {
	entries := l.grants.entries
	hasNone := len(entries) == 0 // they expired since the marks were counted
	switch {
	case l.grants.err != nil:
		return l.grants.err.Error()
	case !l.isRead || hasNone:
		return ""
	case len(entries) == 1:
		return st.GrantLabel(entries[0]) + ", " + st.ExpiryInSentence(entries[0].Expires)
	}

	// Several grants: count them, and name the first.
	plus := ""
	if l.grants.hasMore {
		plus = "+"
	}
	text := fmt.Sprintf("%d%s grants, the first %s: ", len(entries), plus, st.ExpiryInSentence(entries[0].Expires))
	if l.mark.axis == cw721.Never {
		text = fmt.Sprintf("%d%s grants that never expire: ", len(entries), plus)
	}
	return text + strings.Join(st.FirstGrants(entries, l.grants.hasMore), ", ")
}
