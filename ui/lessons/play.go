package lessons

import (
	"errors"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// The messages about lessons.
type (
	// LoadedMsg brings the lessons and the progress. err joins the errors of all files that
	// could not be read; what could be read is there even then.
	LoadedMsg struct {
		lessons  []lesson.Lesson
		progress lesson.Progress
		err      error
	}
	// BegunMsg brings a session that is ready to be played. If it begins a task again,
	// ReplacedSession is the session that it replaces. Otherwise ReplacedSession is nil.
	BegunMsg struct {
		Session         *lesson.Session
		ReplacedSession *lesson.Session
	}
	// CheckedMsg brings the result of checking the goals of a task in the background. The first
	// three fields say what was checked. If they are no longer the current ones when the message
	// arrives, the message is ignored.
	CheckedMsg struct {
		Session  *lesson.Session
		Task     int    // the index of the task
		Revision uint64 // the revision of the chain
		Check    lesson.Check
	}
)

// Update handles the messages about lessons and about what the learner did on the chain.
// The screen of the lessons gets them, also while another screen is shown.
func (b *Book) Update(state *app.State, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.ChooseLessonMsg:
		return tea.Sequence(b.load(), app.Send(app.ContinueMsg{
			Engine: state.Engine,
			Do:     func() tea.Cmd { return app.OpenDialog(b.chooser(b.GoOn)) },
		}))
	case app.ShownMsg:
		if !b.IsLoaded() {
			return b.load()
		}
	case LoadedMsg:
		b.ApplyLoaded(msg)
		if msg.err != nil {
			return app.Notify(app.LevelBad, strings.ReplaceAll(msg.err.Error(), "\n", "; "))
		}
	case BegunMsg:
		return b.play(state, msg)
	case app.QueriedMsg:
		if b.CurrentRun != nil {
			b.CurrentRun.Session.NoteQuery(msg.Msg)
		}
		return b.check(state)
	case app.FactsChangedMsg:
		return b.check(state)
	case CheckedMsg:
		return b.applyCheck(state, msg)
	}
	return nil
}

// play asks the root to show the chain that was made for a lesson, or for a task that begins
// again, and opens the task.
func (b *Book) play(state *app.State, msg BegunMsg) tea.Cmd {
	session := msg.Session
	previous := b.CurrentRun

	// The chain was made in the background. Meanwhile the learner may have left the lesson
	// whose task was to begin again. Then the new chain is not needed.
	isStillPlayed := previous != nil && previous.Session == msg.ReplacedSession
	if msg.ReplacedSession != nil && !isStillPlayed {
		return app.CloseEngine(state, session.Chain())
	}

	var saveProgress tea.Cmd
	if previous != nil {
		saveProgress = b.Save(state)
	}
	notice := "Q goes back to your own"
	if msg.ReplacedSession != nil {
		session.Continue(msg.ReplacedSession)
		notice = "this task begins again"
	}
	return tea.Batch(saveProgress, app.Send(app.PlayMsg{
		Session: app.Session{
			Engine:     session.Chain(),
			Created:    true,
			ActsFirst:  session.Lesson.Actor(),
			InMemory:   true,
			HasMistake: session.Lesson.IsGame(),
			CheckLock: func() error {
				if session.Question() != nil {
					return errPredictFirst
				}
				return nil
			},
		},
		Then: func() tea.Cmd {
			b.CurrentRun = &Run{Session: session, CountedUntil: state.Now}
			return tea.Sequence(app.Notify(app.LevelInfo, notice), b.openTask())
		},
	}))
}

// errPredictFirst is why nothing can be sent while a lesson's question is open.
var errPredictFirst = errors.New("predict first: N shows the question")

// leave saves the progress and asks the root to go back to the user's own collection.
func (b *Book) leave(state *app.State) tea.Cmd {
	if b.CurrentRun == nil {
		return nil
	}
	return tea.Batch(b.Save(state), app.Send(app.LeaveMsg{Then: func() { b.CurrentRun = nil }}))
}

// check returns the command that checks how much of the task is done; nil if no task is open.
func (b *Book) check(state *app.State) tea.Cmd {
	run := b.CurrentRun
	if run == nil || run.Session.IsOver() {
		return nil
	}

	// The check runs on another goroutine, so it must not use the state.
	session := run.Session
	task := session.Task()
	taskIndex := session.TaskIndex()
	revision := state.Revision
	engine := state.Engine
	return func() tea.Msg {
		check, err := task.Check(engine)
		if err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return CheckedMsg{Session: session, Task: taskIndex, Revision: revision, Check: check}
	}
}

// applyCheck keeps the result of a check. It ignores a check of another task than the current
// one, and a check of an older revision of the chain than the one that is shown. The learner
// may have left the lesson.
func (b *Book) applyCheck(state *app.State, msg CheckedMsg) tea.Cmd {
	run := b.CurrentRun
	isCurrentTask := run != nil && msg.Session == run.Session && msg.Task == run.Session.TaskIndex()
	if !isCurrentTask || msg.Revision < state.Revision {
		return nil
	}
	wasDone := run.IsTaskDone()
	run.LastCheck = msg.Check
	run.Session.NoteAttempt(msg.Check)
	if run.IsTaskDone() && !wasDone {
		return app.Notify(app.LevelGood, "this task is done; N goes on")
	}
	return nil
}

// openNaming opens the dialog in which the learner names the mistake of the contract. It lists a
// sentence for every mistake that is possible. The current task must be a game of "find the
// mistake".
func (b *Book) openNaming() tea.Cmd {
	var items []widget.Item
	for _, belief := range b.CurrentRun.Session.Task().Mistake.Beliefs {
		items = append(items, widget.Item{ID: belief, Title: belief})
	}
	return app.OpenDialog(form.NewChooser("What is wrong here?", "a word of the rule", items, b.nameMistake))
}

