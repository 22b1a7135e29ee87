package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/lesson"
)

// lessonRun is a lesson that is being played.
type lessonRun struct {
	session *lesson.Session
	check   lesson.Check
	checked bool // check is of the task in hand
}

// home is what a lesson was begun from.
type home struct {
	session Session
	screens []Screen
	current int
}

// lessonCheckMsg brings how far the task in hand is.
type lessonCheckMsg struct {
	session  *lesson.Session
	task     int
	revision uint64
	check    lesson.Check
	err      error
}

const groupLesson = "Lesson"

// lesson takes the messages about lessons; ok is false for all others.
func (m *Model) lesson(msg tea.Msg) (cmd tea.Cmd, ok bool) {
	book := m.book
	switch msg := msg.(type) {
	case lessonsMsg:
		if msg.err != nil {
			m.say(levelBad, msg.err.Error())
		}
		book.take(msg)
		if msg.choose {
			return m.push(newLessonChooser(book)), true
		}
		return m.broadcast(msg), true
	case chooseLessonMsg:
		return book.load(true), true
	case lessonBegunMsg:
		if msg.err != nil {
			m.say(levelBad, msg.err.Error())
			return nil, true
		}
		return m.beginLesson(msg), true
	case lessonEndedMsg:
		return m.endLesson(), true
	case lessonSavedMsg:
		if msg.err != nil {
			m.say(levelWarn, "your progress in the lessons is not kept: "+msg.err.Error())
		}
		return nil, true
	case lessonCheckMsg:
		return m.takeCheck(msg), true
	case lessonAnsweredMsg:
		if book.run != nil {
			book.run.session.Answer(msg.choice)
		}
		return m.lookAtLesson(), true
	case lessonGoOnMsg:
		return m.goOn(), true
	}
	return nil, false
}

// beginLesson puts the lesson's chain in the place of the learner's own. The
// screens are new ones, and the others wait as they are.
func (m *Model) beginLesson(msg lessonBegunMsg) tea.Cmd {
	d, s, run := m.desk, msg.session, m.book.run
	if msg.anew != nil {
		if run == nil || run.session != msg.anew {
			return closeEngine(d, s.Chain()) // the lesson was left meanwhile
		}
		s.Continue(msg.anew)
	}
	var left tea.Cmd
	if m.home == nil {
		m.home = &home{d.Session, m.screens, m.current}
	} else {
		left = closeEngine(d, d.Engine)
	}
	m.dialogs = nil
	m.screens, m.current = newScreens(m.book), 0
	m.clock.still()
	m.book.run = &lessonRun{session: s}
	d.Session = Session{Engine: s.Chain(), Created: true, InMemory: true}
	m.resize(m.size)
	said := "Q goes back to your own"
	if msg.anew != nil {
		said = "this task begins anew"
	}
	m.say(levelInfo, said)
	m.stale = true
	return tea.Batch(left, m.openTask())
}

// endLesson goes back to the learner's own collection, as it was left.
func (m *Model) endLesson() tea.Cmd {
	d := m.desk
	if m.home == nil {
		return nil
	}
	left := closeEngine(d, d.Engine)
	d.Session, m.screens, m.current = m.home.session, m.home.screens, m.home.current
	m.home, m.book.run, m.dialogs = nil, nil, nil
	m.clock.still()
	m.resize(m.size)
	if !d.Has() {
		return tea.Batch(left, m.push(newWelcome(m.opts)))
	}
	m.say(levelInfo, "back in your own collection")
	m.stale = true
	return left
}

// closeEngine closes a chain behind what still writes to it.
func closeEngine(d *Desk, e Engine) tea.Cmd {
	return d.queue.add(func() tea.Msg {
		if err := e.Close(); err != nil {
			return doneMsg{nil, sayMsg{levelBad, err.Error()}}
		}
		return doneMsg{}
	})
}

// still stops the clock for another chain, at the speed that it has.
func (c *clockPanel) still() {
	c.pause()
	c.changed()
	c.node, c.waiting = 0, false
}

