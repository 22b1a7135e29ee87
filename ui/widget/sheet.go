package widget

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
)

// Sheet is a dialog of a form with a text below it, such as a preview of what the form
// would do. A horizontal line separates them. If both don't fit into the box, the field
// with the focus, its error and the first line of the text stay in view, and the border
// counts the hidden lines.
type Sheet struct {
	Form       *Form
	Down       key.Binding // scrolls the text down
	Up         key.Binding // scrolls the text up
	text       []Line      // wrapped to the width of the dialog
	top        int         // how many lines behind the first line of the text are scrolled out of view
	formHeight int         // lines for the form in the last View
	textHeight int         // lines for the text in the last View; 0 if it was left out
}

// NewSheet makes a dialog of a form, with page up and page down for the text below it.
func NewSheet(form *Form) *Sheet {
	return &Sheet{
		Form: form,
		Down: bind("pgdn", "read on", "pgdown"),
		Up:   bind("pgup", "read back", "pgup"),
	}
}

// Bindings lists the keys of the form, and those that scroll the text if some of it is
// hidden.
func (s *Sheet) Bindings() []key.Binding {
	keys := s.Form.Bindings()
	if len(s.text) > s.textHeight {
		const submitAndCancel = 2 // the form lists these first
		keys = slices.Insert(keys, submitAndCancel, s.Down, s.Up)
	}
	return keys
}

// Update handles a key, a paste or the mouse, and returns what it did to the form. The
// keys Down and Up and the wheel scroll the text; all other keys are for the form. Over a form
// with hidden fields the wheel moves the focus instead, so that these fields come into view.
// The coordinates of the mouse count from the top left corner inside the border.
func (s *Sheet) Update(msg tea.Msg) FormEvent {
	switch msg := msg.(type) {
	case tea.MouseMsg:
		isOverForm := msg.Y < s.formHeight
		turn := WheelTurn(msg)
		switch {
		case turn != 0 && isOverForm && s.Form.Hidden() != (HiddenCounts{}):
			s.Form.Step(turn)
		case turn != 0:
			s.top += linesPerTurn * turn
		case IsClick(msg) && isOverForm:
			return s.Form.Click(msg.X, msg.Y)
		}
	case tea.KeyMsg:
		page := max(1, s.textHeight-1)
		switch {
		case key.Matches(msg, s.Down):
			s.top += page
		case key.Matches(msg, s.Up):
			s.top -= page
		default:
			return s.Form.Update(msg)
		}
	}
	s.clampTop()
	return FormNone
}

// clampTop brings the first line in view back within the text.
func (s *Sheet) clampTop() {
	s.top = clamp(s.top, 0, max(0, len(s.text)-s.textHeight))
}

// View draws the dialog with its border. It is as wide as box, and as high as form and text
// need, but not higher than box.
func (s *Sheet) View(theme *themes.Theme, title string, box Box, text []Line) string {
	inner := FrameInner(box)

	// Wrap the text. If it differs from the last one, it is shown from its start.
	oldText := s.text
	s.text = nil
	for _, line := range text {
		s.text = append(s.text, WrapLine(line, max(inner.W-2, 2))...)
	}
	if !slices.EqualFunc(oldText, s.text, slices.Equal[Line]) {
		s.top = 0
	}

	s.shareHeight(theme, inner)
	s.Form.Resize(Box{W: inner.W, H: s.formHeight})
	body := []string{s.Form.View(theme)}
	hidden := s.Form.Hidden()
	height := s.formHeight

	// Draw the line and the text, with the number of hidden lines on both.
	if s.textHeight > 0 {
		hiddenText := countHidden(s.top, s.textHeight, len(s.text))
		hiddenBesideRule := append(hiddenText.aboveLabel(), hidden.belowLabel()...)
		body = append(body, drawRule(theme, themes.Border, inner.W, hiddenBesideRule))
		shown := append(s.text[:1:1], s.text[s.top+1:s.top+s.textHeight]...)
		for _, line := range shown {
			body = append(body, " "+line.Fit(theme, max(inner.W-1, 0)))
		}
		hidden = HiddenCounts{Above: hidden.Above, Below: hiddenText.Below, Key: s.Down.Help().Key}
		height += 1 + s.textHeight // 1 for the line between form and text
	}
	borders := box.H - inner.H
	box.H = min(box.H, height+borders)
	return Frame(theme, title, strings.Join(body, "\n"), box, hidden)
}

// shareHeight decides how many lines of the box the form and the text get. If not both fit, the
// form gets its lines first. The text keeps half of the box, unless the field with the focus
// needs those lines. The first line of the text is always in view.
func (s *Sheet) shareHeight(theme *themes.Theme, inner Box) {
	s.Form.Resize(inner)

	// Compare the lines that both need with the lines that there are.
	allLines := s.Form.drawAllLines(theme)
	formLines := len(allLines)
	textLines := len(s.text)
	room := inner.H
	if textLines > 0 {
		room = max(0, room-1) // without the line between form and text
	}

	minTextLines := min(textLines, max(1, room/2))
	maxTextLines := max(1, room-s.Form.countFocused(allLines)) // the field with the focus stays in view
	s.textHeight = min(room, maxTextLines, clamp(room-formLines, minTextLines, textLines))
	s.formHeight = min(formLines, room-s.textHeight)

	// Without text there is no line between form and text, so the form may take it.
	if s.textHeight == 0 {
		s.formHeight = min(formLines, inner.H)
	}
	s.clampTop()
}
