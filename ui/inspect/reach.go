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
	count  int // searches
	cancel context.CancelFunc
	told   chan searched
	seen   searched
	text   *widget.Scroll
	way    int // of those that were found
	step   int // of the way
	rules  bool
	moved  bool // the cursor; it is to be in view
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

// ask searches for what the line says.
func (x *whoCould) ask(st *app.State) tea.Cmd {
	x.Close()
	var ctx context.Context
	ctx, x.cancel = context.WithCancel(context.Background())
	x.count++
	asked, err := explain.ParseAsked(x.line.Value())
	if err != nil {
		x.seen = searched{search: x.count, err: err, over: true}
		return nil
	}
	x.told = make(chan searched)
	begun, told, ways, words := searched{search: x.count}, x.told, max(x.wanted, 1), st.Words()
	return st.Ask(x, func(e app.Engine) tea.Msg {
		go begun.run(ctx, e, asked, ways, words, told)
		return begun // at once: keys wait for it
	})
}

// askAnew does so for another question.
func (x *whoCould) askAnew(st *app.State, change func(*explain.Asked)) tea.Cmd {
	asked, err := explain.ParseAsked(x.line.Value())
	if err != nil {
		return nil
	}
	change(&asked)
	x.line.Set(asked.String())
	x.wanted, x.way, x.step = 1, 0, 0
	return x.ask(st)
}

func (x *whoCould) Resize(b widget.Box) { x.box = b }

// Typing tells that letters are for the line.
func (x *whoCould) Typing() bool { return x.typing }

func (x *whoCould) Commands(*app.State) []app.Command {
	if x.typing {
		return app.Listed(app.GroupHere, app.Bind("enter", "ask", "enter"), app.Bind("esc", "leave the line", "esc"))
	}
	keys := app.Listed(app.GroupHere, app.Bind("esc", "close", "esc", "q", "W"), app.Bind("/", "change the question", "/", "tab"))
	if _, ok := x.current(); ok {
		keys = append(keys, app.Listed(app.GroupHere,
			app.Bind("enter", "play this way", "enter"), app.Bind("w", "why this step", "w"), app.Bind("n", "another way", "n", "right"), app.Bind("N", "the way before", "N", "left"),
			app.Bind("x", "not through its sender", "x"), app.Bind("L", "later", "L"), app.Bind("R", "record as a scenario", "R"),
			app.Bind("j ↓", "next step", "j", "down"), app.Bind("k ↑", "step before", "k", "up"))...)
	}
	return append(keys, form.ReadAsideOn(x.text)...)
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
		if msg.search != x.count {
			return nil, false
		}
		x.take(msg)
		if !msg.over {
			return next(st, x, x.told), false
		}
	case app.ExecutedMsg, app.MovedMsg, app.WalkedMsg, app.ChangedMsg:
		return x.ask(st), false
	case tea.MouseMsg:
		form.ReadAside(x.text, msg)
	case tea.KeyMsg:
		switch {
		case x.typing:
			return x.typed(st, msg), false
		case !form.ReadAside(x.text, msg):
			return x.key(st, msg.String())
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

func (x *whoCould) typed(st *app.State, key tea.KeyMsg) tea.Cmd {
	switch key.String() {
	case "enter":
		x.typing, x.wanted, x.way, x.step = false, 1, 0, 0
		return x.ask(st)
	case "esc", "tab":
		x.typing = false
	default:
		x.line.Update(key)
	}
	return nil
}

func (x *whoCould) key(st *app.State, key string) (tea.Cmd, bool) {
	switch key {
	case "esc", "q", "W":
		return nil, true
	case "/", "tab":
		x.typing = true
		return nil, false
	}
	step, ok := x.current()
	if !ok {
		return nil, false
	}
	way := x.seen.ways[x.way]
	x.moved = true
	switch key {
	case "j", "down":
		x.step = min(x.step+1, len(way)-1)
	case "k", "up":
		x.step = max(x.step-1, 0)
	case "w":
		x.rules = !x.rules
	case "n", "right":
		return x.another(st), false
	case "N", "left":
		x.way, x.step = max(x.way-1, 0), 0
	case "x":
		return x.without(st, step.As), false
	case "L":
		return x.later(st, way[len(way)-1]), false
	case "R":
		return x.record(), false
	case "enter":
		return st.Write(func(e app.Engine) tea.Msg { return play(e, way) }), true
	}
	return nil, false
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
