package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/ui/app"
)

// Keys that arrive while the explorer is busy wait, in the order in which they
// were typed. On a slow line "t", "bob" and enter arrive together, and "b" must
// reach the form that "t" opens.
//
// Every command that Update returns is counted. A command is under way
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

// workKind is a kind of command that is under way. It decides which typed keys wait until the
// command is done.
type workKind int

const (
	// lightWork reads what a typed text needs, or the details of a row.
	lightWork workKind = iota
	// factsWork reads the facts, which all screens share. The keys of the clock, undo and redo
	// don't wait for it, because they only add writes to the queue, which keeps them in order.
	factsWork
	// blockingWork is everything else.
	blockingWork
)

// workDoneMsg reports that the program has taken the message of a command.
type workDoneMsg workKind

// stillWaitingMsg arrives some time after a key began to wait. It holds the number of keys
// that had been pressed when the wait began. If that number has not changed, the key still
// waits.
type stillWaitingMsg int

const (
	// maxTypedAhead is the largest number of keys that wait. Further keys are lost.
	maxTypedAhead = 1000
	// waitBeforeNotice is how long keys wait before a notice says that they do.
	waitBeforeNotice = time.Second
)

// keyQueue holds the typed keys that wait until a command is done, and counts the commands
// that are under way.
type keyQueue struct {
	waiting           []tea.KeyMsg          // in the order in which they were typed
	runningCounts     [blockingWork + 1]int // how many commands are under way, by their kind
	pressCount        int                   // the number of keys that were pressed
	isNoticeScheduled bool                  // a [stillWaitingMsg] will come for the first waiting key
}

// await lets keys wait for a command. It counts the command as under way, and returns the
// command to run in its place, which reports when the program has taken its message. It
// returns nil if cmd is nil.
func (q *keyQueue) await(kind workKind, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	q.runningCounts[kind]++
	return tea.Sequence(cmd, func() tea.Msg { return workDoneMsg(kind) })
}

// workDone takes the report that a command is done. It returns false if no key waits.
func (q *keyQueue) workDone(msg workDoneMsg) (hasKeys bool) {
	q.runningCounts[msg]--
	return len(q.waiting) > 0
}

// add lets a key wait for its turn.
func (q *keyQueue) add(key tea.KeyMsg) {
	if len(q.waiting) < maxTypedAhead {
		q.waiting = append(q.waiting, key)
	}
}

// drop forgets the keys that wait.
func (q *keyQueue) drop() { q.waiting = nil }

// next takes the first key that need not wait any longer. target is what will get it. ok is
// false if no key waits, or if the first one must wait on.
func (q *keyQueue) next(target keyTarget) (key tea.KeyMsg, ok bool) {
	if len(q.waiting) == 0 || q.runningCounts[blockingWork] > 0 {
		return tea.KeyMsg{}, false
	}
	q.waiting = append(target.split(q.waiting[0]), q.waiting[1:]...)
	key = q.waiting[0]
	mustWait := q.runningCounts[factsWork] > 0 ||
		q.runningCounts[lightWork] > 0 && target.work(key) == blockingWork
	if mustWait && !target.onlyQueuesWrite(key) {
		return tea.KeyMsg{}, false
	}
	q.waiting = q.waiting[1:]
	q.pressCount++
	q.isNoticeScheduled = false
	return key, true
}

// scheduleNotice returns the command that asks, after [waitBeforeNotice], whether the first
// typed key still waits. It returns nil if no key waits, or if that is scheduled already.
func (q *keyQueue) scheduleNotice() tea.Cmd {
	if len(q.waiting) == 0 || q.isNoticeScheduled {
		return nil
	}
	q.isNoticeScheduled = true
	return app.After(waitBeforeNotice, stillWaitingMsg(q.pressCount))
}

// stillWaits reports whether no key was pressed since msg was scheduled.
func (q *keyQueue) stillWaits(msg stillWaitingMsg) bool {
	return int(msg) == q.pressCount && len(q.waiting) > 0
}
