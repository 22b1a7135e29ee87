package lessons

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/core/scenario"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// The sizes of the terminal, in cells, that decide how a lesson is shown: as a panel
// beside the screen, as a strip of lines above it, or as one line.
const (
	MinPanelWidth  = 100 // of the terminal, for a panel
	MinPanelHeight = 24  // of the terminal, for a panel
	StripHeight    = 3   // of the strip, with the rule below it
	MinStripHeight = 18  // of the terminal, for a strip
)

// title returns the numbers of the lesson and of the current task: "Lesson 2 · task 1
// of 3". At the end of the lesson it has the title in place of the task. "Find the mistake"
// has no number; it asks "Which rule is wrong?" until it is over.
func (r *Run) title(b *Book) string {
	l := r.Session.Lesson
	switch {
	case l.IsGame() && r.Session.IsOver():
		return l.Title
	case l.IsGame():
		return "Which rule is wrong?"
	case r.Session.IsOver():
		return fmt.Sprintf("Lesson %d · %s", b.Number(l.ID), l.Title)
	}
	return fmt.Sprintf("Lesson %d · task %d of %d", b.Number(l.ID), r.Session.TaskIndex()+1, len(l.Tasks))
}

// storyLines returns the story of the current task, or what to remember once the lesson is
// over.
func (r *Run) storyLines() []widget.Line {
	if t := r.Session.Task(); t != nil {
		return paragraphLines(t.Story)
	}
	return rememberLines(r.Session.Lesson)
}

// questionLines returns the question of the task, with the explanation of the learner's
// answer or with the key that asks for an answer. It is empty if the task has no question.
func (r *Run) questionLines() []widget.Line {
	task := r.Session.Task()
	if task == nil || task.Ask == nil {
		return nil
	}
	given := r.Session.Answered().Given
	if given == "" {
		predictFirst := widget.In(themes.Warn, themes.GlyphWarn+" ").Text("predict it first: ").And(themes.Key, "N")
		return []widget.Line{{}, widget.In(themes.Strong, task.Ask.Question), predictFirst}
	}
	return append([]widget.Line{{}}, answerLines(task.Ask, given)...)
}

// answerLines says whether an answer to a question is right, and why. A wrong answer may
// have a reason of its own, besides that of the right answer.
func answerLines(question *scenario.Ask, given string) []widget.Line {
	lines := []widget.Line{widget.In(themes.Strong, question.Question), {}}
	if given == question.Answer {
		return append(lines, goodLine("Right: ", given), widget.Line{}, widget.Plain(question.Why))
	}
	lines = append(lines, badLine("Not so: ", given, themes.Muted), goodLine("It is: ", question.Answer))
	if why := question.Replies[given].Why; why != "" {
		lines = append(lines, widget.Line{}, widget.Plain(why))
	}
	return append(lines, widget.Line{}, widget.Plain(question.Why))
}

// goalLines returns a line for each goal of the task, with a sign that says whether the
// goal is reached, and if not what is the case instead. It is nil before the first
// check.
func (r *Run) goalLines() []widget.Line {
	if len(r.LastCheck.Goals) == 0 {
		return nil
	}
	lines := []widget.Line{{}, widget.In(themes.Accent, "To reach")}
	for _, goal := range r.LastCheck.Goals {
		switch {
		case goal.Reached:
			lines = append(lines, goodLine("", goal.Text))
		case goal.Instead != "":
			lines = append(lines, todoLine(goal.Text).Muted(" · "+goal.Instead))
		default:
			lines = append(lines, todoLine(goal.Text))
		}
	}
	return lines
}

// NextLabel returns the label of the key that goes on in the lesson: what the key shows or
// begins.
func (r *Run) NextLabel(b *Book) string {
	switch {
	case r.Session.Question() != nil:
		return "question"
	case r.HasMistakeToName():
		return "name the mistake"
	case r.Session.IsOver() && b.IsLastLesson():
		return "go back"
	case r.Session.IsOver():
		return "next lesson"
	}
	return "next task"
}

