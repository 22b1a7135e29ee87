package ui

import (
	"errors"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// report says what became of a write.
func (m *Model) report(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.ExecutedMsg:
		if _, many := msg.From.(*form.Batch); many {
			return nil // it says itself, at the end, what became of all
		}
		switch {
		case msg.Err != nil:
			return app.Say(app.LevelBad, msg.Err.Error())
		case msg.Receipt.Refusal != nil:
			return app.Say(app.LevelBad, m.state.Summary(msg.Receipt))
		}
		m.clock.changed()
		return app.Say(app.LevelGood, m.state.Summary(msg.Receipt))
	case app.MovedMsg:
		return m.reportMove(msg)
	case app.WalkedMsg:
		switch {
		case errors.Is(msg.Err, history.ErrNothingToUndo):
			return app.Say(app.LevelInfo, "there is nothing to undo; what came before is the set-up")
		case errors.Is(msg.Err, history.ErrNothingToRedo):
			return app.Say(app.LevelInfo, msg.Err.Error())
		case msg.Err != nil:
			return app.Say(app.LevelBad, msg.Err.Error())
		}
		m.clock.pause()
		m.clock.changed()
		if msg.Node != 0 {
			return app.Say(app.LevelGood, m.state.Arrived(msg))
		}
		return app.Say(app.LevelGood, msg.Verb+" "+m.state.Nodes(msg.Walked.Nodes))
	case app.ChangedMsg:
		if msg.Err != nil {
			return app.Say(app.LevelBad, msg.Err.Error())
		}
		return app.Say(app.LevelGood, msg.Text)
	}
	return nil
}

func (m *Model) reportMove(msg app.MovedMsg) tea.Cmd {
	next := m.clock.moved(m.state, msg)
	if s := m.subject(); s.Account != "" && s.Account != m.clock.lost.Account {
		m.clock.lost = app.Subject{} // the person looks at somebody else
	}
	if n, ok := m.notes.Current(); ok && msg.Err == nil && msg.Play == 0 {
		m.hush(n) // it was about the block before
	}
	switch {
	case errors.Is(msg.Err, chain.ErrNothingEnds), errors.Is(msg.Err, chain.ErrJustBefore):
		return tea.Batch(next, app.Say(app.LevelInfo, msg.Err.Error()))
	case msg.Err != nil:
		return tea.Batch(next, app.Say(app.LevelBad, msg.Err.Error()))
	case len(msg.Move.Expired) > 0:
		return tea.Batch(next, app.Say(app.LevelWarn, m.state.Endings(msg.Move)))
	}
	return next
}

// say shows a notice at once. It stays until another takes its place, so that
// nothing is missed by looking away, and the log keeps it.
func (m *Model) say(l widget.Level, text string) {
	m.notes.Push(l, text, m.state.Now.Format("15:04:05"))
	m.fitDialogs()
}

// hush takes a notice away that is over.
func (m *Model) hush(n widget.Note) {
	m.notes.Expire(n.ID)
	m.fitDialogs()
}
