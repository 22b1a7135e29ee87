package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// readMsg brings what was read for the current screen. All of it was read in one read
// transaction, so it is of one revision of the chain.
type readMsg struct {
	app.Answer               // what the screen needed; its Msg is nil if that was nothing
	actor      cw721.Address // the actor when the reading began
	facts      *app.Facts    // the facts, if they were read; nil if the known ones still hold
	err        error         // why the reading failed; nil if it did not
}

// readMissing returns the command that reads whatever is missing on the screen; nil if
// nothing is. It reads what the current screen needs, and also the facts if they may be out
// of date. The facts are what all screens share, such as the clock and the accounts.
//
// Only one reading is under way at a time, so that a key that is held down does not pile up
// readings. After a failure nothing is read until the user does something.
func (m *Model) readMissing() tea.Cmd {
	waitsForUser := m.hasReadFailed && !m.hasStaleFacts
	switch {
	case !m.state.Created, m.openErr != nil, m.isQuitting, m.isReading, waitsForUser:
		return nil
	}

	// Ask the screen what it needs. If the chain may have changed, tell the screen first.
	screen := m.screen()
	hasStaleFacts := m.hasStaleFacts
	if hasStaleFacts {
		screen.Refresh(m.state)
	}
	screenRead := screen.NextRead(m.state)
	if screenRead == nil && !hasStaleFacts {
		return nil
	}

	// The command reads the present facts, so only a later change makes them stale again.
	m.isReading = true
	m.hasStaleFacts = false
	cmd := m.readingCmd(screen, screenRead, hasStaleFacts)
	return m.holdKeysForReading(screen, hasStaleFacts, cmd)
}

// holdKeysForReading lets keys wait for cmd, which reads for a screen. What the screen shows
// already decides which keys wait. hasStaleFacts means that the facts are read as well.
func (m *Model) holdKeysForReading(screen app.Screen, hasStaleFacts bool, cmd tea.Cmd) tea.Cmd {
	lister, hasList := screen.(app.Lister)
	kind := blockingWork
	switch {
	case hasStaleFacts:
		kind = factsWork
	case hasList && lister.List().IsSearching():
		// No key waits for the rest of a long search.
		return cmd
	case screen.Typing(), hasList && !lister.List().Loading():
		// If the rows of a list are there, only the detail is missing.
		kind = lightWork
	}
	return m.holdKeysUntilDone(kind, cmd)
}

// readingCmd returns the command that reads what a screen needs; screenRead is nil if
// that is nothing. It also reads the facts if they are stale, or if the chain has another
// revision by the time the command runs.
func (m *Model) readingCmd(screen app.Screen, screenRead app.Read, hasStaleFacts bool) tea.Cmd {
	// The command runs on another goroutine, so it must not use the state.
	engine := m.state.Engine
	knownFacts := m.state.Facts
	actor := m.state.Actor
	firstActor := m.firstActor()
	return func() tea.Msg {
		msg := readMsg{Answer: app.Answer{Engine: engine, Asker: screen}, actor: actor}
		msg.err = engine.View(func(view *chain.View) (err error) {
			// Read the facts and what the screen needs in one view, so that they are of one
			// revision.
			facts := knownFacts
			if hasStaleFacts || view.Revision != knownFacts.Revision {
				facts, err = app.ReadFacts(view, actor, firstActor)
				if err != nil {
					return err
				}
				msg.facts = &facts
			}

			if screenRead == nil {
				return nil
			}
			msg.Msg, err = screenRead(view, facts)
			return err
		})
		if msg.err != nil {
			msg.Msg = app.ReadFailedMsg{Err: msg.err}
		}
		return msg
	}
}

// firstActor returns the name or address of the account that acts until the user
// chooses one.
func (m *Model) firstActor() string {
	if run := m.book.CurrentRun; run != nil {
		return run.Session.Lesson.Actor()
	}
	return m.state.FirstActor
}

// showRead shows what was read for the screen. It replaces the facts by those that were
// read, and hands everything else to the screen that needed it.
func (m *Model) showRead(msg readMsg) tea.Cmd {
	m.isReading = false
	state := m.state

	// If another chain is shown by now, or another actor was chosen, read everything again.
	isOfOtherActor := msg.facts != nil && msg.actor != state.Actor
	if isOfOtherActor || msg.Engine != state.Engine {
		m.hasStaleFacts = true
		return nil
	}

	// Replace the facts, or say why they could not be read.
	m.hasReadFailed = msg.err != nil
	switch {
	case msg.facts != nil:
		state.Facts = *msg.facts
		state.Actor = msg.facts.FactsActor
	case msg.err != nil:
		m.showNotice(app.LevelBad, msg.err.Error())
	}

	// Hand the answer to the screen. New facts also concern the open forms, which preview
	// their messages again, and the task of a lesson, which may be done now.
	cmds := []tea.Cmd{m.deliver(msg.Answer)}
	if msg.facts != nil {
		cmds = append(cmds, m.broadcast(app.FactsChangedMsg{}), m.checkLesson())
	}
	return tea.Batch(cmds...)
}

// deliver hands an answer to the screen or dialog that asked for it. It drops an answer that
// was read from another engine than the one that is shown. It also drops an answer for a
// dialog that was closed, or for a screen that a lesson has replaced.
func (m *Model) deliver(answer app.Answer) tea.Cmd {
	if answer.Engine != m.state.Engine || answer.Msg == nil {
		return nil
	}
	for _, dialog := range m.dialogs {
		if any(dialog) == answer.Asker {
			cmd, _ := m.updateDialog(dialog, answer.Msg)
			return cmd
		}
	}
	for _, screen := range m.screens {
		if any(screen) == answer.Asker {
			return screen.Update(m.state, answer.Msg)
		}
	}
	return nil
}
