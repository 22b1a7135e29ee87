package inspect

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/reach"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// timeline draws every grant as a bar from when it was given to when it expires,
// with a cursor that goes over past and future blocks.
type timeline struct {
	box    widget.Box
	at     cw721.Height // where the cursor stands
	left   cw721.Height // the first block in view
	zoom   int          // in zooms
	placed bool
	key    string // the grant that is selected
	seen   *timelineFacts
	fault  string
	busy   bool
	stale  bool
}

// zooms are blocks in a cell.
var zooms = []uint64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000, 100_000}

// timelineFacts is what was read at the cursor.
type timelineFacts struct {
	at, from cw721.Height // what was asked
	block    cw721.Block
	node     history.ID // where the past was so; 0 ahead of the clock
	grants   []expiry.Entry
	more     bool
	key      string
	access   []tried
	really   cw721.Expiration // until when it lets a token be moved, if its owner does nothing
}

type timelineMsg struct {
	facts *timelineFacts
	err   error
}

// OpenTimeline opens the timeline of all grants.
func OpenTimeline(st *app.State, _ app.Subject) tea.Cmd {
	t := &timeline{at: st.Clock.Height, zoom: 1}
	return app.OpenDialogThen(t, st.Ask(t, func(app.Engine) tea.Msg { return app.ShownMsg{} }))
}

func (t *timeline) Resize(b widget.Box) { t.box = b }

// cells is the width of the bars.
func (t *timeline) cells() int {
	return max(widget.FrameInner(t.box).W-t.labels()-2, 1)
}

// labels is the width of what stands left of the bars.
func (t *timeline) labels() int { return min(30, max(widget.FrameInner(t.box).W/3, 8)) }

// place keeps the cursor in view.
func (t *timeline) place() {
	w, step := uint64(t.cells()), zooms[t.zoom]
	span := cw721.Height(w * step)
	back := func(h cw721.Height, by uint64) cw721.Height { return h - min(h, cw721.Height(by)) }
	switch {
	case !t.placed:
		t.left, t.placed = back(t.at, w/4*step), true
	case t.at < t.left:
		t.left = back(t.at, w/8*step)
	case t.at-t.left >= span:
		t.left = back(t.at, (w-w/8)*step)
	}
}

// grantsDrawn bounds the grants of each kind of expiry.
const grantsDrawn = 250

// load reads what is live at the cursor. One reading runs at a time.
func (t *timeline) load(st *app.State) tea.Cmd {
	t.place()
	if t.busy {
		t.stale = true
		return nil
	}
	t.busy, t.stale = true, false
	at, from, key, clock, call := t.at, t.left, t.key, st.Clock, st.Words().Call
	return st.Ask(t, func(e app.Engine) tea.Msg {
		f := &timelineFacts{at: at, from: from}
		err := viewAtHeight(e, at, func(v *chain.View, node history.ID) (err error) {
			f.block, f.node = v.Clock.Block(), node
			if err = f.read(v, clock); err != nil {
				return err
			}
			f.key = key
			entry, ok := f.selected()
			if !ok {
				return nil
			}
			f.key = laneKey(entry.Grant)
			if f.access, err = accessLines(v, entry.Grant, call); err == nil {
				f.really, err = reach.RealEnd(context.Background(), v, entry.Grant)
			}
			return err
		})
		return timelineMsg{f, err}
	})
}

// read lists the grants that expire in view or later, by height, by time, and
// those that never expire.
func (f *timelineFacts) read(v *chain.View, now chain.Clock) error {
	for _, part := range []struct {
		axis cw721.Axis
		from uint64
	}{{cw721.AtHeight, uint64(f.from)}, {cw721.AtTime, uint64(now.At(f.from))}, {cw721.Never, 0}} {
		n := 0
		for e, err := range v.Ending(part.axis, part.from, 1<<64-1) {
			if err != nil {
				return err
			}
			if n++; n > grantsDrawn {
				f.more = true
				break
			}
			f.grants = append(f.grants, e)
		}
	}
	return nil
}

// laneKey names a grant whenever it expires.
func laneKey(g cw721.Grant) string {
	return string(g.Kind) + "\x00" + string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// selected is the grant under the cursor, the first where it is gone.
func (f *timelineFacts) selected() (expiry.Entry, bool) {
	if i := f.index(f.key); i < len(f.grants) {
		return f.grants[i], true
	}
	return expiry.Entry{}, false
}

func (f *timelineFacts) index(key string) int {
	for i, e := range f.grants {
		if laneKey(e.Grant) == key {
			return i
		}
	}
	return 0
}

// Whole says that it takes the whole terminal.
func (t *timeline) Whole() {}

func (t *timeline) Commands(*app.State) []app.Command {
	return app.Listed(app.GroupHere,
		app.Bind("← → h l", "block", "left", "right", "h", "l"),
		app.Bind("H L", "ten cells", "H", "L"),
		app.Bind("j k", "grant", "j", "k", "down", "up"),
		app.Bind("e", "its expiry", "e"), app.Bind("E", "just before", "E"),
		app.Bind("+ -", "zoom", "+", "=", "-"), app.Bind("0", "now", "0"),
		app.Bind("enter", "go there", "enter"),
		app.Bind("w", "why", "w"), app.Bind("W", "who could", "W"), app.Bind("esc", "close", "esc", "q"))
}

func (t *timeline) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case app.ShownMsg:
		return t.load(st), false // it knows its box now
	case timelineMsg:
		return t.take(st, msg), false
	case app.MovedMsg:
		if msg.Err == nil {
			t.at = msg.Move.To.Height
		}
		return t.load(st), false
	case app.WalkedMsg:
		if msg.Err == nil {
			t.at = msg.Walked.Clock.Height
		}
		return t.load(st), false
	case app.ExecutedMsg, app.ChangedMsg:
		return t.load(st), false
	case tea.KeyMsg:
		return t.press(st, msg.String())
	}
	return nil, false
}

