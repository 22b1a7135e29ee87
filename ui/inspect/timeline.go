package inspect

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// timeline is the dialog that draws every grant as a horizontal bar from the block in which it
// was given to its expiry. Each cell is one or more blocks. The cursor moves over past and
// future blocks, and the dialog shows which grants are in force there. This file has its keys
// and moves; timelineread.go reads the chain at the cursor, timelineview.go draws the dialog,
// and timelinebars.go its bars.
type timeline struct {
	box            widget.Box
	cursor         cw721.Height // the block of the cursor
	firstHeight    cw721.Height // the block at the left edge of the bars
	hasFirstHeight bool         // before that, firstHeight has no meaning
	zoom           int          // the index of the scale in blocksPerCell
	selectedKey    string       // the [app.GrantKey] of the selected grant; empty before the first reading
	subject        app.Subject  // a token or an account; the first reading selects a grant of it

	reading   *timelineReading // the latest reading that succeeded; nil if there is none yet
	fault     string           // why the latest reading failed; empty if it succeeded
	isReading bool             // a reading is running
	isStale   bool             // the running reading is out of date, so another must follow
}

// blocksPerCell are the scales of the timeline: how many blocks one cell of a bar
// covers, the finest scale first.
var blocksPerCell = []uint64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000}

// OpenTimeline opens the timeline of all grants with the cursor at the current block. It
// selects a grant of the subject, if one is in view. The first reading needs the size of
// the dialog, so it waits for [app.ShownMsg].
func OpenTimeline(state *app.State, subject app.Subject) tea.Cmd {
	return newTimeline(state, subject).open(state)
}

// OpenTimelineAt opens the timeline with the cursor where the first grant expires that expires
// from first to last, both included, and selects this grant. axis says whether first and last
// are heights or times. If it is [cw721.Never], they are ignored, the grant never expires, and
// the cursor is at the current block.
func OpenTimelineAt(state *app.State, axis cw721.Axis, first, last uint64) tea.Cmd {
	t := newTimeline(state, app.Subject{})
	return app.ReadThen(state, func(view *chain.View) error {
		for entry, err := range view.ExpiringBetween(axis, first, last) {
			if err == nil && axis != cw721.Never {
				t.cursor = t.reading.expiryHeight(entry.Expires, view.Clock)
			}
			t.selectedKey = app.GrantKey(entry.Grant)
			return err
		}
		return nil
	}, func() tea.Cmd { return t.open(state) })
}

// newTimeline returns a timeline with the cursor at the current block.
func newTimeline(state *app.State, subject app.Subject) *timeline {
	const twoBlocksPerCell = 1 // an index of blocksPerCell
	return &timeline{cursor: state.Clock.Height, zoom: twoBlocksPerCell, subject: subject}
}

// open returns the command that shows the timeline.
func (t *timeline) open(state *app.State) tea.Cmd {
	return app.OpenDialogThen(t, state.Ask(t, func(app.Engine) tea.Msg { return app.ShownMsg{} }))
}

// FullScreen marks a dialog that takes the whole terminal.
func (t *timeline) FullScreen() {}

// Resize sets the box of the dialog.
func (t *timeline) Resize(box widget.Box) { t.box = box }

