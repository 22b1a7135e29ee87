package form

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// Problem is why a form cannot be made into a message yet.
type Problem struct{ Field, Text string }

// Result is what a form has made of what was typed: the message that would be
// sent, or what is wrong; and notes to put under fields.
type Result struct {
	msg      []byte
	typed    cw721.ExecuteMsg // that msg encodes
	Problems []Problem
	Notes    map[string][]widget.Line
}

// Action is a form for one message, with a live preview: what will happen,
// the JSON that is sent, and what changes. A refusal keeps the form open with
// everything that was typed.
type Action struct {
	title string
	Form  *widget.Form
	sheet *widget.Sheet
	// build makes the message of what was typed. It runs in Update, so it only
	// computes.
	build func(st *app.State, values map[string]string) Result
	// As is who sends the message; empty is whoever acts.
	As cw721.Address

	// Submit, which can be nil, is what sending does instead of executing the
	// message; there is no preview then.
	Submit func(*app.State) tea.Cmd
	// Change, which can be nil, is called when a field was changed, so that
	// fields can follow each other.
	Change func(st *app.State, form *widget.Form, field string)

	box     widget.Box
	seq     int
	draft   Result
	receipt *chain.Receipt
	refused *refusal // why the message needs another sender; nil where it does not
	fault   string
	sent    bool
	// begun has the fields in which something was typed: only there is it a
	// problem that nothing is. tried tells that sending was.
	begun map[string]bool
	tried bool
	// Ready has the fields that were filled in beforehand and not touched yet:
	// typing there starts anew.
	Ready map[string]bool
	noted []string // fields with notes
}

// previewMsg brings a preview to the form that asked.
type previewMsg struct {
	seq     int
	receipt chain.Receipt
	refused *refusal
	err     error
}

// NewAction makes a form that sends a message as the actor; the command fetches its first preview. build runs
// in Update after every key, and must not read the engine.
func NewAction(st *app.State, title string, build func(*app.State, map[string]string) Result, fields ...widget.Field) (*Action, tea.Cmd) {
	f := NewBare(title, build, fields...)
	f.Ready = map[string]bool{}
	for _, fd := range fields {
		if fd.Kind == widget.TextField && fd.Value != "" {
			f.Ready[fd.Name] = true
		}
	}
	return f, f.Review(st)
}

// NewBare is a form that was not looked at yet.
func NewBare(title string, build func(*app.State, map[string]string) Result, fields ...widget.Field) *Action {
	form := widget.NewForm(fields...)
	return &Action{title: title, Form: form, sheet: widget.NewSheet(form), build: build}
}

// Open gives the command that opens a form with its first preview in it, so
// that it does not change its shape right after it came.
func Open(f *Action, preview tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		open := app.OpenDialogMsg{Dialog: f}
		if preview != nil {
			if a, ok := preview().(app.Answer); ok {
				f.preview(a.Msg.(previewMsg)) // nobody else knows the form yet
				open.Engine = a.Engine
			}
		}
		return open
	}
}

// Review makes the message anew and asks what it would do. The preview before
// stays until the new one comes.
func (f *Action) Review(st *app.State) tea.Cmd {
	f.draft = f.build(st, f.Form.Values())
	f.Form.ClearErrors()
	for _, name := range f.noted {
		f.Form.SetNotes(name)
	}
	f.noted = nil
	for name, lines := range f.draft.Notes {
		f.Form.SetNotes(name, lines...)
		f.noted = append(f.noted, name)
	}
	for _, p := range f.draft.Problems {
		if f.shown(p) {
			f.Form.SetNotes(p.Field)
			f.Form.SetError(p.Field, p.Text)
		}
	}
	f.seq++
	f.fault = ""
	if len(f.draft.Problems) > 0 {
		f.receipt, f.refused = nil, nil
		return nil
	}
	if f.draft.msg == nil {
		return nil
	}
	actor, seq, msg, typed := f.sender(st), f.seq, f.draft.msg, f.draft.typed
	return st.Ask(f, func(e app.Engine) tea.Msg {
		out := previewMsg{seq: seq}
		if out.receipt, out.err = e.Preview(actor, msg); out.err == nil {
			out.refused, out.err = readRefusal(e, actor, typed, out.receipt.Refusal)
		}
		return out
	})
}

// shown tells whether a problem is one to speak of: that nothing was typed yet
// is none.
func (f *Action) shown(p Problem) bool {
	return f.tried || f.begun[p.Field] || f.Form.Value(p.Field) != ""
}

// has tells whether the form has a field of that name to show a problem under.
func (f *Action) has(field string) bool {
	_, ok := f.Form.Values()[field]
	return ok
}

// sender is who the message is sent as.
func (f *Action) sender(st *app.State) cw721.Address {
	if f.As != "" {
		return f.As
	}
	return st.Actor
}

func (f *Action) Resize(b widget.Box) { f.box = b }

// FormKeys lists the keys of a form, with what the two ways out of it mean.
func FormKeys(f *widget.Form, submit, cancel string) []app.Command {
	return formWords(f, f.Bindings(), submit, cancel)
}

// SheetKeys does the same for a form that says something.
func SheetKeys(s *widget.Sheet, submit, cancel string) []app.Command {
	return formWords(s.Form, s.Bindings(), submit, cancel)
}

