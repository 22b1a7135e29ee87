package form

import (
	"cmp"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Action is a dialog of fields that says below them what will come of what was
// typed: for a message what it would do, the JSON that is sent, and what changes.
// A refusal keeps the form open with everything that was typed.
type Action struct {
	title string
	Form  *widget.Form
	sheet *widget.Sheet
	// build makes something of what was typed. It runs in Update, so it only
	// computes.
	build func(st *app.State, values map[string]string) Result
	// Verb is what enter does, in the words of the keys; empty for a form that
	// sends a message.
	Verb string
	// Missing is said while something is; empty says the usual.
	Missing string
	// As is who sends the message, as the form's last field says; empty before it is
	// opened is whoever acts.
	As cw721.Address
	// Change, which can be nil, is called when a field was changed, so that
	// fields can follow each other.
	Change func(form *widget.Form, field string)
	// Working, which can be nil, reports the progress of what enter started.
	// RedrawEvery is how often it is drawn again; keys then don't wait for the
	// work. 0 draws it once.
	Working     func() string
	RedrawEvery time.Duration

	box     widget.Box
	seq     int
	result  Result
	receipt *chain.Receipt
	refused *refusal // why the message needs another sender; nil where it does not
	failed  Problem  // what enter came to, until something else is typed
	sent    bool
	// begun has the fields in which something was typed: only there is it a
	// problem that nothing is. tried tells that sending was.
	begun map[string]bool
	tried bool
	noted []string // fields with notes
}

type (
	// previewMsg brings a preview to the form that asked.
	previewMsg struct {
		seq     int
		receipt chain.Receipt
		refused *refusal
		err     error
	}
	// workingMsg lets a form draw anew how far it is.
	workingMsg struct{ form *Action }
)

// senderField names the field of who sends the message.
const senderField = "sender"

// NewAction makes a form that sends a message, or does what its Verb says. build runs
// in Update after every key, and must not read the engine; to it the sender acts.
func NewAction(title string, build func(*app.State, map[string]string) Result, fields ...widget.Field) *Action {
	form := widget.NewForm(fields...)
	return &Action{title: title, Form: form, sheet: widget.NewSheet(form), build: build, begun: map[string]bool{}}
}

// NewMessage makes a form that sends the message that build makes of what was typed.
func NewMessage(title string, build func(*app.State, map[string]string, *Result) cw721.ExecuteMsg, fields ...widget.Field) *Action {
	return NewAction(title, func(st *app.State, v map[string]string) (out Result) {
		return out.Fill(build(st, v, &out))
	}, fields...)
}

// Open gives the command that opens a form with its first preview in it, so
// that it does not change its shape right after it came.
func Open(st *app.State, f *Action) tea.Cmd {
	if f.Verb == "" {
		f.Form.Add(AccountFieldOf(st, senderField, "Sender", cmp.Or(f.As, st.Actor)))
	}
	preview := f.Review(st)
	if preview == nil {
		return app.OpenDialog(f)
	}
	return func() tea.Msg { return app.OpenAnsweredMsg{Dialog: f, Answer: preview().(app.Answer)} }
}

// Review makes the message anew and asks what it would do. The preview before
// stays until the new one comes.
func (f *Action) Review(st *app.State) tea.Cmd {
	values := f.Form.Values()
	var unknown []Problem
	if f.has(senderField) {
		f.As, unknown = readAddress(st, values, senderField)
	}
	f.result = f.build(f.asSender(st), values)
	f.result.Problems = append(f.result.Problems, unknown...)
	f.Form.ClearErrors()
	for _, name := range f.noted {
		f.Form.SetNotes(name)
	}
	f.noted = nil
	for name, lines := range f.result.Notes {
		f.Form.SetNotes(name, lines...)
		f.noted = append(f.noted, name)
	}
	f.Form.SetError(f.failed.Field, f.failed.Text)
	for _, p := range f.result.Problems {
		switch {
		case !f.shown(p.Field):
		case p.Adds != "":
			f.Form.SetNotes(p.Field, widget.In(themes.Warn, themes.GlyphWarn+" "+p.Text))
			f.noted = append(f.noted, p.Field)
		default:
			f.Form.SetNotes(p.Field)
			f.Form.SetError(p.Field, p.Text)
		}
	}
	f.seq++
	if len(f.result.Problems) > 0 {
		f.receipt, f.refused = nil, nil
		return nil
	}
	actor, seq, msg, typed, ask := f.As, f.seq, f.result.Msg, f.result.typed, f.result.Preview
	switch {
	case typed != nil:
		ask = func(e app.Engine) (chain.Receipt, error) { return e.Preview(actor, msg) }
	case ask == nil:
		return nil
	}
	return st.Ask(f, func(e app.Engine) tea.Msg {
		out := previewMsg{seq: seq}
		if out.receipt, out.err = ask(e); out.err == nil {
			out.refused, out.err = readRefusal(e, actor, typed, out.receipt.Refusal)
		}
		return out
	})
}

// shown tells whether a problem of a field is one to speak of: that nothing was
// typed yet is none.
func (f *Action) shown(field string) bool {
	return f.tried || f.begun[field] || f.Form.Value(field) != ""
}

// has tells whether the form has a field of that name to show a problem under.
func (f *Action) has(field string) bool {
	_, ok := f.Form.Values()[field]
	return ok
}

// asSender is the state in which the sender is who acts.
func (f *Action) asSender(st *app.State) *app.State {
	as := *st
	if f.has(senderField) {
		as.Actor = f.As
	}
	return &as
}

// Typing tells that letters are for a field.
func (f *Action) Typing() bool { return f.Form.Typing() }

func (f *Action) Resize(b widget.Box) { f.box = b }

// SheetKeys lists the keys of a form, with what the two ways out of it mean.
func SheetKeys(s *widget.Sheet, submit, cancel string) []app.Command {
	keys := s.Bindings()
	for i := range keys {
		switch h := keys[i].Help(); h {
		case s.Form.Keys.Submit.Help():
			keys[i].SetHelp(h.Key, submit)
		case s.Form.Keys.Cancel.Help():
			keys[i].SetHelp(h.Key, cancel)
		}
	}
	return app.Listed(app.GroupHere, keys...)
}

func (f *Action) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case previewMsg:
		if msg.seq == f.seq {
			f.preview(msg)
		}
	case app.ExecutedMsg:
		return f.executed(msg)
	case Done:
		return f.done(st, msg)
	case workingMsg:
		return f.work(msg), false
	case app.FactsChangedMsg:
		if !f.sent {
			return f.Review(st), false // the chain may have moved under the form
		}
	case tea.KeyMsg:
		switch {
		case f.sent: // it cannot be stopped half-way
		case msg.Type == tea.KeyCtrlT && f.result.typed != nil:
			return app.GoTo(app.KindConsole, app.ConsoleMsg{Text: string(f.result.Msg)}), true
		default:
			if cmd, ok := f.ask(st, msg.String()); ok {
				return cmd, false
			}
			return f.input(st, msg)
		}
	case tea.MouseMsg:
		if !f.sent {
			return f.input(st, msg)
		}
	}
	return nil, false
}

