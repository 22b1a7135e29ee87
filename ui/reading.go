package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// readMsg brings what was read in one view.
type readMsg struct {
	engine app.Engine
	screen app.Screen    // the screen that was shown
	actor  cw721.Address // the actor when the reading began
	facts  *app.Facts    // nil if the known facts still hold
	answer tea.Msg       // the answer to what the screen needed; nil if it needed nothing
	err    error
}

// readMissing returns the command that reads the facts if they are stale, and what the
// screen needs, both in one view; nil if neither is missing. One reading is under
// way at a time, so that a held key does not pile readings up. After a failure
// nothing is read until the user does something.
func (m *Model) readMissing() tea.Cmd {
	failed := m.hasReadFailed && !m.hasStaleFacts
	if !m.state.Created || m.isReading || failed || m.openErr != nil || m.isQuitting {
		return nil
	}

	screen := m.screen()
	stale := m.hasStaleFacts
	if stale {
		screen.Refresh(m.state)
	}
	needed := screen.Needs(m.state)
	if needed == nil && !stale {
		return nil
	}

	m.isReading = true
	m.hasStaleFacts = false
	cmd := m.readingCmd(screen, needed, stale)
	lister, ok := screen.(app.Lister)
	if ok && lister.List().Searching() && !stale {
		return cmd // keys don't wait for the rest of a search
	}
	return m.await(workOfReading(screen, stale), cmd)
}

// workOfReading returns the kind of a reading, which decides what keys wait for
// it.
func workOfReading(screen app.Screen, stale bool) work {
	if stale {
		return factsWork
	}
	if screen.Typing() {
		return lightWork
	}
	if lister, ok := screen.(app.Lister); ok && !lister.List().Loading() {
		return lightWork // the rows are there, so only the detail is missing
	}
	return otherWork
}

// readingCmd returns the command that reads what a screen needs, and the facts
// if they are stale or older than the view.
func (m *Model) readingCmd(screen app.Screen, needed app.Read, stale bool) tea.Cmd {
	engine := m.state.Engine
	known := m.state.Facts
	actor := m.state.Actor
	first := m.firstActor()
	return func() tea.Msg {
		msg := readMsg{engine: engine, screen: screen, actor: actor}
		msg.err = engine.View(func(v *chain.View) (err error) {
			facts := known
			if stale || v.Revision != known.Revision {
				facts, err = app.ReadFacts(v, actor, first)
				if err != nil {
					return err
				}
				msg.facts = &facts
			}
			if needed != nil {
				msg.answer, err = needed(v, facts)
			}
			return err
		})
		return msg
	}
}

// firstActor returns the name or address of the account that acts until the user
// chooses one.
func (m *Model) firstActor() string {
	if run := m.book.Playing; run != nil {
		return run.Session.Lesson.Actor()
	}
	return m.state.FirstActor
}

// showRead shows what was read. Facts of another engine or actor than the
// current one are dropped and read again.
func (m *Model) showRead(msg readMsg) tea.Cmd {
	m.isReading = false
	st := m.state
	isOutdated := msg.engine != st.Engine || msg.facts != nil && msg.actor != st.Actor
	if isOutdated {
		m.hasStaleFacts = true
		return nil
	}

	m.hasReadFailed = msg.err != nil
	if msg.err != nil && msg.facts == nil {
		m.showNotice(app.LevelBad, msg.err.Error())
	}
	if msg.facts != nil {
		st.Facts = *msg.facts
		st.Actor = msg.facts.SeenBy
	}

	cmds := []tea.Cmd{m.answerScreen(msg)}
	if msg.facts != nil { // an open form previews its message again
		cmds = append(cmds, m.broadcast(app.FactsChangedMsg{}), m.checkLesson())
	}
	return tea.Batch(cmds...)
}

// answerScreen hands what was read to the screen that needed it, unless a lesson
// has replaced that screen.
func (m *Model) answerScreen(msg readMsg) tea.Cmd {
	if !slices.Contains(m.screens, msg.screen) {
		return nil
	}
	if msg.err != nil {
		return msg.screen.Update(m.state, app.ReadFailedMsg{Err: msg.err})
	}
	if msg.answer != nil {
		return msg.screen.Update(m.state, msg.answer)
	}
	return nil
}

// deliver hands an answer to the screen or dialog that asked. An answer of
// another engine is dropped, and so is one for a dialog that has closed.
func (m *Model) deliver(a app.Answer) tea.Cmd {
	if a.Engine != m.state.Engine {
		return nil
	}
	for _, d := range m.dialogs {
		if any(d) == a.To {
			cmd, _ := m.updateDialog(d, a.Msg)
			return cmd
		}
	}
	for _, s := range m.screens {
		if any(s) == a.To {
			return s.Update(m.state, a.Msg)
		}
	}
	return nil
}
