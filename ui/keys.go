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
//	blockingWork   wait                     wait                wait
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

// workKind is a kind of command that is under way, such as reading. The kind decides
// which typed keys wait until the command is done.
type workKind int

// The kinds of work that can be under way. Each says which typed keys wait until it is done.
const (
	// lightWork reads what a typed text needs, or the details of a row. Text in a field and
	// moves in a list don't wait for it, and neither do the keys of the clock, undo and redo.
	lightWork workKind = iota
	// factsWork reads the facts, which all screens share. Only the keys of the clock, undo
	// and redo don't wait for it, because they only add writes to the queue, which keeps
	// them in order.
	factsWork
	// blockingWork is everything else. All keys wait for it.
	blockingWork
)

// workDoneMsg reports that the program has taken the message of a command.
type workDoneMsg workKind

// pressMsg asks the [Model] to press a key at once, before the keys that wait. The help
// sends it for the key that the user chose from its list.
type pressMsg tea.KeyMsg

// stillWaitingMsg arrives some time after a key began to wait. It holds the number of keys
// that had been pressed when the wait began. If that number has not changed, the key still
// waits.
type stillWaitingMsg int

// The limits for keys that are typed while a command is under way, and wait for it.
const (
	// maxTypedAhead is the largest number of keys that wait. Further keys are lost.
	maxTypedAhead = 1000
	// waitBeforeNotice is how long keys wait before a notice says that they do.
	waitBeforeNotice = time.Second
)

// typedKeys holds the typed keys that are not pressed yet, because they wait until a command
// is done, such as a reading of the database. It also counts these commands.
type typedKeys struct {
	waiting       []tea.KeyMsg          // the keys that wait, in the order in which they were typed
	runningCounts [blockingWork + 1]int // how many commands are under way, by their kind of work
	// pressCount counts the keys that were pressed. If it has not changed
	// after a while, the first waiting key has waited all that time, and a notice says so.
	pressCount int
	// isNoticeScheduled is set if such a notice was scheduled since the last key was pressed.
	isNoticeScheduled bool
}

// holdKeysUntilDone lets keys wait for a command. It counts the command as under way, and
// returns the command to run in its place, which reports when the Model has handled its
// message. It returns nil if cmd is nil.
func (m *Model) holdKeysUntilDone(kind workKind, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	m.keys.runningCounts[kind]++
	reportDone := func() tea.Msg { return workDoneMsg(kind) }
	return tea.Sequence(cmd, reportDone)
}

// receiveKey takes a key from the terminal. ctrl+c quits or asks, and ctrl+z suspends the
// program, at once. While the database is being opened, q quits at once too. Every other key
// joins the keys that wait. Then receiveKey presses all of them that need not wait any longer.
func (m *Model) receiveKey(msg tea.KeyMsg) tea.Cmd {
	pressed := msg.String()
	isQuitKey := pressed == "q" && m.isOpening && len(m.keys.waiting) == 0
	switch {
	case isQuitKey:
		return m.quit()
	case pressed == "ctrl+c":
		return m.interrupt()
	case pressed == "ctrl+z":
		return tea.Suspend
	}
	if len(m.keys.waiting) < maxTypedAhead {
		m.keys.waiting = append(m.keys.waiting, msg)
	}
	return m.pressWaiting()
}

// pressWaiting presses the waiting keys in the order in which they were typed. It stops at a
// key that must wait for a command that is under way. That can be a command that the key
// before has just started. If keys remain, it schedules a notice that they wait.
func (m *Model) pressWaiting() tea.Cmd {
	var cmds []tea.Cmd
	for len(m.keys.waiting) > 0 && m.keys.runningCounts[blockingWork] == 0 {
		m.splitFirstWaiting()
		firstKey := m.keys.waiting[0]
		if m.mustWait(firstKey) {
			break
		}
		m.keys.waiting = m.keys.waiting[1:]
		m.keys.pressCount++
		m.keys.isNoticeScheduled = false
		cmds = append(cmds, m.press(firstKey), m.readMissing())
	}
	cmds = append(cmds, m.scheduleWaitNotice())
	return tea.Batch(cmds...)
}

// splitFirstWaiting looks at the first waiting key message. The terminal can bring several
// letters in one message. Unless a text field of the screen takes them as a whole,
// splitFirstWaiting replaces the message by one for each letter, because each letter can be
// a command. That is so in dialogs too, some of which have no field.
func (m *Model) splitFirstWaiting() {
	if len(m.dialogs) == 0 && m.isTyping() {
		return
	}
	split := term.Split(m.keys.waiting[0])
	m.keys.waiting = append(split, m.keys.waiting[1:]...)
}

// mustWait reports whether a key must wait for a reading that is under way. The caller has
// checked that no other kind of work is under way, for which all keys wait.
func (m *Model) mustWait(msg tea.KeyMsg) bool {
	switch {
	case m.isQueuedWrite(msg):
		return false
	case m.keys.runningCounts[factsWork] > 0:
		return true
	case m.keys.runningCounts[lightWork] > 0:
		return m.workOfKey(msg) == blockingWork
	}
	return false
}

// scheduleWaitNotice returns the command that checks, after [waitBeforeNotice], whether the
// first typed key still waits for a command. It returns nil if no key waits, or if the check
// is scheduled already.
func (m *Model) scheduleWaitNotice() tea.Cmd {
	if len(m.keys.waiting) == 0 || m.keys.isNoticeScheduled {
		return nil
	}
	m.keys.isNoticeScheduled = true
	return app.After(waitBeforeNotice, stillWaitingMsg(m.keys.pressCount))
}

