package ui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// problem is why a form cannot be made into a message yet.
type problem struct{ field, text string }

// draft is what a form has made of what was typed: the message that would be
// sent, or what is wrong; and notes to put under fields.
type draft struct {
	msg      []byte
	problems []problem
	notes    map[string][]widget.Line
}

// actionForm is a form for one message, with a live preview: what will happen,
// the JSON that is sent, and what changes. A refusal keeps the form open with
// everything that was typed.
type actionForm struct {
	title string
	form  *widget.Form
	sheet *widget.Sheet
	// build makes the message of what was typed. It runs in Update, so it only
	// computes.
	build func(d *Desk, values map[string]string) draft
	// as is who sends the message; empty is whoever acts.
	as cw721.Address

	// submit, which can be nil, is what sending does instead of executing the
	// message; there is no preview then.
	submit func(*Desk) tea.Cmd
	// change, which can be nil, is called when a field was changed, so that
	// fields can follow each other.
	change func(d *Desk, form *widget.Form, field string)

	box     widget.Box
	seq     int
	draft   draft
	receipt *chain.Receipt
	fault   string
	sent    bool
	// begun has the fields in which something was typed: only there is it a
	// problem that nothing is. tried tells that sending was.
	begun map[string]bool
	tried bool
	// ready has the fields that were filled in beforehand and not touched yet:
	// typing there starts anew.
	ready map[string]bool
	noted []string // fields with notes
}

// previewMsg brings a preview to the form that asked.
type previewMsg struct {
	seq     int
	receipt chain.Receipt
	err     error
}

func newActionForm(d *Desk, title string, build func(*Desk, map[string]string) draft, fields ...widget.Field) (*actionForm, tea.Cmd) {
	f := bareForm(title, build, fields...)
	f.ready = map[string]bool{}
	for _, fd := range fields {
		if fd.Kind == widget.TextField && fd.Value != "" {
			f.ready[fd.Name] = true
		}
	}
	return f, f.review(d)
}

// bareForm is a form that was not looked at yet.
func bareForm(title string, build func(*Desk, map[string]string) draft, fields ...widget.Field) *actionForm {
	form := widget.NewForm(fields...)
	return &actionForm{title: title, form: form, sheet: widget.NewSheet(form), build: build}
}

// openForm gives the command that opens a form with its first preview in it, so
// that it does not change its shape right after it came.
func openForm(f *actionForm, preview tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		open := openDialogMsg{dialog: f}
		if preview != nil {
			if a, ok := preview().(Answer); ok {
				f.preview(a.Msg.(previewMsg)) // nobody else knows the form yet
				open.engine = a.Engine
			}
		}
		return open
	}
}

// review makes the message anew and asks what it would do. The preview before
// stays until the new one comes.
func (f *actionForm) review(d *Desk) tea.Cmd {
	f.draft = f.build(d, f.form.Values())
	f.form.ClearErrors()
	for _, name := range f.noted {
		f.form.SetNotes(name)
	}
	f.noted = nil
	for name, lines := range f.draft.notes {
		f.form.SetNotes(name, lines...)
		f.noted = append(f.noted, name)
	}
	for _, p := range f.draft.problems {
		if f.shown(p) {
			f.form.SetNotes(p.field)
			f.form.SetError(p.field, p.text)
		}
	}
	f.seq++
	f.fault = ""
	if len(f.draft.problems) > 0 {
		f.receipt = nil
		return nil
	}
	if f.draft.msg == nil {
		return nil
	}
	actor, seq, msg := f.sender(d), f.seq, f.draft.msg
	return d.ask(f, func(e Engine) tea.Msg {
		r, err := e.Preview(actor, msg)
		return previewMsg{seq, r, err}
	})
}

// shown tells whether a problem is one to speak of: that nothing was typed yet
// is none.
func (f *actionForm) shown(p problem) bool {
	return f.tried || f.begun[p.field] || f.form.Value(p.field) != ""
}

// has tells whether the form has a field of that name to show a problem under.
func (f *actionForm) has(field string) bool {
	_, ok := f.form.Values()[field]
	return ok
}

// sender is who the message is sent as.
func (f *actionForm) sender(d *Desk) cw721.Address {
	if f.as != "" {
		return f.as
	}
	return d.Actor
}

func (f *actionForm) Resize(b widget.Box) { f.box = b }

func (f *actionForm) Commands(*Desk) []Command { return sheetKeys(f.sheet, "send", "cancel") }

// formKeys lists the keys of a form, with what the two ways out of it mean.
func formKeys(f *widget.Form, submit, cancel string) []Command {
	return formWords(f, f.Bindings(), submit, cancel)
}

// sheetKeys does the same for a form that says something.
func sheetKeys(s *widget.Sheet, submit, cancel string) []Command {
	return formWords(s.Form, s.Bindings(), submit, cancel)
}

func formWords(f *widget.Form, keys []key.Binding, submit, cancel string) []Command {
	for i := range keys {
		switch h := keys[i].Help(); h {
		case f.Keys.Submit.Help():
			keys[i].SetHelp(h.Key, submit)
		case f.Keys.Cancel.Help():
			keys[i].SetHelp(h.Key, cancel)
		}
	}
	return listed(groupHere, keys...)
}

