package ui

import (
	"fmt"
	"strings"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// The sizes of the panel of a lesson, in cells.
const (
	besideW     = 100 // from this width on it stands beside the screen
	besideH     = 24
	stripH      = 3 // lines above the screen, the rule among them
	stripLeastH = 18
)

// beside tells that the panel stands beside the screen, with room for all of
// the task, and not above it.
func (m *Model) beside() bool { return m.size.W >= besideW && m.size.H >= besideH }

// panel is the place of the lesson's panel: its width beside the screen, or its
// height above it.
func (m *Model) panel() (w, h int) {
	switch {
	case m.book.run == nil:
		return 0, 0
	case m.beside():
		return min(48, m.size.W*3/8), 0
	case m.size.H >= stripLeastH:
		return 0, stripH
	}
	return 0, 1
}

// withPanel puts the panel of the lesson to a screen.
func (m *Model) withPanel(body string, box widget.Box) string {
	w, h := m.panel()
	run := m.book.run
	switch {
	case run == nil:
		return body
	case w > 0:
		side := widget.Box{W: w - 3, H: box.H}
		gap := widget.Fill("", widget.Box{W: 1, H: box.H})
		return widget.JoinH(body, ruleDown(m.desk, box.H, false), gap, run.panel(m.desk, m.book, side))
	case h > 0:
		return widget.JoinV(run.strip(m.desk, m.book, widget.Box{W: m.size.W, H: h}), body)
	}
	return body
}

// title names the lesson and the task.
func (r *lessonRun) title(b *lessonBook) string {
	l := r.session.Lesson
	if r.session.Over() {
		return fmt.Sprintf("Lesson %d · %s", b.number(l.ID), l.Title)
	}
	return fmt.Sprintf("Lesson %d · task %d of %d", b.number(l.ID), r.session.At()+1, len(l.Tasks))
}

// story is what the task says, or what to remember when there is none left.
func (r *lessonRun) story() []widget.Line {
	if t := r.session.Task(); t != nil {
		return paragraphs(t.Story)
	}
	return append([]widget.Line{widget.In(themes.Accent, "Remember")}, paragraphs(r.session.Lesson.Remember)...)
}

// rest is what belongs to the task besides its story and its goals: hints, and
// the question with its answer.
func (r *lessonRun) rest() (out []widget.Line) {
	if hints := r.hints(); len(hints) > 0 {
		out = append(append(out, widget.Line{}), hints...)
	}
	t := r.session.Task()
	if t == nil || t.Ask == nil {
		return out
	}
	out = append(out, widget.Line{}, widget.In(themes.Muted, t.Ask.Question))
	given := r.session.Answered()
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
func (r *lessonRun) goals() (out []widget.Line) {
	if len(r.check.Goals) == 0 {
		return nil
	}
	out = append(out, widget.Line{}, widget.In(themes.Accent, "To reach"))
	for _, g := range r.check.Goals {
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
func (r *lessonRun) keys(b *lessonBook) widget.Line {
	var l widget.Line
	add := func(key, what string, role themes.Role) {
		if len(l) > 0 {
			l = l.And(themes.Muted, "  ")
		}
		l = l.And(themes.Key, key).And(role, " "+what)
	}
	switch {
	case r.session.Over() && b.last():
		add("N", "go back", themes.Good)
	case r.session.Over():
		add("N", "next", themes.Good)
	case r.session.Asks() != nil:
		add("N", "question", themes.Warn)
	case r.done():
		add("N", "go on", themes.Good)
	}
	if left := r.session.HintsLeft(); left > 0 && !r.done() {
		add("H", fmt.Sprintf("hint (%d)", left), themes.Muted)
	} else if !r.done() && !r.session.Over() && r.session.Asks() == nil {
		add("Z", "anew", themes.Muted)
	}
	add("I", "all", themes.Muted)
	add("Q", "leave", themes.Muted)
	return l
}

// panel fills a box beside the screen. What is to be reached is always in it;
// of the rest, what does not fit is left to the key that shows all.
func (r *lessonRun) panel(d *Desk, book *lessonBook, b widget.Box) string {
	head := flow([]widget.Line{widget.In(themes.Title, strings.ToUpper(r.title(book))), {}}, b.W)
	if !r.session.Over() {
		head = flow([]widget.Line{widget.In(themes.Title, r.title(book)), widget.In(themes.Strong, r.session.Lesson.Title), {}}, b.W)
	}
	tail := flow(append(r.goals(), widget.Line{}), b.W)
	if r.done() {
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
	return widget.Fill(draw(append(append(head, middle...), tail...), d, b.W), b)
}

// strip fills a few lines above the screen: where the learner is, what is
// missing, how to go on.
func (r *lessonRun) strip(d *Desk, book *lessonBook, b widget.Box) string {
	th := d.Theme
	now := widget.In(themes.Muted, "looking"+themes.GlyphEllipsis)
	switch {
	case r.session.Over():
		now = widget.In(themes.Good, themes.GlyphYes+" ").And(themes.Text, "the lesson is over")
	case r.session.Asks() != nil:
		now = widget.In(themes.Warn, themes.GlyphWarn+" ").And(themes.Text, r.session.Asks().Question)
	case r.done():
		now = widget.In(themes.Good, themes.GlyphYes+" done: ").And(themes.Key, "N").And(themes.Text, " goes on")
	case r.checked && len(r.check.Missing()) > 0:
		now = widget.In(themes.Bad, themes.GlyphNo+" ").And(themes.Text, r.check.Missing()[0])
	}
	title := widget.In(themes.Title, " "+r.title(book)+" ")
	if b.H < stripH {
		return widget.Ends(title.And(themes.Text, " ").Render(th)+now.Render(th), r.keys(book).Render(th)+" ", b.W)
	}
	return widget.JoinV(
		widget.Ends(title.Render(th), r.keys(book).Render(th)+" ", b.W),
		append(widget.Plain(" "), now...).Fit(th, b.W),
		ruleAcross(d, b.W, false),
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

func draw(lines []widget.Line, d *Desk, w int) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Fit(d.Theme, w)
	}
	return strings.Join(out, "\n")
}
