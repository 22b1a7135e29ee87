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

// notices holds the notices, which are short sentences about what was done. It has a log of
// all notices, and knows which one is shown.
type notices struct {
	widget.Notices
	// lastIDBeforeDialog is the ID of the notice that was shown when the top dialog opened. A
	// later notice is about the dialog.
	lastIDBeforeDialog int
}

// showNotice shows a sentence on the line between the screen and the clock, where it
// replaces the notice before. It also adds the sentence to the log, with the time of day.
func (m *Model) showNotice(level widget.Level, text string) {
	m.notices.Push(level, text, m.state.Now.Format("15:04:05"))
	m.fitDialogs()
}

// hideNotice removes the notice that is shown. The log keeps it.
func (m *Model) hideNotice() {
	m.notices.Dismiss()
	m.fitDialogs()
}

// endNotice removes the notice that is shown before the user's next act. The news of what has
// expired stays until the clock moves or something else is said.
func (m *Model) endNotice() {
	if notice, isShown := m.notices.Current(); isShown && notice.Text != m.clock.expiredText {
		m.hideNotice()
	}
}

// noticeInDialog returns the notice that is shown if it is about the top dialog, which means
// that it came after the dialog was opened. ok is false if there is no such notice.
func (m *Model) noticeInDialog() (notice widget.Notice, ok bool) {
	notice, isShown := m.notices.Current()
	isAfterOpening := notice.ID > m.notices.lastIDBeforeDialog
	return notice, isShown && len(m.dialogs) > 0 && isAfterOpening
}

// reportOutcome shows a notice about the outcome of a write: a message to the contract, a
// move of the clock, an undo, a redo or a jump in the history, or another change.
func (m *Model) reportOutcome(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.ExecutedMsg:
		m.reportMessage(msg)
	case app.MovedMsg:
		return m.reportMove(msg)
	case app.UndoRedoMsg:
		m.reportWalk(msg)
	case app.ChangedMsg:
		if !m.reportError(msg.Err) {
			m.showNotice(app.LevelGood, msg.Text)
		}
	}
	return nil
}

// reportError shows a notice about the error of a write, and reports whether there was an
// error. An error that only says that there was nothing to do, such as nothing to undo, is
// shown as information and not as a failure.
func (m *Model) reportError(err error) bool {
	switch {
	case err == nil:
		return false
	case errors.Is(err, history.ErrNothingToUndo):
		m.showNotice(app.LevelInfo, "there is nothing to undo; what came before is the set-up")
	case errors.Is(err, history.ErrNothingToRedo),
		errors.Is(err, chain.ErrNothingExpires),
		errors.Is(err, chain.ErrJustBefore):
		m.showNotice(app.LevelInfo, err.Error())
	default:
		m.showNotice(app.LevelBad, err.Error())
	}
	return true
}

// reportMessage shows a notice about a message to the contract: what it did, why the
// contract refused it, or the error that kept it from being executed. If a compiled
// contract runs and the built-in contract would have acted differently, the notice is about
// the difference.
func (m *Model) reportMessage(msg app.ExecutedMsg) {
	for _, account := range msg.NewAccounts { // the facts that name them are read after the notice
		m.state.Names[account.Address] = account.Name
	}
	if _, isBatch := msg.From.(*form.Batch); isBatch {
		return // a batch reports all its messages together, at its end
	}
	if m.reportError(msg.Err) {
		return
	}

	switch {
	case msg.Receipt.Difference != nil:
		m.clock.forgetExpired()
		text := "#%d: the built-in contract differs; History shows both answers"
		m.showNotice(app.LevelWarn, fmt.Sprintf(text, msg.Receipt.Node))
	case msg.Receipt.Refusal != nil:
		m.showNotice(app.LevelBad, m.state.Summary(msg.Receipt))
	default:
		m.clock.forgetExpired()
		m.showNotice(app.LevelGood, m.state.Summary(msg.Receipt))
	}
}

// reportWalk shows a notice about an undo, a redo, or a jump to another node of the history.
// Unless that failed, it also pauses the clock and forgets what expired before.
func (m *Model) reportWalk(msg app.UndoRedoMsg) {
	if m.reportError(msg.Err) {
		return
	}

	m.clock.pause()
	m.clock.forgetExpired()
	if msg.Node != 0 { // a jump; undo and redo name no node
		m.showNotice(app.LevelGood, m.state.JumpText(msg))
		return
	}
	m.showNotice(app.LevelGood, msg.Verb+" "+m.state.NodesText(msg.Walked.Nodes))
}

// reportMove shows a notice about the grants that expired in a move of the clock, and
// highlights their rows for a moment. If nothing expired, there is nothing to say, and the
// present notice, which is about an earlier block, is removed. While the clock moves by
// itself, the present notice stays, so that it can be read.
func (m *Model) reportMove(msg app.MovedMsg) tea.Cmd {
	cmd := m.clock.applyMove(m.state, msg)
	if m.reportError(msg.Err) {
		return cmd
	}

	if msg.PlayNumber == app.NoPlay {
		m.hideNotice()
	}
	if len(msg.Move.Expired) > 0 {
		m.showNotice(app.LevelWarn, m.state.ExpiredText(msg.Move))
		return tea.Batch(cmd, m.startFlash(msg.Move))
	}
	return cmd
}

// flashTime is how long the rows of grants that have just expired are highlighted.
const flashTime = 700 * time.Millisecond

// flashOverMsg says that the time of a flash is over. A flash highlights the rows of grants
// that have just expired. The message holds the number of the flash, so that it does not end
// a later one.
type flashOverMsg int

// startFlash highlights the rows of the grants that expired in a move of the clock. It
// returns the command that ends this after [flashTime]. If the user chose that nothing on
// the screen moves, it does nothing.
func (m *Model) startFlash(move chain.Move) tea.Cmd {
	if m.state.NoMotion {
		return nil
	}
	m.flashCount++
	m.state.Flash = move.Expired
	return app.After(flashTime, flashOverMsg(m.flashCount))
}

// endFlash ends a flash unless a later one has begun.
func (m *Model) endFlash(msg flashOverMsg) {
	if int(msg) == m.flashCount {
		m.state.Flash = nil
	}
}
