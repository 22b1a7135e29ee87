package ui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/form"
)

// pressMsg asks the [Model] to press a key at once, before the keys that wait. The help
// sends it for the key that the user chose from its list.
type pressMsg tea.KeyMsg

// receiveKey takes a key from the terminal. ctrl+c quits or asks, and ctrl+z suspends the
// program, at once. While the database is being opened, q quits at once too. Every other key
// joins the keys that wait. Then receiveKey presses all of them that need not wait any longer.
func (m *Model) receiveKey(msg tea.KeyMsg) tea.Cmd {
	switch pressed := msg.String(); {
	case pressed == "q" && m.isOpening && len(m.keys.waiting) == 0:
		return m.quit()
	case pressed == "ctrl+c":
		return m.interrupt()
	case pressed == "ctrl+z":
		return tea.Suspend
	}
	m.keys.add(msg)
	return m.pressWaiting()
}

// pressWaiting presses the waiting keys in the order in which they were typed. It stops at a
// key that must wait for a command that is under way. That can be a command that the key
// before has just started. All keys wait until the size of the terminal is known. If keys
// remain, it schedules a notice that they wait.
func (m *Model) pressWaiting() tea.Cmd {
	var cmds []tea.Cmd
	for m.isSizeKnown() {
		key, ok := m.keys.next(m.target())
		if !ok {
			break
		}
		cmds = append(cmds, m.press(key))
		m.fit()
		cmds = append(cmds, m.readMissing())
	}
	return tea.Batch(append(cmds, m.keys.scheduleNotice())...)
}

// press carries out one key. While a dialog is open, the top one gets the key. Otherwise the
// key goes to the text field of the screen if that has the focus, or else to pressOnScreen.
// The next keys wait for the work that the key starts.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	m.isWelcoming = false
	target := m.target()
	switch {
	case target.dialog != nil:
		return m.pressInDialog(target, msg)
	case target.screen == nil:
		return m.keys.await(blockingWork, m.pressWithoutCollection(msg))
	case target.isTyping():
		kind := target.work(msg)
		return m.keys.await(kind, target.screen.Update(m.state, msg))
	case msg.Paste:
		// A paste is meant for a text field.
		return nil
	}
	return m.pressOnScreen(target, msg)
}

// removedKeys has the keys of commands that are gone, and what to use instead.
var removedKeys = map[string]string{
	"l": "l is gone: L opens the timeline, which has the grants of every mark",
	"C": "C is gone: the detail of a step in History has both answers where they differ",
}

// pressOnScreen carries out the command that has a key. If no command has the key, it hands
// the key to the screen. If the command is disabled, or gone, it shows a notice with the
// reason.
func (m *Model) pressOnScreen(target keyTarget, msg tea.KeyMsg) tea.Cmd {
	commands := m.Commands()
	if command, found := app.FindCommand(commands, msg); found {
		m.notices.end(m.clock.expiredText)
		return m.keys.await(blockingWork, command.Do())
	}

	// Drop the keys that were typed after the key of a disabled command, because they were
	// meant for what it would have opened.
	if reason := app.DisabledReason(commands, msg); reason != "" {
		m.keys.drop()
		m.notices.show(m.state, app.LevelInfo, reason)
		return nil
	}
	if text, isRemoved := removedKeys[msg.String()]; isRemoved {
		m.notices.show(m.state, app.LevelInfo, text)
		return nil
	}
	return m.keys.await(blockingWork, target.screen.Update(m.state, msg))
}

// pressInDialog hands a key to the top dialog. A key of help opens the help for the dialog
// instead: f1, and also "?" unless a text field has the focus.
func (m *Model) pressInDialog(target keyTarget, msg tea.KeyMsg) tea.Cmd {
	top := target.dialog
	commands := top.Commands(m.state)
	_, isHelp := top.(*help)
	asksForHelp := msg.String() == "f1" || msg.String() == "?" && !target.isTyping()
	if asksForHelp && !isHelp {
		m.openDialog(newHelp(commands))
		return nil
	}

	// After a key that closes the dialog, all other keys wait until its work is done,
	// because it may open something else.
	kind := target.work(msg)
	if _, isBound := app.FindCommand(commands, msg); isBound || msg.Type == tea.KeyEnter {
		m.notices.end(m.clock.expiredText)
	}
	cmd, done := m.dialogs.update(m.state, top, msg)
	if done {
		kind = blockingWork
	}
	return m.keys.await(kind, cmd)
}

// pressWithoutCollection carries out a key while the database is being opened, or after
// that has failed: q quits, and r tries to open it again, which helps if another program had
// the database open and has closed it meanwhile.
func (m *Model) pressWithoutCollection(msg tea.KeyMsg) tea.Cmd {
	switch {
	case msg.String() == "q":
		return m.quit()
	case msg.String() == "r" && m.openErr != nil && !m.isOpening:
		m.isOpening = true
		return openCommand(m.state.Open)
	}
	return nil
}

// quitQuestion is the question whether to quit the program.
type quitQuestion struct{ *form.ConfirmDialog }

// askToQuit quits the program. If that loses something, it first asks the user.
func (m *Model) askToQuit() tea.Cmd {
	text := m.textBeforeQuitting()
	if text == "" {
		return m.quit()
	}
	text += " ctrl+c again quits."
	m.openDialog(quitQuestion{form.NewConfirm("Quit", text, "Quit", m.quit)})
	return nil
}

// textBeforeQuitting says what quitting would lose: what was typed into a form or the console,
// the rest of a batch, or a collection in memory. During a lesson it says how to leave only the
// lesson. It is empty if there is nothing to say.
func (m *Model) textBeforeQuitting() string {
	session := m.ownSession()
	switch {
	case slices.ContainsFunc(m.dialogs.open, hasInput), slices.ContainsFunc(m.screens.all, hasInput):
		return "Quitting loses what you typed or have not sent yet."
	case session.InMemory && session.CanUndo:
		return "This collection is only in memory: quitting loses what you did here."
	case m.own != nil:
		return "This quits the whole program, not only the lesson. Q leaves the lesson. Your progress is saved."
	}
	return ""
}

// hasInput reports whether a dialog or a screen has what would be lost with it.
func hasInput[T any](part T) bool {
	holder, ok := any(part).(interface{ HasInput() bool })
	return ok && holder.HasInput()
}

// interrupt does what ctrl+c does, without waiting for anything: it quits, but asks first
// where q asks. While the question is open, it quits. The keys that wait were not meant for
// the question.
func (m *Model) interrupt() tea.Cmd {
	for _, dialog := range m.dialogs.open {
		if _, isQuestion := dialog.(quitQuestion); isQuestion {
			return m.quit()
		}
	}
	m.keys.drop()
	return m.askToQuit()
}
