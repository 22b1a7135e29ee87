package app

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/widget"
)

// These messages are the outcomes of writes. The explorer shows a notice about each, and
// hands it to every screen and dialog.
type (
	// ExecutedMsg is the outcome of a message to the contract.
	ExecutedMsg struct {
		From    any           // the form that sent the message; nil for none
		Receipt chain.Receipt // what the contract did, or why it refused the message
		Err     error         // why the message could not be executed; nil if it was
		// NewAccounts were added to the address book before the message was sent.
		NewAccounts []chain.Account
	}
	// MovedMsg is the outcome of a move of the clock.
	MovedMsg struct {
		Move chain.Move
		Err  error
		// PlayNumber is 0 for a move that the user made with a key. Otherwise the clock
		// moved by itself, and PlayNumber is the number of that play.
		PlayNumber int
	}
	// UndoRedoMsg is the outcome of undo, redo, or a jump over the history.
	UndoRedoMsg struct {
		Verb   string           // begins the notice about an undo or redo, such as "undid"
		Walked chain.WalkResult // the nodes of the history that were undone or done again
		Node   history.ID       // the node that a jump went to; 0 for undo and redo
		Err    error
	}
	// ChangedMsg is the outcome of any other change, in one sentence.
	ChangedMsg struct {
		Text string
		Err  error
	}
)

// Queue runs the writes to the engine one after the other, in the order in which they were
// added. Bubbletea runs commands at the same time, so without the queue, the effects of two
// keys that are pressed quickly could come in the wrong order.
type Queue struct {
	waiting []func() tea.Msg // the writes that wait, in their order
	isBusy  bool             // a write is under way
}

// DoneMsg says that a write is done, and brings its outcome. The explorer drops the outcome
// if another engine is shown by now.
type DoneMsg struct {
	Engine Engine
	Msg    tea.Msg
}

// Write adds a write to the queue. It must be called in Update, where the order is certain.
// If no other write is under way, it returns the command that starts this one, and the
// caller must run that command. Otherwise it returns nil.
//
// While the session is locked, write gets an engine that refuses to change the chain.
func (st *State) Write(write func(Engine) tea.Msg) tea.Cmd {
	engine := st.Engine
	permittedEngine := st.permittedEngine()
	return st.Queue.Add(func() tea.Msg {
		return DoneMsg{Engine: engine, Msg: write(permittedEngine)}
	})
}

// permittedEngine returns the engine of the session, or a [lockedEngine] while it is locked.
func (st *State) permittedEngine() Engine {
	if reason := st.LockReason(); reason != nil {
		return lockedEngine{Engine: st.Engine, reason: reason}
	}
	return st.Engine
}

// LockReason returns the reason why the session is locked; nil if it is not. Then nothing on the
// chain may be changed, and the user may not see what a change would do.
func (st *State) LockReason() error {
	if st.CheckLock == nil {
		return nil
	}
	return st.CheckLock()
}

// Add is [State.Write] for a write that has its engine already.
func (q *Queue) Add(write func() tea.Msg) tea.Cmd {
	q.waiting = append(q.waiting, write)
	if q.isBusy {
		return nil
	}
	return q.Next()
}

// Next returns the next write as a command that the caller must run; nil if none waits. It
// must be called when the previous write is done.
func (q *Queue) Next() tea.Cmd {
	q.isBusy = len(q.waiting) > 0
	if !q.isBusy {
		return nil
	}
	next := q.waiting[0]
	q.waiting = q.waiting[1:]
	return next
}

// ExecuteAs adds a write to the queue that adds the new accounts of the state to the address
// book, and then sends a message to the contract. The outcome is an [ExecutedMsg] whose From is
// form, the form that the message comes from; nil for none.
func ExecuteAs(state *State, form any, sender cw721.Address, msg []byte) tea.Cmd {
	return execute(state, form, state.NewAccounts, func(engine Engine) (chain.Receipt, error) {
		return engine.Execute(sender, msg)
	})
}

