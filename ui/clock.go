package ui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// clockPanel is the panel at the bottom of every screen. It shows the present block, and
// counts the coming expiries on two lines, called lanes. It can also play, which means that
// the clock moves by itself, one block at a time.
type clockPanel struct {
	// runningPlay is the number of the play that runs, from 1; 0 while the clock is paused.
	runningPlay int
	// playCount is the number of plays so far. It gives each play a number of its own.
	playCount int
	// speedIndex is the index into speeds of the speed at which the clock plays.
	speedIndex int
	// playNode is the node of the history that holds all moves of the play, so that one
	// undo takes them back; 0 before the first move.
	playNode history.ID
	// isTicking means that a move of the play is being written.
	isTicking bool
	// expiredText says which grants expired in the last move; "" if none did.
	expiredText string
	// expiredSubject is the first approval that expired in the last move; empty for none.
	expiredSubject app.Subject
}

// speeds are the speeds at which the clock can play, in blocks per second.
var speeds = []int{1, 2, 5, 10, 50}

// tickMsg says that it is time for the next move of a clock that plays. It holds the
// number of the play, so that a late tick of an earlier play can be ignored.
type tickMsg int

// clockHeight returns the number of lines of the clock: one in a small terminal, otherwise
// four, because the scale and the two lanes follow. At 80×24, the size of most terminals, the
// lanes are worth three rows of the list. The lines of a lesson above the screen don't count.
// Without known expiries there are no lanes.
func (m *Model) clockHeight() int {
	_, lessonHeight := m.lessonPanelSize()
	if m.size.H-lessonHeight < 20 || m.size.W < 60 || m.state.UnreadableReason != "" {
		return 1
	}
	return 4
}

// commands returns the commands of the clock. A command that moves the clock first pauses a
// play, so that the clock does not also move by itself. The keys of all commands except the
// one that opens a form also work while the screen is being read (AsQueuedWrite).
func (c *clockPanel) commands(state *app.State) []app.Command {
	move := func(step chain.ClockStep) func() tea.Cmd {
		return func() tea.Cmd {
			c.pause()
			return app.Advance(state, step, app.NoPlay)
		}
	}
	toExpiry := move(chain.ClockStep{ToNext: true})
	beforeExpiry := move(chain.ClockStep{StopsBefore: true})
	togglePlay := func() tea.Cmd { return c.togglePlay(state) }
	playFaster := func() tea.Cmd { return c.changeSpeed(+1) }
	playSlower := func() tea.Cmd { return c.changeSpeed(-1) }
	commands := []app.Command{
		app.ScreenCommand(".", "+1 block", "Clock: one block on", move(chain.ClockStep{Blocks: 1})),
		app.ScreenCommand(">", "+10", "Clock: ten blocks on", move(chain.ClockStep{Blocks: 10})),
		app.ScreenCommand("e", "next expiry", "Clock: to the next expiry", toExpiry),
		app.ScreenCommand("E", "just before", "Clock: to just before the next expiry", beforeExpiry),
		app.ScreenCommand("P", "play", "Clock: play or pause", togglePlay),
		app.ScreenCommand("+ =", "faster", "Clock: play faster", playFaster),
		app.ScreenCommand("-", "slower", "Clock: play slower", playSlower),
	}
	for i, command := range commands {
		commands[i] = command.AsQueuedWrite()
	}

	openForm := func() tea.Cmd { return openClockForm(state, "") }
	return append(commands, app.ScreenCommand("T", "set clock", "Clock: set or advance exactly", openForm))
}

// togglePlay starts a play, in which the clock moves by itself, or pauses the one that runs.
// All moves of one play are one step of undo. It shows no notice: the first line of the
// clock says that it plays, and a notice would cover the news of an expiry.
func (c *clockPanel) togglePlay(state *app.State) tea.Cmd {
	if c.runningPlay != 0 {
		c.pause()
		return nil
	}
	c.playCount++
	c.runningPlay = c.playCount
	c.playNode = 0
	c.isTicking = false
	return c.tick(state, c.runningPlay)
}