// Commands returns the keys of the timeline. Left and right move the cursor by a block, and
// with shift by ten cells. Up and down select a grant.
func (t *timeline) Commands(state *app.State) []app.Command {
	return slices.Concat(
		app.OppositeCommands("← → h l", "block", func(direction int) tea.Cmd {
			return t.moveCursor(state, direction, 1)
		}, -1, "left h", "right l"),
		app.OppositeCommands("H L", "ten cells", func(direction int) tea.Cmd {
			return t.moveCursor(state, direction, cw721.Height(10*blocksPerCell[t.zoom]))
		}, -1, "H shift+left", "L shift+right"),
		app.OppositeCommands("j k", "grant", func(places int) tea.Cmd {
			return t.selectGrant(state, places)
		}, +1, "j down", "k up"),
		[]app.Command{
			app.DialogCommand("e", "its expiry", func() tea.Cmd { return t.moveToExpiry(state, atExpiry) }),
			app.DialogCommand("E", "just before", func() tea.Cmd { return t.moveToExpiry(state, justBefore) }),
		},
		app.OppositeCommands("+ -", "zoom", func(steps int) tea.Cmd {
			return t.zoomIn(state, steps)
		}, +1, "+ =", "-"),
		[]app.Command{
			app.DialogCommand("0", "now", func() tea.Cmd {
				t.cursor = state.Clock.Height
				return t.read(state)
			}),
			app.DialogCommand("enter", "go there", func() tea.Cmd { return t.goToCursor(state) }),
			app.DialogCommand("w", "why", func() tea.Cmd { return t.askAboutGrant(state, OpenWhy) }),
			app.DialogCommand("W", "who can", func() tea.Cmd { return t.askAboutGrant(state, OpenWhoCan) }),
			app.Close,
		})
}

// Update reads the grants when the dialog is shown and when the chain has changed, and
// runs the command of a key. After a move of the clock, an undo or a redo, the cursor goes
// to the current block.
func (t *timeline) Update(state *app.State, msg tea.Msg) (cmd tea.Cmd, mustClose bool) {
	switch msg := msg.(type) {
	case *timelineReading:
		t.isReading = false
		t.show(msg)
		if t.isStale {
			return t.read(state), false
		}

	case app.MovedMsg:
		if msg.Err == nil {
			t.cursor = msg.Move.To.Height
		}
		return t.read(state), false

	case app.UndoRedoMsg:
		if msg.Err == nil {
			t.cursor = msg.Walked.Clock.Height
		}
		return t.read(state), false

	case app.ShownMsg, app.ExecutedMsg, app.ChangedMsg:
		return t.read(state), false

	case tea.KeyMsg:
		cmd, mustClose, _ = app.PressKey(t.Commands(state), msg)
	}
	return cmd, mustClose
}

// show keeps a reading, which is then on the screen. If no grant was selected before, it
// selects the one that the reading has chosen. If the reading failed, show only keeps the
// error.
func (t *timeline) show(reading *timelineReading) {
	if reading.err != nil {
		t.fault = reading.err.Error()
		return
	}
	t.fault = ""
	t.reading = reading

	// The block that was read is later than the cursor if the cursor was before the first
	// block. Move the cursor there, unless the user has moved it meanwhile.
	if t.cursor == reading.cursor {
		t.cursor = max(t.cursor, reading.block.Height)
		reading.cursor = t.cursor
	}
	if t.selectedKey == "" {
		t.selectedKey = reading.selectedKey
	}
}

// scrollToCursor moves the visible range of blocks so that the cursor is in it. The first
// time it places the cursor at a quarter of the width. After that it moves the range only
// if the cursor has left it, and places the cursor at an eighth of the width from the edge
// that the cursor has crossed.
func (t *timeline) scrollToCursor() {
	cells := uint64(t.barCells())
	scale := blocksPerCell[t.zoom]
	rightEdge := t.firstHeight + cw721.Height(cells*scale)

	// Choose how many cells are to be at the left of the cursor. rightEdge is less than
	// firstHeight if the sum overflowed, and then no cursor can be right of it.
	var cellsLeftOfCursor uint64
	switch {
	case !t.hasFirstHeight:
		cellsLeftOfCursor = cells / 4
	case t.cursor < t.firstHeight:
		cellsLeftOfCursor = cells / 8
	case t.cursor >= rightEdge && rightEdge > t.firstHeight:
		cellsLeftOfCursor = cells - cells/8
	default: // the cursor is in view
		return
	}

	// Place the range, but not before height 0.
	t.hasFirstHeight = true
	t.firstHeight = t.cursor - min(t.cursor, cw721.Height(cellsLeftOfCursor*scale))
}

