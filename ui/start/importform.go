package start

import (
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// importForm reads a contract's storage from a file into the empty database.
type importForm struct {
	opts  app.Options
	form  *widget.Form
	sheet *widget.Sheet
	box   widget.Box
	job   *importJob // nil when none is under way
	fault string
}

// importJob is an import that is under way. The command that runs it counts,
// and the form looks from time to time.
type importJob struct{ records atomic.Int64 }

type (
	importedMsg struct {
		job *importJob
		err error
	}
	importTickMsg struct{ job *importJob }
)

func newImportForm(o app.Options) *importForm {
	f := &importForm{opts: o, form: widget.NewForm(
		widget.Field{Name: "path", Label: "File", Placeholder: "state.json", Hint: "what wasmd prints for: query wasm contract-state all"},
		widget.Field{Name: "prefix", Label: "Address prefix", Placeholder: "that of the addresses in the file"},
		widget.Field{Name: "rules", Label: "Rule set", Kind: widget.ChoiceField, Options: choices(cw721.AllRules()), Value: string(cw721.RulesStandard), Hint: "the file does not say it"},
		widget.Field{Name: "height", Label: "Start height", Placeholder: "1", Hint: "the block that the file is of; it does not say it either"},
		widget.Field{Name: "time", Label: "Start time", Placeholder: "now", Hint: "2026-11-21 12:00, in UTC"},
	)}
	f.sheet = widget.NewSheet(f.form)
	return f
}

// Lasts tells that what enter begins is not waited for: an import takes long, and
// keys that are pressed meanwhile are for nothing that comes after it.
func (f *importForm) Lasts() {}

func (f *importForm) Resize(b widget.Box) { f.box = b }

// Typing tells that letters are for a field.
func (f *importForm) Typing() bool { return f.form.Typing() }

func (f *importForm) Commands(*app.State) []app.Command {
	return form.SheetKeys(f.sheet, "import it", "cancel")
}

func (f *importForm) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case importTickMsg:
		if msg.job == f.job && f.job != nil {
			return f.tick(), false
		}
	case importedMsg:
		if msg.job != f.job || f.job == nil {
			return nil, false
		}
		f.job = nil
		if msg.err == nil {
			return func() tea.Msg { return app.OpenedMsg{Engine: st.Engine, InMemory: st.InMemory} }, true
		}
		f.fault = msg.err.Error()
	case tea.KeyMsg, tea.MouseMsg:
		if f.job != nil {
			return nil, false // it cannot be stopped half-way; ctrl+c leaves the program
		}
		switch f.sheet.Update(msg) {
		case widget.FormCancel:
			return nil, true
		case widget.FormChange:
			f.fault = ""
			f.form.ClearErrors()
		case widget.FormSubmit:
			return f.submit(), false
		}
	}
	return nil, false
}

func (f *importForm) submit() tea.Cmd {
	v := f.form.Values()
	f.form.ClearErrors()
	f.fault = ""
	var problems []form.Problem
	if strings.TrimSpace(v["path"]) == "" {
		problems = append(problems, form.Problem{Field: "path", Text: "file: expected the path of a file"})
	}
	g := readGenesis(v, cw721.Time(f.opts.Wall().UnixNano()), &problems, map[string][]widget.Line{})
	if len(problems) > 0 {
		for _, p := range problems {
			f.form.SetError(p.Field, p.Text)
		}
		f.form.Focus(problems[0].Field)
		return nil
	}
	g.Module = f.opts.Module
	job, do, path := &importJob{}, f.opts.Import, strings.TrimSpace(v["path"])
	f.job = job
	return tea.Batch(f.tick(), func() tea.Msg {
		return importedMsg{job, do(path, g, func(n int) { job.records.Store(int64(n)) })}
	})
}

const importTick = 100 * time.Millisecond

func (f *importForm) tick() tea.Cmd { return f.opts.After(importTick, importTickMsg{f.job}) }

func (f *importForm) View(st *app.State) string {
	said := widget.In(themes.Muted, "enter reads it in; a file that does not fit changes nothing")
	switch {
	case f.job != nil:
		said = widget.In(themes.Accent, themes.GlyphDown+" reading: ").And(themes.Strong, app.Plural(int(f.job.records.Load()), "record")+" so far")
	case f.fault != "":
		said = widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, f.fault)
	}
	return f.sheet.View(st.Theme, "Import a contract", widget.Box{W: min(f.box.W, form.FormWidth), H: f.box.H}, []widget.Line{said})
}
