package ui

import (
	"fmt"
	"strings"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// The least size that can be used, in cells.
const (
	leastW = 40
	leastH = 12
)

// leastMargin is how many columns must show beside a dialog; fewer are scraps
// that tell nothing.
const leastMargin = 6

// tabsRow is the line of the tabs on the screen.
const tabsRow = 1

// place is where the body of the screen is.
type place struct {
	top int
	box widget.Box
}

// layout shares the lines out: header, tabs, a rule, the body, a rule, the
// clock, the footer.
func (m *Model) layout() place {
	w, h := m.panel()
	return place{top: 3 + h, box: widget.Box{W: m.size.W - w, H: max(m.size.H-3-h-1-m.clock.height(m.size)-1, 0)}}
}

// resize takes the size of the terminal. One that does not know its size gets the
// usual one.
func (m *Model) resize(b widget.Box) {
	if b == (widget.Box{}) {
		b = widget.Box{W: 80, H: 24}
	}
	m.size = b
	body := m.layout().box
	for _, s := range m.screens {
		s.Resize(body)
	}
	m.fitDialogs()
}

// View gives the frame that shows what Update has made of the model. Bubbletea
// asks for it after every message, also after those that change nothing.
func (m *Model) View() string {
	if m.drawn == "" {
		m.drawn = m.draw()
	}
	return m.drawn
}

// draw draws the whole frame.
func (m *Model) draw() string {
	if m.quit || m.size.W == 0 || m.size.H == 0 {
		return ""
	}
	th := m.state.Theme
	if m.tooSmall() {
		return th.Paint(m.sorry())
	}
	dialogs := m.placed() // first, as the footer tells which way their text goes on
	frame := m.frame()
	for i, p := range dialogs {
		if i == 0 && p.x < leastMargin {
			frame = widget.Overlay(frame, widget.Fill("", widget.Box{W: m.size.W, H: p.h}), 0, p.y)
		}
		frame = widget.Overlay(frame, p.view, p.x, p.y)
		if note, new := m.news(); new && p.y+p.h > m.noticeRow() {
			frame = widget.Overlay(frame, m.ruleWith(note), 0, m.newsRow())
		}
	}
	return th.Paint(widget.Fill(frame, m.size))
}

// tooSmall tells that the terminal cannot be worked in.
func (m *Model) tooSmall() bool { return m.size.W < leastW || m.size.H < leastH }

// sorry says in the middle of a terminal that is too small what it needs.
func (m *Model) sorry() string {
	th, w := m.state.Theme, m.size.W
	lines := widget.Wrap(fmt.Sprintf("Ephemera needs %d×%d,\nthis terminal is %d×%d", leastW, leastH, m.size.W, m.size.H), w)
	lines = lines[:min(len(lines), m.size.H)]
	for i, l := range lines {
		lines[i] = th.Render(themes.Warn, widget.Fit(strings.Repeat(" ", max(0, (w-widget.Width(l))/2))+l, w))
	}
	above := strings.Repeat("\n", (m.size.H-len(lines))/2)
	return widget.Fill(above+strings.Join(lines, "\n"), m.size)
}

func (m *Model) frame() string {
	th, w := m.state.Theme, m.size.W
	if m.empty() { // there is nothing that tabs, a screen and a clock could show
		var said widget.Line
		if note, ok := m.notes.Current(); ok {
			said = note.Line()
		}
		blank := func(h int) string { return widget.Fill("", widget.Box{W: w, H: h}) }
		return widget.JoinV(m.header(), blank(m.noticeRow()-1), said.Fit(th, w), blank(m.clock.height(m.size)), m.footer())
	}
	return widget.JoinV(
		m.header(), m.tabs(), m.rule(w),
		m.body(), m.noticeRule(),
		m.clock.view(m.state, widget.Box{W: w, H: m.clock.height(m.size)}),
		m.footer(),
	)
}

// noticeRow is the line of the rule below the body, on which notices stand.
func (m *Model) noticeRow() int { return m.size.H - 2 - m.clock.height(m.size) }

// noticeRule is the rule below the body with the latest notice on it: a place of
// its own, so that no notice takes the room of a key. What the clock below it
// says in full already is not said twice.
func (m *Model) noticeRule() string {
	note, ok := m.notes.Current()
	if !ok || note.Text == m.clock.expired && m.clock.namesExpired(m.state, m.size.W) {
		return m.rule(m.size.W)
	}
	return m.ruleWith(note)
}

// ruleWith is a rule with a notice on it.
func (m *Model) ruleWith(note widget.Note) string {
	line, w := note.Line(), m.size.W
	n := min(widget.Width(line.String()), w-4)
	return m.rule(1) + " " + line.Fit(m.state.Theme, n) + " " + m.rule(w-n-3)
}

func (m *Model) rule(w int) string { return app.RuleAcross(m.state, w, false) }

func (m *Model) body() string {
	box := m.layout().box
	th := m.state.Theme
	switch {
	case m.opening:
		return widget.Fill("\n "+th.Render(themes.Muted, "opening the database"+themes.GlyphEllipsis), box)
	case m.openErr != nil:
		return m.faultView(box)
	case !m.state.HasCollection():
		return m.withPanel(widget.Fill("", box), box)
	}
	return m.withPanel(m.screen().View(m.state), box)
}
