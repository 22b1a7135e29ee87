package ui

import (
	"strings"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// importForm reads a contract's storage from a file into the empty database.
type importForm struct {
	opts  Options
	form  *widget.Form
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

func newImportForm(o Options) *importForm {
	return &importForm{opts: o, form: widget.NewForm(
		widget.Field{Name: "path", Label: "File", Placeholder: "state.json", Hint: "what wasmd prints for: query wasm contract-state all"},
		widget.Field{Name: "prefix", Label: "Address prefix", Placeholder: "that of the addresses in the file"},
		widget.Field{Name: "rules", Label: "Rule set", Kind: widget.ChoiceField, Options: choices(cw721.AllRules()), Value: string(cw721.RulesStandard), Hint: "the file does not say it"},
		widget.Field{Name: "height", Label: "Start height", Placeholder: "1", Hint: "the block that the file is of; it does not say it either"},
		widget.Field{Name: "time", Label: "Start time", Placeholder: "now", Hint: "2026-11-21 12:00, in UTC"},
	)}
}

func (f *importForm) Resize(b widget.Box) { f.box = b }

func (f *importForm) Commands(*Desk) []Command { return formKeys(f.form, "import it", "cancel") }

func (f *importForm) Update(d *Desk, msg tea.Msg) (tea.Cmd, bool) {
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
			return func() tea.Msg { return openedMsg{engine: d.Engine, inMemory: d.InMemory} }, true
		}
		f.fault = msg.err.Error()
	case tea.KeyMsg:
		if f.job != nil {
			return nil, false // it cannot be stopped half-way; ctrl+c leaves the program
		}
		switch f.form.Update(msg) {
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
	var problems []problem
	if strings.TrimSpace(v["path"]) == "" {
		problems = append(problems, problem{"path", "file: expected the path of a file"})
	}
	g := readGenesis(v, cw721.Time(f.opts.Wall().UnixNano()), &problems, map[string][]widget.Line{})
	if len(problems) > 0 {
		for _, p := range problems {
			f.form.SetError(p.field, p.text)
		}
		f.form.Focus(problems[0].field)
		return nil
	}
	job, do, path := &importJob{}, f.opts.Import, strings.TrimSpace(v["path"])
	f.job = job
	return tea.Batch(f.tick(), func() tea.Msg {
		return importedMsg{job, do(path, g, func(n int) { job.records.Store(int64(n)) })}
	})
}

const importTick = 100 * time.Millisecond

func (f *importForm) tick() tea.Cmd { return f.opts.After(importTick, importTickMsg{f.job}) }

func (f *importForm) View(d *Desk) string {
	th := d.Theme
	box := widget.Box{W: min(f.box.W, formWidth), H: f.box.H}
	inner := widget.FrameInner(box)
	f.form.Resize(inner)
	var lines []string
	add := func(l widget.Line) {
		for _, part := range widget.WrapLine(l, max(inner.W-2, 2)) {
			lines = append(lines, " "+part.Fit(th, max(inner.W-1, 0)))
		}
	}
	switch {
	case f.job != nil:
		add(widget.In(themes.Accent, themes.GlyphDown+" reading: ").And(themes.Strong, chain.Thousands(uint64(f.job.records.Load()))+" records are in"))
	case f.fault != "":
		add(widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, f.fault))
	default:
		add(widget.In(themes.Muted, "enter reads it in; a file that does not fit changes nothing"))
	}
	h := min(f.form.Height(th), max(inner.H-len(lines)-1, 1))
	f.form.Resize(widget.Box{W: inner.W, H: h})
	box.H = min(box.H, h+1+len(lines)+box.H-inner.H)
	return widget.Frame(th, "Import a contract", widget.JoinV(f.form.View(th), horizontalRule(d, inner.W), strings.Join(lines, "\n")), true, box)
}
