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

// notices are what the explorer has said: the log, and the notice that is shown
// until another replaces it.
type notices struct {
	widget.Notes
	// lastBeforeDialog is the ID of the last notice before the top dialog opened.
	lastBeforeDialog int
}

// showNotice shows a sentence on the line between screen and clock, in place of the one
// before, and adds it to the log with the time of day.
func (m *Model) showNotice(level widget.Level, text string) {
	m.notices.Push(level, text, m.state.Now.Format("15:04:05"))
	m.fitDialogs()
}

// hideNotice removes the notice that is shown. The log keeps it.
func (m *Model) hideNotice() {
	m.notices.Dismiss()
	m.fitDialogs()
}

// noticeInDialog returns the notice that was shown after the top dialog opened.
// An earlier one is not about the dialog.
func (m *Model) noticeInDialog() (widget.Note, bool) {
	notice, ok := m.notices.Current()
	return notice, ok && len(m.dialogs) > 0 && notice.ID > m.notices.lastBeforeDialog
}

// report shows a notice about the outcome of a write: a message, a move of the clock, a
// walk over the history, or another change.
func (m *Model) report(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case app.ExecutedMsg:
		return m.reportMessage(msg)
	case app.MovedMsg:
		return m.reportMove(msg)
	case app.WalkedMsg:
		m.reportWalk(msg)
	case app.ChangedMsg:
		if !m.reportError(msg.Err) {
			m.showNotice(app.LevelGood, msg.Text)
		}
	}
	return nil
}

// reportError shows a notice about the error of a write, and reports whether there is one.
// That there was nothing to do is no failure.
func (m *Model) reportError(err error) bool {
	switch {
	case err == nil:
		return false
	case errors.Is(err, history.ErrNothingToUndo):
		m.showNotice(app.LevelInfo, "there is nothing to undo; what came before is the set-up")
	case errors.Is(err, history.ErrNothingToRedo), errors.Is(err, chain.ErrNothingExpires), errors.Is(err, chain.ErrJustBefore):
		m.showNotice(app.LevelInfo, err.Error())
	default:
		m.showNotice(app.LevelBad, err.Error())
	}
	return true
}

// reportMessage shows a notice about a message that was executed, refused by the
// contract, or not carried out because of an error. If a compiled contract runs and the
// built-in one would have acted differently, the notice is about that.
func (m *Model) reportMessage(msg app.ExecutedMsg) tea.Cmd {
	if _, isBatch := msg.From.(*form.Batch); isBatch {
		return nil // a batch reports all its messages together, at its end
	}
	if m.reportError(msg.Err) {
		return nil
	}

	switch {
	case msg.Receipt.Difference != nil:
		return m.reportDifference(msg.Receipt.Node, *msg.Receipt.Difference)
	case msg.Receipt.Refusal != nil:
		m.showNotice(app.LevelBad, m.state.Summary(msg.Receipt))
	default:
		m.clock.forgetExpired()
		m.showNotice(app.LevelGood, m.state.Summary(msg.Receipt))
	}
	return nil
}

// reportDifference reports that the built-in contract would have acted
// differently. The first time it also opens a dialog with the difference.
func (m *Model) reportDifference(at history.ID, found chain.Difference) tea.Cmd {
	m.clock.forgetExpired()
	m.showNotice(app.LevelWarn, fmt.Sprintf("#%d: the built-in contract differs; C on it in the history shows how", at))
	if m.hasShownDifference {
		return nil
	}
	m.hasShownDifference = true
	return form.OpenDifference(m.state, fmt.Sprintf("at #%d", at), found)
}

// reportWalk shows a notice about an undo, a redo, or a jump to another node of the
// history. If the chain has changed, it pauses the clock and forgets what expired
// before.
func (m *Model) reportWalk(msg app.WalkedMsg) {
	if m.reportError(msg.Err) {
		return
	}

	m.clock.pause()
	m.clock.forgetExpired()
	if msg.Node != 0 { // a jump; undo and redo have no target
		m.showNotice(app.LevelGood, m.state.Arrived(msg))
		return
	}
	m.showNotice(app.LevelGood, msg.Verb+" "+m.state.Nodes(msg.Walked.Nodes))
}

// reportMove shows a notice about the grants that expired in a move of the clock, and
// lets their rows flash. A move in which nothing expired has no notice; it removes the
// one that is shown, which was about the block before. While the clock plays (Play is
// not 0), the notice stays, so that it can be read.
func (m *Model) reportMove(msg app.MovedMsg) tea.Cmd {
	cmd := m.clock.applyMove(m.state, msg)
	if m.reportError(msg.Err) {
		return cmd
	}

	isPlaying := msg.Play != 0
	if !isPlaying {
		m.hideNotice() // the notice is about the block before
	}
	if len(msg.Move.Expired) > 0 {
		m.showNotice(app.LevelWarn, m.state.Expiries(msg.Move))
		return tea.Batch(cmd, m.startFlash(msg.Move))
	}
	return cmd
}

// flashTime is how long the rows of expired grants stand out.
const flashTime = 700 * time.Millisecond

// flashOverMsg says that the time of a flash is over. It holds the number of the flash,
// so that it does not end a later one.
type flashOverMsg int

// startFlash lets the rows of the grants that expired in a move stand out for
// [flashTime], unless the user chose no motion.
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
