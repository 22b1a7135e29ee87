package inspect

import (
	"errors"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// timeline is the dialog that draws every grant as a horizontal bar, from the block in
// which it was given to its expiry. Each cell is one or more blocks. The cursor moves
// over past and future blocks, and the dialog shows which grants are in force there.
type timeline struct {
	box            widget.Box
	cursor         cw721.Height
	firstHeight    cw721.Height // the first block in view
	hasFirstHeight bool         // firstHeight was set by the first reading
	zoom           int          // an index into blocksPerCell
	selected       string       // the grantKey of the selected grant; empty before the first reading
	subject        app.Subject  // the first reading selects a grant of this token or account

	reading   *timelineReading // nil before the first reading
	fault     string           // why the latest reading failed
	isReading bool
	isStale   bool // the cursor has moved since the reading began
}

// blocksPerCell are the scales of the timeline: how many blocks one cell of a bar
// covers, the finest scale first.
var blocksPerCell = []uint64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000}

// timelineReading is what was read of the chain at the block of the cursor.
type timelineReading struct {
	cursor      cw721.Height // where the cursor was when the reading began
	firstHeight cw721.Height // the first block in view then
	block       cw721.Block
	node        history.ID // the node of the history to go to for this block; 0 if it is ahead of the clock
	grants      []expiry.Entry
	hasMore     bool // more grants than the timeline draws
	selected    string
	// moves are the recorded moves of the clock over the past blocks in view, the latest
	// first.
	moves    []chain.ClockMove
	access   []actionVerdict  // what the selected grant permits
	realEnds app.RealExpiries // of the selected grant alone
	err      error            // why the reading failed; nil if it did not
}

// OpenTimeline opens the timeline of all grants with the cursor at the current block. It
// selects a grant of the subject, if one is in view. The first reading needs the size of
// the dialog, so it waits for [app.ShownMsg].
func OpenTimeline(st *app.State, subject app.Subject) tea.Cmd {
	t := &timeline{cursor: st.Clock.Height, zoom: 1, subject: subject}
	return app.OpenDialogThen(t, st.Ask(t, func(app.Engine) tea.Msg { return app.ShownMsg{} }))
}

// Resize sets the box of the dialog.
func (t *timeline) Resize(b widget.Box) { t.box = b }

// labelCells returns the width of the labels left of the bars: a third of the dialog,
// but between 8 and 30 cells.
func (t *timeline) labelCells() int { return min(30, max(widget.FrameInner(t.box).W/3, 8)) }

// barCells returns the width of the bars in cells, at least 1.
func (t *timeline) barCells() int {
	return max(widget.FrameInner(t.box).W-t.labelCells()-2, 1)
}

// scrollToCursor moves the visible range of blocks so that the cursor is in it. At
// first the cursor is a quarter of the width from the left. Later the range stays as it
// is until the cursor leaves it; then the cursor is an eighth from the edge that it
// crossed.
func (t *timeline) scrollToCursor() {
	cells := uint64(t.barCells())
	scale := blocksPerCell[t.zoom]
	rightEdge := t.firstHeight + cw721.Height(cells*scale)

	cellsLeftOfCursor := uint64(0)
	switch {
	case !t.hasFirstHeight:
		cellsLeftOfCursor = cells / 4
	case t.cursor < t.firstHeight:
		cellsLeftOfCursor = cells / 8
	case t.cursor >= rightEdge && rightEdge > t.firstHeight: // unless rightEdge overflowed
		cellsLeftOfCursor = cells - cells/8
	default:
		return
	}

	// Place the range so that the cursor has these cells at its left.
	t.hasFirstHeight = true
	t.firstHeight = t.cursor - min(t.cursor, cw721.Height(cellsLeftOfCursor*scale))
}

// maxGrantsDrawn is how many grants each of the three lanes has at most: those that
// expire at a height, at a time, and never.
const maxGrantsDrawn = 250

// read returns the command that reads the grants at the block of the cursor. Only one
// reading runs at a time, however fast the cursor moves: while one is running, read
// returns nil and has another follow it.
func (t *timeline) read(st *app.State) tea.Cmd {
	t.scrollToCursor()
	if t.isReading {
		t.isStale = true
		return nil
	}
	t.isReading = true
	t.isStale = false

	// Copy what the command needs, since it must not use the state.
	reading := &timelineReading{cursor: t.cursor, firstHeight: t.firstHeight, selected: t.selected}
	clock := st.Clock
	subject := t.subject
	nameOf := st.DisplayName
	return st.Ask(t, func(e app.Engine) tea.Msg {
		reading.err = e.View(func(v *chain.View) (err error) {
			reading.moves, err = v.MovesSince(reading.firstHeight)
			return err
		})
		if reading.err == nil {
			reading.err = viewAtHeight(e, reading.cursor, func(v *chain.View, node history.ID) error {
				reading.node = node
				return reading.read(v, clock, subject, nameOf)
			})
		}
		return reading
	})
}