// changeSpeed changes the speed of a play by a number of steps in the list of speeds;
// a negative number is slower. It stays within the list. The command that it returns shows a
// notice, such as "the clock plays at 4 blocks a second".
func (c *clockPanel) changeSpeed(steps int) tea.Cmd {
	fastest := len(speeds) - 1
	c.speedIndex = max(0, min(c.speedIndex+steps, fastest))
	speed := app.Plural(speeds[c.speedIndex], "block")
	return app.Notify(app.LevelInfo, "the clock plays at "+speed+" a second")
}

// tick returns the command that moves the clock by one block. playNumber is the number of
// the play that asks for the move. It returns nil if that play is over, or if its last move
// is still being written. The next tick is scheduled only after this move is done, so that
// a slow disk slows the play down instead of piling up moves.
func (c *clockPanel) tick(state *app.State, playNumber int) tea.Cmd {
	if playNumber != c.runningPlay || c.isTicking || state.Engine == nil {
		return nil
	}
	c.isTicking = true
	oneBlock := chain.ClockStep{Blocks: 1, JoinedNode: c.playNode}
	return app.Advance(state, oneBlock, playNumber)
}

// applyMove handles a move of the clock that was written, or failed. It remembers which
// grants expired. If the move belongs to the running play, it returns the command that
// waits until the next move is due; a failed move stops the play. msg.PlayNumber is the
// number of the play, and 0 for a move that the user made with a key.
func (c *clockPanel) applyMove(state *app.State, msg app.MovedMsg) tea.Cmd {
	isByUser := msg.PlayNumber == app.NoPlay
	switch {
	case msg.Err != nil:
		// Nothing has moved, so nothing has expired.
	case len(msg.Move.Expired) > 0:
		c.expiredText = state.ExpiredText(msg.Move)
		c.expiredSubject = firstApproval(msg.Move.Expired)
	case isByUser:
		// A play keeps the text, so that it can be read.
		c.forgetExpired()
	}

	// Only a move of the running play is followed by another.
	if isByUser || msg.PlayNumber != c.runningPlay {
		return nil
	}
	c.isTicking = false
	if msg.Err != nil {
		c.runningPlay = 0
		return nil
	}

	// The next move is written into the same node of the history, so that undo takes back
	// the play as a whole.
	c.playNode = msg.Move.Node
	blocksPerSecond := speeds[c.speedIndex]
	delay := time.Second / time.Duration(blocksPerSecond)
	return app.After(delay, tickMsg(msg.PlayNumber))
}

// forgetExpired clears what expired in the last move, for example after an undo.
func (c *clockPanel) forgetExpired() {
	c.expiredText = ""
	c.expiredSubject = app.Subject{}
}

// reset pauses the clock and forgets what it knows about the chain. It is called when
// another chain is shown. The speed stays.
func (c *clockPanel) reset() {
	c.pause()
	c.forgetExpired()
}

// firstApproval returns the token and the spender of the first approval among expired
// grants. The key "!" explains it. If there is no approval, it returns an empty subject:
// the other grants are not about one token, so there is nothing to explain.
func firstApproval(expired []expiry.Entry) app.Subject {
	for _, entry := range expired {
		if entry.Kind == cw721.GrantApproval {
			return app.Subject{Token: &entry.Token, Account: entry.Spender}
		}
	}
	return app.Subject{}
}

// pause stops the play, so that the clock no longer moves by itself.
func (c *clockPanel) pause() { c.runningPlay = 0 }

// view draws the panel in a box: the first line, and the lanes if the box is high enough.
// highlightedExpiries holds the expiries of what is under the cursor of the screen. Their
// positions in the lanes stand out.
func (c *clockPanel) view(
	state *app.State,
	highlightedExpiries []cw721.Expiration,
	box widget.Box,
) string {
	head := c.headView(state, box)
	if !hasLanes(box) || !state.HasCollection() {
		return widget.Fill(head, box)
	}

	lanes := lanesView(state, highlightedExpiries, box.W)
	return widget.Fill(widget.JoinVertically(head, lanes), box)
}

// hasLanes reports whether a box has room for the lanes. In a box of one line, the panel
// shows only the total number of grants.
func hasLanes(box widget.Box) bool { return box.H > 1 }

