package lessons

import (
	"fmt"
	"strings"
	"time"

	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// The sizes at which the panel of a lesson takes another form, in cells.
const (
	BesideW     = 100 // the least width at which the panel is beside the screen
	BesideH     = 24
	StripH      = 3 // lines above the screen, the rule among them
	StripLeastH = 18
)

// title returns the number of the lesson and of the current task.
func (r *Run) title(b *Book) string {
	l := r.Session.Lesson
	if r.Session.IsOver() {
		return fmt.Sprintf("Lesson %d · %s", b.Number(l.ID), l.Title)
	}
	return fmt.Sprintf("Lesson %d · task %d of %d", b.Number(l.ID), r.Session.TaskIndex()+1, len(l.Tasks))
}

// story returns the story of the current task, or what to remember once the lesson is
// over.
func (r *Run) story() []widget.Line {
	if t := r.Session.Task(); t != nil {
		return paragraphs(t.Story)
	}
	return append([]widget.Line{widget.In(themes.Accent, "Remember")}, paragraphs(r.Session.Lesson.Remember)...)
}

// hintsAndAnswer returns the hints that were shown, and the question with the learner's
// answer.
func (r *Run) hintsAndAnswer() (out []widget.Line) {
	if hints := r.hints(); len(hints) > 0 {
		out = append(append(out, widget.Line{}), hints...)
	}
	t := r.Session.Task()
	if t == nil || t.Ask == nil {
		return out
	}
	out = append(out, widget.Line{}, widget.In(themes.Muted, t.Ask.Question))
	given := r.Session.Answered()
	switch {
	case given.Given == "":
		return append(out, widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, "predict it first: ").And(themes.Key, "N"))
	case given.Right:
		out = append(out, widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Text, given.Given))
	default:
		out = append(out, widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Muted, given.Given),
			widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Text, t.Ask.Answer))
	}
	return append(out, widget.In(themes.Muted, t.Ask.Why))
}

// goals returns a line for each goal, with a sign that says whether it is reached.
func (r *Run) goals() (out []widget.Line) {
	if len(r.Check.Goals) == 0 {
		return nil
	}
	out = append(out, widget.Line{}, widget.In(themes.Accent, "To reach"))
	for _, g := range r.Check.Goals {
		line := widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, g.Text)
		if g.Reached {
			line = widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Text, g.Text)
		} else if g.Instead != "" {
			line = line.And(themes.Muted, " · "+g.Instead)
		}
		out = append(out, line)
	}
	return out
}

// keys returns the keys of the lesson that are useful now.
func (r *Run) keys(b *Book) widget.Line {
	var l widget.Line
	add := func(key, what string, role themes.Role) {
		if len(l) > 0 {
			l = l.And(themes.Muted, "  ")
		}
		l = l.And(themes.Key, key).And(role, " "+what)
	}
	switch {
	case r.Session.IsOver() && b.IsLastLesson():
		add("N", "go back", themes.Good)
	case r.Session.IsOver():
		add("N", "next", themes.Good)
	case r.Session.Question() != nil:
		add("N", "question", themes.Warn)
	case r.Done():
		add("N", "go on", themes.Good)
	}
	if left := r.Session.HintsLeft(); left > 0 && !r.Done() {
		add("H", fmt.Sprintf("hint (%d)", left), themes.Muted)
	} else if !r.Done() && !r.Session.IsOver() && r.Session.Question() == nil {
		add("Z", "anew", themes.Muted)
	}
	add("I", "all", themes.Muted)
	add("Q", "leave", themes.Muted)
	return l
}

