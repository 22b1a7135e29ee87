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

// report shows a notice about the outcome of a write.
func (m *Model) report(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.ExecutedMsg:
		return m.reportMessage(msg)
	case app.MovedMsg:
		return m.reportMove(msg)
	case app.WalkedMsg:
		m.reportWalk(msg)
	case app.ChangedMsg:
		m.reportChange(msg)
	}
	return nil
}

func (m *Model) reportMessage(msg app.ExecutedMsg) tea.Cmd {
	if _, isBatch := msg.From.(*form.Batch); isBatch {
		return nil // a batch reports all its messages together, at its end
	}
	difference := msg.Receipt.Difference
	switch {
	case msg.Err != nil:
		m.say(app.LevelBad, msg.Err.Error())
	case difference != nil:
		return m.differ(msg.Receipt.Node, *difference)
	case msg.Receipt.Refusal != nil:
		m.say(app.LevelBad, m.state.Summary(msg.Receipt))
	default:
		m.clock.changed()
		m.say(app.LevelGood, m.state.Summary(msg.Receipt))
	}
	return nil
}

// reportWalk reports undo, redo, or a jump over the history.
func (m *Model) reportWalk(msg app.WalkedMsg) {
	switch {
	case errors.Is(msg.Err, history.ErrNothingToUndo):
		m.say(app.LevelInfo, "there is nothing to undo; what came before is the set-up")
		return
	case errors.Is(msg.Err, history.ErrNothingToRedo):
		m.say(app.LevelInfo, msg.Err.Error())
		return
	case msg.Err != nil:
		m.say(app.LevelBad, msg.Err.Error())
		return
	}

	m.clock.pause()
	m.clock.changed()
	if msg.Node != 0 {
		m.say(app.LevelGood, m.state.Arrived(msg))
		return
	}
	m.say(app.LevelGood, msg.Verb+" "+m.state.Nodes(msg.Walked.Nodes))
}

func (m *Model) reportChange(msg app.ChangedMsg) {
	if msg.Err != nil {
		m.say(app.LevelBad, msg.Err.Error())
		return
	}
	m.say(app.LevelGood, msg.Text)
}

// differ shows the first difference of the two contracts, and names the others.
func (m *Model) differ(at history.ID, found chain.Difference) tea.Cmd {
	m.clock.changed()
	m.say(app.LevelWarn, fmt.Sprintf("#%d: the built-in contract does otherwise; C on it in the history shows how", at))
	if m.differs {
		return nil
	}
	m.differs = true
	return form.OpenDifference(m.state, fmt.Sprintf("at #%d", at), found)
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
	case errors.Is(msg.Err, chain.ErrNothingExpires), errors.Is(msg.Err, chain.ErrJustBefore):
		m.say(app.LevelInfo, msg.Err.Error())
	case msg.Err != nil:
		m.say(app.LevelBad, msg.Err.Error())
	case len(msg.Move.Expired) > 0:
		if !m.state.NoMotion {
			m.flashes++
			m.state.Flash = msg.Move.Expired
			next = tea.Batch(next, app.After(flashTime, flashedMsg(m.flashes)))
		}
		m.say(app.LevelWarn, m.state.Expiries(msg.Move))
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
