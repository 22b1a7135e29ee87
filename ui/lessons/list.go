package lessons

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/human"
	"ephemera/core/lesson"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// lessonGroup is a group of lessons that are listed together, such as the challenges.
type lessonGroup struct {
	name     string                   // the name above the list
	contains func(lesson.Lesson) bool // reports whether a lesson is in the group
}

// groups has all groups of lessons. Each lesson is in one of them. The screen lists one
// group at a time.
var groups = []lessonGroup{
	{name: "lessons", contains: func(l lesson.Lesson) bool { return !l.IsChallenge() && !l.IsGame() }},
	{name: "challenges", contains: lesson.Lesson.IsChallenge},
	{name: "find the mistake", contains: lesson.Lesson.IsGame},
}

// lessonRows returns a row of the list for each lesson that isListed accepts.
func (b *Book) lessonRows(isListed func(lesson.Lesson) bool) []widget.Row {
	rows := []widget.Row{}
	for i, listedLesson := range b.allLessons() {
		if !isListed(listedLesson) {
			continue
		}
		sign, role, text := b.lessonState(listedLesson)
		rows = append(rows, widget.Row{
			Key: listedLesson.ID,
			Cells: []widget.Line{
				widget.Styled(role, sign),
				widget.Muted(fmt.Sprint(i + 1)),
				widget.Plain(listedLesson.Title),
				widget.Styled(role, text),
			},
		})
	}
	return rows
}

// lessonState describes the learner's progress in a lesson with few words, for a narrow
// column. A lesson that was not begun has "5 tasks", a begun one "task 2 of 5", and the one
// that is being played "playing". "done, 3/4" means that 3 of 4 predictions were right. "7,
// par 5" means that a challenge was solved with 7 messages, and that 5 are enough.
// lessonState also returns a sign to show beside the text, and the role that gives both
// their colour.
func (b *Book) lessonState(describedLesson lesson.Lesson) (sign string, role themes.Role, text string) {
	record := b.Progress[describedLesson.ID]
	messages, par := record.Score()
	taskCount := len(describedLesson.Tasks)
	switch {
	case b.CurrentRun != nil && b.CurrentRun.Session.Lesson.ID == describedLesson.ID:
		return themes.GlyphPointer, themes.Accent, "playing"
	case par > 0:
		return themes.GlyphYes, themes.Good, fmt.Sprintf("%d, par %d", messages, par)
	case record.Done && record.Asked > 0:
		return themes.GlyphYes, themes.Good, fmt.Sprintf("done, %d/%d", record.Right, record.Asked)
	case record.Done:
		return themes.GlyphYes, themes.Good, "done"
	case record.IsBegun():
		taskNumber := min(record.DoneTasks+1, taskCount)
		return themes.GlyphExpiry, themes.Live, fmt.Sprintf("task %d of %d", taskNumber, taskCount)
	}
	return themes.GlyphDot, themes.Muted, human.Plural(taskCount, "task")
}

// chooser returns a dialog that lists the lessons, and hands the ID of the chosen one to choose.
// Typing finds a lesson by a part of its title, its description or its state.
func (b *Book) chooser(choose func(id string) tea.Cmd) *form.Chooser {
	var items []widget.Item
	for _, l := range b.allLessons() {
		sign, _, text := b.lessonState(l)
		items = append(items, widget.Item{
			ID:     l.ID,
			Title:  l.Title,
			Detail: l.About,
			Hint:   sign + " " + text,
		})
	}
	return form.NewChooser("Lessons", "about what?", items,
		func(_ *app.State, id string) tea.Cmd { return choose(id) })
}
