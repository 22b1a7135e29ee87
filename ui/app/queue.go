package app

import (
	tea "github.com/charmbracelet/bubbletea"
)

// Queue runs what writes to the engine one after the other, in the order in
// which it was asked for. Commands of bubbletea run side by side, so two keys
// pressed quickly could otherwise happen in the wrong order.
type Queue struct {
	waiting []func() tea.Msg
	busy    bool
}

// DoneMsg says that a write is done, with its message, which is for nobody once
// another engine is shown.
type DoneMsg struct {
	Engine Engine
	Msg    tea.Msg
}

// Write puts a write into the queue. It is called in Update, where there is an
// order, and not in a command, where there is none. The command that it gives
// must be run: it is what starts the write, where nothing else runs.
func (st *State) Write(do func(Engine) tea.Msg) tea.Cmd {
	engine := st.Engine
	return st.Queue.Add(func() tea.Msg { return DoneMsg{engine, do(engine)} })
}

// Add takes a write in and starts it when nothing else runs.
func (q *Queue) Add(do func() tea.Msg) tea.Cmd {
	q.waiting = append(q.waiting, do)
	if q.busy {
		return nil
	}
	return q.Next()
}

// Next starts the first of those that wait.
func (q *Queue) Next() tea.Cmd {
	if len(q.waiting) == 0 {
		q.busy = false
		return nil
	}
	do := q.waiting[0]
	q.waiting, q.busy = q.waiting[1:], true
	return do
}