func formWords(f *widget.Form, keys []key.Binding, submit, cancel string) []app.Command {
	for i := range keys {
		switch h := keys[i].Help(); h {
		case f.Keys.Submit.Help():
			keys[i].SetHelp(h.Key, submit)
		case f.Keys.Cancel.Help():
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
		return nil, false
	case app.ExecutedMsg:
		return f.executed(msg)
	case app.FactsMsg:
		if !f.sent {
			return f.Review(st), false // the chain may have moved under the form
		}
		return nil, false
	case tea.KeyMsg:
		if cmd, ok := f.ask(st, msg.String()); ok {
			return cmd, false
		}
		if field := f.Form.Focused(); f.Ready[field] && len(msg.Runes) > 0 && !msg.Alt {
			f.Form.SetValue(field, "")
		}
		return f.input(st, msg)
	case tea.MouseMsg:
		return f.input(st, msg)
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
		if f.begun == nil {
			f.begun = map[string]bool{}
		}
		f.begun[field] = true
		delete(f.Ready, field)
		if f.Change != nil {
			f.Change(st, f.Form, field)
		}
		return f.Review(st), false
	case widget.FormCancel:
		return nil, true
	case widget.FormSubmit:
		switch {
		case f.sent:
		case len(f.draft.Problems) > 0:
			f.tried = true
			f.Form.Focus(f.draft.Problems[0].Field)
			return f.Review(st), false
		case f.Submit != nil:
			return f.Submit(st), true
		default:
			f.sent = true
			return app.ExecuteAs(st, f, f.sender(st), f.draft.msg), false
		}
	}
	return nil, false
}

func (f *Action) preview(msg previewMsg) {
	if msg.err != nil {
		f.fault = msg.err.Error()
		return
	}
	f.receipt, f.refused = &msg.receipt, msg.refused
	if r := msg.receipt.Refusal; r != nil {
		field := LastPart(r.Field)
		f.Form.SetError(field, f.unknown(field, r.Text)+r.Text)
	}
}

// unknown explains a refusal of an address that is a name which nobody has: the
// contract knows no names, so what it says helps no one.
func (f *Action) unknown(field, refusal string) string {
	typed, ok := f.Form.Values()[field]
	if !ok || len(typed) >= ShortestAddress || !strings.Contains(refusal, "addr_validate") {
		return ""
	}
	return fmt.Sprintf("nobody is called %q here; Accounts (8) adds names. The contract: ", typed)
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
		f.fault = msg.Err.Error()
		return nil, false
	}
	f.receipt = &msg.Receipt
	return nil, msg.Receipt.Refusal == nil
}

// FormWidth is the most cells that a form takes.
const FormWidth = 88

func (f *Action) View(st *app.State) string {
	box := widget.Box{W: min(f.box.W, FormWidth), H: f.box.H}
	return f.sheet.View(st.Theme, f.title+" as "+widget.Safe(st.Call(f.sender(st))), box, f.below(st))
}

// below is the preview: the outcome, what changes, what is sent.
func (f *Action) below(st *app.State) (lines []widget.Line) {
	add := func(l widget.Line) { lines = append(lines, l) }
	switch {
	case f.fault != "":
		add(widget.In(themes.Bad, themes.GlyphNo+" "+f.fault))
	case len(f.draft.Problems) > 0:
		if p := f.draft.Problems[0]; !f.has(p.Field) {
			add(widget.In(themes.Warn, themes.GlyphWarn+" "+p.Text))
		} else {
			add(widget.In(themes.Muted, "what will happen shows here when the form is filled in"))
		}
	case f.Submit != nil:
		add(widget.In(themes.Muted, "enter shows what will become of each, before anything is sent"))
	case f.receipt == nil:
		add(widget.In(themes.Muted, "looking"+themes.GlyphEllipsis))
	case f.receipt.Refusal != nil && f.has(LastPart(f.receipt.Refusal.Field)):
		add(widget.In(themes.Bad, themes.GlyphNo+" will be refused").And(themes.Muted, " for what the field above says"))
	case f.receipt.Refusal != nil:
		add(widget.In(themes.Bad, themes.GlyphNo+" will be refused: ").And(themes.Text, f.receipt.Refusal.Text))
		if f.refused != nil {
			lines = append(lines, f.refused.lines(st)...)
		}
	default:
		if st.CannotWrite() {
			add(widget.In(themes.Warn, themes.GlyphWarn+" the contract would take it, but this session is read-only"))
		} else {
			add(widget.In(themes.Good, themes.GlyphYes+" will work"))
		}
		for _, s := range explain.Describe(f.receipt.Changes, st.Call) {
			add(widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, s))
		}
		if len(f.receipt.Changes) == 0 {
			add(widget.In(themes.Muted, "  "+themes.GlyphDot+" "+explain.NothingChanges))
		}
	}
	if len(f.draft.msg) > 0 {
		add(widget.In(themes.Faint, string(f.draft.msg)))
	}
	return lines
}

// Message is a draft that is ready.
func Message(msg cw721.ExecuteMsg) Result { return Result{msg: cw721.Encode(msg), typed: msg} }