// click handles a click at column x of line y of the panel, which is width cells wide. A
// click on a mark, which is a count in one of the lanes, opens the timeline there. Any other
// click does nothing.
func (c *clockPanel) click(state *app.State, x, y, width int) tea.Cmd {
	// Line 0 has the block, and line 1 the scale.
	laneOfLine := map[int]cw721.Axis{2: cw721.AtHeight, 3: cw721.AtTime}
	axis, isLane := laneOfLine[y]
	if !isLane {
		return nil
	}
	mark, hasMark := expiryChart(state, width).markAt(axis, x)
	if !hasMark {
		return nil
	}
	first, last := expiryChart(state, width).expiryRange(mark)
	return inspect.OpenTimelineAt(state, mark.axis, first, last)
}

// openClockForm returns the command that opens the form of the clock. The form moves the
// clock to a height or a time, and changes the seconds per block. moment is the moment that it
// begins with, as a user types it; it can be empty.
func openClockForm(state *app.State, moment string) tea.Cmd {
	momentField := widget.Field{
		Name:        "to",
		Label:       "Move to",
		Value:       moment,
		Placeholder: "+10 blocks",
		Hint:        form.Examples(state.Clock),
	}
	paceField := widget.Field{
		Name:  "pace",
		Label: "Seconds a block",
		Value: app.Decimal(state.Clock.SecondsPerBlock),
	}
	bothAxesField := widget.Field{
		Name:  "both",
		Label: "Both axes",
		Kind:  widget.ToggleField,
		Value: "true",
		Hint:  "height and time move together",
	}

	dialog := form.NewAction("Clock", readClock, momentField, paceField, bothAxesField)
	dialog.Verb = "set the clock"
	return form.Open(state, dialog)
}

// maxSecondsPerBlock is the longest block that the form of the clock takes: a day.
const maxSecondsPerBlock = 86_400

// readClock checks what was typed into the form of the clock. If it is valid, the result
// says what enter will do: change the seconds per block, and move the clock to the typed
// moment, such as "+10 blocks". An empty moment leaves the block as it is.
func readClock(state *app.State, values map[string]string) (result form.Result) {
	pace, err := strconv.ParseUint(strings.TrimSpace(values["pace"]), 10, 64)
	if err != nil || pace == 0 || pace > maxSecondsPerBlock {
		result.Fail("pace", "seconds a block: expected a whole number from 1 to 86,400")
		return result
	}

	// An empty moment changes only the seconds per block.
	text := strings.TrimSpace(values["to"])
	if text == "" {
		height := human.Thousands(uint64(state.Clock.Height))
		result.Effect = mutedLine("the clock stays at height " + height)
		result.Then = func(st *app.State) tea.Cmd { return setClock(st, pace, nil) }
		return result
	}

	clock := state.Clock
	clock.SecondsPerBlock = pace
	target, effect, err := readTarget(text, clock, values["both"] == "true")
	if err != nil {
		result.Fail("to", err.Error())
		return result
	}

	result.Effect = mutedLine(effect)
	facts := state.Facts
	result.Consequences = func(engine app.Engine) ([]widget.Line, error) {
		return describeExpiriesUntil(engine, target.Block(), facts)
	}
	result.Then = func(st *app.State) tea.Cmd { return setClock(st, pace, target) }
	return result
}

// readTarget reads a typed moment, such as "+10 blocks" or "h1214". It returns the clock at
// that moment, and a phrase about it, such as "to height 1,214, 2026-11-21 12:40:00 UTC".
//
// The clock has a height and a time. If movesBoth is set, both move together. Otherwise only
// the one that was typed moves, and the phrase says that the two diverge. readTarget fails
// if the text is not a moment, or if the moment is in the past.
func readTarget(
	text string,
	clock chain.Clock,
	movesBoth bool,
) (target *chain.Clock, effect string, err error) {
	parser := human.MomentParser{
		Field:         "move to",
		Noun:          "moment",
		Examples:      form.Examples(clock),
		KeepsFraction: true,
	}
	moment, err := form.ReadMoment(text, clock, parser)
	if err != nil {
		return nil, "", err
	}

	newClock, err := moveTo(clock, moment.Expiration, movesBoth)
	if err != nil {
		return nil, "", err
	}

	// The typed moment can have a warning of its own.
	effect = targetEffect(newClock, moment.Axis, movesBoth)
	if moment.Warning != "" {
		effect += " " + themes.GlyphWarn + " " + moment.Warning
	}
	return &newClock, effect, nil
}

