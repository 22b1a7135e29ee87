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
	title, text, yes string
	do               func() tea.Cmd
	onYes            bool
	box              widget.Box
}

func newQuestion(title, text, yes string, do func() tea.Cmd) *question {
	return &question{title: title, text: text, yes: yes, do: do}
}

func (q *question) Resize(b widget.Box) { q.box = b }

var questionKeys = []Command{
	{Binding: bind("enter", "choose", "enter"), Group: groupHere},
	{Binding: bind("tab ← →", "the other button", "tab", "left", "right", "h", "l"), Group: groupHere},
	{Binding: bind("esc", "cancel", "esc", "q", "n"), Group: groupHere},
}

func (q *question) Commands(*Desk) []Command { return questionKeys }

func (q *question) Update(_ *Desk, msg tea.Msg) (tea.Cmd, bool) {
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
	}
	return nil, false
}

func (q *question) View(d *Desk) string {
	th := d.Theme
	w := min(q.box.W, 60)
	lines := append([]string{""}, widget.Wrap(q.text, max(w-4, 2))...)
	for i := range lines {
		lines[i] = " " + lines[i]
	}
	button := func(text string, on bool) string {
		role := themes.Muted
		if on {
			role = themes.Selected
		}
		return th.Render(role, "  "+text+"  ")
	}
	lines = append(lines, "", " "+button("Cancel", !q.onYes)+" "+button(q.yes, q.onYes), "")
	return widget.Frame(th, q.title, strings.Join(lines, "\n"), true, widget.Box{W: w, H: min(q.box.H, len(lines)+2)})
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
	r.box = widget.Box{W: min(b.W, r.wide), H: min(b.H, len(r.lines)+2)}
	r.scroll.Resize(widget.FrameInner(r.box))
}

func (r *reading) Commands(*Desk) []Command {
	return append(listed(groupHere, r.scroll.Bindings()...), Command{Binding: bind("esc", "close", "esc"), Group: groupHere})
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
	return widget.Frame(d.Theme, r.title, r.scroll.View(d.Theme), true, r.box)
}

// newLog shows every notice, the latest first.
func newLog(lines []widget.Line) *reading {
	if len(lines) == 0 {
		lines = append(lines, widget.In(themes.Muted, "nothing was said yet"))
	}
	return newReading("Notices", 100, lines)
}
