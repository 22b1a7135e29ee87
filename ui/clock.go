package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/ui/app"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// clockPanel is the panel at the bottom of every screen. It shows the present block, and
// counts the coming expiries on two lines, called lanes. It can also play, which means that
// the clock moves by itself, one block at a time.
type clockPanel struct {
	runningPlay    int         // the number of the play that runs, from 1; 0 while the clock is paused
	playCount      int         // the number of plays so far, which gives each a number of its own
	speedIndex     int         // the index into speeds of the speed at which the clock plays
	playNode       history.ID  // holds all moves of the play, so that one undo takes them back; 0 at first
	isTicking      bool        // a move of the play is being written
	expiredText    string      // which grants expired in the last move; "" if none did
	expiredSubject app.Subject // the first approval that expired in the last move; empty for none
	flashCount     int         // the number of flashes so far
	lanes          drawnLanes
}

// speeds are the speeds at which the clock can play, in blocks per second.
var speeds = []int{1, 2, 5, 10, 50}

// tickMsg says that the next move of a play is due. It holds the number of the play.
type tickMsg int

// commands returns the commands of the clock. A command that moves the clock first pauses a
// play, so that the clock does not also move by itself.
func (c *clockPanel) commands(state *app.State) []app.Command {
	move := func(step chain.ClockStep) func() tea.Cmd {
		return func() tea.Cmd {
			c.pause()
			return app.Advance(state, step, app.NoPlay)
		}
	}
	commands := []app.Command{
		app.ScreenCommand(".", "+1 block", "Clock: one block on", move(chain.ClockStep{Blocks: 1})).
			FoundBy("wait, tick, step, next block, pass time"),
		app.ScreenCommand(">", "+10", "Clock: ten blocks on", move(chain.ClockStep{Blocks: 10})).
			FoundBy("fast forward, skip"),
		app.ScreenCommand("e", "next expiry", "Clock: to the next expiry", move(chain.ClockStep{ToNext: true})).
			FoundBy("expire, expiry, jump to the next, let it expire, expiration"),
		app.ScreenCommand("E", "just before", "Clock: to just before the next expiry",
			move(chain.ClockStep{StopsBefore: true})).
			FoundBy("before it expires, last moment"),
		app.ScreenCommand("P", "play", "Clock: play or pause",
			func() tea.Cmd { return c.togglePlay(state) }).
			FoundBy("run, start the clock, stop the clock, pause, automatic"),
		app.ScreenCommand("+ =", "faster", "Clock: play faster",
			func() tea.Cmd { return c.changeSpeed(+1) }).
			FoundBy("speed up"),
		app.ScreenCommand("-", "slower", "Clock: play slower",
			func() tea.Cmd { return c.changeSpeed(-1) }).
			FoundBy("slow down"),
	}
	for i, command := range commands {
		commands[i] = command.AsQueuedWrite()
	}
	return append(commands, app.ScreenCommand("T", "set clock", "Clock: set or advance exactly",
		func() tea.Cmd { return openClockForm(state, "") }).
		FoundBy("time, date, set time, time travel, height, a day later, tomorrow, next day, an hour later, block height"))
}

// togglePlay starts a play, in which the clock moves by itself, or pauses the one that runs. It
// shows no notice, which would cover the news of an expiry; the first line of the clock says
// that it plays.
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
// a negative number is slower.
func (c *clockPanel) changeSpeed(steps int) tea.Cmd {
	c.speedIndex = max(0, min(c.speedIndex+steps, len(speeds)-1))
	speed := human.Plural(speeds[c.speedIndex], "block")
	return app.Notify(app.LevelInfo, "the clock plays at "+speed+" a second")
}

// tick returns the command that moves the clock by one block for a play. It returns nil if that
// play is over, or if its last move is still being written. The next tick is scheduled only
// after this move is done, so that a slow disk slows the play down instead of piling up moves.
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
// waits until the next move is due; a failed move stops the play.
func (c *clockPanel) applyMove(state *app.State, msg app.MovedMsg) tea.Cmd {
	isByUser := msg.PlayNumber == app.NoPlay
	switch {
	case msg.Err != nil: // nothing has moved
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

// forgetExpired clears what expired in the last move.
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

// flashTime is how long the rows of grants that have just expired are highlighted.
const flashTime = 700 * time.Millisecond

// flashOverMsg says that the time of the flash with a number is over.
type flashOverMsg int

// startFlash highlights the rows of the grants that expired in a move of the clock for
// [flashTime], unless the user chose that nothing on the screen moves.
func (c *clockPanel) startFlash(state *app.State, move chain.Move) tea.Cmd {
	if state.NoMotion {
		return nil
	}
	c.flashCount++
	state.Flash = move.Expired
	return app.After(flashTime, flashOverMsg(c.flashCount))
}

// endFlash ends a flash unless a later one has begun.
func (c *clockPanel) endFlash(state *app.State, msg flashOverMsg) {
	if int(msg) == c.flashCount {
		state.Flash = nil
	}
}

// firstApproval returns the token and the spender of the first approval among expired grants,
// which the key "!" explains. Without an approval the subject is empty.
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
func (c *clockPanel) view(state *app.State, highlightedExpiries []cw721.Expiration, box widget.Box) string {
	head := c.headView(state, box)
	if !hasLanes(box) || !state.HasCollection() {
		return widget.Fill(head, box)
	}
	return widget.JoinVertically(head, c.lanes.draw(state, highlightedExpiries, box.W))
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
	chart := newLaneChart(state.Lanes, state.Clock, width)
	mark, hasMark := chart.markAt(axis, x)
	if !hasMark {
		return nil
	}
	first, last := chart.expiryRange(mark)
	return inspect.OpenTimelineAt(state, mark.axis, first, last)
}