// viewAtHeight runs fn on a view of the chain at a height: for a past height as the
// chain was then, for a future height as it would be if no message were sent until
// then. A height before the first block means the first block. node is the node of the
// history that the chain can go back to for this moment; it is 0 for a future height.
func viewAtHeight(e app.Engine, height cw721.Height, fn func(v *chain.View, node history.ID) error) error {
	moment, err := chain.Read(e, func(v *chain.View) (chain.Moment, error) {
		return v.MomentAt(cw721.UntilHeight(height))
	})
	if err != nil && !errors.Is(err, chain.ErrBeforeBeginning) {
		return err
	}
	return e.ViewAtMoment(moment, func(v *chain.View) error { return fn(v, moment.TargetNode) })
}

// read fills in the reading from a view at the block of the cursor. now is the clock of
// the chain itself. It describes the selected grant. If none is selected, or it is gone, it
// selects the one that suits the subject best.
func (f *timelineReading) read(v *chain.View, now chain.Clock, subject app.Subject, nameOf func(cw721.Address) string) error {
	f.block = v.Clock.Block()
	if err := f.readGrants(v, now); err != nil {
		return err
	}
	if len(f.grants) == 0 {
		f.selected = ""
		return nil
	}

	// Stay on the selected grant, or choose one that suits what was under the cursor.
	isSelected := func(e expiry.Entry) bool { return grantKey(e.Grant) == f.selected }
	index := slices.IndexFunc(f.grants, isSelected)
	if index < 0 {
		index = f.indexFor(subject)
	}
	entry := f.grants[index]
	f.selected = grantKey(entry.Grant)

	// Read what it permits in this block, and until when it really does.
	var err error
	if f.access, err = readAccess(v, entry.Grant, nameOf); err != nil {
		return err
	}
	f.realEnds, err = f.realEnds.Read(v, []cw721.Grant{entry.Grant})
	return err
}

// indexFor returns the index of the grant to start from: the first live one of the token or
// the account of a subject, or else an expired one of it, or else the first live one.
func (f *timelineReading) indexFor(subject app.Subject) int {
	isOfSubject := func(e expiry.Entry) bool {
		if subject.Token != nil {
			isOnToken := e.Kind == cw721.GrantApproval && e.Token == *subject.Token
			return isOnToken && (subject.Account == "" || e.Spender == subject.Account)
		}

		// A grant is of an account that gave or received it.
		isBetween := e.Spender == subject.Account || e.Owner == subject.Account
		return subject.Account != "" && isBetween && (subject.Giver == "" || e.Owner == subject.Giver)
	}
	isLive := func(e expiry.Entry) bool { return !e.Expires.Expired(f.block) }
	isLiveOfSubject := func(e expiry.Entry) bool { return isLive(e) && isOfSubject(e) }

	// Take the first grant that fits best.
	for _, matches := range []func(expiry.Entry) bool{isLiveOfSubject, isOfSubject, isLive} {
		if index := slices.IndexFunc(f.grants, matches); index >= 0 {
			return index
		}
	}
	return 0
}

// blockAt returns the block of a height or a time. A future one is computed at the pace of
// the clock, and a past one is as the history recorded it. ok is false for a moment before
// the recorded moves, and before the first reading.
func (f *timelineReading) blockAt(e cw721.Expiration, now chain.Clock) (block cw721.Block, ok bool) {
	current, end, _ := e.NowAndEnd(now.Block())
	if end >= current {
		target, err := now.ToExpiry(e, 0)
		return target.Block(), err == nil
	}
	if f == nil {
		return cw721.Block{}, false
	}
	for _, move := range f.moves {
		start, _, _ := e.NowAndEnd(move.From.Block())
		if end >= start {
			return move.BlockAt(e), true
		}
	}
	return cw721.Block{}, false
}

// readGrants lists the grants that expire in the visible range or later: first those
// that expire at a height, then at a time, then never.
func (f *timelineReading) readGrants(v *chain.View, now chain.Clock) error {
	firstTime := now.At(f.firstHeight)
	if block, isRecorded := f.blockAt(cw721.UntilHeight(f.firstHeight), now); isRecorded {
		firstTime = block.Time
	}

	// The index has heights, times and grants without expiry apart.
	lanes := []struct {
		axis cw721.Axis
		from uint64
	}{
		{axis: cw721.AtHeight, from: uint64(f.firstHeight)},
		{axis: cw721.AtTime, from: uint64(firstTime)},
		{axis: cw721.Never},
	}
	for _, lane := range lanes {
		grants, hasMore, err := app.TakeFirst(v.ExpiringBetween(lane.axis, lane.from, math.MaxUint64), maxGrantsDrawn)
		if err != nil {
			return err
		}
		f.grants = append(f.grants, grants...)
		f.hasMore = f.hasMore || hasMore
	}
	return nil
}

