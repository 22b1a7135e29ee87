package ui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
	"ephemera/ui/term"
	"ephemera/ui/widget"
)

// Keys that arrive while the explorer is busy wait, in the order in which they
// were typed. On a slow line "t", "bob" and enter arrive together, and "b" must
// reach the form that "t" opens.
//
// The root counts every command that Update returns. A command is under way
// until the program has taken its message; what that message starts is counted
// before the command is done. Keys wait by the kind of work that is under way:
//
//	               text, moving in a list   clock, undo, redo   other keys
//	lightWork      pass                     pass                wait
//	factsWork      wait                     pass                wait
//	otherWork      wait                     wait                wait
//
// Nothing waits for an [app.BackgroundMsg]. ctrl+c and ctrl+z never wait, nor
// does q while the database opens. A key that is refused drops the keys behind
// it: they were meant for what it would have opened.
//
// Four flags of the [Model] describe what is read. isOpening is set until the
// database is open. hasStaleFacts means that the facts may be out of date and must
// be read. isReading is set while a reading is under way; there is one at a time.
// hasReadFailed means that the last reading failed; nothing is read again until the
// user does something.

// work is a kind of command. It decides which keys wait for the command.
type work int

// The kinds of work. The table above says which keys wait for each of them.
const (
	// lightWork is reading what a typed text needs, or the detail of a row.
	lightWork work = iota
	// factsWork is reading the facts. The keys of the clock, undo and redo don't wait
	// for it, because they only add writes to the queue, which keeps them in order.
	factsWork
	// otherWork is everything else.
	otherWork
)

// workDoneMsg reports that the program has taken the message of a command.
type workDoneMsg work

// pressMsg asks the root to press a key at once, before the keys that wait. The help
// sends it for the key that the user chose from its list.
type pressMsg tea.KeyMsg

// stillWaitingMsg arrives some time after a key began to wait. It holds the count of
// keys pressed before.
type stillWaitingMsg int

// The bounds of keys that wait.
const (
	// maxTypedAhead bounds the messages that wait. What is typed beyond it is lost.
	maxTypedAhead = 1000
	// waitNotice is how long keys wait before a notice says so.
	waitNotice = time.Second
)

// typedKeys holds the keys that wait, and counts the commands that they wait for.
type typedKeys struct {
	waiting  []tea.KeyMsg       // in the order in which they were typed
	underWay [otherWork + 1]int // how many commands are under way, by their kind of work
	// pressCount counts the keys that were pressed, from 1. If it is the same after a while,
	// the first waiting key has waited all that time, and a notice says so.
	pressCount int
	// noticedCount is the pressCount at which such a notice was last scheduled. It keeps the
	// same wait from scheduling two.
	noticedCount int
}

// await counts a command as under way until the program has taken its message. It
// returns the command to run instead; nil for nil.
func (m *Model) await(kind work, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	m.keys.underWay[kind]++
	return tea.Sequence(cmd, func() tea.Msg { return workDoneMsg(kind) })
}

// receiveKey takes a key from the terminal. ctrl+c quits and ctrl+z suspends at once, and
// while the database opens q quits at once too. Every other key waits for its turn.
// receiveKey then presses the keys whose turn has come.
func (m *Model) receiveKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		return m.quit()
	case "ctrl+z":
		return tea.Suspend
	case "q":
		if m.isOpening && len(m.keys.waiting) == 0 {
			return m.quit()
		}
	}
	if len(m.keys.waiting) < maxTypedAhead {
		m.keys.waiting = append(m.keys.waiting, msg)
	}
	return m.pressWaiting()
}

// pressWaiting presses the waiting keys in the order in which they were typed, until one
// has to wait for a command that is under way, perhaps one that the key before it has
// started. If keys are left, it schedules a notice that they wait.
func (m *Model) pressWaiting() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.keys.waiting) > 0 && m.keys.underWay[otherWork] == 0 {
		m.splitFirstWaiting()
		first := m.keys.waiting[0]
		if m.mustWait(first) {
			break
		}
		m.keys.waiting = m.keys.waiting[1:]
		m.keys.pressCount++
		cmds = append(cmds, m.press(first), m.readMissing())
	}
	return tea.Batch(append(cmds, m.noticeIfWaiting())...)
}

// splitFirstWaiting replaces a message of several letters by one message for
// each letter, unless a text field takes it whole.
func (m *Model) splitFirstWaiting() {
	first := m.keys.waiting[0]
	if m.takesUnsplit(first) {
		return
	}
	m.keys.waiting = append(term.Split(first), m.keys.waiting[1:]...)
}

// takesUnsplit reports whether a message of several letters goes to a text field as
// it is. A dialog takes only a paste so, because its fields take letters one by one
// as well and some dialogs have no field.
func (m *Model) takesUnsplit(msg tea.KeyMsg) bool {
	if len(m.dialogs) > 0 {
		return msg.Paste
	}
	return m.isTyping()
}

// mustWait reports whether a key waits for the work that is under way, if none
// of it is otherWork.
func (m *Model) mustWait(msg tea.KeyMsg) bool {
	switch {
	case m.isQueuedWrite(msg):
		return false
	case m.keys.underWay[factsWork] > 0:
		return true
	case m.keys.underWay[lightWork] > 0:
		return !m.isText(msg) && !m.movesInList(msg)
	}
	return false
}