// input takes keys and the mouse.
func (f *Action) input(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	field := f.Form.Focused()
	event := f.sheet.Update(msg)
	if _, mouse := msg.(tea.MouseMsg); mouse {
		field = f.Form.Focused() // a click goes there first
	}
	switch event {
	case widget.FormChange:
		f.begun[field], f.failed = true, Problem{}
		if f.Change != nil {
			f.Change(f.Form, field)
		}
		return f.Review(st), false
	case widget.FormCancel:
		return nil, true
	case widget.FormSubmit:
		return f.submit(st)
	}
	return nil, false
}

// submit does what enter is for.
func (f *Action) submit(st *app.State) (tea.Cmd, bool) {
	d := f.result
	switch {
	case len(d.Problems) > 0:
		if add := f.add(st); add != nil {
			return add, false
		}
		f.tried = true
		f.Form.Focus(d.Problems[0].Field)
		return f.Review(st), false
	case d.Then != nil:
		return d.Then(f.asSender(st)), true
	case d.typed == nil && d.Do == nil && d.Read == nil:
		return nil, true
	}
	f.sent = true
	switch {
	case d.typed != nil:
		return app.ExecuteAs(st, f, f.As, d.Msg), false
	case d.Read != nil:
		return st.Ask(f, func(e app.Engine) tea.Msg { return d.Read(e) }), false
	}
	do := st.Write(func(e app.Engine) tea.Msg { return app.Answer{Engine: e, To: f, Msg: d.Do(e)} })
	if f.RedrawEvery == 0 {
		return do, false
	}
	return tea.Batch(f.work(workingMsg{f}), app.Background(do)), false
}

// work asks to be drawn anew while what enter began is under way.
func (f *Action) work(msg workingMsg) tea.Cmd {
	if msg.form != f || !f.sent || f.RedrawEvery == 0 {
		return nil
	}
	return app.After(f.RedrawEvery, msg)
}

// done closes the form, or says why what enter began was not done.
func (f *Action) done(st *app.State, msg Done) (tea.Cmd, bool) {
	f.sent = false
	if msg.Err == nil {
		return msg.Then, true
	}
	f.failed, f.tried = Problem{Field: msg.Field, Text: msg.Err.Error()}, true
	if r := cw721.AsError(msg.Err); r != nil {
		f.failed = Problem{Field: LastPart(r.Field), Text: r.Text}
	} else if field, text, found := strings.Cut(f.failed.Text, ": "); found && f.has(field) {
		f.failed = Problem{Field: field, Text: text}
	}
	f.Form.Show(msg.Show, true)
	f.Form.Focus(f.failed.Field)
	return f.Review(st), false
}

func (f *Action) preview(msg previewMsg) {
	if msg.err != nil {
		f.failed = Problem{Text: msg.err.Error()}
		return
	}
	f.receipt, f.refused = &msg.receipt, msg.refused
	if r := msg.receipt.Refusal; r != nil && f.shown(LastPart(r.Field)) {
		f.Form.SetError(LastPart(r.Field), r.Text)
	}
}

// LastPart is the name of a field without what it is a part of.
func LastPart(field string) string {
	return field[strings.LastIndexByte(field, '.')+1:]
}

func (f *Action) executed(msg app.ExecutedMsg) (tea.Cmd, bool) {
	if msg.From != any(f) {
		return nil, false
	}
	f.sent = false
	if msg.Err != nil {
		f.failed = Problem{Text: msg.Err.Error()}
		return nil, false
	}
	f.receipt = &msg.Receipt
	return nil, msg.Receipt.Refusal == nil
}
