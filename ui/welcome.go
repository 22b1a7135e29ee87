package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// door is one way on from the welcome.
type door struct {
	key, title, about string
	do                func(d *Desk) tea.Cmd
}

// welcome stands on an empty database: demo, create, import, lessons.
type welcome struct {
	doors  []door
	cursor int
	box    widget.Box
}

func newWelcome(o Options) *welcome {
	w := &welcome{}
	if o.Demo != nil {
		w.doors = append(w.doors, door{"d", "Look at the demo", "a made-up collection in memory; nothing can break", func(*Desk) tea.Cmd { return open(o.Demo) }})
	}
	w.doors = append(w.doors, door{"c", "Create a collection", "name, symbol, and you are its minter", func(d *Desk) tea.Cmd { return dialog(newCreateForm(o)) }})
	if o.Scratch != nil {
		w.doors = append(w.doors, door{"l", "Take a lesson", "owners, spenders, operators, and when rights end", func(d *Desk) tea.Cmd { return d.lessons.load(true) }})
	}
	return w
}

func (w *welcome) Resize(b widget.Box) { w.box = b }

func (w *welcome) Commands(*Desk) []Command {
	var all []Command
	for _, x := range w.doors {
		all = append(all, Command{Binding: bind(x.key, x.title, x.key), Group: groupHere})
	}
	return append(all,
		Command{Binding: bind("j k ↓ ↑", "choose", "j", "k", "up", "down", "tab"), Group: groupHere},
		Command{Binding: bind("enter", "open", "enter"), Group: groupHere},
		Command{Binding: bind("q", "quit", "q"), Group: groupHere})
}

func (w *welcome) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	if opened, ok := msg.(openedMsg); ok {
		return nil, opened.err == nil
	}
	if _, ok := msg.(factsMsg); ok {
		return nil, true // there is a collection now
	}
	key, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil, false
	}
	switch key.String() {
	case "j", "down", "tab":
		w.cursor = (w.cursor + 1) % len(w.doors)
	case "k", "up", "shift+tab":
		w.cursor = (w.cursor + len(w.doors) - 1) % len(w.doors)
	case "enter":
		return w.doors[w.cursor].do(d), false
	case "q":
		return tea.Quit, false
	}
	for i, x := range w.doors {
		if x.key == key.String() {
			w.cursor = i
			return x.do(d), false
		}
	}
	return nil, false
}

func (w *welcome) View(d *Desk) string {
	th := d.Theme
	box := widget.Box{W: min(w.box.W, 70), H: w.box.H}
	lines := []widget.Line{
		{}, widget.In(themes.Text, "  A CW721 collection that you can act on as anyone,"),
		widget.In(themes.Text, "  with a clock that moves only when you say so."), {},
	}
	for i, x := range w.doors {
		sign, role := "  ", themes.Text
		if i == w.cursor {
			sign, role = themes.GlyphPointer+" ", themes.Strong
		}
		lines = append(lines, widget.In(themes.Accent, "  "+sign).And(themes.Key, x.key).And(role, "  "+widget.Fit(x.title, 22)).And(themes.Muted, x.about))
	}
	lines = append(lines, widget.Line{}, widget.In(themes.Muted, "  enter opens, q quits"), widget.Line{})
	inner := widget.FrameInner(box)
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Fit(th, inner.W)
	}
	box.H = min(box.H, len(lines)+box.H-inner.H)
	return widget.Frame(th, "Ephemera", strings.Join(out, "\n"), true, box)
}

// createForm makes a collection with an instantiate message.
type createForm struct {
	opts  Options
	form  *widget.Form
	box   widget.Box
	fault string
}

func newCreateForm(o Options) *createForm {
	rules := make([]widget.Candidate, 0, 3)
	for _, r := range cw721.AllRules() {
		rules = append(rules, widget.Candidate{Value: string(r)})
	}
	return &createForm{opts: o, form: widget.NewForm(
		widget.Field{Name: "name", Label: "Name", Placeholder: "Interchain Apes"},
		widget.Field{Name: "symbol", Label: "Symbol", Placeholder: "APE"},
		widget.Field{Name: "description", Label: "Description", Placeholder: "none"},
		widget.Field{Name: "creator", Label: "You are", Value: "creator", Hint: "your name here; you become minter and creator"},
		widget.Field{Name: "prefix", Label: "Address prefix", Value: "cosmos"},
		widget.Field{Name: "rules", Label: "Rule set", Kind: widget.ChoiceField, Options: rules, Value: string(cw721.RulesStandard)},
	)}
}

func (f *createForm) Resize(b widget.Box) { f.box = b }

func (f *createForm) Commands(*Desk) []Command { return listed(groupHere, f.form.Keys.Bindings()...) }

// createdMsg says what became of a new collection.
type createdMsg struct {
	receipt chain.Receipt
	err     error
}

func (f *createForm) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case createdMsg:
		if msg.err == nil {
			return func() tea.Msg { return openedMsg{engine: d.Engine} }, true
		}
		f.fault = msg.err.Error()
		if e := cw721.AsError(msg.err); e != nil {
			f.form.SetError(lastPart(e.Field), e.Text)
		}
	case tea.KeyMsg:
		switch f.form.Update(msg) {
		case widget.FormCancel:
			return nil, true
		case widget.FormChange:
			f.fault = ""
		case widget.FormSubmit:
			return f.create(d), false
		}
	}
	return nil, false
}

func (f *createForm) create(d *Desk) tea.Cmd {
	v := f.form.Values()
	msg := &cw721.InstantiateMsg{Name: v["name"], Symbol: v["symbol"]}
	if text := v["description"]; text != "" {
		msg.Extension = &cw721.CollectionExtensionMsg{Description: &text}
	}
	engine, now := d.Engine, cw721.Time(f.opts.Wall().UnixNano())
	return write(func() tea.Msg {
		sender, err := chain.AddressFor(v["prefix"], v["creator"], cw721.AccountBytes)
		if err != nil {
			return createdMsg{err: err}
		}
		g := chain.Genesis{
			Config:   chain.Config{Rules: cw721.Rules(v["rules"]), Prefix: v["prefix"]},
			Clock:    chain.Clock{Height: 1, Time: now},
			Accounts: []chain.Account{{Name: v["creator"], Address: sender}},
		}
		r, err := engine.Create(g, sender, cw721.Encode(msg))
		return createdMsg{r, err}
	})
}

func (f *createForm) View(d *Desk) string {
	box := widget.Box{W: min(f.box.W, 72), H: f.box.H}
	inner := widget.FrameInner(box)
	f.form.Resize(inner)
	h := min(f.form.Height(d.Theme), max(inner.H-2, 1))
	f.form.Resize(widget.Box{W: inner.W, H: h})
	note := widget.In(themes.Muted, " enter creates it, esc goes back")
	if f.fault != "" {
		note = widget.In(themes.Bad, " "+themes.GlyphNo+" "+f.fault)
	}
	box.H = min(box.H, h+2+box.H-inner.H)
	return widget.Frame(d.Theme, "Create a collection", widget.JoinV(f.form.View(d.Theme), "", note.Fit(d.Theme, inner.W)), true, box)
}
