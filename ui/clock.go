package ui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/ui/widget"
)

// clockPanel shows the block on every screen, with what will end on two lanes,
// and plays when told to.
type clockPanel struct {
	play    int        // the play that runs; 0 while paused
	plays   int        // how many there were
	speed   int        // an index into speeds
	node    history.ID // what the ticks of this play are gathered in
	ended   string     // what ended in the last move
	lost    Subject    // who lost what by it, until a key that is about something else
	waiting bool       // a tick is on its way through the engine
	after   func(time.Duration, tea.Msg) tea.Cmd
}

// speeds are blocks a second.
var speeds = []int{1, 2, 5, 10, 50}

type tickMsg int

func (c *clockPanel) height(size widget.Box) int {
	if size.H < 24 || size.W < 72 {
		return 1
	}
	return 3
}

func (c *clockPanel) commands(d *Desk) []Command {
	move := func(s chain.Step) func() tea.Cmd {
		return func() tea.Cmd { c.pause(); return advance(d, s, 0) }
	}
	return []Command{
		{bind(".", "+1 block", "."), "Clock: one block on", groupClock, move(chain.Step{Blocks: 1})},
		{bind(">", "+10", ">"), "Clock: ten blocks on", groupClock, move(chain.Step{Blocks: 10})},
		{bind("e", "next end", "e"), "Clock: to the next end", groupClock, move(chain.Step{ToNext: true})},
		{bind("E", "just before", "E"), "Clock: to just before the next end", groupClock, move(chain.Step{Before: true})},
		{bind("P", "play", "P"), "Clock: play or pause", groupClock, func() tea.Cmd { return c.toggle(d) }},
		{bind("+ =", "faster", "+", "="), "Clock: play faster", groupClock, func() tea.Cmd { return c.change(+1) }},
		{bind("-", "slower", "-"), "Clock: play slower", groupClock, func() tea.Cmd { return c.change(-1) }},
		{bind("T", "set clock", "T"), "Clock: set or advance exactly", groupClock, func() tea.Cmd { return dialog(newClockForm(d)) }},
	}
}

// toggle starts or stops a play. The ticks of one play are one step of the
// history.
func (c *clockPanel) toggle(d *Desk) tea.Cmd {
	if c.play != 0 {
		c.play = 0
		return say(levelInfo, "the clock is paused")
	}
	c.plays++
	c.play, c.node, c.waiting = c.plays, 0, false
	return tea.Batch(c.tick(d, c.play), say(levelInfo, c.pace()))
}

// pace says how fast the clock plays.
func (c *clockPanel) pace() string {
	if n := speeds[c.speed]; n != 1 {
		return fmt.Sprintf("the clock plays at %d blocks a second", n)
	}
	return "the clock plays at 1 block a second"
}

func (c *clockPanel) change(by int) tea.Cmd {
	c.speed = max(0, min(len(speeds)-1, c.speed+by))
	return say(levelInfo, c.pace())
}

// tick moves one block and asks for the next tick when that is done, so that a
// slow disk slows the play instead of piling ticks up.
func (c *clockPanel) tick(d *Desk, play int) tea.Cmd {
	if play != c.play || c.play == 0 || c.waiting || d.Engine == nil {
		return nil
	}
	c.waiting = true
	return advance(d, chain.Step{Blocks: 1, Joins: c.node}, play)
}

// moved takes what became of a move.
func (c *clockPanel) moved(d *Desk, msg movedMsg) tea.Cmd {
	if msg.err == nil && len(msg.move.Ended) > 0 {
		c.ended, c.lost = d.endings(msg.move), loss(msg.move.Ended)
	} else if msg.err == nil && msg.play == 0 {
		c.changed()
	}
	if msg.play == 0 || msg.play != c.play {
		return nil
	}
	c.waiting = false
	if msg.err != nil {
		c.play = 0
		return nil
	}
	c.node = msg.move.Node
	return c.after(time.Second/time.Duration(speeds[c.speed]), tickMsg(msg.play))
}

// changed forgets what ended in the last move: what was said of it may hold no
// longer, as after undo.
func (c *clockPanel) changed() { c.ended, c.lost = "", Subject{} }

// loss is the first approval of those that ended, as what "why" is about. The
// end of an operator or of an offer concerns no token that could be named.
func loss(ended []expiry.Entry) Subject {
	for _, e := range ended {
		if e.Kind == cw721.GrantApproval {
			return Subject{Token: &e.Token, Account: e.Spender}
		}
	}
	return Subject{}
}

// pause stops the play, because a person did something that the next tick would
// overtake.
func (c *clockPanel) pause() { c.play = 0 }

// laneTitle is how wide the title of a lane is.
const laneTitle = 9

func (c *clockPanel) view(d *Desk, b widget.Box) string {
	lines := c.head(d, b.W)
	if b.H > 1 && d.Has() {
		lines = widget.JoinV(lines, c.lane(d, cw721.AtHeight).View(d.Theme, b.W, laneTitle), c.lane(d, cw721.AtTime).View(d.Theme, b.W, laneTitle))
	}
	return widget.Fill(lines, b)
}

// lane is what ends on one axis, from now on. The numbers of its marks are those
// on the desk.
func (c *clockPanel) lane(d *Desk, axis cw721.Axis) widget.Lane {
	lane := widget.Lane{Title: " height", Now: uint64(d.Clock.Height), From: uint64(d.Clock.Height), To: uint64(d.Clock.Height) + 100, Near: 1}
	if axis == cw721.AtTime {
		lane.Title = " time"
		lane.Now = uint64(d.Clock.Time)
		lane.From, lane.To = lane.Now, lane.Now+uint64(24*time.Hour)
		lane.Near = uint64(time.Minute)
	}
	for i, e := range d.Marks {
		if e.Expires.Axis != axis {
			continue
		}
		lane.Marks = append(lane.Marks, widget.Mark{Pos: e.Expires.Value, Label: d.markLabel(e), ID: i})
		if e.Expires.Value > lane.Now {
			lane.To = max(lane.To, e.Expires.Value)
		}
	}
	return lane
}

// click is a click on a line of the panel: on a mark it shows what will end
// there, on the block it sets the clock, on what ends next it shows that.
func (c *clockPanel) click(d *Desk, x, y, w int) tea.Cmd {
	switch y {
	case 0:
		left, right := c.halves(d, w)
		switch {
		case x <= widget.Width(left.String()):
			return dialog(newClockForm(d))
		case x < w-widget.Width(right.String()):
		case !c.lost.Empty():
			return openWhy(d, c.lost)
		case c.ended == "" && d.Next != nil:
			return showEntry(d, *d.Next)
		}
	case 1, 2:
		if m, ok := c.lane(d, [...]cw721.Axis{cw721.AtHeight, cw721.AtTime}[y-1]).At(x, w, laneTitle); ok {
			return showEntry(d, d.Marks[m.ID])
		}
	}
	return nil
}

func (d *Desk) markLabel(e expiry.Entry) string {
	if d.Times == Relative {
		return d.gain(e)
	}
	if e.Expires.Axis == cw721.AtHeight {
		return chain.Thousands(e.Expires.Value) + " " + d.gain(e)
	}
	return d.ofToday(secondsOf(cw721.Time(e.Expires.Value))) + " " + d.gain(e)
}