// nameMistake checks the learner's answer in a game, in which the contract has a mistake to
// be found. A notice says what a wrong answer costs.
func (b *Book) nameMistake(state *app.State, claimedMistake string) tea.Cmd {
	isRight, err := b.CurrentRun.Session.NameMistake(claimedMistake)
	var notice tea.Cmd
	switch {
	case err != nil:
		notice = app.Notify(app.LevelBad, err.Error())
	case !isRight:
		const format = "not so, and it counts as %d messages: %s"
		notice = app.Notify(app.LevelWarn, fmt.Sprintf(format, lesson.WrongNameCost, claimedMistake))
	}
	return tea.Batch(notice, b.Save(state), b.check(state))
}

// nextTask goes on in the lesson. If the task is not done, a notice says what is missing.
func (b *Book) nextTask(state *app.State) tea.Cmd {
	run := b.CurrentRun
	run.AddTime(state.Now) // the time until now counts for the current task
	switch {
	case run.Session.IsOver():
		next, ok := b.NextLesson()
		if !ok {
			return b.leave(state)
		}
		return b.GoOn(next.ID)
	case run.Session.Question() != nil:
		return b.openTask()
	case run.HasMistakeToName():
		return b.openNaming()
	}

	// Next goes on to the next task. It refuses if the task is not done.
	if !run.Session.Next(run.LastCheck) {
		notice := "look at the task first"
		if missing := run.LastCheck.Missing(); len(missing) > 0 {
			notice = "not yet: " + missing[0]
		}
		return app.Notify(app.LevelWarn, notice)
	}
	if run.Session.IsOver() && run.Session.RepeatsLeft() > 0 {
		return b.RepeatNext()
	}

	// Save the progress first, because the dialog of the task shows it.
	run.LastCheck = lesson.Check{}
	saveProgress := b.Save(state)
	return tea.Batch(saveProgress, b.openTask(), b.check(state))
}

// openTask returns the command that opens a dialog with the task; nil if the panel beside the
// screen shows all of it. A task with an open question always opens in a dialog, and so does
// the end of the lesson.
func (b *Book) openTask() tea.Cmd {
	session := b.CurrentRun.Session
	if session.IsOver() || session.Question() != nil || !b.isPanelBeside() {
		return app.OpenDialog(NewTask(b))
	}
	return nil
}

// openHint reveals the next hint of the task, and saves that the learner has taken it. The
// panel beside the screen shows the hint. In a terminal without room for the panel, a dialog
// shows it.
func (b *Book) openHint(state *app.State) tea.Cmd {
	session := b.CurrentRun.Session
	if session.IsOver() {
		return nil
	}
	if len(session.ShowNextHint()) == 0 {
		return app.Notify(app.LevelInfo, "there is no hint here")
	}
	saveProgress := b.Save(state)
	if b.isPanelBeside() {
		return saveProgress
	}
	return tea.Batch(saveProgress, app.OpenDialog(NewWholeTask(b)))
}

// askToRestartTask opens a dialog that asks whether the task should begin again. It asks
// because undo cannot bring back what was done in the task.
func (b *Book) askToRestartTask() tea.Cmd {
	if b.CurrentRun.Session.IsOver() {
		return nil
	}
	text := "The collection of the lesson goes back to the beginning of this task. Your answers still count. What you did in this task is lost."
	return app.OpenDialog(form.NewConfirm("Begin this task again?", text, "Begin again", b.RestartTask))
}

// Commands returns the commands of the lesson that is played, which work on every screen. If
// no lesson is played, they are disabled, and the reason names the key that lists the lessons.
func (b *Book) Commands(state *app.State) []app.Command {
	nextLabel := "next task"
	if b.CurrentRun != nil {
		nextLabel = b.CurrentRun.NextLabel(b)
	}
	commands := []app.Command{
		app.ScreenCommand("N", nextLabel, "Lesson: go on, to the question or the next task",
			func() tea.Cmd { return b.nextTask(state) }),
		app.ScreenCommand("H", "hint", "Lesson: a hint, then a stronger one",
			func() tea.Cmd { return b.openHint(state) }),
		app.ScreenCommand("I", "instructions", "Lesson: read the whole task",
			func() tea.Cmd { return app.OpenDialog(NewWholeTask(b)) }),
		app.ScreenCommand("Z", "task again", "Lesson: begin this task again", b.askToRestartTask),
		app.ScreenCommand("Q", "leave lesson", "Lesson: leave it, and go back to your own collection",
			func() tea.Cmd { return b.leave(state) }),
	}
	for i, command := range commands {
		commands[i] = command.DisabledIf(b.CurrentRun == nil, "no lesson is played: 7 lists them")
	}
	return commands
}

// Run is the state of the lesson that is being played.
type Run struct {
	Session      *lesson.Session
	LastCheck    lesson.Check // which goals of the task are reached; zero before the first check
	CountedUntil time.Time    // the moment up to which the learner's time is counted
}

// AddTime adds the time since the last call to the time that the learner spent on the
// current task.
func (r *Run) AddTime(now time.Time) {
	r.Session.AddTime(now.Sub(r.CountedUntil))
	r.CountedUntil = now
}

// IsTaskDone reports whether the goals of the current task are reached and its question
// answered, so that the next task can start.
func (r *Run) IsTaskDone() bool {
	return r.LastCheck.Done && r.Session.Question() == nil
}

// HasMistakeToName reports whether the task is a game of "find the mistake", and the
// learner has not named the mistake yet.
func (r *Run) HasMistakeToName() bool {
	task := r.Session.Task()
	return task != nil && task.Mistake != nil && !r.LastCheck.Done
}
