package lessons

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
)

// Commands returns the commands of the screen, which are about the lesson under the cursor and
// the list.
func (s *Screen) Commands(state *app.State) []app.Command {
	row, hasRow := s.Panes.Table.Cursor()
	hasWrongAnswer := hasRow && len(s.book.Progress[row.Key].WrongTasks()) > 0
	nextGroup := (s.groupIndex + 1) % len(groups)
	commands := []app.Command{
		app.ScreenCommand("enter", "play", "Play this lesson, or go on with it",
			func() tea.Cmd { return s.book.GoOn(row.Key) }),
		app.ScreenCommand("b", "from the beginning", "Play this lesson from the beginning",
			func() tea.Cmd { return s.book.BeginAnew(row.Key) }),
		app.ScreenCommand("v", groups[nextGroup].name, "Show the lessons, the challenges, or find the mistake",
			func() tea.Cmd {
				s.show(nextGroup, "")
				return nil
			}),
		app.ScreenCommand("R", "what was wrong", "Play the tasks again whose question was answered wrongly",
			func() tea.Cmd { return s.book.RepeatWrong(row.Key) }).
			DisabledIf(!hasWrongAnswer, "no prediction was wrong here"),
		app.ScreenCommand("/", "find", "Find a lesson",
			func() tea.Cmd { return app.OpenDialog(s.book.chooser(s.showLesson)) }),
		app.ScreenCommand("o", "learner", "Choose the learner",
			func() tea.Cmd { return s.book.openLearnerForm(state) }).
			DisabledIf(s.book.CurrentRun != nil, "a lesson is running: Q leaves it"),
	}
	return append(commands, s.Panes.Commands()...)
}

// show lists a group and moves the cursor to a lesson; "" for the first one.
func (s *Screen) show(groupIndex int, lessonID string) {
	s.groupIndex = groupIndex
	s.Panes.SetDetailFocus(false)
	s.Panes.Table.Goto(lessonID, lessonID) // the ID is the place of a row and its key
	s.reload()
}

// showLesson moves the cursor to the lesson with an ID, in the group that it is in. It returns
// nil, so that it can be used as a command.
func (s *Screen) showLesson(id string) tea.Cmd {
	if target, ok := s.book.lessonByID(id); ok {
		s.groupIndex = slices.IndexFunc(groups, func(group lessonGroup) bool { return group.contains(target) })
	}
	s.show(s.groupIndex, id)
	return nil
}