// showWaitNotice shows a notice that the typed keys wait for the database, if no key was
// pressed since msg was scheduled.
func (m *Model) showWaitNotice(msg stillWaitingMsg) {
	if int(msg) == m.keys.pressCount && len(m.keys.waiting) > 0 {
		m.showNotice(app.LevelInfo, "the keys wait until the database has answered")
	}
}

// isTextForField reports whether a key is text for the field that has the focus.
func (m *Model) isTextForField(msg tea.KeyMsg) bool {
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace, tea.KeyBackspace, tea.KeyDelete:
		return m.isTyping()
	}
	return false
}

// isTyping reports whether letters go to a text field: of the top dialog, or of the screen
// if no dialog is open.
func (m *Model) isTyping() bool {
	if top := m.topDialog(); top != nil {
		typist, ok := top.(app.Typist)
		return ok && typist.Typing()
	}
	return m.state.HasCollection() && m.screen().Typing()
}

// movesInList reports whether a key moves the cursor in a list whose rows are there already.
func (m *Model) movesInList(msg tea.KeyMsg) bool {
	list := m.listInFront()
	if m.isTyping() || list == nil {
		return false
	}
	hasRows := list.Len() > 0 && !list.Loading()
	return hasRows && key.Matches(msg, list.Keys.Moves()...)
}

// listInFront returns the list of the top dialog, or of the screen if no dialog is open. It
// returns nil if the dialog or screen has no list.
func (m *Model) listInFront() *widget.Table {
	var inFront any = m.topDialog()
	if inFront == nil && m.state.HasCollection() {
		inFront = m.screen()
	}
	if lister, ok := inFront.(app.Lister); ok {
		return lister.List()
	}
	return nil
}

// isQueuedWrite reports whether a key only adds a write to the queue, such as a move of the
// clock, undo or redo. Such a key need not wait for a reading.
func (m *Model) isQueuedWrite(msg tea.KeyMsg) bool {
	if len(m.dialogs) > 0 || !m.state.HasCollection() || m.isTyping() {
		return false
	}
	command, found := app.FindCommand(m.Commands(), msg)
	return found && command.QueuedWrite
}

// press carries out one key. While a dialog is open, the top one gets the key. Otherwise the
// key goes to the text field of the screen if that has the focus, or else to pressOnScreen.
// The next keys wait for the work that the key starts.
func (m *Model) press(msg tea.KeyMsg) tea.Cmd {
	m.isWelcoming = false
	top := m.topDialog()
	switch {
	case top != nil:
		return m.pressInDialog(top, msg)
	case !m.state.HasCollection():
		return m.holdKeysUntilDone(blockingWork, m.pressWithoutCollection(msg))
	case m.screen().Typing():
		kind := m.workOfKey(msg)
		return m.holdKeysUntilDone(kind, m.screen().Update(m.state, msg))
	case msg.Paste:
		// A paste is meant for a text field.
		return nil
	}
	return m.pressOnScreen(msg)
}

// removedKeys has the keys of commands that are gone, and what to use instead.
var removedKeys = map[string]string{
	"l": "l is gone: L opens the timeline, which has the grants of every mark",
	"C": "C is gone: the detail of a step in History has both answers where they differ",
}

// pressOnScreen carries out the command that has a key. If no command has the key, it hands
// the key to the screen. If the command is disabled, or gone, it shows a notice with the
// reason.
func (m *Model) pressOnScreen(msg tea.KeyMsg) tea.Cmd {
	commands := m.Commands()
	command, found := app.FindCommand(commands, msg)
	if found {
		m.endNotice()
		return m.holdKeysUntilDone(blockingWork, command.Do())
	}

	// Drop the keys that were typed after the key of a disabled command, because they were
	// meant for what it would have opened.
	if reason := app.DisabledReason(commands, msg); reason != "" {
		m.keys.waiting = nil
		m.showNotice(app.LevelInfo, reason)
		return nil
	}
	if text, isRemoved := removedKeys[msg.String()]; isRemoved {
		m.showNotice(app.LevelInfo, text)
		return nil
	}
	return m.holdKeysUntilDone(blockingWork, m.screen().Update(m.state, msg))
}

// workOfKey returns the kind of work that a key starts, which decides what the next key
// waits for. Text in a field and moves in a list start only light work, so that the next
// letter or move does not wait.
func (m *Model) workOfKey(msg tea.KeyMsg) workKind {
	if m.isTextForField(msg) || m.movesInList(msg) {
		return lightWork
	}
	return blockingWork
}

// pressInDialog hands a key to the top dialog. A key of help opens the help for the dialog
// instead: f1, and also "?" unless a text field has the focus.
func (m *Model) pressInDialog(top app.Dialog, msg tea.KeyMsg) tea.Cmd {
	_, isHelp := top.(*help)
	isQuestionMark := msg.String() == "?" && !m.isTyping()
	asksForHelp := isQuestionMark || msg.String() == "f1"
	if asksForHelp && !isHelp {
		m.pushDialog(newHelp(top.Commands(m.state)))
		return nil
	}

	// After a key that closes the dialog, all other keys wait until its work is done,
	// because it may open something else.
	kind := m.workOfKey(msg)
	if _, isBound := app.FindCommand(top.Commands(m.state), msg); isBound || msg.Type == tea.KeyEnter {
		m.endNotice()
	}
	cmd, done := m.updateDialog(top, msg)
	if done {
		return m.holdKeysUntilDone(blockingWork, cmd)
	}
	return m.holdKeysUntilDone(kind, cmd)
}

// pressWithoutCollection carries out a key while the database is being opened, or after
// that has failed: q quits, and r tries to open it again.
func (m *Model) pressWithoutCollection(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "q":
		return m.quit()
	case "r":
		return m.retryOpening()
	}
	return nil
}
