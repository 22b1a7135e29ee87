package inspect

import (
	"context"
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
	wanted int // ways
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
	if s.Token != nil || s.Giver == "" {
		return openAsked(st, s)
	}
	engine := st.Engine
	return func() tea.Msg {
		err := engine.View(func(v *chain.View) error {
			for t, err := range v.Tokens(s.Giver, cw721.Walk{}) {
				s.Token = &t.ID
				return err
			}
			return nil
		})
		if err != nil {
			return app.SayMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return app.ThenMsg{Engine: engine, Do: func() tea.Cmd { return openAsked(st, s) }}
	}
}

func openAsked(st *app.State, s app.Subject) tea.Cmd {
	x := &whoCould{line: widget.NewEdit(), text: widget.NewScroll(), cancel: func() {}}
	x.line.Set(askedAbout(st, s).String())
	return app.OpenDialogThen(x, x.ask(st))
}

// askedAbout makes a question of what is under a cursor. Of a grant that will
// expire it asks whether it can be outlived: what comes before is plain. Where
// there is no token it is about the one that was under the cursor before.
func askedAbout(st *app.State, s app.Subject) (a explain.Asked) {
	if s.Token == nil {
		s.Token = st.LastSelection.Token
	}
	if s.Action == "" && s.Token != nil {
		s.Action = "transfer"
	}
	var known bool
	if a.Action, known = cw721.ActionNamed(s.Action); !known || a.Action.OnToken && s.Token == nil {
		a.Action, _ = cw721.ActionNamed("mint")
	}
	if a.Action.OnToken {
		a.Token = *s.Token
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

// ask searches for what the line says, from a step of a way on.
func (x *whoCould) ask(st *app.State) tea.Cmd {
	x.Close()
	x.seen = searched{wanted: max(x.wanted, 1)}
	x.seen.ctx, x.cancel = context.WithTimeout(context.Background(), searchTime)
	if x.seen.asked, x.seen.err = explain.ParseAsked(x.line.Value()); x.seen.err != nil {
		x.seen.over = true
		return nil
	}
	begun := x.seen
	return st.Ask(x, func(app.Engine) tea.Msg { return begun }) // at once: keys wait for it
}

// askAnew does so for another question.
func (x *whoCould) askAnew(st *app.State, change func(*explain.Asked)) tea.Cmd {
	asked := x.seen.asked
	change(&asked)
	x.line.Set(asked.String())
	x.wanted, x.way, x.step = 1, 0, 0
	return x.ask(st)
}

func (x *whoCould) Resize(b widget.Box) { x.box = b }

// Typing tells that letters are for the line.
func (x *whoCould) Typing() bool { return x.typing }

func (x *whoCould) Commands(st *app.State) (all []app.Command) {
	here := func(shown, what string, do func() tea.Cmd, keys ...string) {
		all = append(all, app.Here(shown, what, "", do, keys...))
	}
	set := func(change func()) func() tea.Cmd {
		return func() tea.Cmd {
			change()
			return nil
		}
	}
	if x.typing {
		here("enter", "ask", func() tea.Cmd {
			x.typing, x.wanted, x.way, x.step = false, 1, 0, 0
			return x.ask(st)
		}, "enter")
		here("esc", "leave the line", set(func() { x.typing = false }), "esc", "tab")
		return all
	}
	here("esc", "close", set(func() { x.done = true }), "esc", "q", "W")
	here("/", "change the question", set(func() { x.typing = true }), "/", "tab")
	if step, ok := x.current(); ok {
		way := x.seen.ways[x.way]
		here("enter", "play this way", func() tea.Cmd {
			x.done = true
			return st.Write(func(e app.Engine) tea.Msg { return play(e, way) })
		}, "enter")
		here("w", "why this step", set(func() { x.rules = !x.rules }), "w")
		here("n", "another way", func() tea.Cmd { return x.another(st) }, "n", "right")
		here("N", "the way before", set(func() { x.way, x.step = max(x.way-1, 0), 0 }), "N", "left")
		here("x", "not through its sender", func() tea.Cmd { return x.without(st, step.As) }, "x")
		here("L", "later", func() tea.Cmd { return x.later(st, way[len(way)-1]) }, "L")
		here("R", "record as a scenario", x.record, "R")
		here("j ↓", "next step", set(func() { x.step = min(x.step+1, len(way)-1) }), "j", "down")
		here("k ↑", "step before", set(func() { x.step = max(x.step-1, 0) }), "k", "up")
	}
	if x.text.Hidden() != (widget.Hidden{}) {
		all = append(all, app.Listed(app.GroupHere,
			app.Bind("ctrl+d", "read on", "ctrl+d", "pgdown"), app.Bind("ctrl+u", "read back", "ctrl+u", "pgup"))...)
	}
	return all
}

// current is the step under the cursor.
func (x *whoCould) current() (stepWords, bool) {
	if x.way >= len(x.seen.ways) {
		return stepWords{}, false
	}
	return x.seen.ways[x.way][x.step], true
}

func (x *whoCould) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case searched:
		if msg.ctx != x.seen.ctx {
			return nil, false
		}
		x.take(msg)
		if words := st.Words(); !msg.over {
			return st.Ask(x, func(e app.Engine) tea.Msg { return msg.deeper(e, words) }), false
		}
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		return x.ask(st), false
	case tea.MouseMsg:
		x.text.Update(msg)
	case tea.KeyMsg:
		c, bound := app.Find(x.Commands(st), msg)
		switch {
		case bound:
			x.moved = true
			return c.Do(), x.done
		case x.typing:
			x.line.Update(msg)
		default:
			x.text.Update(msg)
		}
	}
	return nil, false
}

func (x *whoCould) take(s searched) {
	x.seen, x.moved = s, true
	if s.over {
		x.way = max(0, min(x.way, len(s.ways)-1))
	}
	if x.way < len(s.ways) {
		x.step = min(x.step, len(s.ways[x.way])-1)
	}
}

// another goes to the next way, and searches for one more behind the last.
func (x *whoCould) another(st *app.State) tea.Cmd {
	x.step = 0
	if x.way++; x.way < len(x.seen.ways) {
		return nil
	}
	if x.seen.over && x.wanted > len(x.seen.ways) {
		x.way--
		return app.Say(app.LevelInfo, "there is no other way by so many messages")
	}
	x.wanted = x.way + 1
	return x.ask(st)
}

// without asks for ways in which somebody sends nothing.
func (x *whoCould) without(st *app.State, who cw721.Address) tea.Cmd {
	if who == x.seen.answer.Anyone {
		return app.Say(app.LevelInfo, "anyone is everybody else, who cannot be left out")
	}
	passive := append(slices.Clone(x.seen.answer.Passive), who)
	return x.askAnew(st, func(a *explain.Asked) {
		a.Passive = nil
		for _, each := range passive {
			a.Passive = append(a.Passive, st.Typed(each))
		}
		if a.As == st.Typed(who) {
			a.As = ""
		}
	})
}

// later asks for it to be done when what allows it now has expired.
func (x *whoCould) later(st *app.State, act stepWords) tea.Cmd {
	e := act.Decision.Passed().Expires
	if e == nil || e.Axis == cw721.Never {
		return app.Say(app.LevelInfo, "what allows it never expires, so it can be done at any later time")
	}
	return x.askAnew(st, func(a *explain.Asked) { a.After = form.TypeExpiry(*e) })
}

// record asks for the file of a scenario that ends in the way, and fails until it
// is mended.
func (x *whoCould) record() tea.Cmd {
	part := scenario.Part{Then: []scenario.Step{x.seen.mends[x.way]}}
	return func() tea.Msg { return app.RecordMsg(part) }
}