// Panel fills a box beside the screen. The goals are always in view; the story is cut
// if it is too long, and a line then names the key that shows all of it.
func (r *Run) Panel(st *app.State, book *Book, b widget.Box) string {
	head := flow([]widget.Line{widget.In(themes.Title, strings.ToUpper(r.title(book))), {}}, b.W)
	if !r.Session.IsOver() {
		head = flow([]widget.Line{widget.In(themes.Title, r.title(book)), widget.In(themes.Strong, r.Session.Lesson.Title), {}}, b.W)
	}
	tail := flow(append(r.goals(), widget.Line{}), b.W)
	if r.Done() {
		tail = append(tail, widget.In(themes.Good, themes.GlyphYes+" done"))
	}
	tail = append(tail, r.keys(book))
	middle := flow(append(r.story(), r.hintsAndAnswer()...), b.W)
	if room := max(b.H-len(head)-len(tail), 0); len(middle) > room {
		middle = middle[:max(room-1, 0)]
		if room > 0 {
			middle = append(middle, widget.In(themes.Faint, themes.GlyphDown+" ").And(themes.Key, "I").And(themes.Faint, " shows all"))
		}
	}
	return widget.Fill(draw(append(append(head, middle...), tail...), st, b.W), b)
}

// Strip fills a few lines above the screen with the title of the task, the first goal
// that is missing, and the keys.
func (r *Run) Strip(st *app.State, book *Book, b widget.Box) string {
	th := st.Theme
	now := widget.In(themes.Muted, "looking"+themes.GlyphEllipsis)
	switch {
	case r.Session.IsOver():
		now = widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Text, "the lesson is over")
	case r.Session.Question() != nil:
		now = widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, r.Session.Question().Question)
	case r.Done():
		now = widget.In(themes.Good, themes.GlyphYes+" done: ").And(themes.Key, "N").And(themes.Text, " goes on")
	case r.Checked && len(r.Check.Missing()) > 0:
		now = widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, r.Check.Missing()[0])
	}
	title := widget.In(themes.Title, " "+r.title(book)+" ")
	if b.H < StripH {
		return widget.JoinEnds(title.And(themes.Text, " ").Render(th)+now.Render(th), r.keys(book).Render(th)+" ", b.W)
	}
	return widget.JoinV(
		widget.JoinEnds(title.Render(th), r.keys(book).Render(th)+" ", b.W),
		append(widget.Plain(" "), now...).Fit(th, b.W),
		app.RuleAcross(st, b.W, false),
	)
}

// flow wraps lines to w cells. In a line that starts with a sign, the text stays to the
// right of the sign.
func flow(lines []widget.Line, w int) (out []widget.Line) {
	w = max(w, 2)
	for _, l := range lines {
		if len(l) != 1 {
			out = append(out, widget.WrapLine(l, w)...)
			continue
		}
		for _, text := range widget.Wrap(widget.Safe(l[0].Text), w) {
			out = append(out, widget.In(l[0].Role, text))
		}
	}
	return out
}

// draw renders lines, each exactly w cells wide.
func draw(lines []widget.Line, st *app.State, w int) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Fit(st.Theme, w)
	}
	return strings.Join(out, "\n")
}

// hints returns the hints that were shown, and after the last one the solution.
func (r *Run) hints() (out []widget.Line) {
	for _, h := range r.Session.Hints() {
		out = append(out, widget.In(themes.Accent2, themes.GlyphInfo+" ").And(themes.Text, h))
	}
	for _, s := range r.Session.Solution() {
		line := widget.In(themes.Accent2, themes.GlyphPointer+" ")
		if s.Advance != nil {
			line = line.And(themes.Text, "clock: on by "+s.Advance.String())
		}
		if s.At != nil {
			line = line.And(themes.Text, "clock: to "+s.At.String())
		}
		if s.As != "" {
			line = line.And(themes.Text, s.As+" sends ").And(themes.Muted, string(s.Message))
		}
		out = append(out, line)
	}
	return out
}

// Run is the lesson that is being played.
type Run struct {
	Session *lesson.Session
	Check   lesson.Check
	// Checked is set once Check is about the current task.
	Checked bool
	// Since is the time up to which the learner's time is recorded.
	Since time.Time
}

// Spend adds the time since the last call to the current task.
func (r *Run) Spend(now time.Time) {
	r.Session.AddTime(now.Sub(r.Since))
	r.Since = now
}

// CheckMsg brings the state of the goals of a task.
type CheckMsg struct {
	Session  *lesson.Session
	Task     int
	Revision uint64
	Check    lesson.Check
}

// Done reports whether the current task is done, so that the next one can start.
func (r *Run) Done() bool {
	return r.Checked && r.Check.Done && r.Session.Question() == nil
}