// noticeIfWaiting returns the command that checks after [waitNotice] whether the
// first key still waits. It is nil if no key waits or the check is scheduled already.
func (m *Model) noticeIfWaiting() tea.Cmd {
	if len(m.keys.waiting) == 0 || m.keys.noticedCount == m.keys.pressCount {
		return nil
	}
	m.keys.noticedCount = m.keys.pressCount
	return app.After(waitNotice, stillWaitingMsg(m.keys.pressCount))
}

// noticeStillWaiting shows a notice that the keys wait, if no key was pressed since
// msg was scheduled.
func (m *Model) noticeStillWaiting(msg stillWaitingMsg) {
	if int(msg) == m.keys.pressCount && len(m.keys.waiting) > 0 {
		m.showNotice(app.LevelInfo, "the keys wait until the database has answered")
	}
}

// isText reports whether a key is text for the field that has the focus.
func (m *Model) isText(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace, tea.KeyBackspace, tea.KeyDelete:
		return m.isTyping()
	}
	return false
}

// isTyping reports whether the top dialog, or else the screen, takes letters as
// text.
func (m *Model) isTyping() bool {
	if top := m.topDialog(); top != nil {
		typist, ok := top.(app.Typist)
		return ok && typist.Typing()
	}
	return m.state.HasCollection() && m.screen().Typing()
}

// movesInList reports whether a key moves in a list that has its rows.
func (m *Model) movesInList(msg tea.KeyMsg) bool {
	if m.isTyping() {
		return false
	}
	list := m.listInFront()
	return list != nil && list.Len() > 0 && !list.Loading() && key.Matches(msg, list.Keys.Moves()...)
}

// listInFront returns the list of the top dialog, or else of the screen; nil if
// it has none.
func (m *Model) listInFront() *widget.Table {
	var front any = m.topDialog()
	if front == nil && m.state.HasCollection() {
		front = m.screen()
	}
	if lister, ok := front.(app.Lister); ok {
		return lister.List()
	}
	return nil
}

// isQueuedWrite reports whether a key moves the clock or walks over the history.
func (m *Model) isQueuedWrite(msg tea.KeyMsg) bool {
	if len(m.dialogs) > 0 || !m.state.HasCollection() || m.isTyping() {
		return false
	}
	command, found := app.FindCommand(m.Commands(), msg)
	return found && command.QueuedWrite
}

// press hands one key to the top dialog, or else to the text field with the focus, a
// command or the screen. The work that it starts is counted before press returns.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	if msg.Paste && !m.takesUnsplit(msg) {
		return nil // a paste is meant for a field
	}
	if top := m.topDialog(); top != nil {
		return m.pressInDialog(top, msg)
	}
	if !m.state.HasCollection() {
		return m.await(otherWork, m.pressWithoutCollection(msg))
	}
	if screen := m.screen(); screen.Typing() {
		kind := m.workOfKey(msg)
		return m.await(kind, screen.Update(m.state, msg))
	}
	return m.pressOnScreen(msg)
}

// pressOnScreen carries out the command of a key, or hands the key to the screen if no
// command has it. If the command is disabled, a notice gives the reason, and the keys
// that wait are dropped, because they were meant for what this key would have opened.
func (m *Model) pressOnScreen(msg tea.KeyMsg) tea.Cmd {
	commands := m.Commands()
	command, found := app.FindCommand(commands, msg)
	if found {
		return m.await(otherWork, command.Do())
	}
	if why := app.DisabledReason(commands, msg); why != "" {
		m.keys.waiting = nil
		m.showNotice(app.LevelInfo, why)
		return nil
	}
	return m.await(otherWork, m.screen().Update(m.state, msg))
}

// workOfKey returns the kind of work that a key starts. It is lightWork for text in a field
// and for a move in a list: the next letter or move does not wait until that work is done.
func (m *Model) workOfKey(msg tea.KeyMsg) work {
	if m.isText(msg) || m.movesInList(msg) {
		return lightWork
	}
	return otherWork
}

// pressInDialog hands a key to the top dialog. The keys of help, f1 and outside of text
// fields "?", open the help of the dialog over it. If the key closes the dialog, all
// other keys wait until the work that it started is done.
func (m *Model) pressInDialog(top app.Dialog, msg tea.KeyMsg) tea.Cmd {
	_, isHelp := top.(*help)
	isHelpSign := msg.String() == "?" && !m.isTyping()
	asksForHelp := isHelpSign || msg.String() == "f1"
	if asksForHelp && !isHelp {
		m.pushDialog(newHelp(top.Commands(m.state)))
		return nil
	}

	kind := m.workOfKey(msg)
	cmd, done := m.updateDialog(top, msg)
	if done {
		kind = otherWork
	}
	return m.await(kind, cmd)
}

// pressWithoutCollection takes a key while there is nothing to show: the
// database opens, or could not be opened.
func (m *Model) pressWithoutCollection(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "q":
		return m.quit()
	case "r":
		return m.retryOpening()
	}
	return nil
}
