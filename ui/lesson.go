package ui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/lessons"
	"ephemera/ui/start"
	"ephemera/ui/widget"
)

const groupLesson = "Lesson"

// lesson takes the messages about lessons; ok is false for all others.
func (m *Model) lesson(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	book := m.book
	switch msg := msg.(type) {
	case lessons.LoadedMsg:
		if msg.Err != nil {
			m.say(app.LevelBad, strings.ReplaceAll(msg.Err.Error(), "\n", "; "))
		}
		book.ApplyLoaded(msg)
		if msg.Choose {
			return m.push(lessons.NewChooser(book)), true
		}
		return m.broadcast(msg), true
	case app.ChooseLessonMsg:
		return book.Load(true), true
	case lessons.BegunMsg:
		return m.beginLesson(msg), true
	case app.QueriedMsg:
		if book.Run != nil {
			book.Run.Session.NoteQuery(msg.Msg)
		}
		return m.checkLesson(), true
	case lessons.EndedMsg:
		return m.endLesson(), true
	case lessons.CheckMsg:
		m.applyCheck(msg)
		return nil, true
	case lessons.AnsweredMsg:
		if book.Run == nil {
			return nil, true
		}
		book.Run.Session.Answer(msg.Choice)
		return tea.Batch(book.Save(m.state), m.checkLesson()), true
	case lessons.WorldsMsg:
		if book.Run == nil || book.Run.Session != msg.Session {
			return nil, true // the lesson was left meanwhile
		}
		return msg.Show(), true
	case lessons.GoOnMsg:
		return m.goOn(), true
	}
	return nil, false
}

// beginLesson puts the lesson's chain in the place of the learner's own. The
// screens are new ones, and the others wait as they are.
func (m *Model) beginLesson(msg lessons.BegunMsg) tea.Cmd {
	st, s, run := m.state, msg.Session, m.book.Run
	var kept, left tea.Cmd
	if run != nil {
		kept = m.book.Save(st)
	}
	if msg.Anew != nil {
		if run == nil || run.Session != msg.Anew {
			return app.CloseEngine(st, s.Chain()) // the lesson was left meanwhile
		}
		s.Continue(msg.Anew)
	}
	if m.home == nil {
		m.home = &home{st.Session, m.screens, m.current}
	} else {
		left = app.CloseEngine(st, st.Engine)
	}
	m.closeDialogs()
	m.screens, m.current = newScreens(m.book, m.hiddenColumns()), 0
	m.clock.still()
	m.book.Run = &lessons.Run{Session: s, Since: st.Now}
	st.Session = app.Session{Engine: s.Chain(), Created: true, InMemory: true}
	m.resize(m.size)
	said := "Q goes back to your own"
	if msg.Anew != nil {
		said = "this task begins anew"
	}
	m.say(app.LevelInfo, said)
	m.stale = true
	return tea.Batch(kept, left, m.openTask())
}

// endLesson goes back to the learner's own collection, as it was left.
func (m *Model) endLesson() tea.Cmd {
	st := m.state
	if m.home == nil {
		return nil
	}
	left := tea.Batch(m.book.Save(st), app.CloseEngine(st, st.Engine))
	st.Session, m.screens, m.current = m.home.session, m.home.screens, m.home.current
	m.closeDialogs()
	m.home, m.book.Run = nil, nil
	m.clock.still()
	m.resize(m.size)
	if !st.HasCollection() {
		return tea.Batch(left, m.push(start.NewWelcome(st)))
	}
	m.say(app.LevelInfo, "back in your own collection")
	m.stale = true
	return left
}

// still stops the clock for another chain, at the speed that it has.
func (c *clockPanel) still() {
	c.pause()
	c.changed()
	c.node, c.waiting = 0, false
}

// checkLesson reads how far the task in hand is.
func (m *Model) checkLesson() tea.Cmd {
	run := m.book.Run
	if run == nil || run.Session.IsOver() {
		return nil
	}
	msg := lessons.CheckMsg{Session: run.Session, Task: run.Session.TaskIndex(), Revision: m.state.Revision}
	task, engine := run.Session.Task(), m.state.Engine
	return func() tea.Msg {
		var err error
		if msg.Check, err = task.Check(engine); err != nil {
			return app.NoticeMsg{Level: app.LevelBad, Text: err.Error()}
		}
		return msg
	}
}

// applyCheck keeps how far the task is, and says when it is done.
func (m *Model) applyCheck(msg lessons.CheckMsg) {
	run := m.book.Run
	if run == nil || msg.Session != run.Session || msg.Task != run.Session.TaskIndex() || msg.Revision < m.state.Revision {
		return
	}
	was := run.Done()
	run.Check, run.Checked = msg.Check, true
	run.Session.NoteAttempt(msg.Check)
	if run.Done() && !was {
		m.say(app.LevelGood, "this task is done; N goes on")
	}
}

