package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/lessons"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

// interruptedSession keeps the user's own collection and its screens while a lesson shows a
// chain of its own in their place.
type interruptedSession struct {
	session       app.Session
	screens       []app.Screen
	currentScreen int // the index in screens of the one that was shown
}

// databaseSession returns the session of the user's own collection. While a lesson is
// played, that is not the session that is shown.
func (m *Model) databaseSession() app.Session {
	if m.ownSession != nil {
		return m.ownSession.session
	}
	return m.state.Session
}

// The values of the argument of [lessons.Book.Load], which says whether the dialog that
// lists the lessons opens once they are read.
const (
	opensList   = true
	opensNoList = false
)

// handleLesson handles the messages about lessons. A lesson is a list of tasks on a chain of
// its own in memory. It hands every other message to all dialogs and screens.
func (m *Model) handleLesson(msg tea.Msg) tea.Cmd {
	run := m.book.CurrentRun // nil if no lesson is played
	switch msg := msg.(type) {
	case app.ChooseLessonMsg:
		return m.book.Load(opensList)
	case lessons.LoadedMsg:
		return m.showLoadedLessons(msg)
	case lessons.BegunMsg:
		return m.beginLesson(msg)
	case lessons.EndedMsg:
		return m.endLesson()
	case app.QueriedMsg:
		if run != nil {
			run.Session.NoteQuery(msg.Msg)
		}
		return m.checkLesson()
	case lessons.CheckedMsg:
		m.applyCheck(msg)
		return nil
	case lessons.AnsweredMsg:
		if run == nil {
			return nil // the learner has left the lesson
		}
		return tea.Batch(m.book.Save(m.state), m.checkLesson())
	case lessons.NamedMsg:
		return m.nameMistake(msg.Belief)
	case lessons.ComparisonMsg:
		if run == nil || run.Session != msg.Session {
			return nil // the learner has left the lesson
		}
		return msg.Show
	case lessons.LearnerMsg:
		m.book.SetLearner(msg.Name)
		return m.book.Load(opensNoList)
	case lessons.NextTaskMsg:
		return m.nextTask()
	}
	return m.broadcast(msg)
}

// showLoadedLessons shows the lessons that were read. It opens the dialog that lists them
// if the user asked for that. If some lessons could not be read, a notice says why.
func (m *Model) showLoadedLessons(msg lessons.LoadedMsg) tea.Cmd {
	if msg.Err != nil {
		m.showNotice(app.LevelBad, strings.ReplaceAll(msg.Err.Error(), "\n", "; "))
	}
	m.book.ApplyLoaded(msg)
	if msg.OpensList {
		m.pushDialog(lessons.NewChooser(m.book))
		return nil
	}
	return m.broadcast(msg)
}

// beginLesson begins a lesson, or begins a task of it again. It shows the chain that was
// made for it. It puts the user's own session and screens aside, for [Model.endLesson] to
// bring back. If a lesson was shown before, it closes the chain of that lesson.
func (m *Model) beginLesson(msg lessons.BegunMsg) tea.Cmd {
	state := m.state
	session := msg.Session
	interrupted := m.book.CurrentRun

	// The chain was made in the background. Meanwhile the learner may have left the lesson
	// whose task was to begin again. Then the new chain is not needed.
	isStillPlayed := interrupted != nil && interrupted.Session == msg.ReplacedSession
	if msg.ReplacedSession != nil && !isStillPlayed {
		return app.CloseEngine(state, session.Chain())
	}

	// Save the progress in the lesson before.
	var cmds []tea.Cmd
	if interrupted != nil {
		cmds = append(cmds, m.book.Save(state))
	}

	notice := "Q goes back to your own"
	if msg.ReplacedSession != nil {
		session.Continue(msg.ReplacedSession)
		notice = "this task begins again"
	}

	// Put the user's own session aside, or close the chain of the lesson before.
	if m.ownSession == nil {
		m.ownSession = &interruptedSession{
			session:       state.Session,
			screens:       m.screens,
			currentScreen: m.currentScreen,
		}
	} else {
		cmds = append(cmds, app.CloseEngine(state, state.Engine))
	}

	// Show the new chain with screens of its own.
	m.closeDialogs()
	m.screens = newScreens(m.book, m.hiddenColumns())
	m.currentScreen = 0
	m.clock.reset()
	m.book.CurrentRun = &lessons.Run{Session: session, CountedUntil: state.Now}
	state.Session = app.Session{
		Engine:     session.Chain(),
		Created:    true,
		InMemory:   true,
		HasMistake: session.Lesson.IsGame(),
		CheckLock:  lockUntilPredicted(session),
	}
	m.resize(m.size)
	m.showNotice(app.LevelInfo, notice)
	m.hasStaleFacts = true
	m.openTask()
	return tea.Batch(cmds...)
}

