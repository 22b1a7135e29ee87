package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// Sheet is a dialog of a form and, below a rule, what is said of what was typed.
// Where both do not fit, the field with the focus stays in sight with its error,
// the beginning of what is said does too, and the frame tells how much is not.
type Sheet struct {
	Form *Form
	// Talks gives what is said more room than the form, where both do not fit.
	Talks      bool
	Down, Up   key.Binding // scroll what is said
	said       []Line      // wrapped
	top        int         // the first line of it in view
	form, talk int         // how high the two are drawn
}

// NewSheet makes a sheet of a form.
func NewSheet(f *Form) *Sheet {
	return &Sheet{
		Form: f,
		Down: key.NewBinding(key.WithKeys("pgdown"), key.WithHelp("pgdn", "read on")),
		Up:   key.NewBinding(key.WithKeys("pgup"), key.WithHelp("pgup", "read back")),
	}
}

// Bindings are the keys of the form, and those that scroll what is said when
// there is more of it than shows.
func (s *Sheet) Bindings() []key.Binding {
	keys := s.Form.Bindings()
	if len(s.said) > s.talk {
		keys = append(keys[:2:2], append([]key.Binding{s.Down, s.Up}, keys[2:]...)...)
	}
	return keys
}

// Update takes a key, a paste, or the mouse with its place in the frame.
func (s *Sheet) Update(msg tea.Msg) FormEvent {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		return s.mouse(msg)
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, s.Down):
			s.scroll(max(1, s.talk-1))
			return FormNone
		case key.Matches(msg, s.Up):
			s.scroll(-max(1, s.talk-1))
			return FormNone
		}
	}
	return s.Form.Update(msg)
}

func (s *Sheet) mouse(msg tea.MouseMsg) FormEvent {
	switch d := Wheeled(msg); {
	case d != 0 && msg.Y < s.form && s.Form.Hidden() != Hidden{}:
		s.Form.Step(d)
	case d != 0:
		s.scroll(3 * d)
	case Clicked(msg) && msg.Y < s.form:
		return s.Form.Click(msg.X, msg.Y)
	}
	return FormNone
}

func (s *Sheet) scroll(d int) { s.top = clamp(s.top+d, 0, max(0, len(s.said)-s.talk)) }

// View draws the sheet, as high as it needs to be and at most as the box.
func (s *Sheet) View(th *themes.Theme, title string, b Box, said []Line) string {
	inner := FrameInner(b)
	s.wrap(said, inner.W)
	s.share(th, inner)
	rule := 0
	if s.talk > 0 {
		rule = 1
	}
	s.Form.Resize(Box{inner.W, s.form})
	body := []string{s.Form.View(th)}
	fields, lines := s.Form.Hidden(), hiddenLines(s.top, s.talk, len(s.said))
	if rule > 0 {
		var line strings.Builder
		drawRule(&line, th, themes.Border, inner.W, append(lines.aboveLine(), fields.belowLine()...))
		body = append(body, line.String())
		for _, l := range s.said[s.top : s.top+s.talk] {
			body = append(body, " "+l.Fit(th, max(inner.W-1, 0)))
		}
	}
	hidden := Hidden{fields.Above, lines.Below, s.Down.Help().Key}
	if rule == 0 {
		hidden.Below, hidden.Key = fields.Below, ""
	}
	b.H = min(b.H, s.form+rule+s.talk+b.H-inner.H)
	return Frame(th, title, strings.Join(body, "\n"), b, hidden)
}

// wrap takes what is said. Something new is read from its start.
func (s *Sheet) wrap(said []Line, w int) {
	was := s.said
	s.said = nil
	for _, l := range said {
		s.said = append(s.said, WrapLine(l, max(w-2, 2))...)
	}
	if !slices.EqualFunc(was, s.said, func(a, b Line) bool { return a.String() == b.String() }) {
		s.top = 0
	}
}

// share gives the form and what is said their parts of the lines.
func (s *Sheet) share(th *themes.Theme, inner Box) {
	s.Form.Resize(inner)
	form, focused := s.Form.heights(th)
	said := len(s.said)
	room := inner.H
	if said > 0 {
		room-- // the rule
	}
	switch {
	case form+said <= room:
		s.form, s.talk = form, said
	case s.Talks:
		s.form = clamp(room-said, min(focused, form, room/2), form)
		s.talk = min(said, room-s.form)
	default:
		s.talk = clamp(room-form, min(said, max(1, room/3)), said)
		s.talk = max(0, min(s.talk, room-min(focused, form)))
		s.form = min(form, room-s.talk)
	}
	if s.form, s.talk = max(0, s.form), max(0, s.talk); s.talk == 0 {
		s.form = min(form, max(0, inner.H)) // no rule, then
	}
	s.scroll(0)
}
