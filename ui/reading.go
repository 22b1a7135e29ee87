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

// IsRead marks the message for tests that hold back what is read.
func (readMsg) IsRead() {}

// read gives the command that reads what is out of date, the facts and what the
// screen lacks, in one view; nil when nothing is. One is under way at a time, so
// that holding a key down does not pile readings up. What has failed is not tried
// again by itself.
func (m *Model) read() tea.Cmd {
	st := m.state
	if !st.Created || m.reading || m.failed && !m.stale || m.openErr != nil || m.quit {
		return nil
	}
	screen, stale := m.screen(), m.stale
	if stale {
		screen.Refresh(st)
	}
	lacks := screen.Needs(st)
	if lacks == nil && !stale {
		return nil
	}
	m.reading, m.stale = true, false
	engine, actor, first, known := st.Engine, st.Actor, m.firstActor(), st.Facts
	return func() tea.Msg {
		msg := readMsg{engine: engine, screen: screen, actor: actor}
		msg.err = engine.View(func(v *chain.View) (err error) {
			f := known
			if stale || v.Revision != known.Revision {
				if f, err = app.ReadFacts(v, actor, first); err != nil {
					return err
				}
				msg.facts = &f
			}
			if lacks != nil {
				msg.answer, err = lacks(v, f)
			}
			return err
		})
		return msg
	}
}

// took takes what was read, and lets the keys go that waited for it.
func (m *Model) took(msg readMsg) tea.Cmd {
	m.reading = false
	cmds := []tea.Cmd{m.showRead(msg), m.read()}
	if m.held && !(m.again && m.reading) {
		m.held = false
		cmds = append(cmds, m.keyDone())
	}
	m.again = false
	return tea.Batch(cmds...)
}

// showRead puts on the screen what was read.
func (m *Model) showRead(msg readMsg) tea.Cmd {
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
		cmds = append(cmds, m.broadcast(app.FactsMsg{}), m.checkLesson())
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

// hold lets the keys that follow wait for a command and for what the screen
// lacks then: they are meant for the rows that come.
func (m *Model) hold(cmd tea.Cmd) tea.Cmd {
	cmd = m.await(cmd)
	m.again = m.reading // what is under way was asked for before
	read := m.read()
	if m.reading && !m.held {
		m.held = true
		m.awaited++
	}
	return tea.Batch(cmd, read)
}
