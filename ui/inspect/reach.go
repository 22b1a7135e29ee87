package inspect

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/core/scenario"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// whoCould asks who could do something, by whatever messages: a question in one
// line, the answer as it is searched, each way as a list of steps.
type whoCould struct {
	box    widget.Box
	line   widget.Edit
	typing bool
	cancel context.CancelFunc
	seen   searched
	text   *widget.Scroll
	way    int // of those that were found
	step   int // of the way
	rules  bool
	moved  bool // the cursor; it is to be in view
	done   bool
}

// OpenWhoCould asks who could do something with what s is about: with the first
// token of the giver where a grant is for all of them.
func OpenWhoCould(st *app.State, s app.Subject) tea.Cmd {
	return app.ReadThen(st, func(v *chain.View) error {
		if s.Token != nil || s.Giver == "" {
			return nil
		}
		id, ok, err := ownedBy(v, s.Giver, nil)
		if ok {
			s.Token = &id
		}
		return err
	}, func() tea.Cmd {
		x := &whoCould{line: widget.NewEdit(), text: widget.NewScroll(), cancel: func() {}}
		return app.OpenDialogThen(x, x.ask(st, questionAbout(st, s).String()))
	})
}

// questionAbout makes a question of what is under a cursor. Of a grant that will
// expire it asks whether it can be outlived: what comes before is plain. Where
// there is no token it is about the one that was under the cursor before.
func questionAbout(st *app.State, s app.Subject) explain.WhoCouldQuestion {
	if s.Token == nil {
		s.Token = st.LastSelection.Token
	}
	a, err := explain.NewWhoCouldQuestion(cmp.Or(s.Action, "transfer"), s.Token)
	if err != nil { // there is no token
		a, _ = explain.NewWhoCouldQuestion("mint", nil)
	}
	if s.Account != "" {
		a.As = st.Typed(s.Account)
	}
	if e := s.Expires; e.Axis != cw721.Never && !e.Expired(st.Block()) {
		a.After, a.Unmoved = form.TypeExpiry(e), true
	}
	return a
}

// Close ends the search that is under way.
func (x *whoCould) Close() { x.cancel() }

// ask searches for a way to do what a line says.
func (x *whoCould) ask(st *app.State, line string) tea.Cmd {
	x.line.Set(line)
	x.way, x.step = 0, 0
	return x.search(st, 1)
}

// search does so for a number of ways, from ways of one message on.
func (x *whoCould) search(st *app.State, ways int) tea.Cmd {
	x.cancel()
	x.seen = searched{line: x.line.Value(), wanted: ways}
	x.seen.ctx, x.cancel = context.WithTimeout(context.Background(), searchTime)
	begun := x.seen
	return st.Ask(x, func(app.Engine) tea.Msg { return begun })
}

func (x *whoCould) Resize(b widget.Box) { x.box = b }

// Typing tells that letters are for the line.
func (x *whoCould) Typing() bool { return x.typing }

func (x *whoCould) Commands(st *app.State) []app.Command {
	key := func(shown, does string, do func(), keys ...string) app.Command {
		return app.Key(shown, does, func() tea.Cmd { do(); return nil }, keys...)
	}
	if x.typing {
		return []app.Command{
			app.Key("enter", "ask", func() tea.Cmd { x.typing = false; return x.ask(st, x.line.Value()) }, "enter"),
			key("esc", "leave the line", func() { x.typing = false }, "esc", "tab"),
		}
	}
	all := []app.Command{
		key("esc", "close", func() { x.done = true }, "esc", "q", "W"),
		key("/", "change the question", func() { x.typing = true }, "/", "tab"),
	}
	if way, at := x.current(); len(way) > 0 {
		last := len(way) - 1
		all = append(all,
			app.Key("enter", "play this way", func() tea.Cmd { x.done = true; return play(st, way) }, "enter"),
			key("w", "why this step", func() { x.rules = !x.rules }, "w"),
			app.Key("n", "another way", func() tea.Cmd { return x.another(st) }, "n", "right"),
			key("N", "the way before", func() { x.way, x.step = max(x.way-1, 0), 0 }, "N", "left"),
			app.Key("x", "not through its sender", func() tea.Cmd { return x.without(st, way[at].As) }, "x"),
			app.Key("L", "later", func() tea.Cmd { return x.later(st, way[last]) }, "L"),
			app.Key("R", "record as a scenario", x.record, "R"),
			key("j ↓", "next step", func() { x.step = min(at+1, last) }, "j", "down"),
			key("k ↑", "step before", func() { x.step = max(at-1, 0) }, "k", "up"))
	}
	if x.text.Hidden() != (widget.Hidden{}) {
		all = append(all, app.Listed(app.GroupHere,
			app.Bind("ctrl+d", "read on", "ctrl+d", "pgdown"), app.Bind("ctrl+u", "read back", "ctrl+u", "pgup"))...)
	}
	return all
}

