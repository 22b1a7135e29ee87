package ui

import (
	"errors"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// notices has a log of all notices, which are short sentences about what was done, and knows
// which one is shown.
type notices struct {
	log widget.Notices
	// lastIDBeforeDialog is the ID of the notice that was shown when the top dialog opened. A
	// later notice is about the dialog, which must not cover it.
	lastIDBeforeDialog int
}

// show shows a sentence on the line between the screen and the clock, where it replaces the
// notice before. It also adds the sentence to the log, with the time of day.
func (n *notices) show(state *app.State, level widget.Level, text string) {
	n.log.Push(level, text, state.Now.Format("15:04:05"))
}

// showError shows the error of a write, and reports whether there was one. An error that only
// says that there was nothing to do, such as nothing to undo, is no failure.
func (n *notices) showError(state *app.State, err error) bool {
	switch {
	case err == nil:
		return false
	case errors.Is(err, history.ErrNothingToUndo):
		n.show(state, app.LevelInfo, "there is nothing to undo; what came before is the set-up")
	case errors.Is(err, history.ErrNothingToRedo),
		errors.Is(err, chain.ErrNothingExpires),
		errors.Is(err, chain.ErrJustBefore):
		n.show(state, app.LevelInfo, err.Error())
	default:
		n.show(state, app.LevelBad, err.Error())
	}
	return true
}

// end removes the notice that is shown before the user's next act. The news of what has
// expired stays until the clock moves or something else is said.
func (n *notices) end(news string) {
	if notice, isShown := n.log.Current(); isShown && notice.Text != news {
		n.log.Dismiss()
	}
}

// dialogOpened lets the new dialog cover the notice that is shown, which is not about it.
func (n *notices) dialogOpened() {
	if notice, ok := n.log.Current(); ok {
		n.lastIDBeforeDialog = notice.ID
	}
}

// aboutDialog returns the notice that is shown if it came after the top dialog was opened.
func (n *notices) aboutDialog() (notice widget.Notice, ok bool) {
	notice, isShown := n.log.Current()
	return notice, isShown && notice.ID > n.lastIDBeforeDialog
}
