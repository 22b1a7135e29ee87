package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// keyTarget is what gets the keys: the top dialog, or else the screen.
type keyTarget struct {
	dialog   app.Dialog           // nil if none is open
	screen   app.Screen           // nil if no collection is shown
	commands func() []app.Command // everything that can be done while no dialog is open
}

// isTyping reports whether letters go to a text field.
func (t keyTarget) isTyping() bool {
	if t.dialog != nil {
		typist, ok := t.dialog.(app.Typist)
		return ok && typist.Typing()
	}
	return t.screen != nil && t.screen.Typing()
}

// list returns the list of the dialog or the screen; nil if it has none.
func (t keyTarget) list() *widget.Table {
	var part any = t.dialog
	if part == nil {
		part = t.screen
	}
	if lister, ok := part.(app.Lister); ok {
		return lister.List()
	}
	return nil
}

// split divides a message in which the terminal brings several letters into one for each,
// because each letter can be a command. That is so in dialogs too, some of which have no
// field. Only a text field of the screen takes the letters as a whole.
func (t keyTarget) split(msg tea.KeyMsg) []tea.KeyMsg {
	if t.dialog == nil && t.isTyping() {
		return []tea.KeyMsg{msg}
	}
	return term.Split(msg)
}

// work returns the kind of work that a key starts, which decides what the next key waits for.
// Text in a field and moves in a list whose rows are there start only light work.
func (t keyTarget) work(msg tea.KeyMsg) workKind {
	if t.isTyping() {
		switch msg.Type {
		case tea.KeyRunes, tea.KeySpace, tea.KeyBackspace, tea.KeyDelete:
			return lightWork
		}
		return blockingWork
	}
	list := t.list()
	if list != nil && list.Len() > 0 && !list.Loading() && key.Matches(msg, list.Keys.Moves()...) {
		return lightWork
	}
	return blockingWork
}

// onlyQueuesWrite reports whether a key only adds a write to the queue, such as a move of the
// clock, undo or redo. Such a key need not wait for a reading.
func (t keyTarget) onlyQueuesWrite(msg tea.KeyMsg) bool {
	if t.dialog != nil || t.screen == nil || t.isTyping() {
		return false
	}
	command, found := app.FindCommand(t.commands(), msg)
	return found && command.QueuedWrite
}
