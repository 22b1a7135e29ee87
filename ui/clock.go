package ui

import (
	"cmp"
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
	"ephemera/ui/widget"
)

// clockPanel shows the block on every screen, with the coming expiries on two
// lanes. It can play: move the clock by itself.
type clockPanel struct {
	runningPlay    int         // the number of the running play; 0 while paused
	playCount      int         // the number of plays so far
	speedIndex     int         // an index into speeds
	playNode       history.ID  // the node of the history that holds the ticks of the play
	isTicking      bool        // a tick is being written
	expiredText    string      // what expired in the last move, in words
	expiredSubject app.Subject // the approval that expired, until the user turns to something else
}

// speeds are the speeds at which the clock can play, in blocks per second.
var speeds = []int{1, 2, 5, 10, 50}

// tickMsg says that it is time for the next move of a clock that plays. It holds the
// number of the play, so that a tick of an earlier play does nothing.
type tickMsg int

// height returns the number of lines of the panel: one in a small terminal, otherwise
// three.
func (c *clockPanel) height(size widget.Box) int {
	const lanesNeed = 3 // a line for the scale and one for each lane
	if size.H < 26 || size.W < 72 {
		return 1
	}
	return 1 + lanesNeed
}

// commands returns the commands of the clock. Those that move it pause a play first, so
// that no tick comes between two moves of the user. All but the form are queued writes,
// for which keys don't wait.
func (c *clockPanel) commands(st *app.State) []app.Command {
	move := func(step chain.ClockStep) func() tea.Cmd {
		return func() tea.Cmd {
			c.pause()
			return app.Advance(st, step, 0)
		}
	}
	return []app.Command{
		app.ScreenCommand(".", "+1 block", "Clock: one block on", move(chain.ClockStep{Blocks: 1})).AsQueuedWrite(),
		app.ScreenCommand(">", "+10", "Clock: ten blocks on", move(chain.ClockStep{Blocks: 10})).AsQueuedWrite(),
		app.ScreenCommand("e", "next expiry", "Clock: to the next expiry", move(chain.ClockStep{ToNext: true})).AsQueuedWrite(),
		app.ScreenCommand("E", "just before", "Clock: to just before the next expiry", move(chain.ClockStep{Before: true})).AsQueuedWrite(),
		app.ScreenCommand("P", "play", "Clock: play or pause", func() tea.Cmd { return c.togglePlay(st) }).AsQueuedWrite(),
		app.ScreenCommand("+ =", "faster", "Clock: play faster", func() tea.Cmd { return c.changeSpeed(+1) }).AsQueuedWrite(),
		app.ScreenCommand("-", "slower", "Clock: play slower", func() tea.Cmd { return c.changeSpeed(-1) }).AsQueuedWrite(),
		app.ScreenCommand("l", "lanes", "Clock: what each mark of its lanes counts", func() tea.Cmd {
			c.pause()
			return openLaneFocus(st)
		}).DisabledIf(st.Lanes == expiry.Lanes{}, cmp.Or(st.Unreadable, "no grant is in force")),
		app.ScreenCommand("T", "set clock", "Clock: set or advance exactly", func() tea.Cmd { return openClockForm(st) }),
	}
}

// togglePlay lets the clock play, that is move by itself, or pauses it. All moves of one
// play are one step of undo. No notice says so, because the first line of the clock does,
// and a notice would cover the news of an expiry. runningPlay is the number of the play,
// from 1, and 0 while the clock is paused.
func (c *clockPanel) togglePlay(st *app.State) tea.Cmd {
	if c.runningPlay != 0 {
		c.pause()
		return nil
	}
	c.playCount++
	c.runningPlay = c.playCount
	c.playNode = 0
	c.isTicking = false
	return c.tick(st, c.runningPlay)
}

// pace returns a sentence about the speed at which the clock plays.
func (c *clockPanel) pace() string {
	return "the clock plays at " + app.Plural(speeds[c.speedIndex], "block") + " a second"
}

// changeSpeed changes the speed of a play by a number of steps in the list of speeds;
// a negative number is slower. It stays within the list.
func (c *clockPanel) changeSpeed(steps int) tea.Cmd {
	c.speedIndex = max(0, min(len(speeds)-1, c.speedIndex+steps))
	return app.Notify(app.LevelInfo, c.pace())
}

// tick returns the command that moves the clock by one block, for the play with a
// number. It returns nil if that play is over, or its last move is still being written.
// The next tick is scheduled when the move is done, so that a slow disk slows the play
// instead of piling moves up.
func (c *clockPanel) tick(st *app.State, play int) tea.Cmd {
	isRunning := c.runningPlay != 0 && play == c.runningPlay
	if !isRunning || c.isTicking || st.Engine == nil {
		return nil
	}
	c.isTicking = true
	return app.Advance(st, chain.ClockStep{Blocks: 1, Joins: c.playNode}, play)
}

