package ui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
)

// reportOutcome shows a notice about the outcome of a write: a message to the contract, a
// move of the clock, an undo, a redo or a jump in the history, or another change.
func (m *Model) reportOutcome(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.ExecutedMsg:
		m.reportMessage(msg)
	case app.MovedMsg:
		return m.reportMove(msg)
	case app.UndoRedoMsg:
		if m.notices.showError(m.state, msg.Err) {
			return nil
		}
		m.clock.reset()
		text := m.state.JumpText(msg)
		if msg.Node == 0 { // undo and redo name no node
			text = msg.Verb + " " + m.state.NodesText(msg.Walked.Nodes)
		}
		m.notices.show(m.state, app.LevelGood, text)
	case app.ChangedMsg:
		if !m.notices.showError(m.state, msg.Err) {
			m.notices.show(m.state, app.LevelGood, msg.Text)
		}
	}
	return nil
}

// reportMessage shows what a message to the contract did, why the contract refused it, or the
// error that kept it from being executed. If a compiled contract runs and the built-in one
// would have acted differently, the notice is about the difference.
func (m *Model) reportMessage(msg app.ExecutedMsg) {
	state := m.state
	for _, account := range msg.NewAccounts { // the facts that name them are read after the notice
		state.Names[account.Address] = account.Name
	}
	if _, isBatch := msg.From.(*form.Batch); isBatch {
		return // a batch reports all its messages together, at its end
	}
	if m.notices.showError(state, msg.Err) {
		return
	}

	switch {
	case msg.Receipt.Difference != nil:
		m.clock.forgetExpired()
		const format = "#%d: the built-in contract differs; History shows both answers"
		m.notices.show(state, app.LevelWarn, fmt.Sprintf(format, msg.Receipt.Node))
	case msg.Receipt.Refusal != nil:
		m.notices.show(state, app.LevelBad, state.Summary(msg.Receipt))
	default:
		m.clock.forgetExpired()
		m.notices.show(state, app.LevelGood, state.Summary(msg.Receipt))
	}
}

// reportMove names the grants that expired in a move of the clock, and highlights their rows
// for a moment. If nothing expired, the present notice, which is about an earlier block, is
// removed. While the clock moves by itself, it stays, so that it can be read.
func (m *Model) reportMove(msg app.MovedMsg) tea.Cmd {
	cmd := m.clock.applyMove(m.state, msg)
	switch {
	case m.notices.showError(m.state, msg.Err):
		return cmd
	case len(msg.Move.Expired) > 0:
		m.notices.show(m.state, app.LevelWarn, m.clock.expiredText)
		return tea.Batch(cmd, m.clock.startFlash(m.state, msg.Move))
	case msg.PlayNumber == app.NoPlay:
		m.notices.log.Dismiss()
	}
	return cmd
}
