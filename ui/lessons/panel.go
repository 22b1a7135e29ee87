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

// The sizes of the panel of a lesson, in cells.
const (
	BesideW     = 100 // from this width on it stands beside the screen
	BesideH     = 24
	StripH      = 3 // lines above the screen, the rule among them
	StripLeastH = 18
)

// title names the lesson and the task.
func (r *Run) title(b *Book) string {
	l := r.Session.Lesson
	if r.Session.IsOver() {
		return fmt.Sprintf("Lesson %d · %s", b.Number(l.ID), l.Title)
	}
	return fmt.Sprintf("Lesson %d · task %d of %d", b.Number(l.ID), r.Session.TaskIndex()+1, len(l.Tasks))
}

// story is what the task says, or what to remember when there is none left.
func (r *Run) story() []widget.Line {
	if t := r.Session.Task(); t != nil {
		return paragraphs(t.Story)
	}
	return append([]widget.Line{widget.In(themes.Accent, "Remember")}, paragraphs(r.Session.Lesson.Remember)...)
}

// rest is what belongs to the task besides its story and its goals: hints, and
// the question with its answer.
func (r *Run) rest() (out []widget.Line) {
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

// goals says what is to be reached, and what is.
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

// keys says how to go on.
func (r *Run) keys(b *Book) widget.Line {
	var l widget.Line
	add := func(key, what string, role themes.Role) {
		if len(l) > 0 {
			l = l.And(themes.Muted, "  ")
		}
		l = l.And(themes.Key, key).And(role, " "+what)
	}
	switch {
	case r.Session.IsOver() && b.Last():
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

// Panel fills a box beside the screen. What is to be reached is always in it;
// of the rest, what does not fit is left to the key that shows all.
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
	middle := flow(append(r.story(), r.rest()...), b.W)
	if room := max(b.H-len(head)-len(tail), 0); len(middle) > room {
		middle = middle[:max(room-1, 0)]
		if room > 0 {
			middle = append(middle, widget.In(themes.Faint, themes.GlyphDown+" ").And(themes.Key, "I").And(themes.Faint, " shows all"))
		}
	}
	return widget.Fill(draw(append(append(head, middle...), tail...), st, b.W), b)
}

// Strip fills a few lines above the screen: where the learner is, what is
// missing, how to go on.
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
		return widget.Ends(title.And(themes.Text, " ").Render(th)+now.Render(th), r.keys(book).Render(th)+" ", b.W)
	}
	return widget.JoinV(
		widget.Ends(title.Render(th), r.keys(book).Render(th)+" ", b.W),
		append(widget.Plain(" "), now...).Fit(th, b.W),
		app.RuleAcross(st, b.W, false),
	)
}

// flow wraps prose, which has one role, flush to the left; a line that begins
// with a sign keeps its text behind it.
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

func draw(lines []widget.Line, st *app.State, w int) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Fit(st.Theme, w)
	}
	return strings.Join(out, "\n")
}

// hints are the hints that were asked for, and after the strongest the solution.
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

// Run is a lesson that is being played.
type Run struct {
	Session *lesson.Session
	Check   lesson.Check
	Checked bool      // check is of the task in hand
	Since   time.Time // up to which the time is spent
}

// Spend adds the time since it was asked last to the task in hand.
func (r *Run) Spend(now time.Time) {
	r.Session.AddTime(now.Sub(r.Since))
	r.Since = now
}

// CheckMsg brings how far the task in hand is.
type CheckMsg struct {
	Session  *lesson.Session
	Task     int
	Revision uint64
	Check    lesson.Check
}

// Done tells that the learner may go on.
func (r *Run) Done() bool {
	return r.Checked && r.Check.Done && r.Session.Question() == nil
}
