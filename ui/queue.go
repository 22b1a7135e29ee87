package ui

import tea "github.com/charmbracelet/bubbletea"

// queue runs what writes to the engine one after the other, in the order in
// which it was asked for. Commands of bubbletea run side by side, so two keys
// pressed quickly could otherwise happen in the wrong order.
type queue struct {
	waiting []func() tea.Msg
	busy    bool
}

// doneMsg says that a write is done, with its message, which is for nobody once
// another engine is shown.
type doneMsg struct {
	engine Engine
	msg    tea.Msg
}

// write puts a write into the queue. It is called in Update, where there is an
// order, and not in a command, where there is none. The command that it gives
// must be run: it is what starts the write, where nothing else runs.
func (d *Desk) write(do func(Engine) tea.Msg) tea.Cmd {
	engine := d.Engine
	return d.queue.add(func() tea.Msg { return doneMsg{engine, do(engine)} })
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
	return do
}