// errPredictFirst is why nothing can be sent while a lesson's question is open.
var errPredictFirst = errors.New("predict first: N shows the question")

// lockUntilPredicted returns the function that locks the chain of a lesson, see the field
// CheckLock of [app.Session]. A task can ask the learner to predict what will happen. As long
// as that question is open, the function returns an error, and nothing can be sent.
func lockUntilPredicted(session *lesson.Session) func() error {
	return func() error {
		if session.Question() != nil {
			return errPredictFirst
		}
		return nil
	}
}

// endLesson leaves the lesson and goes back to the user's own session. It saves the progress
// and closes the chain of the lesson. If the user has no collection, the welcome opens.
func (m *Model) endLesson() tea.Cmd {
	state := m.state
	if m.ownSession == nil {
		return nil
	}
	saveAndClose := tea.Batch(m.book.Save(state), app.CloseEngine(state, state.Engine))

	// Bring back what the lesson interrupted.
	state.Session = m.ownSession.session
	m.screens = m.ownSession.screens
	m.currentScreen = m.ownSession.currentScreen
	m.ownSession = nil
	m.book.CurrentRun = nil
	m.closeDialogs()
	m.clock.reset()
	m.resize(m.size)
	if !state.HasCollection() {
		m.pushDialog(&start.Welcome{})
		return saveAndClose
	}
	m.showNotice(app.LevelInfo, "back in your own collection")
	m.hasStaleFacts = true
	return saveAndClose
}

// checkLesson returns the command that checks how much of the task is done; nil
// if no task is open.
func (m *Model) checkLesson() tea.Cmd {
	run := m.book.CurrentRun
	if run == nil || run.Session.IsOver() {
		return nil
	}

	// The message says which task was checked, at which revision of the chain.
	session := run.Session
	taskIndex := session.TaskIndex()
	revision := m.state.Revision

	// The check runs on another goroutine, so it must not use the state.
	task := session.Task()
	engine := m.state.Engine
	return func() tea.Msg {
		check, err := task.Check(engine)
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return lessons.CheckedMsg{
			Session:  session,
			Task:     taskIndex,
			Revision: revision,
			Check:    check,
		}
	}
}

// applyCheck keeps the result of a check, which says how much of the lesson's task is done.
// When the task is done, it shows a notice. It ignores a check of another task than the
// current one, and a check of an older revision of the chain than the one that is shown.
func (m *Model) applyCheck(msg lessons.CheckedMsg) {
	run := m.book.CurrentRun
	isCurrentTask := run != nil && msg.Session == run.Session && msg.Task == run.Session.TaskIndex()
	if !isCurrentTask || msg.Revision < m.state.Revision {
		return
	}
	wasDone := run.IsTaskDone()
	run.LastCheck = msg.Check
	run.Session.NoteAttempt(msg.Check)
	if run.IsTaskDone() && !wasDone {
		m.showNotice(app.LevelGood, "this task is done; N goes on")
	}
}

