package start

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// CreateForm makes a collection: the whole instantiate message, and the chain
// that it runs on, with a preview of both.
type CreateForm struct {
	opts    app.Options
	Form    *widget.Form
	sheet   *widget.Sheet
	box     widget.Box
	seq     int
	draft   creation
	receipt *chain.Receipt
	fault   string
	tried   bool
	sent    bool
	begun   map[string]bool
}

// creation is what was typed.
type creation struct {
	genesis  chain.Genesis
	sender   cw721.Address
	msg      []byte
	problems []form.Problem
	notes    map[string][]widget.Line
}

// createdMsg says what became of a new collection; createPreviewMsg what would.
type (
	createdMsg struct {
		err error
	}
	createPreviewMsg struct {
		seq     int
		receipt chain.Receipt
		err     error
	}
)

// openCreate opens the form with its first preview.
func openCreate(st *app.State, o app.Options) tea.Cmd {
	f := newCreateForm(o)
	return app.OpenDialogThen(f, f.review(st))
}

func choices[S ~string](all []S) (out []widget.Candidate) {
	for _, s := range all {
		out = append(out, widget.Candidate{Value: string(s)})
	}
	return out
}

const notSaid = "not said"

func newCreateForm(o app.Options) *CreateForm {
	whoHint := "a name, which gets an address of its own, or an address"
	f := &CreateForm{opts: o, begun: map[string]bool{}, Form: widget.NewForm(
		widget.Field{Name: "name", Label: "Name", Placeholder: "Interchain Apes"},
		widget.Field{Name: "symbol", Label: "Symbol", Placeholder: "APE"},
		widget.Field{Name: "description", Label: "Description", Placeholder: "none"},
		widget.Field{Name: "you", Label: "You are", Value: "creator", Hint: whoHint},
		widget.Field{Kind: widget.Heading, Label: "Everything below can stay as it is"},
		widget.Field{Name: "minter", Label: "Minter", Placeholder: "you", Hint: whoHint},
		widget.Field{Name: "creator", Label: "Creator", Placeholder: "you", Hint: whoHint},
		widget.Field{Name: "share", Label: "Royalty", Placeholder: "none", Hint: "like 5 % or 0.05; at most " + cw721.MaxShare.Percentage() + " %"},
		widget.Field{Name: "payment_address", Label: "Royalty to", Placeholder: "you", Hint: whoHint},
		widget.Field{Name: "image", Label: "Image", Placeholder: "none", Hint: "an absolute URL, like ipfs://bafy…/cover.png"},
		widget.Field{Name: "external_link", Label: "Link", Placeholder: "none", Hint: "an absolute URL, like https://apes.example.com"},
		widget.Field{Name: "explicit_content", Label: "Explicit content", Kind: widget.ChoiceField, Options: choices([]string{notSaid, "no", "yes"}), Value: notSaid},
		widget.Field{Name: "start_trading_time", Label: "Trading starts", Placeholder: notSaid, Hint: form.TradingHelp},
		widget.Field{Name: "withdraw_address", Label: "Withdraw address", Placeholder: "none", Hint: whoHint},
		widget.Field{Name: "flavour", Label: "Tokens hold", Kind: widget.ChoiceField, Options: choices([]cw721.Flavour{cw721.FlavourOnchain, cw721.FlavourBase}), Value: string(cw721.FlavourOnchain), Hint: "metadata-onchain: nine fields a token; base: only a link"},
		widget.Field{Name: "rules", Label: "Rule set", Kind: widget.ChoiceField, Options: choices(cw721.AllRules()), Value: string(cw721.RulesStandard), Hint: "standard is the safe reading; the others are as deployed"},
		widget.Field{Name: "prefix", Label: "Address prefix", Placeholder: "cosmos"},
		widget.Field{Name: "height", Label: "Start height", Placeholder: "1"},
		widget.Field{Name: "time", Label: "Start time", Placeholder: "now", Hint: "2026-11-21 12:00, in UTC"},
	)}
	f.sheet = widget.NewSheet(f.Form)
	return f
}

func (f *CreateForm) Resize(b widget.Box) { f.box = b }

func (f *CreateForm) Commands(*app.State) []app.Command {
	return form.SheetKeys(f.sheet, "create it", "cancel")
}

