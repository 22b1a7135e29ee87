package lessons

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

const dialogWidth = 76

// TaskDialog tells the story of a task and asks its question, if it has one, and
// at the end of a lesson says what to remember. The learner's answer is met with
// the reason, right or wrong.
type TaskDialog struct {
	book   *Book
	run    *Run
	ask    *scenario.Ask // nil where nothing is asked
	all    bool          // hints, goals and what was answered, too
	hints  bool          // the hints alone
	cursor int
	given  string
	scroll *widget.Scroll
	low    []widget.Line // what stands below the scroll
	choice []int         // the choice on each line of it; -1 for none
	told   int           // lines of the scroll
	max    widget.Box
	box    widget.Box
}

// NewTask makes the dialog of the task in hand, or of the end of the lesson.
func NewTask(b *Book) *TaskDialog {
	return &TaskDialog{book: b, run: b.Run, ask: b.Run.Session.Question(), scroll: widget.NewScroll()}
}

// NewTaskReader shows all that there is to the task in hand, for terminals where
// the panel has no room for it.
func NewTaskReader(b *Book) *TaskDialog {
	t := NewTask(b)
	t.all = true
	return t
}

// NewHints shows the hints that were asked for so far.
func NewHints(b *Book) *TaskDialog {
	return &TaskDialog{book: b, run: b.Run, hints: true, scroll: widget.NewScroll()}
}

// choosing tells that the question waits for its answer.
func (t *TaskDialog) choosing() bool { return t.ask != nil && t.given == "" }

func (t *TaskDialog) Resize(b widget.Box) {
	t.max = b
	t.lay()
}

// lay gives the dialog the size of what it says. What is told scrolls; what is
// to be chosen stands below it and stays in sight however small the terminal is.
func (t *TaskDialog) lay() {
	w := min(t.max.W, dialogWidth)
	inner := widget.FrameInner(widget.Box{W: w, H: t.max.H})
	body := flow(t.body(), inner.W)
	t.low, t.choice = nil, nil
	for i, l := range t.foot() {
		lines, n := flow([]widget.Line{l}, inner.W), i-beforeChoices
		if !t.choosing() || n < 0 || n >= len(t.ask.Choices) {
			n = -1
		}
		t.low = append(t.low, lines...)
		t.choice = append(t.choice, slices.Repeat([]int{n}, len(lines))...)
	}
	h := min(len(body), max(inner.H-len(t.low), 1))
	t.told = h
	t.box = widget.Box{W: w, H: min(t.max.H, h+len(t.low)+t.max.H-inner.H)}
	t.scroll.Resize(widget.Box{W: inner.W, H: h})
	t.scroll.Keep(body)
}

// body is what is told.
func (t *TaskDialog) body() []widget.Line {
	switch {
	case t.given != "":
		return t.verdict()
	case t.hints:
		return t.run.hints()
	case t.all:
		return append(append(t.run.story(), t.run.goals()...), t.run.rest()...)
	case t.run.Session.IsOver():
		return append(t.book.done(t.run), t.run.story()...)
	}
	return t.run.story()
}

// beforeChoices is how many lines of the foot stand before the choices.
const beforeChoices = 2

// foot is what is asked, or how to go on.
func (t *TaskDialog) foot() []widget.Line {
	lines := []widget.Line{{}}
	switch {
	case t.given != "":
		on := "enter goes on"
		if t.belief() != lesson.NoMisconception {
			on += ", w shows the world you believe in"
		}
		return append(lines, widget.In(themes.Muted, on))
	case t.choosing():
		lines = append(lines, widget.In(themes.Strong, t.ask.Question))
		for i, c := range t.ask.Choices {
			sign, role := "  ", themes.Text
			if i == t.cursor {
				sign, role = themes.GlyphPointer+" ", themes.Strong
			}
			lines = append(lines, widget.In(themes.Accent, sign).And(themes.Key, fmt.Sprint(i+1)).And(role, "  "+c))
		}
		return append(lines, widget.Line{}, widget.In(themes.Muted, "enter predicts, esc looks around first"))
	case t.run.Session.IsOver():
		if t.book.Last() {
			return append(lines, widget.In(themes.Muted, "this was the last lesson: enter goes back, esc stays here"))
		}
		return append(lines, widget.In(themes.Muted, "enter goes to the next lesson, esc stays here, Q goes back"))
	}
	if t.all || t.hints {
		return append(lines, widget.In(themes.Muted, "enter closes this"))
	}
	return append(lines, widget.In(themes.Muted, "enter begins"))
}