// zoomIn makes the scale finer by a number of steps, or coarser if steps is negative. The
// cursor stays in its cell on the screen.
func (t *timeline) zoomIn(state *app.State, steps int) tea.Cmd {
	blocksLeftOfCursor := t.cursor - min(t.cursor, t.firstHeight)
	cellOfCursor := uint64(blocksLeftOfCursor) / blocksPerCell[t.zoom]

	t.zoom = max(0, min(t.zoom-steps, len(blocksPerCell)-1))
	newBlocksLeft := cw721.Height(cellOfCursor * blocksPerCell[t.zoom])
	t.firstHeight = t.cursor - min(t.cursor, newBlocksLeft)
	return t.read(state)
}

// moveCursor moves the cursor by a number of blocks, to the left if direction is negative. It
// stops at height 0, and does not move if the new height would be too large for its type.
func (t *timeline) moveCursor(state *app.State, direction int, blocks cw721.Height) tea.Cmd {
	if direction < 0 {
		t.cursor -= min(t.cursor, blocks)
	} else {
		t.cursor = max(t.cursor, t.cursor+blocks) // if the sum overflows, the cursor stays
	}
	return t.read(state)
}

// selectGrant selects the grant that is a number of places below the selected one, or
// above it if places is negative.
func (t *timeline) selectGrant(state *app.State, places int) tea.Cmd {
	if _, hasGrant := t.selectedGrant(); hasGrant {
		index := t.reading.indexOf(t.selectedKey) + places
		index = max(0, min(index, len(t.reading.grants)-1))
		t.selectedKey = app.GrantKey(t.reading.grants[index].Grant)
	}
	return t.read(state)
}

// selectedGrant returns the selected grant, or the first one if that does not exist any more.
// hasGrant is false if there are no grants, or if nothing was read yet.
func (t *timeline) selectedGrant() (entry expiry.Entry, hasGrant bool) {
	if t.reading == nil || len(t.reading.grants) == 0 {
		return expiry.Entry{}, false
	}
	return t.reading.grants[t.reading.indexOf(t.selectedKey)], true
}

// moveToExpiry moves the cursor to the first block in which the selected grant has
// expired, or to a number of blocks before it.
func (t *timeline) moveToExpiry(state *app.State, blocksBefore cw721.Height) tea.Cmd {
	entry, hasGrant := t.selectedGrant()
	if !hasGrant || entry.Expires.Axis == cw721.Never {
		return app.Notify(app.LevelInfo, "this grant never expires")
	}
	expiryHeight := t.reading.expiryHeight(entry.Expires, state.Clock)
	t.cursor = expiryHeight - min(expiryHeight, blocksBefore)
	return t.read(state)
}

// goToCursor makes the block of the cursor the current block of the chain. For a future
// block it moves the clock. For a past block it goes back in the history, but only if that
// block was read already.
func (t *timeline) goToCursor(state *app.State) tea.Cmd {
	switch {
	case t.cursor > state.Clock.Height:
		blocksAhead := uint64(t.cursor - state.Clock.Height)
		return app.Advance(state, chain.ClockStep{Blocks: blocksAhead}, 0)
	case t.cursor == state.Clock.Height:
		return app.Notify(app.LevelInfo, "the clock is there already")
	case t.reading == nil || t.reading.cursor != t.cursor || t.reading.node == 0:
		return nil
	}
	return app.GotoNode(state, t.reading.node)
}

// askAboutGrant opens a dialog about the selected grant, such as [OpenWhy]. The dialog is
// about the current block of the chain, and not about the block of the cursor.
func (t *timeline) askAboutGrant(state *app.State, openDialog func(*app.State, app.Subject) tea.Cmd) tea.Cmd {
	entry, hasGrant := t.selectedGrant()
	if !hasGrant {
		return nil
	}
	return openDialog(state, app.SubjectOfGrant(entry.Grant))
}
