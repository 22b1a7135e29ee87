package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/start"
)

// openCommand returns the command that opens an engine, which is a chain in a database or in
// memory. Its message brings the engine, or the error if that failed.
func openCommand(openEngine openFunc) tea.Cmd {
	return func() tea.Msg {
		engine, err := openEngine()
		return app.OpenedMsg{Engine: engine, Err: err}
	}
}

// showOpened shows the collection of an engine that was opened. If the engine has no
// collection yet, it shows the welcome instead. If another engine was shown before, it
// returns the command that closes that one. If opening has failed, it only keeps the error,
// which is drawn in place of a screen.
func (m *Model) showOpened(msg app.OpenedMsg) tea.Cmd {
	m.isOpening = false
	m.openErr = msg.Err
	if msg.Err != nil {
		return nil
	}

	// The engine can be the one that is shown already, if a collection was created in it.
	previousEngine := m.state.Engine
	isOtherEngine := previousEngine != msg.Engine
	_, hasCollection := msg.Engine.Config()
	m.state.Session = app.Session{
		Engine:    msg.Engine,
		Created:   hasCollection,
		Actor:     msg.Actor,
		ActsFirst: m.state.FirstActor,
		InMemory:  m.state.MemoryOnly || msg.InMemory,
	}
	m.clock.forgetExpired()
	if !hasCollection {
		m.openDialog(&start.Welcome{})
		return nil
	}

	// Show new screens, which read what they need.
	m.dialogs.closeAll() // the welcome, and the forms that were opened from it
	m.screens = newScreens(m.book, m.screens.hiddenColumns())
	m.reading.hasStaleFacts = true
	m.isWelcoming = m.state.Demo || msg.InMemory && isOtherEngine // it is the demo
	if m.isWelcoming {
		m.notices.show(m.state, app.LevelInfo, "made up and in memory, so try any key")
	}
	if previousEngine != nil && isOtherEngine {
		return app.CloseEngine(m.state, previousEngine)
	}
	return nil
}

// showOther shows a chain, such as that of a lesson, with screens of its own. It puts the
// user's own collection aside, or closes the chain that was shown in its place before.
func (m *Model) showOther(msg app.PlayMsg) tea.Cmd {
	var closePrevious tea.Cmd
	if m.own == nil {
		m.own = &ownCollection{session: m.state.Session, screens: m.screens}
	} else {
		closePrevious = app.CloseEngine(m.state, m.state.Engine)
	}
	m.dialogs.closeAll()
	m.screens = newScreens(m.book, m.screens.hiddenColumns())
	m.clock.reset()
	m.state.Session = msg.Session
	m.reading.hasStaleFacts = true
	return tea.Batch(closePrevious, msg.Then())
}

// showOwn goes back to the user's own collection. If the user has none, the welcome opens.
func (m *Model) showOwn(msg app.LeaveMsg) tea.Cmd {
	if m.own == nil {
		return nil
	}
	closePrevious := app.CloseEngine(m.state, m.state.Engine)
	msg.Then()
	m.dialogs.closeAll()
	m.state.Session = m.own.session
	m.screens = m.own.screens
	m.own = nil
	m.clock.reset()
	if !m.state.HasCollection() {
		m.openDialog(&start.Welcome{})
		return closePrevious
	}
	m.notices.show(m.state, app.LevelInfo, "back in your own collection")
	m.reading.hasStaleFacts = true
	return closePrevious
}

// ownCollection keeps the user's own collection and its screens while a lesson shows a chain
// of its own in their place.
type ownCollection struct {
	session app.Session
	screens screenSet
}

// ownSession returns the session of the user's own collection. While a lesson is played,
// that is not the session that is shown.
func (m *Model) ownSession() app.Session {
	if m.own != nil {
		return m.own.session
	}
	return m.state.Session
}