// keyLine returns the keys of the lesson that are useful now, such as "N next lesson" once
// the lesson is over.
func (r *Run) keyLine(b *Book) widget.Line {
	var line widget.Line
	isTaskOpen := r.Session.Task() != nil && !r.IsTaskDone()
	hasGoalsLeft := isTaskOpen && r.Session.Question() == nil && !r.HasMistakeToName()
	if !hasGoalsLeft {
		line = widget.In(themes.Key, "N").And(themes.Good, " "+r.NextLabel(b)+"  ")
	}
	if left := r.Session.HintsLeft(); isTaskOpen && left > 0 {
		line = line.And(themes.Key, "H").Muted(fmt.Sprintf(" hint (%d)  ", left))
	}
	return line.And(themes.Key, "I").Muted(" all  ").And(themes.Key, "Q").Muted(" leave")
}

// Panel draws the lesson in a box beside the screen: title, hints, story, question, goals and
// keys. Title, goals and keys are always visible. What is between them is cut if it is too
// long, and a line then names the key that shows all of it.
func (r *Run) Panel(st *app.State, book *Book, b widget.Box) string {
	top := wrapLines(r.titleLines(book), b.W)

	bottom := wrapLines(append(r.goalLines(), widget.Line{}), b.W)
	if r.IsTaskDone() {
		bottom = append(bottom, widget.In(themes.Good, themes.GlyphYes+" done"))
	}
	bottom = append(bottom, r.keyLine(book))

	middle := wrapLines(slices.Concat(r.hintLines(), r.storyLines(), r.questionLines()), b.W)
	middleHeight := max(b.H-len(top)-len(bottom), 0)
	if len(middle) > middleHeight {
		showsAll := widget.Faint(themes.GlyphDown+" ").And(themes.Key, "I").And(themes.Faint, " shows all")
		middle = append(middle[:max(middleHeight-1, 0)], showsAll)[:middleHeight]
	}
	return widget.Fill(widget.DrawLines(st.Theme, slices.Concat(top, middle, bottom), b.W), b)
}

// titleLines returns the title of the panel and an empty line: the number of the task and
// the title of the lesson. At the end of a lesson the first line names the lesson already.
func (r *Run) titleLines(book *Book) []widget.Line {
	if r.Session.IsOver() {
		return []widget.Line{widget.In(themes.Title, strings.ToUpper(r.title(book))), {}}
	}
	return []widget.Line{
		widget.In(themes.Title, r.title(book)),
		widget.In(themes.Strong, r.Session.Lesson.Title),
		{},
	}
}

// Strip draws the lesson in a few lines above the screen: the title of the task with the
// keys, the state of the task, and a rule. In a box lower than StripHeight the title, the
// state and the keys share one line.
func (r *Run) Strip(st *app.State, book *Book, b widget.Box) string {
	title := widget.In(themes.Title, " "+r.title(book)+" ")
	keys := r.keyLine(book).Render(st.Theme) + " "
	if b.H < StripHeight {
		left := append(title.Text(" "), r.stateLine()...)
		return widget.JoinEnds(left.Render(st.Theme), keys, b.W)
	}
	return widget.JoinV(
		widget.JoinEnds(title.Render(st.Theme), keys, b.W),
		append(widget.Plain(" "), r.stateLine()...).Fit(st.Theme, b.W),
		app.RuleAcross(st, b.W, false),
	)
}

// stateLine says in a line what the learner is to do now: to answer the question of the
// task, to reach the first goal that is not reached, or to go on.
func (r *Run) stateLine() widget.Line {
	missing := r.LastCheck.Missing()
	question := r.Session.Question()
	switch {
	case r.Session.IsOver():
		return goodLine("", "the lesson is over")
	case question != nil:
		return widget.In(themes.Warn, themes.GlyphWarn+" ").Text(question.Question)
	case r.IsTaskDone():
		return widget.In(themes.Good, themes.GlyphYes+" done: ").And(themes.Key, "N").Text(" goes on")
	case len(missing) > 0:
		return todoLine(missing[0])
	}
	return widget.Muted("looking" + themes.GlyphEllipsis) // the goals are not checked yet
}