// lookAtLesson looks how far the task in hand is.
func (m *Model) lookAtLesson() tea.Cmd {
	run := m.book.run
	if run == nil || run.session.Over() {
		return nil
	}
	msg := lessonCheckMsg{session: run.session, task: run.session.At(), revision: m.desk.Revision}
	task, engine := run.session.Task(), m.desk.Engine
	return func() tea.Msg {
		msg.check, msg.err = task.Look(engine)
		return msg
	}
}

// takeCheck keeps how far the task is, and says when it is done.
func (m *Model) takeCheck(msg lessonCheckMsg) tea.Cmd {
	run := m.book.run
	if run == nil || msg.session != run.session || msg.task != run.session.At() || msg.revision < m.desk.Revision {
		return nil
	}
	if msg.err != nil {
		m.say(levelBad, msg.err.Error())
		return nil
	}
	was := run.done()
	run.check, run.checked = msg.check, true
	if run.done() && !was {
		m.say(levelGood, "this task is done; N goes on")
	}
	return nil
}

// done tells that the learner may go on.
func (r *lessonRun) done() bool {
	return r.checked && r.check.Done && r.session.Asks() == nil
}

// goOn goes to the next task when this one is done, and else says what is to be
// done first.
func (m *Model) goOn() tea.Cmd {
	book := m.book
	run := book.run
	switch {
	case run == nil:
		return nil
	case run.session.Over():
		return m.nextLesson()
	case run.session.Asks() != nil:
		return m.openTask()
	case !run.session.Next(run.check) || !run.checked:
		text := "look at the task first"
		if missing := run.check.Missing(); len(missing) > 0 {
			text = "not yet: " + missing[0]
		}
		return say(levelWarn, text)
	}
	run.check, run.checked = lesson.Check{}, false
	m.resize(m.size)
	return tea.Batch(book.save(m.desk, run.session), m.openTask(), m.lookAtLesson())
}

// nextLesson begins the lesson after the one that is over; after the last one it
// goes back.
func (m *Model) nextLesson() tea.Cmd {
	book := m.book
	if book.last() {
		return func() tea.Msg { return lessonEndedMsg{} }
	}
	return book.begin(book.all[book.number(book.run.session.Lesson.ID)].ID, false)
}

// openTask tells the story of the task in hand where it is to be read first:
// with its question, at the end, and where the panel has no room for it.
func (m *Model) openTask() tea.Cmd {
	run := m.book.run
	if run.session.Over() || run.session.Asks() != nil || !m.beside() {
		return m.push(newTaskDialog(m.book))
	}
	return nil
}

// lessonCommands are those of the lesson that is played.
func (m *Model) lessonCommands() []Command {
	run := m.book.run
	on := "next task"
	switch {
	case run == nil:
	case run.session.Asks() != nil:
		on = "question"
	case run.session.Over() && m.book.last():
		on = "go back"
	case run.session.Over():
		on = "next lesson"
	}
	all := []Command{
		{bind("N", on, "N"), "Lesson: go on, to the question or the next task", groupLesson, m.goOn},
		{bind("H", "hint", "H"), "Lesson: a hint, then a stronger one", groupLesson, func() tea.Cmd { return m.hint(run) }},
		{bind("I", "instructions", "I"), "Lesson: read the whole task", groupLesson, func() tea.Cmd {
			return dialog(newTaskReader(m.book))
		}},
		{bind("Z", "task anew", "Z"), "Lesson: begin this task anew", groupLesson, func() tea.Cmd { return m.askAnew(run) }},
		{bind("Q", "leave lesson", "Q"), "Lesson: leave it, and go back to your own collection", groupLesson, m.endLesson},
	}
	for i, c := range all {
		all[i] = c.unless(run == nil, "no lesson is played: 7 lists them")
	}
	return all
}

// askAnew asks before the task in hand is begun anew: undo does not bring back
// what was done in it.
func (m *Model) askAnew(run *lessonRun) tea.Cmd {
	if run.session.Over() {
		return nil
	}
	return dialog(newQuestion("Begin this task anew?", "The collection of the lesson is made again, as this task begins. Your answers count on. What you did in this task is gone.",
		"Begin anew", m.book.anew))
}
