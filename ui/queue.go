package ui

import tea "github.com/charmbracelet/bubbletea"

// queue runs what writes to the engine one after the other, in the order in
// which it was asked for. Commands of bubbletea run side by side, so two keys
// pressed quickly could otherwise happen in the wrong order.
type queue struct {
	waiting []func() tea.Msg
	busy    bool
}

// writeMsg asks for a write; doneMsg says that one is done, with its message.
type (
	writeMsg struct{ do func() tea.Msg }
	doneMsg  struct{ msg tea.Msg }
)

// write gives the command that puts a write into the root's queue.
func write(do func() tea.Msg) tea.Cmd {
	return func() tea.Msg { return writeMsg{do} }
}

// add takes a write in and starts it when nothing else runs.
func (q *queue) add(do func() tea.Msg) tea.Cmd {
	q.waiting = append(q.waiting, do)
	if q.busy {
		return nil
	}
	return q.next()
}

// next starts the first of those that wait.
func (q *queue) next() tea.Cmd {
	if len(q.waiting) == 0 {
		q.busy = false
		return nil
	}
	do := q.waiting[0]
	q.waiting, q.busy = q.waiting[1:], true
	return func() tea.Msg { return doneMsg{do()} }
}