func (t *timeline) take(st *app.State, msg timelineMsg) tea.Cmd {
	t.busy, t.fault = false, ""
	if msg.err != nil {
		t.fault = msg.err.Error()
	} else {
		t.seen = msg.facts
		if t.at == msg.facts.at && t.seen.block.Height > t.at {
			t.at, t.seen.at = t.seen.block.Height, t.seen.block.Height // there is nothing before it
		}
		if t.key == "" {
			t.key = msg.facts.key
		}
	}
	if t.stale {
		return t.load(st)
	}
	return nil
}

func (t *timeline) press(st *app.State, key string) (tea.Cmd, bool) {
	switch key {
	case "esc", "q":
		return nil, true
	case "left", "h":
		return t.scrub(st, true, 1), false
	case "right", "l":
		return t.scrub(st, false, 1), false
	case "H", "shift+left":
		return t.scrub(st, true, 10*zooms[t.zoom]), false
	case "L", "shift+right":
		return t.scrub(st, false, 10*zooms[t.zoom]), false
	case "0":
		t.at = st.Clock.Height
		return t.load(st), false
	case "+", "=", "-":
		t.magnify(key != "-")
		return t.load(st), false
	case "j", "down":
		return t.choose(st, +1), false
	case "k", "up":
		return t.choose(st, -1), false
	case "e", "E":
		return t.toEnd(st, key == "E"), false
	case "enter":
		return t.enter(st), false
	case "w":
		return t.asks(st, OpenWhy), false
	case "W":
		return t.asks(st, OpenWhoCould), false
	}
	return nil, false
}

// magnify changes the scale around the cursor.
func (t *timeline) magnify(in bool) {
	was := uint64(t.at-min(t.at, t.left)) / zooms[t.zoom]
	if in {
		t.zoom = max(t.zoom-1, 0)
	} else {
		t.zoom = min(t.zoom+1, len(zooms)-1)
	}
	t.left = t.at - min(t.at, cw721.Height(was*zooms[t.zoom]))
}

// scrub moves the cursor by blocks.
func (t *timeline) scrub(st *app.State, back bool, blocks uint64) tea.Cmd {
	n := cw721.Height(blocks)
	if back {
		t.at -= min(t.at, n)
	} else if t.at+n > t.at {
		t.at += n
	}
	return t.load(st)
}

func (t *timeline) choose(st *app.State, by int) tea.Cmd {
	if t.seen == nil || len(t.seen.grants) == 0 {
		return nil
	}
	i := max(0, min(t.seen.index(t.key)+by, len(t.seen.grants)-1))
	t.key = laneKey(t.seen.grants[i].Grant)
	return t.load(st)
}

func (t *timeline) current() (expiry.Entry, bool) {
	if t.seen == nil || len(t.seen.grants) == 0 {
		return expiry.Entry{}, false
	}
	return t.seen.grants[t.seen.index(t.key)], true
}

// toEnd moves the cursor to the first block at which the grant is over.
func (t *timeline) toEnd(st *app.State, before bool) tea.Cmd {
	e, ok := t.current()
	if !ok || e.Expires.Axis == cw721.Never {
		return app.Say(app.LevelInfo, "this grant never expires")
	}
	t.at = heightOf(e.Expires, st.Clock)
	if before && t.at > 0 {
		t.at--
	}
	return t.load(st)
}

// heightOf is the first height at which something has expired, estimated for a time.
func heightOf(e cw721.Expiration, c chain.Clock) cw721.Height {
	if e.Axis == cw721.AtHeight {
		return cw721.Height(e.Value)
	}
	pace := c.SecondsPerBlock * 1_000_000_000
	if e.Value >= uint64(c.Time) {
		return c.Height + cw721.Height((e.Value-uint64(c.Time)+pace-1)/pace)
	}
	return c.Height - min(c.Height, cw721.Height((uint64(c.Time)-e.Value)/pace))
}

// enter goes to where the cursor stands.
func (t *timeline) enter(st *app.State) tea.Cmd {
	switch {
	case t.at > st.Clock.Height:
		return app.Advance(st, chain.Step{Blocks: uint64(t.at - st.Clock.Height)}, 0)
	case t.at == st.Clock.Height:
		return app.Say(app.LevelInfo, "the clock stands there already")
	case t.seen == nil || t.seen.at != t.at || t.seen.node == 0:
		return nil // not read yet
	}
	return app.GotoNode(st, t.seen.node)
}

// asks opens a question about the grant that is selected, as it is now.
func (t *timeline) asks(st *app.State, open func(*app.State, app.Subject) tea.Cmd) tea.Cmd {
	e, ok := t.current()
	if !ok {
		return nil
	}
	s := app.Subject{Account: e.Spender, Giver: e.Owner, Expires: e.Expires}
	if e.Kind == cw721.GrantApproval {
		s.Token = &e.Token
	}
	return open(st, s)
}