// moveTo returns a clock that has moved to a moment: its height and its time if movesBoth is
// set, otherwise only the one that moment has. It fails if the moment is in the past.
func moveTo(clock chain.Clock, moment cw721.Expiration, movesBoth bool) (chain.Clock, error) {
	step := chain.ClockStep{}
	if moment.Axis == cw721.AtHeight {
		step.Height = new(cw721.Height(moment.Value))
	} else {
		step.Time = new(cw721.Time(moment.Value))
	}
	newClock, err := clock.AfterStep(step)
	if err != nil || !movesBoth {
		return newClock, err
	}

	// ToExpiry computes the other one as well. The clock stops 0 blocks before the moment.
	return clock.ToExpiry(moment, 0)
}

// targetEffect returns a phrase about a move of the clock to target, such as "to height
// 1,214, 2026-11-21 12:40:00 UTC". typedAxis is the axis of the moment that the user typed.
func targetEffect(target chain.Clock, typedAxis cw721.Axis, movesBoth bool) string {
	heightText := human.Thousands(uint64(target.Height))
	timeText := human.TimeUTC(target.Time)
	switch {
	case movesBoth:
		return fmt.Sprintf("to height %s, %s", heightText, timeText)
	case typedAxis == cw721.AtHeight:
		return fmt.Sprintf(
			"to height %s; the time stays %s, so height and time diverge",
			heightText, timeText,
		)
	}
	return fmt.Sprintf(
		"to %s; the height stays %s, so height and time diverge",
		timeText, heightText,
	)
}

// describeExpiriesUntil returns a line that says how many grants expire from now until a
// later block, and names the first two, such as "3 grants expire on the way: ape-0042 → bob,
// ape-0007 → carol, 1 more". If none expires, or if the contract's storage cannot be decoded,
// the line says so.
func describeExpiriesUntil(
	engine app.Engine,
	laterBlock cw721.Block,
	facts app.Facts,
) ([]widget.Line, error) {
	const maxCounted = 1000
	var expiring []expiry.Entry
	hasMore := false
	err := engine.View(func(view *chain.View) (err error) {
		present := view.Clock.Block()
		listing := view.InBlock(laterBlock).ExpiredSince(present)
		expiring, hasMore, err = app.ReadAtMost(listing, maxCounted)
		return err
	})
	if err != nil {
		return nil, err
	}

	return []widget.Line{expiriesLine(facts, expiring, hasMore)}, nil
}

// expiriesLine returns the line of describeExpiriesUntil about the grants that will expire.
// hasMore means that there are more than those in the list.
func expiriesLine(facts app.Facts, expiring []expiry.Entry, hasMore bool) widget.Line {
	switch {
	case facts.UnreadableReason != "":
		warning := themes.GlyphWarn + " which grants expire on the way is not known: "
		return widget.Styled(themes.Warn, warning).Text(facts.UnreadableReason)
	case len(expiring) == 0:
		return widget.Muted("no grant expires on the way")
	}

	// Count the grants, up to a limit, and name the first two.
	firstNames := strings.Join(facts.FirstGrants(expiring, hasMore), ", ")
	if len(expiring) == 1 {
		return widget.Styled(themes.Warn, "1 grant expires on the way: ").Text(firstNames)
	}
	count := human.Thousands(uint64(len(expiring)))
	if hasMore {
		count += "+"
	}
	return widget.Styled(themes.Warn, count+" grants expire on the way: ").Text(firstNames)
}

// setClock returns the command that changes the seconds per block to pace, and then moves
// the clock to the height and time of target. If pace is the present one, or target is nil,
// it leaves out that part.
func setClock(state *app.State, pace uint64, target *chain.Clock) tea.Cmd {
	var cmds []tea.Cmd
	if pace != state.Clock.SecondsPerBlock {
		setPace := func(engine app.Engine) tea.Msg {
			move, err := engine.SetPace(pace)
			return app.MovedMsg{Move: move, Err: err}
		}
		cmds = append(cmds, state.Write(setPace))
	}
	if target != nil {
		step := chain.ClockStep{Height: &target.Height, Time: &target.Time}
		cmds = append(cmds, app.Advance(state, step, app.NoPlay))
	}
	return tea.Sequence(cmds...)
}
