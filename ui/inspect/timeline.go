package inspect

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
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
	ends     app.RealEnds // of it alone
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
			entry, ok := f.grant(key)
			if !ok {
				return nil
			}
			f.key = laneKey(entry.Grant)
			if f.access, err = accessLines(v, entry.Grant, call); err == nil {
				f.ends, err = f.ends.Read(v, []cw721.Grant{entry.Grant})
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
		grants, more, err := app.TakeFirst(v.ExpiringBetween(part.axis, part.from, 1<<64-1), grantsDrawn)
		if err != nil {
			return err
		}
		f.grants, f.more = append(f.grants, grants...), f.more || more
	}
	return nil
}

// laneKey names a grant whenever it expires.
func laneKey(g cw721.Grant) string {
	return string(g.Kind) + "\x00" + string(g.Owner) + "\x00" + string(g.Spender) + "\x00" + g.Token
}

// grant is the one of a key, the first where it is gone.
func (f *timelineFacts) grant(key string) (expiry.Entry, bool) {
	if f == nil || len(f.grants) == 0 {
		return expiry.Entry{}, false
	}
	return f.grants[f.index(key)], true
}

func (f *timelineFacts) index(key string) int {
	return max(0, slices.IndexFunc(f.grants, func(e expiry.Entry) bool { return laneKey(e.Grant) == key }))
}

// Whole says that it takes the whole terminal.
func (t *timeline) FullScreen() {}

func (t *timeline) Commands(st *app.State) []app.Command {
	blocks := func(n uint64) func(int) tea.Cmd {
		return func(way int) tea.Cmd { return t.scrub(st, way < 0, cw721.Height(n)) }
	}
	return slices.Concat(
		app.Pair("← → h l", "block", blocks(1), -1, "left h", "right l"),
		app.Pair("H L", "ten cells", blocks(10*zooms[t.zoom]), -1, "H shift+left", "L shift+right"),
		app.Pair("j k", "grant", func(by int) tea.Cmd { return t.choose(st, by) }, +1, "j down", "k up"),
		[]app.Command{
			app.Key("e", "its expiry", func() tea.Cmd { return t.toEnd(st, false) }, "e"),
			app.Key("E", "just before", func() tea.Cmd { return t.toEnd(st, true) }, "E"),
		},
		app.Pair("+ -", "zoom", func(by int) tea.Cmd { return t.magnify(st, by) }, +1, "+ =", "-"),
		[]app.Command{
			app.Key("0", "now", func() tea.Cmd { t.at = st.Clock.Height; return t.load(st) }, "0"),
			app.Key("enter", "go there", func() tea.Cmd { return t.enter(st) }, "enter"),
			app.Key("w", "why", func() tea.Cmd { return t.asks(st, OpenWhy) }, "w"),
			app.Key("W", "who could", func() tea.Cmd { return t.asks(st, OpenWhoCould) }, "W"),
			app.Close,
		})
}

func (t *timeline) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case app.ShownMsg:
		return t.load(st), false // it knows its box now
	case timelineMsg:
		return t.applyRead(st, msg), false
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
		cmd, done, _ := app.Press(t.Commands(st), msg)
		return cmd, done
	}
	return nil, false
}

func (t *timeline) applyRead(st *app.State, msg timelineMsg) tea.Cmd {
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

// magnify changes the scale around the cursor; more shows less.
func (t *timeline) magnify(st *app.State, more int) tea.Cmd {
	was := uint64(t.at-min(t.at, t.left)) / zooms[t.zoom]
	t.zoom = max(0, min(t.zoom-more, len(zooms)-1))
	t.left = t.at - min(t.at, cw721.Height(was*zooms[t.zoom]))
	return t.load(st)
}

// scrub moves the cursor by blocks.
func (t *timeline) scrub(st *app.State, back bool, blocks cw721.Height) tea.Cmd {
	if back {
		t.at -= min(t.at, blocks)
	} else {
		t.at = max(t.at, t.at+blocks)
	}
	return t.load(st)
}

// choose goes to another grant.
func (t *timeline) choose(st *app.State, by int) tea.Cmd {
	if _, ok := t.current(); ok {
		i := max(0, min(t.seen.index(t.key)+by, len(t.seen.grants)-1))
		t.key = laneKey(t.seen.grants[i].Grant)
	}
	return t.load(st)
}

// current is the grant under the cursor.
func (t *timeline) current() (expiry.Entry, bool) { return t.seen.grant(t.key) }

// toEnd moves the cursor to the first block at which the grant is over.
func (t *timeline) toEnd(st *app.State, before bool) tea.Cmd {
	e, ok := t.current()
	if !ok || e.Expires.Axis == cw721.Never {
		return app.Notify(app.LevelInfo, "this grant never expires")
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
		return app.Advance(st, chain.ClockStep{Blocks: uint64(t.at - st.Clock.Height)}, 0)
	case t.at == st.Clock.Height:
		return app.Notify(app.LevelInfo, "the clock stands there already")
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