// grantKey returns a text that identifies a grant. A grant that is renewed with another
// expiry keeps its key.
func grantKey(g cw721.Grant) string {
	return string(g.Kind) + "\x00" + string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// grant returns the grant with a key, or the first one if no grant has the key.
// hasGrant is false if there are no grants, and if f is nil, before the first reading.
func (f *timelineReading) grant(key string) (entry expiry.Entry, hasGrant bool) {
	if f == nil || len(f.grants) == 0 {
		return expiry.Entry{}, false
	}
	return f.grants[f.indexOf(key)], true
}

// indexOf returns the index of the grant with a key, or 0 if there is none.
func (f *timelineReading) indexOf(key string) int {
	return max(0, slices.IndexFunc(f.grants, func(e expiry.Entry) bool { return grantKey(e.Grant) == key }))
}

// FullScreen marks a dialog that takes the whole terminal.
func (t *timeline) FullScreen() {}

// Commands returns the keys of the timeline. Left and right move the cursor by a block,
// with shift by ten cells; up and down select a grant.
func (t *timeline) Commands(st *app.State) []app.Command {
	// A negative direction moves to the left.
	moveBy := func(blocks uint64) func(int) tea.Cmd {
		return func(direction int) tea.Cmd { return t.moveCursor(st, direction < 0, cw721.Height(blocks)) }
	}
	return slices.Concat(
		app.OppositeCommands("← → h l", "block", moveBy(1), -1, "left h", "right l"),
		app.OppositeCommands("H L", "ten cells", moveBy(10*blocksPerCell[t.zoom]), -1, "H shift+left", "L shift+right"),
		app.OppositeCommands("j k", "grant", func(by int) tea.Cmd { return t.selectGrant(st, by) }, +1, "j down", "k up"),
		[]app.Command{
			app.DialogCommand("e", "its expiry", func() tea.Cmd { return t.moveToExpiry(st, false) }),
			app.DialogCommand("E", "just before", func() tea.Cmd { return t.moveToExpiry(st, true) }),
		},
		app.OppositeCommands("+ -", "zoom", func(by int) tea.Cmd { return t.zoomIn(st, by) }, +1, "+ =", "-"),
		[]app.Command{
			app.DialogCommand("0", "now", func() tea.Cmd { t.cursor = st.Clock.Height; return t.read(st) }),
			app.DialogCommand("enter", "go there", func() tea.Cmd { return t.goToCursor(st) }),
			app.DialogCommand("w", "why", func() tea.Cmd { return t.askAboutGrant(st, OpenWhy) }),
			app.DialogCommand("W", "who could", func() tea.Cmd { return t.askAboutGrant(st, OpenWhoCould) }),
			app.Close,
		})
}

// Update reads the grants when the dialog is shown and when the chain has changed, and
// runs the command of a key. When the clock or the head moves, the cursor goes there.
func (t *timeline) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case app.ShownMsg:
		return t.read(st), false // the box is known now

	case *timelineReading:
		return t.applyReading(st, msg), false

	case app.MovedMsg:
		if msg.Err == nil {
			t.cursor = msg.Move.To.Height
		}
		return t.read(st), false

	case app.WalkedMsg:
		if msg.Err == nil {
			t.cursor = msg.Walked.Clock.Height
		}
		return t.read(st), false

	case app.ExecutedMsg, app.ChangedMsg:
		return t.read(st), false

	case tea.KeyMsg:
		cmd, done, _ := app.PressKey(t.Commands(st), msg)
		return cmd, done
	}
	return nil, false
}

// applyReading shows what was read, and begins another reading if the cursor has moved
// since. If the cursor is before the first block of the chain, it moves to that block.
func (t *timeline) applyReading(st *app.State, reading *timelineReading) tea.Cmd {
	t.isReading = false
	t.fault = ""
	if reading.err != nil {
		t.fault = reading.err.Error()
	} else {
		t.reading = reading

		// A cursor before the first block moves to that block, unless it has moved on
		// meanwhile.
		if t.cursor == t.reading.cursor {
			t.cursor = max(t.cursor, t.reading.block.Height)
			t.reading.cursor = t.cursor
		}
		if t.selected == "" {
			t.selected = t.reading.selected
		}
	}
	if t.isStale {
		return t.read(st)
	}
	return nil
}

