package app

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

// These messages are the outcomes of writes. The root reports them, and hands
// them to every screen and dialog.
type (
	// ExecutedMsg is the outcome of a message. From is the form that sent it; nil
	// for none.
	ExecutedMsg struct {
		From    any
		Receipt chain.Receipt
		Err     error
	}
	// MovedMsg is the outcome of a move of the clock.
	MovedMsg struct {
		Move chain.Move
		Err  error
		Play int // the number of the play that the tick belongs to; 0 for a key
	}
	// WalkedMsg is the outcome of undo, redo, or a jump over the history.
	WalkedMsg struct {
		Verb   string
		Walked chain.Walked
		Node   history.ID // the node that a jump went to; 0 for undo and redo
		Err    error
	}
	// ChangedMsg is the outcome of any other change, in one sentence.
	ChangedMsg struct {
		Text string
		Err  error
	}
)

// Queue runs the writes to the engine one after the other, in the order in which
// they were asked for. Bubbletea runs commands side by side, so without it two
// keys pressed quickly could change places.
type Queue struct {
	waiting []func() tea.Msg
	isBusy  bool
}

// DoneMsg says that a write is done, and brings its outcome. The outcome is
// dropped if another engine is shown.
type DoneMsg struct {
	Engine Engine
	Msg    tea.Msg
}

// Write adds a write to the queue. It must be called in Update, where there is an
// order. The returned command must be run: it starts the write if no other is
// under way; otherwise it is nil.
//
// While the session is locked, whatever would change the chain fails with the reason.
func (st *State) Write(do func(Engine) tea.Msg) tea.Cmd {
	engine := st.Engine
	permitted := st.permittedEngine()
	return st.Queue.Add(func() tea.Msg { return DoneMsg{Engine: engine, Msg: do(permitted)} })
}

// permittedEngine returns the engine of the session. While the session is locked, it is one
// that refuses to change the chain and to preview messages, with the reason of the lock.
func (st *State) permittedEngine() Engine {
	if reason := st.LockReason(); reason != nil {
		return lockedEngine{Engine: st.Engine, reason: reason}
	}
	return st.Engine
}

// LockReason returns why nothing on the chain may be changed for now, nor anything be asked
// that shows what a change would do; nil if everything may.
func (st *State) LockReason() error {
	if st.Locked == nil {
		return nil
	}
	return st.Locked()
}

// Add adds a write to the queue. It returns the write as a command to run now if no other
// is under way; otherwise nil, and Next returns the write when its turn comes.
func (q *Queue) Add(do func() tea.Msg) tea.Cmd {
	q.waiting = append(q.waiting, do)
	if q.isBusy {
		return nil
	}
	return q.Next()
}

// Next returns the next write as a command to run now; nil if none waits. It must be
// called when the write before is done.
func (q *Queue) Next() tea.Cmd {
	if len(q.waiting) == 0 {
		q.isBusy = false
		return nil
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	q.isBusy = true
	return next
}

// ExecuteAs adds a message of an account to the write queue. from is the form that sends
// it, nil for none; the outcome, an [ExecutedMsg], names it.
func ExecuteAs(st *State, from any, sender cw721.Address, msg []byte) tea.Cmd {
	return st.Write(func(e Engine) tea.Msg {
		receipt, err := e.Execute(sender, msg)
		return ExecutedMsg{From: from, Receipt: receipt, Err: err}
	})
}

// ExecuteInBatch adds a message of an account to the write queue that form sends as one of
// several. batch is the node of the first of them; for the first message it is 0. One undo
// takes all of them back. The outcome is an [ExecutedMsg] from form.
func ExecuteInBatch(st *State, form any, batch history.ID, sender cw721.Address, msg []byte) tea.Cmd {
	return st.Write(func(e Engine) tea.Msg {
		receipt, err := e.ExecuteInBatch(batch, sender, msg)
		return ExecutedMsg{From: form, Receipt: receipt, Err: err}
	})
}

// Advance adds a move of the clock to the write queue. The clock can play, that is move
// by itself; play is the number of the play that makes this move, 0 for a move that the
// user made by a key.
func Advance(st *State, step chain.ClockStep, play int) tea.Cmd {
	return st.Write(func(e Engine) tea.Msg {
		move, err := e.Advance(step)
		return MovedMsg{Move: move, Err: err, Play: play}
	})
}

// Walk adds an undo or redo to the write queue. verb begins the notice about it, such as
// "undid".
func Walk(st *State, verb string, do func(Engine) (chain.Walked, error)) tea.Cmd {
	return st.Write(func(e Engine) tea.Msg {
		walked, err := do(e)
		return WalkedMsg{Verb: verb, Walked: walked, Err: err}
	})
}

// GotoNode adds a jump to a node of the history, on any branch, to the write queue.
func GotoNode(st *State, id history.ID) tea.Cmd {
	return st.Write(func(e Engine) tea.Msg {
		walked, err := e.Goto(fmt.Sprint(id))
		return WalkedMsg{Walked: walked, Node: id, Err: err}
	})
}

// Change adds any other change, such as a new account, to the write queue. text is the
// notice after it.
func Change(st *State, text string, do func(Engine) error) tea.Cmd {
	return st.Write(func(e Engine) tea.Msg { return ChangedMsg{Text: text, Err: do(e)} })
}

// CloseEngine adds the closing of an engine to the write queue, behind the writes that
// still need the engine.
func CloseEngine(st *State, e Engine) tea.Cmd {
	return st.Queue.Add(func() tea.Msg {
		if err := e.Close(); err != nil {
			return DoneMsg{Msg: NoticeMsg{Level: LevelBad, Text: err.Error()}}
		}
		return DoneMsg{}
	})
}

// Subject returns what the message was about that a walk undid or did again, and
// its sender, so that the selection of a list can follow it. Both are empty for a
// walk over several nodes.
func (m WalkedMsg) Subject(st *State) (Subject, cw721.Address) {
	if m.Err != nil || len(m.Walked.Nodes) != 1 {
		return Subject{}, ""
	}
	node := m.Walked.Nodes[0]
	subject := st.Words().Subject([]byte(node.Message))
	subject.Action = ActionNameOf([]byte(node.Message))
	return subject, node.Sender
}

// Summary describes in a few words what a message did, or why it was refused. A long
// token id is shortened.
func (st *State) Summary(r chain.Receipt) string {
	if r.Refusal != nil {
		return fmt.Sprintf("%s was refused: %s", messageNameIn(r.Message), st.RefusalText(r.Refusal.Kind, r.Refusal.Text))
	}

	msg, _, err := st.Config.Contract().DecodeExecute(r.Message, nil)
	if err != nil {
		return "done: " + string(r.Message)
	}
	if tokenID := cw721.SubjectOf(msg).TokenID; tokenID != nil {
		*tokenID = ShortTokenName(*tokenID)
	}
	return explain.DescribeMessage(msg, r.Sender, st.DisplayName).Outcome
}
