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
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/inspect"
	"ephemera/ui/widget"
)

// clockPanel shows the block on every screen, with what will expire on two lanes,
// and plays when told to.
type clockPanel struct {
	play    int         // the play that runs; 0 while paused
	plays   int         // how many there were
	speed   int         // an index into speeds
	node    history.ID  // what the ticks of this play are gathered in
	expired string      // what expired in the last move
	lost    app.Subject // who lost what by it, until a key that is about something else
	waiting bool        // a tick is on its way through the engine
	lanes   string      // as they were drawn last
	drawn   drawnOf
}

// drawnOf is what the lanes are drawn of. They change with the chain and not with
// most keys, and are a third of the work of a frame.
type drawnOf struct {
	engine   app.Engine
	revision uint64
	theme    *themes.Theme
	times    app.TimeForm
	width    int
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

func (c *clockPanel) commands(st *app.State) []app.Command {
	move := func(s chain.ClockStep) func() tea.Cmd {
		return func() tea.Cmd { c.pause(); return app.Advance(st, s, 0) }
	}
	return []app.Command{
		app.NewCommand(app.Bind(".", "+1 block", "."), "Clock: one block on", app.GroupClock, move(chain.ClockStep{Blocks: 1})).AsQueuedWrite(),
		app.NewCommand(app.Bind(">", "+10", ">"), "Clock: ten blocks on", app.GroupClock, move(chain.ClockStep{Blocks: 10})).AsQueuedWrite(),
		app.NewCommand(app.Bind("e", "next expiry", "e"), "Clock: to the next expiry", app.GroupClock, move(chain.ClockStep{ToNext: true})).AsQueuedWrite(),
		app.NewCommand(app.Bind("E", "just before", "E"), "Clock: to just before the next expiry", app.GroupClock, move(chain.ClockStep{Before: true})).AsQueuedWrite(),
		app.NewCommand(app.Bind("P", "play", "P"), "Clock: play or pause", app.GroupClock, func() tea.Cmd { return c.toggle(st) }).AsQueuedWrite(),
		app.NewCommand(app.Bind("+ =", "faster", "+", "="), "Clock: play faster", app.GroupClock, func() tea.Cmd { return c.change(+1) }).AsQueuedWrite(),
		app.NewCommand(app.Bind("-", "slower", "-"), "Clock: play slower", app.GroupClock, func() tea.Cmd { return c.change(-1) }).AsQueuedWrite(),
		app.NewCommand(app.Bind("T", "set clock", "T"), "Clock: set or advance exactly", app.GroupClock, func() tea.Cmd { return openClockForm(st) }),
	}
}

// toggle starts or stops a play. The ticks of one play are one step of the
// history.
func (c *clockPanel) toggle(st *app.State) tea.Cmd {
	if c.play != 0 {
		c.play = 0
		return app.Notify(app.LevelInfo, "the clock is paused")
	}
	c.plays++
	c.play, c.node, c.waiting = c.plays, 0, false
	return tea.Batch(c.tick(st, c.play), app.Notify(app.LevelInfo, c.pace()))
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
	return app.Notify(app.LevelInfo, c.pace())
}

// tick moves one block and asks for the next tick when that is done, so that a
// slow disk slows the play instead of piling ticks up.
func (c *clockPanel) tick(st *app.State, play int) tea.Cmd {
	if play != c.play || c.play == 0 || c.waiting || st.Engine == nil {
		return nil
	}
	c.waiting = true
	return app.Advance(st, chain.ClockStep{Blocks: 1, Joins: c.node}, play)
}

// moved takes what became of a move.
func (c *clockPanel) moved(st *app.State, msg app.MovedMsg) tea.Cmd {
	if msg.Err == nil && len(msg.Move.Expired) > 0 {
		c.expired, c.lost = st.Expiries(msg.Move), loss(msg.Move.Expired)
	} else if msg.Err == nil && msg.Play == 0 {
		c.changed()
	}
	if msg.Play == 0 || msg.Play != c.play {
		return nil
	}
	c.waiting = false
	if msg.Err != nil {
		c.play = 0
		return nil
	}
	c.node = msg.Move.Node
	return app.After(time.Second/time.Duration(speeds[c.speed]), tickMsg(msg.Play))
}

// changed forgets what expired in the last move: what was said of it may hold no
// longer, as after undo.
func (c *clockPanel) changed() { c.expired, c.lost = "", app.Subject{} }

// loss is the first approval of those that expired, as what "why" is about. The
// expiry of an operator or of an offer concerns no token that could be named.
func loss(expired []expiry.Entry) app.Subject {
	for _, e := range expired {
		if e.Kind == cw721.GrantApproval {
			return app.Subject{Token: &e.Token, Account: e.Spender}
		}
	}
	return app.Subject{}
}

// pause stops the play, because a person did something that the next tick would
// overtake.
func (c *clockPanel) pause() { c.play = 0 }

// laneTitle is how wide the title of a lane is.
const laneTitle = 9

func (c *clockPanel) view(st *app.State, b widget.Box) string {
	lines := c.head(st, b.W)
	if b.H > 1 && st.HasCollection() {
		if of := (drawnOf{st.Engine, st.Revision, st.Theme, st.Times, b.W}); of != c.drawn {
			height, at := lanes(st)
			c.drawn, c.lanes = of, widget.JoinV(height.View(st.Theme, b.W, laneTitle), at.View(st.Theme, b.W, laneTitle))
		}
		lines = widget.JoinV(lines, c.lanes)
	}
	return widget.Fill(lines, b)
}

// lanes are what is to come at a height and at a time, on one axis: seconds from
// now, a height at the pace of the clock. The numbers of the marks are those of
// st.Marks.
func lanes(st *app.State) (height, at widget.Lane) {
	height, at = widget.Lane{Title: " height"}, widget.Lane{Title: " time"}
	far := time.Hour.Seconds()
	for i, e := range st.Marks {
		end := app.Estimate(st.Clock, e.Expires)
		m := widget.Mark{Ahead: float64(end-min(end, uint64(st.Clock.Time))) / 1e9, Label: st.MarkLabel(e), ID: i}
		lane := &at
		if e.Expires.Axis == cw721.AtHeight {
			lane = &height
		}
		lane.Marks = append(lane.Marks, m)
		far = max(far, m.Ahead)
	}
	for n := uint64(1); n <= 1_000_000; n *= 10 {
		height.Ticks = append(height.Ticks, widget.Mark{Ahead: float64(n * st.Clock.SecondsPerBlock), Label: "+" + chain.Thousands(n)})
	}
	const day = 24 * time.Hour
	for _, d := range []struct {
		time.Duration
		label string
	}{{5 * time.Second, "5s"}, {time.Minute, "1m"}, {time.Hour, "1h"}, {day, "1d"}, {30 * day, "30d"}, {365 * day, "1y"}} {
		at.Ticks = append(at.Ticks, widget.Mark{Ahead: d.Seconds(), Label: d.label})
	}
	height.Far, at.Far = far, far
	return height, at
}

// click is a click on a line of the panel: on a mark it shows what will expire
// there, on the block it sets the clock, on what expires next it shows that.
func (c *clockPanel) click(st *app.State, x, y, w int) tea.Cmd {
	switch y {
	case 0:
		left, right := c.halves(st, w)
		switch {
		case x <= widget.Width(left.String()):
			return openClockForm(st)
		case x < w-widget.Width(right.String()):
		case !c.lost.Empty():
			return inspect.OpenWhy(st, c.lost)
		case c.expired == "" && st.Next != nil:
			return showEntry(st, *st.Next)
		}
	case 1, 2:
		lane, at := lanes(st)
		if y == 2 {
			lane = at
		}
		if m, ok := lane.At(x, w, laneTitle); ok {
			return showEntry(st, st.Marks[m.ID])
		}
	}
	return nil
}

// openClockForm opens the form that sets the clock exactly, or moves it on by what
// is typed.
func openClockForm(st *app.State) tea.Cmd {
	f := form.NewAction("Clock", readClock,
		widget.Field{Name: "to", Label: "Move to", Placeholder: "+10 blocks", Hint: form.Examples(st.Clock)},
		widget.Field{Name: "pace", Label: "Seconds a block", Value: app.Decimal(st.Clock.SecondsPerBlock)},
	)
	f.Verb = "set the clock"
	return form.Open(st, f)
}

// readClock says where the clock would go.
func readClock(st *app.State, v map[string]string) form.Result {
	fail := func(field, text string) form.Result {
		return form.Result{Problems: []form.Problem{{Field: field, Text: text}}}
	}
	pace, err := strconv.ParseUint(strings.TrimSpace(v["pace"]), 10, 64)
	if err != nil || pace == 0 || pace > 86_400 {
		return fail("pace", "seconds a block: expected a whole number from 1 to 86,400")
	}
	text, step := strings.TrimSpace(v["to"]), chain.ClockStep{}
	said := "the clock stays at height " + chain.Thousands(uint64(st.Clock.Height))
	if text != "" {
		e, err := form.ReadMoment(text, st.Clock, chain.MomentParser{Field: "move to", Not: "moment", Help: form.Examples(st.Clock), Exact: true})
		if err != nil {
			return fail("to", err.Error())
		}
		step = stepTo(text, e.Expiration, st.Clock)
		to, err := st.Clock.After(step)
		if err != nil {
			return fail("to", err.Error())
		}
		said = fmt.Sprintf("to height %s, %s", chain.Thousands(uint64(to.Height)), chain.InUTC(to.Time))
		if e.Warning != "" {
			said += " " + themes.GlyphWarn + " " + e.Warning
		}
	}
	return form.Result{Said: []widget.Line{widget.In(themes.Muted, said)}, Then: func(st *app.State) tea.Cmd {
		var cmds []tea.Cmd
		if pace != st.Clock.SecondsPerBlock {
			cmds = append(cmds, st.Write(func(e app.Engine) tea.Msg {
				m, err := e.SetPace(pace)
				return app.MovedMsg{Move: m, Err: err, Play: 0}
			}))
		}
		if text != "" {
			cmds = append(cmds, app.Advance(st, step, 0))
		}
		return tea.Sequence(cmds...)
	}}
}

// stepTo makes a step of a typed moment: from now on where a plus was typed, and
// otherwise the axis set exactly and the other left alone.
func stepTo(text string, e cw721.Expiration, clock chain.Clock) chain.ClockStep {
	relative := strings.HasPrefix(text, "+")
	switch {
	case relative && e.Axis == cw721.AtHeight:
		return chain.ClockStep{Blocks: e.Value - uint64(clock.Height)}
	case relative && e.Axis == cw721.AtTime:
		return chain.ClockStep{Duration: time.Duration(e.Value - uint64(clock.Time))}
	case e.Axis == cw721.AtHeight:
		h := cw721.Height(e.Value)
		return chain.ClockStep{Height: &h}
	case e.Axis == cw721.AtTime:
		t := cw721.Time(e.Value)
		return chain.ClockStep{Time: &t}
	}
	return chain.ClockStep{}
}

// showEntry gives the command that shows what expires at a mark of the clock: the
// token of an approval, the grant of an operator, the role that is offered.
func showEntry(st *app.State, e expiry.Entry) tea.Cmd {
	about := app.Notify(app.LevelInfo, st.GrantLabel(e)+" "+st.When(e.Expires))
	return tea.Sequence(about, app.LinkToGrant(e.Grant))
}