// current is the way that is shown, with the place of the step under the cursor.
func (x *whoCould) current() (way []stepWords, at int) {
	if x.way < len(x.seen.ways) {
		way = x.seen.ways[x.way]
	}
	return way, min(x.step, len(way)-1) // it had more steps before something changed
}

func (x *whoCould) Update(st *app.State, msg tea.Msg) (cmd tea.Cmd, done bool) {
	switch msg := msg.(type) {
	case searched:
		if msg.ctx == x.seen.ctx {
			cmd = x.apply(st, msg)
		}
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		cmd = x.search(st, x.seen.wanted)
	case tea.MouseMsg:
		x.text.Update(msg)
	case tea.KeyMsg:
		c, bound := app.Find(x.Commands(st), msg)
		switch {
		case bound:
			cmd, x.moved = c.Do(), true
		case x.typing:
			x.line.Update(msg)
		default:
			x.text.Update(msg)
		}
	}
	return cmd, x.done
}

// apply shows what a search has come to, and has it go on where it is not over.
func (x *whoCould) apply(st *app.State, s searched) tea.Cmd {
	x.seen, x.moved = s, true
	words, n := st.Words(), len(s.ways)
	switch {
	case !s.over:
		deeper := st.Ask(x, func(e app.Engine) tea.Msg { return s.deeper(e, words) })
		if s.answer.Depth > 0 {
			return app.Background(deeper)
		}
		return deeper
	case x.way >= n && n > 0:
		x.way = n - 1
		return app.Notify(app.LevelInfo, "there is no other way by so many messages")
	}
	return nil
}

// another goes to the next way. Behind the last one it searches for one more.
func (x *whoCould) another(st *app.State) tea.Cmd {
	x.step = 0
	if x.way++; x.way < len(x.seen.ways) {
		return nil
	}
	return x.search(st, x.way+1)
}

// without asks for ways in which somebody sends nothing.
func (x *whoCould) without(st *app.State, who cw721.Address) tea.Cmd {
	asked, found := x.seen.asked, x.seen.answer
	if who == found.Anyone {
		return app.Notify(app.LevelInfo, "anyone is everybody else, who cannot be left out")
	}
	asked.Passive = nil
	for _, each := range append(slices.Clone(found.Passive), who) {
		asked.Passive = append(asked.Passive, st.Typed(each))
	}
	if asked.As == st.Typed(who) {
		asked.As = ""
	}
	return x.ask(st, asked.String())
}

// later asks for it to be done when what allows it now has expired.
func (x *whoCould) later(st *app.State, act stepWords) tea.Cmd {
	e := act.Decision.Passed().Expires
	if e == nil || e.Axis == cw721.Never {
		return app.Notify(app.LevelInfo, "what allows it never expires, so it can be done at any later time")
	}
	asked := x.seen.asked
	asked.After = form.TypeExpiry(*e)
	return x.ask(st, asked.String())
}

// play carries the messages of a way out, from where the chain stands. It stops
// where one is refused.
func play(st *app.State, way []stepWords) tea.Cmd {
	return st.Write(func(e app.Engine) tea.Msg {
		for i, step := range way {
			if err := step.play(e); err != nil {
				return app.ChangedMsg{Err: fmt.Errorf("message %d of the way: %w", i+1, err)}
			}
		}
		return app.ChangedMsg{Text: fmt.Sprintf("played the way, %s: u goes back, and History keeps it as a branch", app.Plural(len(way), "message"))}
	})
}

// play carries one message out, in its block.
func (s stepWords) play(e app.Engine) error {
	if _, err := e.Advance(chain.ClockStep{Height: &s.Block.Height, Time: &s.Block.Time}); err != nil {
		return err
	}
	r, err := e.Execute(s.As, cw721.Encode(s.Message))
	return cmp.Or(err, r.Err())
}

// record asks for the file of a scenario that ends in the way, and fails until it
// is mended.
func (x *whoCould) record() tea.Cmd {
	part := scenario.HistoryPart{Then: []scenario.Step{x.seen.nobody[x.way]}}
	return func() tea.Msg { return app.RecordMsg(part) }
}
