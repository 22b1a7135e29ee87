package form

import (
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// LowDialog is the height inside a dialog below which it leaves out air and the
// keys that the footer names as well.
const LowDialog = 12

// ConfirmDialog asks before something that undo cannot bring back. Cancel is the
// default.
type ConfirmDialog struct {
	title, about, yes string
	text              *widget.Scroll
	do                func() tea.Cmd
	OnYes             bool
	box               widget.Box
}

// NewConfirm makes a question; do runs in Update when the answer is yes.
func NewConfirm(title, text, yes string, do func() tea.Cmd) *ConfirmDialog {
	return &ConfirmDialog{title: title, about: text, text: widget.NewScroll(), yes: yes, do: do}
}

const questionWidth = 60

// Resize gives the text what the buttons leave: they are always in sight.
func (q *ConfirmDialog) Resize(b widget.Box) {
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

var questionKeys = []app.Command{
	{Binding: app.Bind("enter", "choose", "enter"), Group: app.GroupHere},
	{Binding: app.Bind("esc", "cancel", "esc", "q", "n"), Group: app.GroupHere},
	{Binding: app.Bind("tab ← →", "the other button", "tab", "left", "right", "h", "l"), Group: app.GroupHere},
}

func (q *ConfirmDialog) Commands(*app.State) []app.Command {
	return append(questionKeys[:len(questionKeys):len(questionKeys)], readOn(q.text.Hidden())...)
}

func (q *ConfirmDialog) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if m, ok := msg.(tea.MouseMsg); ok {
		return q.mouse(m)
	}
	key, ok := msg.(tea.KeyMsg)
	if !ok {
		return nil, false
	}
	switch key.String() {
	case "enter":
		if q.OnYes {
			return q.do(), true
		}
		return nil, true
	case "tab", "shift+tab", "left", "right", "h", "l":
		q.OnYes = !q.OnYes
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
func (q *ConfirmDialog) mouse(msg tea.MouseMsg) (tea.Cmd, bool) {
	if !widget.Clicked(msg) {
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

func (q *ConfirmDialog) View(st *app.State) string {
	th := st.Theme
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
	lines = append(lines, " "+draw(noText, !q.OnYes)+" "+draw(q.yes, q.OnYes))
	return widget.Frame(th, q.title, strings.Join(lines, "\n"), q.box, widget.Hidden{Above: q.text.Hidden().Above})
}

// readOn lists the keys that scroll, for a text that has more than shows.
func readOn(h widget.Hidden) []app.Command {
	if h == (widget.Hidden{}) {
		return nil
	}
	return app.Listed(app.GroupMove, app.Bind("j ↓", "read on", "j", "down"), app.Bind("k ↑", "read back", "k", "up"))
}

// TextDialog is a dialog that shows text: help, the log of notices.
type TextDialog struct {
	title  string
	scroll *widget.Scroll
	lines  func(w int) []widget.Line
	wide   int
	box    widget.Box
}

// NewText makes a dialog of at most so many cells in width.
func NewText(title string, wide int, lines []widget.Line) *TextDialog {
	return &TextDialog{title: title, scroll: widget.NewScroll(), lines: func(int) []widget.Line { return lines }, wide: wide}
}

// OpenDifference shows what the compiled contract and the built-in one did with
// one message, and what they left otherwise in the storage.
func OpenDifference(st *app.State, title string, found chain.Difference) tea.Cmd {
	facts := st.Facts
	head := widget.In(themes.Warn, themes.GlyphWarn+" ").
		And(themes.Text, "the compiled contract and the built-in one do not do the same; what the compiled one does counts")
	return app.OpenDialog(&TextDialog{title: "Compared " + title, scroll: widget.NewScroll(), wide: math.MaxInt, lines: func(w int) []widget.Line {
		return append([]widget.Line{head, {}}, facts.DifferenceLines(found, w)...)
	}})
}

func (r *TextDialog) Resize(b widget.Box) {
	r.box = widget.Box{W: min(b.W, r.wide), H: b.H}
	inner := widget.FrameInner(r.box)
	r.scroll.Resize(inner)
	r.scroll.Keep(r.lines(inner.W))
	r.box.H = min(b.H, r.scroll.Lines()+2)
	r.scroll.Resize(widget.FrameInner(r.box))
}

func (r *TextDialog) Commands(*app.State) []app.Command {
	return append(app.Listed(app.GroupHere, app.Bind("esc", "close", "esc")), readOn(r.scroll.Hidden())...)
}

func (r *TextDialog) Update(_ *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if key, ok := msg.(tea.KeyMsg); ok {
		switch key.String() {
		case "esc", "q", "?", "enter":
			return nil, true
		}
	}
	r.scroll.Update(msg)
	return nil, false
}

func (r *TextDialog) View(st *app.State) string {
	return widget.Frame(st.Theme, r.title, r.scroll.View(st.Theme), r.box, widget.Hidden{Above: r.scroll.Hidden().Above})
}

// NewLog shows every notice, the latest first.
func NewLog(lines []widget.Line) *TextDialog {
	if len(lines) == 0 {
		lines = append(lines, widget.In(themes.Muted, "nothing was said yet"))
	}
	return NewText("Notices", 100, lines)
}
