package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/ui/app"
)

// readMsg brings what one view gave.
type readMsg struct {
	engine app.Engine
	screen app.Screen    // that is shown
	actor  cw721.Address // whom the facts are seen from
	facts  *app.Facts    // nil where those that are known still held
	answer tea.Msg       // what the screen lacked; nil where it lacked nothing
	err    error
}

// read returns the command that reads what is out of date: the facts, what the
// screen lacks, or both, in one view; nil if nothing is. One reading is under way
// at a time, so that holding a key down does not pile readings up. What has
// failed is not read again by itself.
func (m *Model) read() tea.Cmd {
	if !m.state.Created || m.reading || m.failed && !m.stale || m.openErr != nil || m.quit {
		return nil
	}

	screen, stale := m.screen(), m.stale
	if stale {
		screen.Refresh(m.state)
	}
	lacking := screen.Needs(m.state)
	if lacking == nil && !stale {
		return nil
	}

	m.reading, m.stale = true, false
	cmd := m.readingCmd(screen, lacking, stale)
	lister, ok := screen.(app.Lister)
	if !stale && ok && lister.List().Searching() {
		return cmd // keys don't wait for a search that goes on
	}
	return m.await(m.workOfReading(screen, stale), cmd)
}

// workOfReading returns the kind of a reading.
func (m *Model) workOfReading(screen app.Screen, stale bool) work {
	if stale {
		return factsWork
	}
	if screen.Typing() {
		return lightWork
	}
	if lister, ok := screen.(app.Lister); ok && !lister.List().Loading() {
		return lightWork // the rows are there, so it reads the detail of one
	}
	return otherWork
}

// readingCmd returns the command that reads what a screen lacks, and the facts
// if they are stale or older than the view.
func (m *Model) readingCmd(screen app.Screen, lacking app.Read, stale bool) tea.Cmd {
	engine, known := m.state.Engine, m.state.Facts
	actor, first := m.state.Actor, m.firstActor()
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
			if lacking != nil {
				msg.answer, err = lacking(v, facts)
			}
			return err
		})
		return msg
	}
}

// showRead puts on the screen what was read.
func (m *Model) showRead(msg readMsg) tea.Cmd {
	m.reading = false
	st := m.state
	if msg.engine != st.Engine || msg.facts != nil && msg.actor != st.Actor {
		m.stale = true // it was read for what was left meanwhile
		return nil
	}
	m.failed = msg.err != nil
	if msg.err != nil && msg.facts == nil {
		m.say(app.LevelBad, msg.err.Error())
	}
	if msg.facts != nil {
		st.Facts, st.Actor = *msg.facts, msg.facts.SeenBy
	}
	var cmds []tea.Cmd
	if slices.Contains(m.screens, msg.screen) {
		switch {
		case msg.err != nil:
			cmds = append(cmds, msg.screen.Update(st, app.ReadFailedMsg{Err: msg.err}))
		case msg.answer != nil:
			cmds = append(cmds, msg.screen.Update(st, msg.answer))
		}
	}
	if msg.facts != nil { // a form that is open looks again at what it would do now
		cmds = append(cmds, m.broadcast(app.FactsChangedMsg{}), m.checkLesson())
	}
	return tea.Batch(cmds...)
}

// deliver hands an answer to the one screen or dialog that asked, if it is there
// still and shows the engine that was asked.
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