// ExecuteInBatch is [ExecuteAs] for one message of a batch, whose messages one undo takes back
// together. batch is the node of the batch's first message in the history, and 0 for that
// message itself, before which the new accounts are added.
func ExecuteInBatch(state *State, form any, batch history.ID, sender cw721.Address, msg []byte) tea.Cmd {
	var newAccounts []chain.Account
	if batch == 0 {
		newAccounts = state.NewAccounts
	}
	return execute(state, form, newAccounts, func(engine Engine) (chain.Receipt, error) {
		return engine.ExecuteInBatch(batch, sender, msg)
	})
}

// execute adds a write to the queue that adds new accounts to the address book, and then sends
// a message with send.
func execute(
	state *State,
	form any,
	newAccounts []chain.Account,
	send func(Engine) (chain.Receipt, error),
) tea.Cmd {
	return state.Write(func(engine Engine) tea.Msg {
		for _, account := range newAccounts {
			if _, err := engine.AddAccount(account.Name, account.Address, account.Receiver); err != nil {
				return ExecutedMsg{From: form, Err: err}
			}
		}
		receipt, err := send(engine)
		return ExecutedMsg{From: form, Receipt: receipt, Err: err, NewAccounts: newAccounts}
	})
}

// NoPlay is the number of the play for a move that the user made with a key.
const NoPlay = 0

// Advance adds a move of the clock to the write queue. play is the number of the play if the
// clock moves by itself; otherwise [NoPlay]. The outcome is a [MovedMsg].
func Advance(state *State, step chain.ClockStep, play int) tea.Cmd {
	return state.Write(func(engine Engine) tea.Msg {
		move, err := engine.Advance(step)
		return MovedMsg{Move: move, Err: err, PlayNumber: play}
	})
}

// Walk adds an undo or a redo to the write queue. verb begins the notice about it, such as
// "undid". The outcome is an [UndoRedoMsg].
func Walk(state *State, verb string, walk func(Engine) (chain.WalkResult, error)) tea.Cmd {
	return state.Write(func(engine Engine) tea.Msg {
		walked, err := walk(engine)
		return UndoRedoMsg{Verb: verb, Walked: walked, Err: err}
	})
}

// GotoNode adds a jump to a node of the history, on any branch, to the write queue.
func GotoNode(state *State, node history.ID) tea.Cmd {
	return state.Write(func(engine Engine) tea.Msg {
		walked, err := engine.Goto(fmt.Sprint(node))
		return UndoRedoMsg{Walked: walked, Node: node, Err: err}
	})
}

// Change adds any other change to the write queue. The outcome is a [ChangedMsg] with text.
func Change(state *State, text string, change func(Engine) error) tea.Cmd {
	return state.Write(func(engine Engine) tea.Msg {
		return ChangedMsg{Text: text, Err: change(engine)}
	})
}

// CloseEngine adds the closing of an engine to the write queue, behind the writes that still
// need the engine. If closing fails, a notice says why.
func CloseEngine(state *State, engine Engine) tea.Cmd {
	return state.Queue.Add(func() tea.Msg {
		if err := engine.Close(); err != nil {
			return DoneMsg{Msg: NoticeMsg{Level: LevelBad, Text: err.Error()}}
		}
		return DoneMsg{}
	})
}

// Summary describes in a few words what a message did, or why it was refused. A long
// token id is shortened.
func (st *State) Summary(receipt chain.Receipt) string {
	if refusal := receipt.Refusal; refusal != nil {
		reason := st.RefusalText(refusal.Kind, refusal.Text)
		return fmt.Sprintf("%s was refused: %s", messageNameIn(receipt.Message), reason)
	}

	msg, _, err := st.Config.Contract().DecodeExecute(receipt.Message, nil)
	if err != nil {
		return "done: " + string(receipt.Message)
	}
	if tokenID := cw721.SubjectOf(msg).TokenID; tokenID != nil {
		*tokenID = widget.Shorten(*tokenID, shortTokenWidth)
	}
	return explain.DescribeMessage(msg, receipt.Sender, st.DisplayName).Outcome
}