func (f *actionForm) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case previewMsg:
		if msg.seq == f.seq {
			f.preview(msg)
		}
		return nil, false
	case executedMsg:
		return f.executed(msg)
	case factsMsg:
		if !f.sent {
			return f.review(d), false // the chain may have moved under the form
		}
		return nil, false
	case tea.KeyMsg:
		if field := f.form.Focused(); f.ready[field] && len(msg.Runes) > 0 && !msg.Alt {
			f.form.SetValue(field, "")
		}
		return f.input(d, msg)
	case tea.MouseMsg:
		return f.input(d, msg)
	}
	return nil, false
}

// input takes keys and the mouse.
func (f *actionForm) input(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
	field := f.form.Focused()
	event := f.sheet.Update(msg)
	if _, mouse := msg.(tea.MouseMsg); mouse {
		field = f.form.Focused() // a click goes there first
	}
	switch event {
	case widget.FormChange:
		if f.begun == nil {
			f.begun = map[string]bool{}
		}
		f.begun[field] = true
		delete(f.ready, field)
		if f.change != nil {
			f.change(d, f.form, field)
		}
		return f.review(d), false
	case widget.FormCancel:
		return nil, true
	case widget.FormSubmit:
		switch {
		case f.sent:
		case len(f.draft.problems) > 0:
			f.tried = true
			f.form.Focus(f.draft.problems[0].field)
			return f.review(d), false
		case f.submit != nil:
			return f.submit(d), true
		default:
			f.sent = true
			return executeAs(d, f, f.sender(d), f.draft.msg), false
		}
	}
	return nil, false
}

func (f *actionForm) preview(msg previewMsg) {
	if msg.err != nil {
		f.fault = msg.err.Error()
		return
	}
	f.receipt = &msg.receipt
	if r := msg.receipt.Refusal; r != nil {
		field := lastPart(r.Field)
		f.form.SetError(field, f.unknown(field, r.Text)+r.Text)
	}
}

// unknown explains a refusal of an address that is a name which nobody has: the
// contract knows no names, so what it says helps no one.
func (f *actionForm) unknown(field, refusal string) string {
	typed, ok := f.form.Values()[field]
	if !ok || len(typed) >= shortestAddress || !strings.Contains(refusal, "addr_validate") {
		return ""
	}
	return fmt.Sprintf("nobody is called %q here; Accounts (8) adds names. The contract: ", typed)
}

func lastPart(field string) string {
	return field[strings.LastIndexByte(field, '.')+1:]
}

func (f *actionForm) executed(msg executedMsg) (tea.Cmd, bool) {
	if msg.from != any(f) {
		return nil, false
	}
	f.sent = false
	if msg.err != nil {
		f.fault = msg.err.Error()
		return nil, false
	}
	f.receipt = &msg.receipt
	return nil, msg.receipt.Refusal == nil
}

const formWidth = 88

func (f *actionForm) View(d *Desk) string {
	box := widget.Box{W: min(f.box.W, formWidth), H: f.box.H}
	return f.sheet.View(d.Theme, f.title+" as "+widget.Safe(d.Call(f.sender(d))), box, f.below(d))
}

// below is the preview: the outcome, what changes, what is sent.
func (f *actionForm) below(d *Desk) (lines []widget.Line) {
	add := func(l widget.Line) { lines = append(lines, l) }
	switch {
	case f.fault != "":
		add(widget.In(themes.Bad, themes.GlyphNo+" "+f.fault))
	case len(f.draft.problems) > 0:
		if p := f.draft.problems[0]; !f.has(p.field) {
			add(widget.In(themes.Warn, themes.GlyphWarn+" "+p.text))
		} else {
			add(widget.In(themes.Muted, "what will happen shows here when the form is filled in"))
		}
	case f.submit != nil:
		add(widget.In(themes.Muted, "enter shows what will become of each, before anything is sent"))
	case f.receipt == nil:
		add(widget.In(themes.Muted, "looking"+themes.GlyphEllipsis))
	case f.receipt.Refusal != nil && f.has(lastPart(f.receipt.Refusal.Field)):
		add(widget.In(themes.Bad, themes.GlyphNo+" will be refused").And(themes.Muted, " for what the field above says"))
	case f.receipt.Refusal != nil:
		add(widget.In(themes.Bad, themes.GlyphNo+" will be refused: ").And(themes.Text, f.receipt.Refusal.Text))
	default:
		if d.readOnly() {
			add(widget.In(themes.Warn, themes.GlyphWarn+" the contract would take it, but this session is read-only"))
		} else {
			add(widget.In(themes.Good, themes.GlyphYes+" will work"))
		}
		for _, s := range explain.Describe(f.receipt.Changes, d.Call) {
			add(widget.In(themes.Muted, "  "+themes.GlyphDot+" ").And(themes.Text, s))
		}
		if len(f.receipt.Changes) == 0 {
			add(widget.In(themes.Muted, "  "+themes.GlyphDot+" nothing changes"))
		}
	}
	if len(f.draft.msg) > 0 {
		add(widget.In(themes.Faint, string(f.draft.msg)))
	}
	return lines
}

// message is a draft that is ready.
func message(msg cw721.ExecuteMsg) draft { return draft{msg: cw721.Encode(msg)} }