// goodLine returns a line about something right or done: a check mark and a label in
// colour, and a text.
func goodLine(label, text string) widget.Line {
	return widget.In(themes.Good, themes.GlyphYes+" "+label).Text(text)
}

// todoLine returns a line about something that is not done yet: a dot, and a text.
func todoLine(text string) widget.Line {
	return widget.Muted(themes.GlyphDot + " ").Text(text)
}

// badLine returns a line about something wrong: a cross and a label in colour, and a text
// in a role.
func badLine(label, text string, role themes.Role) widget.Line {
	return widget.In(themes.Bad, themes.GlyphNo+" "+label).And(role, text)
}

// noteLine returns a text behind a bullet.
func noteLine(text string) widget.Line {
	return widget.In(themes.Accent2, themes.GlyphInfo+" ").Text(text)
}

// wrapLines wraps lines to w cells. In a line that begins with a sign, such as "✓ ",
// the wrapped text stays right of the sign.
func wrapLines(lines []widget.Line, w int) (wrapped []widget.Line) {
	w = max(w, 2) // no narrower, as a wide character must fit
	for _, line := range lines {
		if len(line) != 1 { // a sign and a text, or an empty line
			wrapped = append(wrapped, widget.WrapLine(line, w)...)
			continue
		}
		for _, text := range widget.Wrap(widget.Safe(line[0].Text), w) {
			wrapped = append(wrapped, widget.In(line[0].Role, text))
		}
	}
	return wrapped
}

// hintLines returns the hints that were shown, and after the last one the solution: the
// clock moves and messages that reach the goals. An empty line ends them. It returns nil if
// no hint was shown.
func (r *Run) hintLines() []widget.Line {
	hints := r.Session.Hints()
	if len(hints) == 0 {
		return nil
	}
	var lines []widget.Line
	for _, hint := range hints {
		lines = append(lines, noteLine(hint))
	}

	// The solution is there after the last hint.
	for _, step := range r.Session.Solution() {
		line := widget.In(themes.Accent2, themes.GlyphPointer+" ")
		if step.Advance != nil {
			line = line.Text("clock: on by " + step.Advance.String())
		}
		if step.At != nil {
			line = line.Text("clock: to " + step.At.String())
		}
		if step.As != "" {
			line = line.Text(step.As + " sends ").Muted(string(step.Message))
		}
		lines = append(lines, line)
	}
	return append(lines, widget.Line{})
}

// Run is the state of the lesson that is being played.
type Run struct {
	Session   *lesson.Session
	LastCheck lesson.Check // which goals are reached; zero before the first check of a task
	// CountedUntil is the moment up to which the time that the learner took is recorded.
	CountedUntil time.Time
}

// AddTime adds the time from the last call until now to the current task.
func (r *Run) AddTime(now time.Time) {
	r.Session.AddTime(now.Sub(r.CountedUntil))
	r.CountedUntil = now
}

// CheckedMsg brings the result of checking the goals of a task, which runs in the
// background. It is dropped if the session, the task or the chain has changed
// meanwhile.
type CheckedMsg struct {
	Session  *lesson.Session
	Task     int
	Revision uint64
	Check    lesson.Check
}

// IsTaskDone reports whether the goals of the current task are reached and its question
// answered, so that the next task can start.
func (r *Run) IsTaskDone() bool {
	return r.LastCheck.Done && r.Session.Question() == nil
}

// HasMistakeToName reports whether the task is to name the mistake of its contract, and the
// learner has not named it yet.
func (r *Run) HasMistakeToName() bool {
	task := r.Session.Task()
	return task != nil && task.Mistake != nil && !r.LastCheck.Done
}

// NewNaming returns the dialog in which the learner names the mistake of the current task. It
// lists every rule that could be wrong.
func NewNaming(r *Run) *form.Chooser {
	var items []widget.Item
	for _, belief := range r.Session.Task().Mistake.Beliefs {
		items = append(items, widget.Item{ID: belief, Title: belief})
	}
	name := func(_ *app.State, belief string) tea.Cmd { return app.Send(NamedMsg{Belief: belief}) }
	return form.NewChooser("What is wrong here?", "a word of the rule", items, name)
}
