package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// question asks before something that undo cannot bring back. Cancel is the
// default.
type question struct {
	title, about, yes string
	text              *widget.Scroll
	do                func() tea.Cmd
	onYes             bool
	box               widget.Box
}

func newQuestion(title, text, yes string, do func() tea.Cmd) *question {
	return &question{title: title, about: text, text: widget.NewScroll(), yes: yes, do: do}
}

const questionWidth = 60

// Resize gives the text what the buttons leave: they are always in sight.
func (q *question) Resize(b widget.Box) {
	const around = 5 // the frame, the buttons, and a space above and below the text
	w := min(b.W, questionWidth)
	inner := max(widget.FrameInner(widget.Box{W: w, H: b.H}).W-1, 2)
	var lines []widget.Line
	for _, l := range widget.Wrap(q.about, inner) {
		lines = append(lines, widget.Plain(l))
	}
	h := max(min(len(lines), b.H-around), 1)
	q.text.Resize(widget.Box{W: inner, H: h})
	q.text.Set(lines)
	q.box = widget.Box{W: w, H: min(b.H, h+around)}
}

var questionKeys = []Command{
	{Binding: bind("enter", "choose", "enter"), Group: groupHere},
	{Binding: bind("esc", "cancel", "esc", "q", "n"), Group: groupHere},
	{Binding: bind("tab ← →", "the other button", "tab", "left", "right", "h", "l"), Group: groupHere},
}

func (q *question) Commands(*Desk) []Command {
	return append(questionKeys[:len(questionKeys):len(questionKeys)], readOn(q.text.Hidden())...)
}

func (q *question) Update(_ *Desk, msg tea.Msg) (tea.Cmd, bool) {
	if m, ok := msg.(tea.MouseMsg); ok {
		return q.mouse(m)
	}
	key, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil, false
	}
	switch key.String() {
	case "enter":
		if q.onYes {
			return q.do(), true
		}
		return nil, true
	case "tab", "shift+tab", "left", "right", "h", "l":
		q.onYes = !q.onYes
	case "y":
		return q.do(), true
	case "esc", "q", "n":
		return nil, true
	default:
		q.text.Update(msg)
	}
	return nil, false
}

// mouse takes a click on a button, and the wheel.
func (q *question) mouse(msg tea.MouseMsg) (tea.Cmd, bool) {
	if !clicked(msg) {
		q.text.Update(msg)
		return nil, false
	}
	if msg.Y != q.box.H-3 {
		return nil, false
	}
	switch cancel := 1 + widget.Width(button(noText)); {
	case msg.X >= 1 && msg.X < cancel:
		return nil, true
	case msg.X > cancel && msg.X <= cancel+widget.Width(button(q.yes)):
		return q.do(), true
	}
	return nil, false
}

const noText = "Cancel"

func button(text string) string { return "  " + text + "  " }

func (q *question) View(d *Desk) string {
	th := d.Theme
	draw := func(text string, on bool) string {
		role := themes.Muted
		if on {
			role = themes.Selected
		}
		return th.Render(role, button(text))
	}
	var lines []string
	lines = append(lines, "")
	for line := range strings.SplitSeq(q.text.View(th), "\n") {
		lines = append(lines, " "+line)
	}
	if q.box.H < 6 { // no room for air
		lines = lines[1:]
	} else {
		lines = append(lines, "")
	}
	lines = append(lines, " "+draw(noText, !q.onYes)+" "+draw(q.yes, q.onYes))
	return widget.FrameHiding(th, q.title, strings.Join(lines, "\n"), true, q.box, widget.Hidden{Above: q.text.Hidden().Above})
}

// readOn lists the keys that scroll, for a text that has more than shows.
func readOn(h widget.Hidden) []Command {
	if h == (widget.Hidden{}) {
		return nil
	}
	return listed(groupMove, bind("j ↓", "read on", "j", "down"), bind("k ↑", "read back", "k", "up"))
}

// reading is a dialog that shows text: help, the log of notices.
type reading struct {
	title  string
	scroll *widget.Scroll
	lines  []widget.Line
	wide   int
	box    widget.Box
}

func newReading(title string, wide int, lines []widget.Line) *reading {
	r := &reading{title: title, scroll: widget.NewScroll(), lines: lines, wide: wide}
	r.scroll.Set(lines)
	return r
}

func (r *reading) Resize(b widget.Box) {
	r.box = widget.Box{W: min(b.W, r.wide), H: b.H}
	r.scroll.Resize(widget.FrameInner(r.box))
	r.box.H = min(b.H, r.scroll.Lines()+2)
	r.scroll.Resize(widget.FrameInner(r.box))
}

func (r *reading) Commands(*Desk) []Command {
	return append(listed(groupHere, bind("esc", "close", "esc")), readOn(r.scroll.Hidden())...)
}

func (r *reading) Update(_ *Desk, msg tea.Msg) (tea.Cmd, bool) {
	if key, ok := msg.(tea.KeyMsg); ok {
		switch key.String() {
		case "esc", "q", "?", "enter":
			return nil, true
		}
	}
	r.scroll.Update(msg)
	return nil, false
}

func (r *reading) View(d *Desk) string {
	return widget.FrameHiding(d.Theme, r.title, r.scroll.View(d.Theme), true, r.box, widget.Hidden{Above: r.scroll.Hidden().Above})
}

// newLog shows every notice, the latest first.
func newLog(lines []widget.Line) *reading {
	if len(lines) == 0 {
		lines = append(lines, widget.In(themes.Muted, "nothing was said yet"))
	}
	return newReading("Notices", 100, lines)
}
