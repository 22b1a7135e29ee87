package ui

import (
	"errors"
	"fmt"
	"time"

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
		switch found := msg.Receipt.Difference; {
		case msg.Err != nil:
			return app.Say(app.LevelBad, msg.Err.Error())
		case found != nil:
			return m.differ(msg.Receipt.Node, *found)
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

// differ shows the first difference of the two contracts, and names the others.
func (m *Model) differ(at history.ID, found chain.Difference) tea.Cmd {
	m.clock.changed()
	said := app.Say(app.LevelWarn, fmt.Sprintf("#%d: the built-in contract does otherwise; C on it in the history shows how", at))
	if m.differs {
		return said
	}
	m.differs = true
	return tea.Batch(said, form.OpenDifference(m.state, fmt.Sprintf("at #%d", at), found))
}

func (m *Model) reportMove(msg app.MovedMsg) tea.Cmd {
	next := m.clock.moved(m.state, msg)
	if s := m.subject(); s.Account != "" && s.Account != m.clock.lost.Account {
		m.clock.lost = app.Subject{} // the person looks at somebody else
	}
	if msg.Err == nil && msg.Play == 0 {
		m.hush() // it was about the block before
	}
	switch {
	case errors.Is(msg.Err, chain.ErrNothingEnds), errors.Is(msg.Err, chain.ErrJustBefore):
		return tea.Batch(next, app.Say(app.LevelInfo, msg.Err.Error()))
	case msg.Err != nil:
		return tea.Batch(next, app.Say(app.LevelBad, msg.Err.Error()))
	case len(msg.Move.Expired) > 0:
		if m.state.Motion {
			m.flashes++
			m.state.Flash = msg.Move.Expired
			next = tea.Batch(next, m.clock.after(flashTime, flashedMsg(m.flashes)))
		}
		return tea.Batch(next, app.Say(app.LevelWarn, m.state.Expiries(msg.Move)))
	}
	return next
}

// flashTime is how long the rows of what expired stand out.
const flashTime = 700 * time.Millisecond

// flashedMsg says that the flash of a number is over.
type flashedMsg int

// say shows a notice at once. It stays until another takes its place, so that
// nothing is missed by looking away, and the log keeps it.
func (m *Model) say(l widget.Level, text string) {
	m.notes.Push(l, text, m.state.Now.Format("15:04:05"))
	m.fitDialogs()
}

// hush takes the notice away that is over.
func (m *Model) hush() {
	m.notes.Hush()
	m.fitDialogs()
}