// nameMistake checks the learner's answer in a game, in which the contract has a mistake to
// be found. claimedMistake is the one that the learner believes it has. A notice says what a
// wrong answer costs.
func (m *Model) nameMistake(claimedMistake string) tea.Cmd {
	run := m.book.CurrentRun
	if run == nil {
		return nil
	}
	isRight, err := run.Session.NameMistake(claimedMistake)
	switch {
	case err != nil:
		m.showNotice(app.LevelBad, err.Error())
	case !isRight:
		text := fmt.Sprintf(
			"not so, and it counts as %d messages: %s",
			lesson.WrongNameCost, claimedMistake,
		)
		m.showNotice(app.LevelWarn, text)
	}
	return tea.Batch(m.book.Save(m.state), m.checkLesson())
}

// nextTask goes on in the lesson. If the task has an open question, it opens the question.
// If the learner has to name a mistake, it opens the list of mistakes. If the task is not
// done, a notice says what is missing. If it is done, nextTask begins the next task, or
// after the last one the next lesson.
func (m *Model) nextTask() tea.Cmd {
	run := m.book.CurrentRun
	if run == nil {
		return nil
	}

	// The time until now counts for the current task.
	run.AddTime(m.state.Now)
	switch {
	case run.Session.IsOver():
		return m.nextLesson()
	case run.Session.Question() != nil:
		m.openTask()
		return nil
	case run.HasMistakeToName():
		return app.OpenDialog(lessons.NewNaming(run))
	}

	// Next goes on to the next task. It refuses if the task is not done.
	if !run.Session.Next(run.LastCheck) {
		notice := "look at the task first"
		if missing := run.LastCheck.Missing(); len(missing) > 0 {
			notice = "not yet: " + missing[0]
		}
		return app.Notify(app.LevelWarn, notice)
	}

	// If the learner is repeating tasks that were answered wrongly, begin the next of them.
	if run.Session.IsOver() && run.Session.RepeatsLeft() > 0 {
		return m.book.RepeatNext()
	}
	return m.showNextTask(run)
}

// showNextTask shows the task that the lesson has gone on to. It saves the progress
// first, because the dialog of the task shows it.
func (m *Model) showNextTask(run *lessons.Run) tea.Cmd {
	run.LastCheck = lesson.Check{}
	m.resize(m.size)
	saveProgress := m.book.Save(m.state)
	m.openTask()
	return tea.Batch(saveProgress, m.checkLesson())
}

// nextLesson begins the next lesson. After the last one it goes back to the
// user's own session.
func (m *Model) nextLesson() tea.Cmd {
	next, ok := m.book.NextLesson()
	if !ok {
		return app.Send(lessons.EndedMsg{})
	}
	const fromStart = false // go on where the learner has left it
	return m.book.Begin(next.ID, fromStart)
}

// openTask opens a dialog with the task, unless the panel beside the screen shows the whole
// task already. A task with an open question always opens in a dialog, and so does the end
// of the lesson.
func (m *Model) openTask() {
	session := m.book.CurrentRun.Session
	if session.IsOver() || session.Question() != nil || !m.isPanelBeside() {
		m.pushDialog(lessons.NewTask(m.book))
	}
}

// openHint reveals the next hint of the task, and saves that the learner has taken it. The
// panel beside the screen shows the hint. In a terminal without room for the panel, a dialog
// shows it.
func (m *Model) openHint() tea.Cmd {
	session := m.book.CurrentRun.Session
	if session.IsOver() {
		return nil
	}

	// ShowNextHint reveals one more hint, and returns all that are revealed.
	if len(session.ShowNextHint()) == 0 {
		return app.Notify(app.LevelInfo, "there is no hint here")
	}
	saveProgress := m.book.Save(m.state)
	if m.isPanelBeside() {
		return saveProgress
	}
	return tea.Batch(saveProgress, app.OpenDialog(lessons.NewWholeTask(m.book)))
}