// zoomIn makes the scale finer by a number of steps, or coarser if steps is negative.
// The cursor stays in its cell.
func (t *timeline) zoomIn(st *app.State, steps int) tea.Cmd {
	blocksLeftOfCursor := t.cursor - min(t.cursor, t.firstHeight)
	cellOfCursor := uint64(blocksLeftOfCursor) / blocksPerCell[t.zoom]

	t.zoom = max(0, min(t.zoom-steps, len(blocksPerCell)-1))
	blocksLeftOfCursor = cw721.Height(cellOfCursor * blocksPerCell[t.zoom])
	t.firstHeight = t.cursor - min(t.cursor, blocksLeftOfCursor)
	return t.read(st)
}

// moveCursor moves the cursor by a number of blocks, and stops at height 0 and at the
// largest height.
func (t *timeline) moveCursor(st *app.State, isBack bool, blocks cw721.Height) tea.Cmd {
	if isBack {
		t.cursor -= min(t.cursor, blocks)
	} else {
		t.cursor = max(t.cursor, t.cursor+blocks) // a sum that overflows is smaller: no move
	}
	return t.read(st)
}

// selectGrant selects the grant that is a number of places below the selected one, or
// above it if by is negative.
func (t *timeline) selectGrant(st *app.State, by int) tea.Cmd {
	if _, hasGrant := t.selectedGrant(); hasGrant {
		next := t.reading.indexOf(t.selected) + by
		next = max(0, min(next, len(t.reading.grants)-1))
		t.selected = grantKey(t.reading.grants[next].Grant)
	}
	return t.read(st)
}

// selectedGrant returns the selected grant. hasGrant is false if there are no grants.
func (t *timeline) selectedGrant() (entry expiry.Entry, hasGrant bool) {
	return t.reading.grant(t.selected)
}

// moveToExpiry moves the cursor to the first block in which the selected grant has
// expired, or with justBefore to the last block in which it is in force.
func (t *timeline) moveToExpiry(st *app.State, justBefore bool) tea.Cmd {
	entry, hasGrant := t.selectedGrant()
	if !hasGrant || entry.Expires.Axis == cw721.Never {
		return app.Notify(app.LevelInfo, "this grant never expires")
	}
	t.cursor = t.reading.expiryHeight(entry.Expires, st.Clock)
	if justBefore && t.cursor > 0 {
		t.cursor--
	}
	return t.read(st)
}

// expiryHeight returns the first height at which a grant with an expiry has expired. For an
// expiry by time in the future it is an estimate from the clock's seconds per block, rounded
// up; one in the past is as the history recorded it.
func (f *timelineReading) expiryHeight(expires cw721.Expiration, clock chain.Clock) cw721.Height {
	if expires.Axis == cw721.AtHeight {
		return cw721.Height(expires.Value)
	}
	now := uint64(clock.Time)
	blockNanoseconds := clock.SecondsPerBlock * nanosecondsPerSecond
	if expires.Value >= now {
		blocksAhead := (expires.Value - now + blockNanoseconds - 1) / blockNanoseconds
		return clock.Height + cw721.Height(blocksAhead)
	}
	if block, isRecorded := f.blockAt(expires, clock); isRecorded {
		return block.Height
	}
	blocksAgo := cw721.Height((now - expires.Value) / blockNanoseconds)
	return clock.Height - min(clock.Height, blocksAgo)
}

const nanosecondsPerSecond = 1_000_000_000

// goToCursor makes the block of the cursor the current one: it moves the clock ahead,
// or goes back in the history. It does nothing for a past block that was not read yet.
func (t *timeline) goToCursor(st *app.State) tea.Cmd {
	switch {
	case t.cursor > st.Clock.Height:
		return app.Advance(st, chain.ClockStep{Blocks: uint64(t.cursor - st.Clock.Height)}, 0)
	case t.cursor == st.Clock.Height:
		return app.Notify(app.LevelInfo, "the clock is there already")
	case t.reading == nil || t.reading.cursor != t.cursor || t.reading.node == 0:
		return nil
	}
	return app.GotoNode(st, t.reading.node)
}

// askAboutGrant opens a dialog, such as "why", about the selected grant as it is at the
// current block, not at the cursor.
func (t *timeline) askAboutGrant(st *app.State, open func(*app.State, app.Subject) tea.Cmd) tea.Cmd {
	entry, hasGrant := t.selectedGrant()
	if !hasGrant {
		return nil
	}
	return open(st, subjectOfGrant(entry.Grant))
}

// subjectOfGrant returns what other dialogs start from when they are opened for a grant.
func subjectOfGrant(g cw721.Grant) app.Subject {
	subject := app.Subject{Account: g.Spender, Giver: g.Owner, Expires: g.Expires}
	if g.Kind == cw721.GrantApproval {
		subject.Token = &g.Token
	}
	return subject
}