func (f *CreateForm) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case createPreviewMsg:
		if msg.seq == f.seq {
			f.take(msg.receipt, msg.err)
		}
	case createdMsg:
		f.sent = false
		if msg.err == nil {
			return func() tea.Msg { return app.OpenedMsg{Engine: st.Engine, InMemory: st.InMemory} }, true
		}
		f.take(chain.Receipt{}, msg.err)
	case tea.KeyMsg, tea.MouseMsg:
		field := f.Form.Focused()
		switch f.sheet.Update(msg) {
		case widget.FormCancel:
			return nil, !f.sent
		case widget.FormChange:
			f.begun[field] = true
			return f.review(st), false
		case widget.FormSubmit:
			return f.submit(st), false
		}
	}
	return nil, false
}

// review makes the message anew and asks what it would do.
func (f *CreateForm) review(st *app.State) tea.Cmd {
	f.draft = f.read()
	f.Form.ClearErrors()
	for name := range f.Form.Values() {
		f.Form.SetNotes(name, f.draft.notes[name]...)
	}
	f.seq++
	f.fault, f.receipt = "", nil
	for _, p := range f.draft.problems {
		f.Form.SetError(p.Field, p.Text)
	}
	if len(f.draft.problems) > 0 {
		return nil
	}
	seq, c := f.seq, f.draft
	return st.Ask(f, func(app.Engine) tea.Msg {
		r, err := chain.PreviewInstantiate(c.genesis, c.sender, c.msg)
		return createPreviewMsg{seq, r, err}
	})
}

// take shows what the contract says, under the field that it is about. That
// nothing was typed yet is no mistake.
func (f *CreateForm) take(r chain.Receipt, err error) {
	refusal := r.Refusal
	if refusal == nil {
		refusal = cw721.AsError(err)
	}
	switch {
	case refusal != nil:
		f.fault = refusal.Text
		if field := form.LastPart(refusal.Field); f.tried || f.begun[field] {
			f.Form.SetError(field, refusal.Text)
		}
	case err != nil:
		f.fault = err.Error()
	default:
		f.receipt = &r
	}
}

func (f *CreateForm) submit(st *app.State) tea.Cmd {
	if f.sent {
		return nil
	}
	f.tried = true
	if len(f.draft.problems) > 0 {
		f.Form.Focus(f.draft.problems[0].Field)
		return nil
	}
	if f.fault != "" {
		return f.review(st) // now every complaint shows under its field
	}
	f.sent = true
	c := f.draft
	return st.Write(func(e app.Engine) tea.Msg {
		_, err := e.Create(c.genesis, c.sender, c.msg)
		return app.Answer{Engine: e, To: f, Msg: createdMsg{err}}
	})
}

func (f *CreateForm) View(st *app.State) string {
	return f.sheet.View(st.Theme, "Create a collection", widget.Box{W: min(f.box.W, form.FormWidth), H: f.box.H}, f.below())
}

// below is the preview: whether it works, who becomes what, what is sent.
func (f *CreateForm) below() (lines []widget.Line) {
	add := func(l widget.Line) { lines = append(lines, l) }
	switch {
	case f.sent:
		add(widget.In(themes.Muted, "creating it"+themes.GlyphEllipsis))
	case len(f.draft.problems) > 0:
		add(widget.In(themes.Muted, "what will happen shows here when the form is filled in"))
	case f.fault != "" && !f.tried && f.Form.Value("name") == "":
		add(widget.In(themes.Muted, "a name and a symbol are enough"))
	case f.fault != "":
		add(widget.In(themes.Bad, themes.GlyphNo+" will be refused: ").And(themes.Text, f.fault))
	case f.receipt != nil:
		add(widget.In(themes.Good, themes.GlyphYes+" will work").And(themes.Muted, "; enter creates it"))
		call := f.draft.call
		for _, a := range f.receipt.Response.Attributes {
			add(widget.In(themes.Muted, "  "+themes.GlyphDot+" the "+a.Key+" is ").And(themes.Text, call(cw721.Address(a.Value))))
		}
	}
	if len(f.draft.msg) > 0 {
		add(widget.In(themes.Faint, string(f.draft.msg)))
	}
	return lines
}

// call names those who get a name with the collection.
func (c creation) call(a cw721.Address) string {
	for _, x := range c.genesis.Accounts {
		if x.Address == a {
			return x.Name
		}
	}
	return widget.Middle(string(a), app.AddressWidth)
}