// applyMove notes which grants expired in a move of the clock. For a move of the play
// that runs, it returns the command that waits for the next one; if the move failed, it
// stops the play. msg.Play is 0 for a move that the user made by a key.
func (c *clockPanel) applyMove(st *app.State, msg app.MovedMsg) tea.Cmd {
	if msg.Err == nil && len(msg.Move.Expired) > 0 {
		c.expiredText = st.Expiries(msg.Move)
		c.expiredSubject = firstApproval(msg.Move.Expired)
	} else if msg.Err == nil && msg.Play == 0 {
		c.forgetExpired()
	}

	// Only a tick of the play that runs is followed by another.
	if msg.Play == 0 || msg.Play != c.runningPlay {
		return nil
	}
	c.isTicking = false
	if msg.Err != nil {
		c.runningPlay = 0
		return nil
	}

	// The next tick extends the node of this one, so that undo takes back the play as a
	// whole.
	c.playNode = msg.Move.Node
	return app.After(time.Second/time.Duration(speeds[c.speedIndex]), tickMsg(msg.Play))
}

// forgetExpired clears what expired in the last move, for example after an undo.
func (c *clockPanel) forgetExpired() {
	c.expiredText = ""
	c.expiredSubject = app.Subject{}
}

// reset pauses the clock and forgets what it knows of the chain, because another chain
// is shown from now on. The speed stays.
func (c *clockPanel) reset() {
	c.pause()
	c.forgetExpired()
	c.playNode = 0
	c.isTicking = false
}

// firstApproval returns the token and the spender of the first approval among expired
// grants, for the key "why" to explain; an empty subject if there is no approval. Other
// grants are not about one token.
func firstApproval(expired []expiry.Entry) app.Subject {
	for _, e := range expired {
		if e.Kind == cw721.GrantApproval {
			return app.Subject{Token: &e.Token, Account: e.Spender}
		}
	}
	return app.Subject{}
}

// pause stops the play, so that no tick comes between two steps of the user.
func (c *clockPanel) pause() { c.runningPlay = 0 }

// view draws the first line and, in a box of more lines, the lanes. highlighted are the
// expiries of what is under the cursor.
func (c *clockPanel) view(st *app.State, highlighted []cw721.Expiration, b widget.Box) string {
	head := c.headView(st, b)
	if !hasLanes(b) || !st.HasCollection() {
		return widget.Fill(head, b)
	}
	return widget.Fill(widget.JoinV(head, lanesView(st, highlighted, nil, b.W)), b)
}

// hasLanes reports whether the panel draws its lanes in a box. In a box of one line it
// counts the grants instead.
func hasLanes(b widget.Box) bool { return b.H > 1 }

// click lists the grants of the mark at a cell of the panel, which is width cells wide. It
// does nothing for a cell without a mark.
func (c *clockPanel) click(st *app.State, x, y, width int) tea.Cmd {
	laneOfLine := map[int]cw721.Axis{2: cw721.AtHeight, 3: cw721.AtTime}
	axis, isLane := laneOfLine[y]
	if !isLane {
		return nil
	}
	mark, ok := chartOf(st, width).markAt(axis, x)
	if !ok {
		return nil
	}
	return openMark(st, mark, width)
}

// openClockForm opens the form that sets the clock, or moves it on, and changes
// the seconds per block.
func openClockForm(st *app.State) tea.Cmd {
	moment := widget.Field{Name: "to", Label: "Move to", Placeholder: "+10 blocks", Hint: form.Examples(st.Clock)}
	pace := widget.Field{Name: "pace", Label: "Seconds a block", Value: app.Decimal(st.Clock.SecondsPerBlock)}
	both := widget.Field{Name: "both", Label: "Both axes", Kind: widget.ToggleField, Value: "true", Hint: "height and time move together"}
	dialog := form.NewAction("Clock", readClock, moment, pace, both)
	dialog.Verb = "set the clock"
	return form.Open(st, dialog)
}

// maxSecondsPerBlock is the longest block that the form of the clock takes: a day.
const maxSecondsPerBlock = 86_400