// verdict meets the answer with the reason.
func (t *TaskDialog) verdict() []widget.Line {
	lines := []widget.Line{widget.In(themes.Strong, t.ask.Question), {}}
	if t.given == t.ask.Answer {
		lines = append(lines, widget.In(themes.Good, themes.GlyphYes+" Right: ").And(themes.Text, t.ask.Answer))
	} else {
		lines = append(lines, widget.In(themes.Bad, themes.GlyphNo+" Not so: ").And(themes.Muted, t.given),
			widget.In(themes.Good, themes.GlyphYes+" It is: ").And(themes.Text, t.ask.Answer))
		if why := t.ask.Replies[t.given].Why; why != "" {
			lines = append(lines, widget.Line{}, widget.Plain(why))
		}
	}
	return append(lines, widget.Line{}, widget.Plain(t.ask.Why))
}

// belief is the misconception that the answer shows.
func (t *TaskDialog) belief() lesson.Misconception {
	if t.given == "" {
		return lesson.NoMisconception
	}
	return lesson.Misconception(t.ask.Replies[t.given].Believes)
}

func (t *TaskDialog) Commands(*app.State) []app.Command {
	does := "go on"
	if t.choosing() {
		does = "choose"
	} else if t.all || t.hints {
		does = "close"
	}
	all := app.KeysForHelp(app.GroupHere, app.Bind("enter", does, "enter"), app.Bind("esc", "close", "esc", "q"))
	if t.belief() != lesson.NoMisconception {
		all = append(all, app.KeysForHelp(app.GroupHere, app.Bind("w", "the world you believe in", "w"))...)
	}
	if t.hints && t.run.Session.HintsLeft() > 0 {
		all = append(all, app.KeysForHelp(app.GroupHere, app.Bind("H", "next hint", "H"))...)
	}
	if t.choosing() {
		all = append(all, app.KeysForHelp(app.GroupHere, app.Bind("j k ↓ ↑", "another answer", "j", "k", "up", "down"))...)
	}
	return all
}

func (t *TaskDialog) Update(st *app.State, msg tea.Msg) (tea.Cmd, bool) {
	if t.book.Run != t.run {
		return nil, true // the lesson was left behind it
	}
	key, ok := msg.(tea.KeyMsg)
	if !ok {
		if m, ok := msg.(tea.MouseMsg); ok {
			return t.mouse(m)
		}
		return nil, false
	}
	switch k := key.String(); {
	case k == "esc" || k == "q":
		return nil, true
	case k == "Q" && t.run.Session.IsOver():
		return func() tea.Msg { return EndedMsg{} }, true
	case k == "enter":
		return t.enter()
	case k == "H" && t.hints:
		t.run.Session.Hint()
		t.lay()
		return t.book.Save(st), false
	case k == "w" && t.belief() != lesson.NoMisconception:
		return t.book.Worlds(t.belief()), false
	case t.choosing() && (k == "j" || k == "down" || k == "tab"):
		t.cursor = (t.cursor + 1) % len(t.ask.Choices)
	case t.choosing() && (k == "k" || k == "up" || k == "shift+tab"):
		t.cursor = (t.cursor + len(t.ask.Choices) - 1) % len(t.ask.Choices)
	case t.choosing() && len(k) == 1 && k[0] >= '1' && int(k[0]-'1') < len(t.ask.Choices):
		t.cursor = int(k[0] - '1')
		return t.enter()
	default:
		t.scroll.Update(msg)
		return nil, false
	}
	t.lay()
	return nil, false
}

// mouse takes a click on a choice for its key, and one on the last line, which
// says how to go on, for enter. The wheel scrolls.
func (t *TaskDialog) mouse(msg tea.MouseMsg) (tea.Cmd, bool) {
	if !widget.Clicked(msg) {
		t.scroll.Update(msg)
		return nil, false
	}
	row := msg.Y - t.told
	switch {
	case row < 0 || row >= len(t.choice):
	case t.choice[row] >= 0:
		t.cursor = t.choice[row]
		return t.enter()
	case !t.choosing() && row == len(t.choice)-1:
		return t.enter()
	}
	return nil, false
}

// enter takes the answer, or goes on.
func (t *TaskDialog) enter() (tea.Cmd, bool) {
	switch {
	case t.choosing():
		t.given = t.ask.Choices[t.cursor]
		t.lay()
		given := t.given
		return func() tea.Msg { return AnsweredMsg{given} }, false
	case t.run.Session.IsOver(), t.ask != nil && len(t.run.Session.Task().Checks) == 0: // there was nothing to do but to answer
		return func() tea.Msg { return GoOnMsg{} }, true
	}
	return nil, true
}

func (t *TaskDialog) View(st *app.State) string {
	inner, title := widget.FrameInner(t.box), t.run.title(t.book)
	if left := t.run.Session.HintsLeft(); t.hints && left > 0 {
		title = fmt.Sprintf("Hint, %d more to come", left)
	} else if t.hints {
		title = "The strongest hint"
	}
	body := widget.JoinV(t.scroll.View(st.Theme), draw(t.low, st, inner.W))
	return widget.Frame(st.Theme, title, widget.Fill(body, inner), t.box, widget.Hidden{})
}
