package lessons

import (
	tea "github.com/charmbracelet/bubbletea"

	"slices"

	"ephemera/ui/app"
)

// Commands returns the commands of the screen. The lesson under the cursor can be played,
// played from the beginning, or repeated where the learner was wrong. Other commands show
// the next group of lessons, find a lesson, and choose the learner.
func (s *Screen) Commands(state *app.State) []app.Command {
	row, _ := s.Table.Cursor()
	play := func() tea.Cmd { return s.book.Begin(row.Key, !fromFirstTask) }
	playFromStart := func() tea.Cmd { return s.book.Begin(row.Key, fromFirstTask) }
	repeatWrong := func() tea.Cmd { return s.book.RepeatWrong(row.Key) }
	findLesson := func() tea.Cmd { return app.OpenDialog(s.book.chooser(s.moveTo)) }
	chooseLearner := func() tea.Cmd { return s.book.openLearnerForm(state) }
	nextGroup := (s.groupIndex + 1) % len(groups)
	showNextGroup := func() tea.Cmd { return s.showGroup(nextGroup) }

	commands := []app.Command{
		app.ScreenCommand("enter", "play", "Play this lesson, or go on with it", play),
		app.ScreenCommand("b", "from the beginning", "Play this lesson from the beginning", playFromStart),
		app.ScreenCommand("v", groups[nextGroup].name,
			"Show the lessons, the challenges, or find the mistake", showNextGroup),
		app.ScreenCommand("R", "what was wrong",
			"Play the tasks again whose question was answered wrongly", repeatWrong).
			DisabledIf(!s.hasWrongAnswer(), "no prediction was wrong here"),
		app.ScreenCommand("/", "find", "Find a lesson", findLesson),
		app.ScreenCommand("o", "learner", "Choose the learner", chooseLearner).
			DisabledIf(s.book.CurrentRun != nil, "a lesson is running: Q leaves it"),
	}
	return append(commands, s.MasterDetail.Commands()...)
}

// hasWrongAnswer reports whether a question of the lesson under the cursor was answered
// wrongly.
func (s *Screen) hasWrongAnswer() bool {
	row, hasRow := s.Table.Cursor()
	return hasRow && len(s.book.Progress[row.Key].WrongTasks()) > 0
}

// showGroup lists the group with an index in groups, from 0. It returns nil, so that it can
// be used as a command.
func (s *Screen) showGroup(index int) tea.Cmd {
	s.groupIndex = index
	s.SetDetailFocus(false)
	s.Table.Goto("", "") // to the beginning
	s.reload()
	return nil
}

// moveTo moves the cursor to the lesson that has the given ID, and lists the group that the
// lesson is in. It returns nil, so that it can be used as a command.
func (s *Screen) moveTo(id string) tea.Cmd {
	if targetLesson, ok := s.book.lessonByID(id); ok {
		containsTarget := func(group lessonGroup) bool { return group.contains(targetLesson) }
		s.groupIndex = slices.IndexFunc(groups, containsTarget)
	}
	s.SetDetailFocus(false)
	s.Table.Goto(id, id) // the ID is the place of a row and its key
	s.reload()
	return nil
}
