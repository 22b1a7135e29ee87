package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// readMsg brings what was read for the screen in one view, a read transaction, so that
// all of it is of one revision of the chain.
type readMsg struct {
	app.Answer               // to the screen; without Msg if the screen needed nothing
	actor      cw721.Address // the actor when the reading began
	facts      *app.Facts    // nil if the known facts still hold
	err        error
}

// readMissing returns the command that reads the facts (what all screens show of a
// revision: clock, accounts, roles) if they may be out of date, and what the current
// screen lacks, both in one view. It returns nil if nothing is missing. One reading is
// under way at a time, so that a key that is held down does not pile readings up. After
// a failure nothing is read until the user does something.
func (m *Model) readMissing() tea.Cmd {
	waitsForUser := m.hasReadFailed && !m.hasStaleFacts
	hasNothingToRead := !m.state.Created || m.openErr != nil || m.isQuitting
	if hasNothingToRead || m.isReading || waitsForUser {
		return nil
	}

	// Ask the screen what it lacks, after it has heard that the chain has changed.
	screen := m.screen()
	stale := m.hasStaleFacts
	if stale {
		screen.Refresh(m.state)
	}
	needed := screen.Needs(m.state)
	if needed == nil && !stale {
		return nil
	}

	// From here on, a change makes the facts stale again.
	m.isReading = true
	m.hasStaleFacts = false
	cmd := m.readingCmd(screen, needed, stale)
	lister, ok := screen.(app.Lister)
	if ok && lister.List().Searching() && !stale {
		return cmd // keys don't wait for the rest of a search
	}
	return m.await(workOfReading(screen, stale), cmd)
}

// workOfReading returns the kind of work that a reading for a screen is, which decides
// which typed keys wait for it. stale means that the facts are read too.
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
		msg := readMsg{Answer: app.Answer{Engine: engine, To: screen}, actor: actor}
		msg.err = engine.View(func(v *chain.View) (err error) {
			// Read the facts and what the screen needs in one view, so that they are of one
			// revision.
			facts := known
			if stale || v.Revision != known.Revision {
				facts, err = app.ReadFacts(v, actor, first)
				if err != nil {
					return err
				}
				msg.facts = &facts
			}
			if needed != nil {
				msg.Msg, err = needed(v, facts)
			}
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
	if run := m.book.Playing; run != nil {
		return run.Session.Lesson.Actor()
	}
	return m.state.FirstActor
}

// showRead shows what was read for the screen: it takes over the facts, and hands the
// rest to the screen that needed it. What was read from another engine than the one
// that is shown, or facts about another actor, are dropped and read again.
func (m *Model) showRead(msg readMsg) tea.Cmd {
	m.isReading = false
	st := m.state
	isOfOtherActor := msg.facts != nil && msg.actor != st.Actor
	if isOfOtherActor || msg.Engine != st.Engine {
		m.hasStaleFacts = true
		return nil
	}

	// Take over the facts, or say why they could not be read.
	m.hasReadFailed = msg.err != nil
	if msg.err != nil && msg.facts == nil {
		m.showNotice(app.LevelBad, msg.err.Error())
	}
	if msg.facts != nil {
		st.Facts = *msg.facts
		st.Actor = msg.facts.SeenBy
	}

	cmds := []tea.Cmd{m.deliver(msg.Answer)}
	if msg.facts != nil { // an open form previews its message again
		cmds = append(cmds, m.broadcast(app.FactsChangedMsg{}), m.checkLesson())
	}
	return tea.Batch(cmds...)
}

// deliver hands an answer to the screen or dialog that asked. An answer of another engine
// is dropped, and so is one for a dialog that has closed or a screen that a lesson has
// replaced.
func (m *Model) deliver(a app.Answer) tea.Cmd {
	if a.Engine != m.state.Engine || a.Msg == nil {
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