// readClock checks what was typed into the form of the clock, and returns what enter will
// do: change the seconds per block, and move the clock to a moment such as "+10 blocks".
// An empty moment leaves the block as it is.
func readClock(st *app.State, values map[string]string) (out form.Result) {
	pace, err := strconv.ParseUint(strings.TrimSpace(values["pace"]), 10, 64)
	if err != nil || pace == 0 || pace > maxSecondsPerBlock {
		out.Fail("pace", "seconds a block: expected a whole number from 1 to 86,400")
		return out
	}

	// An empty moment changes only the pace.
	effect := "the clock stays at height " + human.Thousands(uint64(st.Clock.Height))
	var target *chain.Clock
	if text := strings.TrimSpace(values["to"]); text != "" {
		clock := st.Clock
		clock.SecondsPerBlock = pace
		target, effect, err = readTarget(text, clock, values["both"] == "true")
		if err != nil {
			out.Fail("to", err.Error())
			return out
		}
		facts := st.Facts
		out.Consequences = func(e app.Engine) ([]widget.Line, error) { return describeExpiriesUntil(e, target.Block(), facts) }
	}
	out.Effect = []widget.Line{widget.Muted(effect)}
	out.Then = func(st *app.State) tea.Cmd { return setClock(st, pace, target) }
	return out
}

// readTarget reads a typed moment, such as "+10 blocks" or "h1214". It returns the clock at
// that moment, and a phrase about it, such as "to height 1,214, 2026-11-21 12:40:00 UTC".
// The clock has two axes, height and time: both move, or only the one of the moment, and
// then the phrase says that they part. readTarget fails if the text is no moment, or the
// clock cannot go there, for example because the moment is in the past.
func readTarget(text string, clock chain.Clock, movesBoth bool) (target *chain.Clock, effect string, err error) {
	parser := human.MomentParser{Field: "move to", Noun: "moment", Examples: form.Examples(clock), Exact: true}
	moment, err := form.ReadMoment(text, clock, parser)
	if err != nil {
		return nil, "", err
	}

	// Move the axis that was typed, and then the other one along, if both move.
	onlyAxis := chain.ClockStep{}
	height, at := cw721.Height(moment.Value), cw721.Time(moment.Value)
	if moment.Axis == cw721.AtHeight {
		onlyAxis.Height = &height
	} else {
		onlyAxis.Time = &at
	}
	to, err := clock.After(onlyAxis) // also fails for a moment in the past
	if err == nil && movesBoth {
		to, err = clock.ToExpiry(moment.Expiration, 0)
	}
	if err != nil {
		return nil, "", err
	}

	// Describe where the clock will be.
	heightText := human.Thousands(uint64(to.Height))
	timeText := human.TimeUTC(to.Time)
	switch {
	case movesBoth:
		effect = fmt.Sprintf("to height %s, %s", heightText, timeText)
	case moment.Axis == cw721.AtHeight:
		effect = fmt.Sprintf("to height %s; the time stays %s, so height and time diverge", heightText, timeText)
	default:
		effect = fmt.Sprintf("to %s; the height stays %s, so height and time diverge", timeText, heightText)
	}
	if moment.Warning != "" {
		effect += " " + themes.GlyphWarn + " " + moment.Warning
	}
	return &to, effect, nil
}

// describeExpiriesUntil says which grants expire from now until a later block: their number
// and the first names, or that there are none, or that this is not known.
func describeExpiriesUntil(e app.Engine, block cw721.Block, facts app.Facts) ([]widget.Line, error) {
	const maxCounted = 1000
	var expired []expiry.Entry
	hasMore := false
	err := e.View(func(v *chain.View) (err error) {
		expired, hasMore, err = app.TakeFirst(v.InBlock(block).ExpiredSince(v.Clock.Block()), maxCounted)
		return err
	})
	if err != nil {
		return nil, err
	}

	// Name the first grants, and count them all, up to a limit.
	names := strings.Join(facts.FirstGrants(expired, hasMore), ", ")
	switch {
	case facts.Unreadable != "":
		return []widget.Line{widget.In(themes.Warn, themes.GlyphWarn+" which grants expire on the way is not known: ").Text(facts.Unreadable)}, nil
	case len(expired) == 0:
		return []widget.Line{widget.Muted("no grant expires on the way")}, nil
	case len(expired) == 1:
		return []widget.Line{widget.In(themes.Warn, "1 grant expires on the way: ").Text(names)}, nil
	}
	count := human.Thousands(uint64(len(expired)))
	if hasMore {
		count += "+"
	}
	return []widget.Line{widget.In(themes.Warn, count+" grants expire on the way: ").Text(names)}, nil
}

// setClock changes the seconds per block if they differ from the clock's, and then moves
// the clock to another height and time unless target is nil.
func setClock(st *app.State, pace uint64, target *chain.Clock) tea.Cmd {
	var cmds []tea.Cmd
	if pace != st.Clock.SecondsPerBlock {
		cmds = append(cmds, st.Write(func(e app.Engine) tea.Msg {
			move, err := e.SetPace(pace)
			return app.MovedMsg{Move: move, Err: err}
		}))
	}
	if target != nil {
		cmds = append(cmds, app.Advance(st, chain.ClockStep{Height: &target.Height, Time: &target.Time}, 0))
	}
	return tea.Sequence(cmds...)
}
