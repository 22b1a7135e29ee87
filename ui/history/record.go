package history

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// recording asks for the name of a file and writes what happened there, as a
// scenario. A file that is there already is only replaced when that is asked
// for; what cannot be written keeps the dialog open with what was typed.
type recording struct {
	form *widget.Form
	part scenario.Part
	box  widget.Box
	busy bool
}

// recordedMsg says what became of a recording.
type recordedMsg struct {
	path  string
	steps int
	err   error
}

// RecordCommand writes a part of what happened to a file.
func RecordCommand(st *app.State, name, group string, part scenario.Part) app.Command {
	return app.NewCommand(app.Bind("R", "record", "R"), name, group, func() tea.Cmd { return openRecord(part) }).
		Unless(st.Save == nil, "record: files cannot be written here")
}

func openRecord(part scenario.Part) tea.Cmd {
	r := &recording{part: part, form: widget.NewForm(
		widget.Field{Name: "file", Label: "File", Placeholder: "story.yaml", Hint: "the end of the name says how: .yaml, .jsonl or .jsonl.gz"},
		widget.Field{Name: "replace", Label: "Replace it", Kind: widget.ToggleField, Hidden: true, Hint: "space changes it; what the file holds now is then lost"},
	)}
	return app.OpenDialog(r)
}

func (r *recording) Resize(b widget.Box) { r.box = b }

func (r *recording) Commands(*app.State) []app.Command {
	return form.FormKeys(r.form, "write it", "cancel")
}

func (r *recording) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case recordedMsg:
		r.busy = false
		if msg.err != nil {
			r.failed(msg)
			return nil, false
		}
		return app.Say(app.LevelGood, fmt.Sprintf("recorded %s in %s; `ephemera run` plays it", app.Plural(msg.steps, "step"), msg.path)), true
	case tea.KeyMsg:
		if r.busy {
			return nil, false // the file is nearly written
		}
		return r.key(st, msg)
	}
	return nil, false
}

func (r *recording) key(st *app.State, msg tea.KeyMsg) (tea.Cmd, bool) {
	was := r.form.Value("file")
	switch r.form.Update(msg) {
	case widget.FormCancel:
		return nil, true
	case widget.FormChange:
		if r.form.Value("file") != was {
			r.form.Show("replace", false)
			r.form.SetValue("replace", "false")
		}
	case widget.FormSubmit:
		return r.submit(st), false
	}
	return nil, false
}

func (r *recording) submit(st *app.State) tea.Cmd {
	path := strings.TrimSpace(r.form.Value("file"))
	r.form.ClearErrors()
	if path == "" {
		r.form.SetError("file", "file: expected the name of a file, like story.yaml")
		return nil
	}
	format, err := scenario.FormatOf(path)
	if err != nil {
		r.form.SetError("file", "file: expected a name that ends in .yaml, .yml, .jsonl or .jsonl.gz")
		return nil
	}
	r.busy = true
	save, part, replace := st.Save, r.part, r.form.Value("replace") == "true"
	return st.Ask(r, func(engine app.Engine) tea.Msg {
		msg := recordedMsg{path: path}
		msg.err = save(path, replace, func(w io.Writer) error {
			return engine.View(func(v *chain.View) (err error) {
				msg.steps, err = scenario.Save(w, format, v, part, nil)
				return err
			})
		})
		return msg
	})
}

// failed says why nothing was written.
func (r *recording) failed(msg recordedMsg) {
	if errors.Is(msg.err, fs.ErrExist) {
		r.form.SetError("file", fmt.Sprintf("%s is there already; choose another name, or replace it below", msg.path))
		r.form.Show("replace", true)
		return
	}
	r.form.SetError("file", msg.err.Error())
}

const recordWidth = 76

func (r *recording) View(st *app.State) string {
	box := widget.Box{W: min(r.box.W, recordWidth), H: r.box.H}
	inner := widget.FrameInner(box)
	r.form.Resize(inner)
	var lines []string
	about := widget.In(themes.Muted, "Writes "+partWords(r.part)+", with every answer.")
	if r.busy {
		about = widget.In(themes.Accent, themes.GlyphDown+" writing"+themes.GlyphEllipsis)
	}
	for _, l := range widget.WrapLine(about, max(inner.W-2, 2)) {
		lines = append(lines, " "+l.Fit(st.Theme, max(inner.W-1, 0)))
	}
	h := max(min(r.form.Height(st.Theme), inner.H-len(lines)-1), 1)
	r.form.Resize(widget.Box{W: inner.W, H: h})
	box.H = min(box.H, h+1+len(lines)+box.H-inner.H)
	return widget.Frame(st.Theme, "Record as a scenario", widget.JoinV(r.form.View(st.Theme), app.HorizontalRule(st, inner.W), strings.Join(lines, "\n")), true, box)
}