// goOn goes to the next task when this one is done, and else says what is to be
// done first.
func (m *Model) goOn() tea.Cmd {
	book := m.book
	run := book.Run
	if run == nil {
		return nil
	}
	run.Spend(m.state.Now) // before the task is another
	switch {
	case run.Session.IsOver():
		return m.nextLesson()
	case run.Session.Question() != nil:
		return m.openTask()
	case !run.Session.Next(run.Check) || !run.Checked:
		text := "look at the task first"
		if missing := run.Check.Missing(); len(missing) > 0 {
			text = "not yet: " + missing[0]
		}
		return app.Notify(app.LevelWarn, text)
	}
	run.Check, run.Checked = lesson.Check{}, false
	m.resize(m.size)
	return tea.Batch(book.Save(m.state), m.openTask(), m.checkLesson())
}

// nextLesson begins the lesson after the one that is over; after the last one it
// goes back.
func (m *Model) nextLesson() tea.Cmd {
	book := m.book
	if book.Last() {
		return func() tea.Msg { return lessons.EndedMsg{} }
	}
	return book.Begin(book.All[book.Number(book.Run.Session.Lesson.ID)].ID, false)
}

// openTask tells the story of the task in hand where it is to be read first:
// with its question, at the end, and where the panel has no room for it.
func (m *Model) openTask() tea.Cmd {
	run := m.book.Run
	if run.Session.IsOver() || run.Session.Question() != nil || !m.beside() {
		return m.push(lessons.NewTask(m.book))
	}
	return nil
}

// lessonCommands are those of the lesson that is played.
func (m *Model) lessonCommands() []app.Command {
	run := m.book.Run
	on := "next task"
	switch {
	case run == nil:
	case run.Session.Question() != nil:
		on = "question"
	case run.Session.IsOver() && m.book.Last():
		on = "go back"
	case run.Session.IsOver():
		on = "next lesson"
	}
	all := []app.Command{
		app.NewCommand(app.Bind("N", on, "N"), "Lesson: go on, to the question or the next task", groupLesson, m.goOn),
		app.NewCommand(app.Bind("H", "hint", "H"), "Lesson: a hint, then a stronger one", groupLesson, func() tea.Cmd { return m.hint(run) }),
		app.NewCommand(app.Bind("I", "instructions", "I"), "Lesson: read the whole task", groupLesson, func() tea.Cmd {
			return app.OpenDialog(lessons.NewTaskReader(m.book))
		}),
		app.NewCommand(app.Bind("Z", "task anew", "Z"), "Lesson: begin this task anew", groupLesson, func() tea.Cmd { return m.askAnew(run) }),
		app.NewCommand(app.Bind("Q", "leave lesson", "Q"), "Lesson: leave it, and go back to your own collection", groupLesson, m.endLesson),
	}
	for i, c := range all {
		all[i] = c.Unless(run == nil, "no lesson is played: 7 lists them")
	}
	return all
}

// askAnew asks before the task in hand is begun anew: undo does not bring back
// what was done in it.
func (m *Model) askAnew(run *lessons.Run) tea.Cmd {
	if run.Session.IsOver() {
		return nil
	}
	return app.OpenDialog(form.NewConfirm("Begin this task anew?", "The collection of the lesson is made again, as this task begins. Your answers count on. What you did in this task is gone.",
		"Begin anew", m.book.Anew))
}

// beside tells that the panel stands beside the screen, with room for all of
// the task, and not above it.
func (m *Model) beside() bool { return m.size.W >= lessons.BesideW && m.size.H >= lessons.BesideH }

// panel is the place of the lesson's panel: its width beside the screen, or its
// height above it.
func (m *Model) panel() (w, h int) {
	switch {
	case m.book.Run == nil:
		return 0, 0
	case m.beside():
		return min(48, m.size.W*3/8), 0
	case m.size.H >= lessons.StripLeastH:
		return 0, lessons.StripH
	}
	return 0, 1
}

// withPanel puts the panel of the lesson to a screen.
func (m *Model) withPanel(body string, box widget.Box) string {
	w, h := m.panel()
	run := m.book.Run
	switch {
	case run == nil:
		return body
	case w > 0:
		side := widget.Box{W: w - 3, H: box.H}
		gap := widget.Fill("", widget.Box{W: 1, H: box.H})
		return widget.JoinH(body, app.RuleDown(m.state, box.H, false), gap, run.Panel(m.state, m.book, side))
	case h > 0:
		return widget.JoinV(run.Strip(m.state, m.book, widget.Box{W: m.size.W, H: h}), body)
	}
	return body
}

// hint gives the next hint, in a dialog where the panel cannot show it.
func (m *Model) hint(run *lessons.Run) tea.Cmd {
	if run.Session.IsOver() {
		return nil
	}
	if len(run.Session.Hint()) == 0 {
		return app.Notify(app.LevelInfo, "there is nothing to do here but to answer")
	}
	kept := m.book.Save(m.state)
	if m.beside() {
		return kept
	}
	return tea.Batch(kept, app.OpenDialog(lessons.NewHints(m.book)))
}

// home is what a lesson was begun from.
type home struct {
	session app.Session
	screens []app.Screen
	current int
}
