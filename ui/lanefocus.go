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

// laneFocus is a dialog that is drawn in place of the clock. It shows the clock's lanes,
// which are two lines that count the grants by how soon they expire. A cursor moves from
// mark to mark, where a mark is a count of at least one grant. A line above the lanes names
// the grants that the mark under the cursor counts.
type laneFocus struct {
	box           widget.Box
	mark          countPosition // the mark under the cursor
	grants        grantsOfMark  // the grants of that mark; out of date while areGrantsRead is false
	areGrantsRead bool          // grants was read since the cursor moved
}

// laneFocusHeight is the number of lines of a laneFocus: the names, the scale and two lanes.
const laneFocusHeight = 4

// grantsOfMark holds the first grants that a mark of the lanes counts. A command reads them
// and brings them to the dialog as a message.
type grantsOfMark struct {
	mark    countPosition
	entries []expiry.Entry // at most [expiry.MaxCount], the soonest first
	hasMore bool           // the mark counts more grants than entries holds
	err     error          // why they could not be read; nil if they were
}

// openLaneFocus returns the command that opens the dialog of the clock's lanes, with the
// cursor on the first mark.
func openLaneFocus(state *app.State) tea.Cmd {
	// The marks depend on the width, which the dialog does not know yet. Column -1 has no
	// mark, so the cursor goes to the first one when the dialog is shown.
	noMark := countPosition{axis: cw721.AtHeight, column: -1}
	l := &laneFocus{mark: noMark}

	// The message ShownMsg makes the dialog read the grants of that mark.
	sendShown := func(app.Engine) tea.Msg { return app.ShownMsg{} }
	return app.OpenDialogThen(l, state.Ask(l, sendShown))
}

// openGrantsOfMark returns the command that opens a list of all grants that a mark of the
// clock's lanes counts. width is the width of the drawn lanes in terminal cells, which
// decides how much time each mark covers.
func openGrantsOfMark(state *app.State, mark countPosition, width int) tea.Cmd {
	chart := expiryChart(state, width)
	first, last := chart.expiryRange(mark)
	return inspect.OpenExpiries(state, mark.axis, first, last)
}

// Resize sets the box of the dialog. The width of the box decides which marks there are.
func (l *laneFocus) Resize(box widget.Box) { l.box = box }

// Commands returns the keys of the dialog: left and right move to another mark, and enter
// lists the grants of the mark.
func (l *laneFocus) Commands(state *app.State) []app.Command {
	move := func(steps int) tea.Cmd { return l.moveBy(state, steps) }
	listGrants := func() tea.Cmd { return openGrantsOfMark(state, l.mark, l.box.W) }
	return append(
		app.OppositeCommands("← → h l", "mark", move, -1, "left h k up", "right l j down"),
		app.DialogCommand("enter", "list its grants", listGrants),
		app.Close)
}

// Update handles a message to the dialog. It reads the grants of the mark when the dialog
// is shown and when the chain has changed, keeps the grants that were read, and runs the
// command of a key. Enter closes the dialog, because the list of grants replaces it.
func (l *laneFocus) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case app.ShownMsg, app.FactsChangedMsg:
		return l.moveBy(state, 0), false // the cursor stays, and its grants are read
	case grantsOfMark:
		if msg.mark == l.mark { // otherwise the cursor has moved on
			l.grants = msg
			l.areGrantsRead = true
		}
	case tea.KeyMsg:
		cmd, done, _ = app.PressKey(l.Commands(state), msg)
		return cmd, done || msg.String() == "enter"
	}
	return nil, false
}

// moveBy moves the cursor by a number of marks; a negative number moves it to the left,
// and 0 leaves it where it is. The cursor stops at the first and the last mark. It
// returns the command that reads the grants of the mark that it has reached; nil if there
// are no marks.
func (l *laneFocus) moveBy(state *app.State, steps int) tea.Cmd {
	chart := expiryChart(state, l.box.W)
	marks := chart.marks()
	if len(marks) == 0 {
		return nil
	}

	// If the mark under the cursor is gone, because its grants have expired, the cursor
	// moves from the first mark.
	currentIndex := max(0, slices.Index(marks, l.mark))
	nextIndex := max(0, min(currentIndex+steps, len(marks)-1))
	mark := marks[nextIndex]
	l.mark = mark
	l.areGrantsRead = false

	// Read the grants that the mark counts.
	first, last := chart.expiryRange(mark)
	readGrants := func(engine app.Engine) tea.Msg {
		grants := grantsOfMark{mark: mark}
		grants.err = engine.View(func(view *chain.View) (err error) {
			expiring := view.ExpiringBetween(mark.axis, first, last)
			grants.entries, grants.hasMore, err = app.ReadAtMost(expiring, expiry.MaxCount)
			return err
		})
		return grants
	}
	return state.Ask(l, readGrants)
}

// View draws a line with the names of the grants at the left and the number of the mark at
// the right, such as "mark 3 of 12". Below it are the scale and the lanes.
func (l *laneFocus) View(state *app.State) string {
	chart := expiryChart(state, l.box.W)
	marks := chart.marks()
	markNumber := slices.Index(marks, l.mark) + 1
	position := widget.Muted(fmt.Sprintf("mark %d of %d ", markNumber, len(marks)))

	// The names get the rest of the line.
	namesWidth := max(0, l.box.W-position.Width()-1)
	grantNames := widget.Styled(themes.Title, " LANES").Text("  " + l.grantsText(state))
	left := grantNames.Fit(state.Theme, namesWidth)
	head := widget.JoinEnds(left, position.Render(state.Theme), l.box.W)

	// Only the mark under the cursor stands out.
	lanes := lanesView(state, nil, &l.mark, l.box.W)
	return widget.Fill(widget.JoinVertically(head, lanes), l.box)
}

// grantsText names the grants of the mark under the cursor. For one grant it returns
// "ape-0042 → bob, in 5 blocks". For several it returns "3 grants, the first in 5 blocks:
// ape-0042 → bob, ape-0007 → carol, 1 more". It is empty until the grants were read.
func (l *laneFocus) grantsText(state *app.State) string {
	entries := l.grants.entries
	hasNone := len(entries) == 0 // they expired since the marks were counted
	switch {
	case l.grants.err != nil:
		return l.grants.err.Error()
	case !l.areGrantsRead || hasNone:
		return ""
	case len(entries) == 1:
		return state.GrantLabel(entries[0]) + ", " + state.ExpiryInSentence(entries[0].Expires)
	}

	// There are several grants: count them, and name the first two.
	count := app.CountText(len(entries), l.grants.hasMore)
	names := strings.Join(state.FirstGrants(entries, l.grants.hasMore), ", ")
	if l.mark.axis == cw721.Never {
		return fmt.Sprintf("%s grants that never expire: %s", count, names)
	}
	when := state.ExpiryInSentence(entries[0].Expires)
	return fmt.Sprintf("%s grants, the first %s: %s", count, when, names)
}