// askToRestartTask opens a dialog that asks whether the task should begin again. It asks
// because undo cannot bring back what was done in the task.
func (m *Model) askToRestartTask() tea.Cmd {
	if m.book.CurrentRun.Session.IsOver() {
		return nil
	}
	text := "The collection of the lesson goes back to the beginning of this task. Your answers still count. What you did in this task is lost."
	question := form.NewConfirm("Begin this task again?", text, "Begin again", m.book.RestartTask)
	return app.OpenDialog(question)
}

// lessonCommands returns the commands of the lesson that is played. If no lesson is played,
// they are disabled, and the reason names the key that lists the lessons.
func (m *Model) lessonCommands() []app.Command {
	nextLabel := "next task"
	if m.book.CurrentRun != nil {
		nextLabel = m.book.CurrentRun.NextLabel(m.book)
	}

	openWholeTask := func() tea.Cmd { return app.OpenDialog(lessons.NewWholeTask(m.book)) }
	commands := []app.Command{
		app.ScreenCommand("N", nextLabel, "Lesson: go on, to the question or the next task", m.nextTask),
		app.ScreenCommand("H", "hint", "Lesson: a hint, then a stronger one", m.openHint),
		app.ScreenCommand("I", "instructions", "Lesson: read the whole task", openWholeTask),
		app.ScreenCommand("Z", "task again", "Lesson: begin this task again", m.askToRestartTask),
		app.ScreenCommand(
			"Q", "leave lesson", "Lesson: leave it, and go back to your own collection",
			m.endLesson,
		),
	}
	for i, command := range commands {
		commands[i] = command.DisabledIf(m.book.CurrentRun == nil, "no lesson is played: 7 lists them")
	}
	return commands
}

// isPanelBeside reports whether the terminal has room for the panel of a lesson, which is
// drawn beside the screen and shows the whole task. In a smaller terminal, only a few lines
// above the screen are about the task.
func (m *Model) isPanelBeside() bool {
	return m.size.W >= lessons.MinPanelWidth && m.size.H >= lessons.MinPanelHeight
}

// maxPanelWidth is the largest width of the lesson's panel, in cells. Longer lines are
// harder to read.
const maxPanelWidth = 48

// lessonPanelSize returns how much of the terminal the lesson's task takes. In a large
// terminal the task is in a panel at the right, and panelWidth is its width. Otherwise it is
// in a strip of a few lines above the screen, and stripHeight is their number. The other
// result is 0. Without a lesson, both are 0.
func (m *Model) lessonPanelSize() (panelWidth, stripHeight int) {
	switch {
	case m.book.CurrentRun == nil:
		return 0, 0
	case m.isPanelBeside():
		return min(maxPanelWidth, m.size.W*3/8), 0
	case m.size.H >= lessons.MinStripHeight:
		return 0, lessons.StripHeight
	}
	return 0, 1 // a low terminal has room for only one line
}

// withLessonPanel adds the lesson's task to a screen that was drawn in box. It puts a panel
// at the right of the screen, or in a smaller terminal a few lines above it. Without a
// lesson it returns the screen unchanged.
func (m *Model) withLessonPanel(screenView string, box widget.Box) string {
	run := m.book.CurrentRun
	if run == nil {
		return screenView
	}
	panelWidth, stripHeight := m.lessonPanelSize()
	if stripHeight > 0 {
		strip := run.Strip(m.state, m.book, widget.Box{W: m.size.W, H: stripHeight})
		return widget.JoinVertically(strip, screenView)
	}

	// Draw a vertical line between the screen and the panel.
	const ruleWidth = 3    // with a blank at each side
	const hasFocus = false // the panel takes no keys
	rule := app.RuleDown(m.state, box.H, hasFocus)
	gap := widget.Fill("", widget.Box{W: 1, H: box.H})
	panel := run.Panel(m.state, m.book, widget.Box{W: panelWidth - ruleWidth, H: box.H})
	return widget.JoinHorizontally(screenView, rule, gap, panel)
}
