package app

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// The outcomes of writes. The root shows them, and every screen and dialog
// hears of them.
type (
	// ExecutedMsg says what became of a message. from tells who asked, so
	// that a form knows its own.
	ExecutedMsg struct {
		From    any
		Receipt chain.Receipt
		Err     error
	}
	// MovedMsg says where the clock went.
	MovedMsg struct {
		Move chain.Move
		Err  error
		Play int // the play that the tick belongs to; 0 for a key
	}
	// WalkedMsg says where undo, redo or a jump over the history went.
	WalkedMsg struct {
		Verb   string
		Walked chain.Walked
		Node   history.ID // where a jump went; 0 for undo and redo
		Err    error
	}
	// ChangedMsg says that something else changed, in one sentence.
	ChangedMsg struct {
		Text string
		Err  error
	}
)

// Execute sends a message as the actor.
func Execute(st *State, from any, msg []byte) tea.Cmd { return ExecuteAs(st, from, st.Actor, msg) }

// ExecuteAs sends a message as somebody.
func ExecuteAs(st *State, from any, actor cw721.Address, msg []byte) tea.Cmd {
	return st.Write(func(engine Engine) tea.Msg {
		r, err := engine.Execute(actor, msg)
		return ExecutedMsg{from, r, err}
	})
}

// Advance moves the clock.
func Advance(st *State, step chain.ClockStep, play int) tea.Cmd {
	return st.Write(func(engine Engine) tea.Msg {
		m, err := engine.Advance(step)
		return MovedMsg{m, err, play}
	})
}

// Subject is what the one message was about that a walk undid or did again, and who
// sent it: the selection of a list follows it. It is empty for any other walk.
func (m WalkedMsg) Subject(st *State) (Subject, cw721.Address) {
	if m.Err != nil || len(m.Walked.Nodes) != 1 {
		return Subject{}, ""
	}
	n := m.Walked.Nodes[0]
	s := st.Words().About([]byte(n.Message))
	s.Action = ActionOf([]byte(n.Message))
	return s, n.Sender
}

// Walk moves over the history.
func Walk(st *State, verb string, do func(Engine) (chain.Walked, error)) tea.Cmd {
	return st.Write(func(engine Engine) tea.Msg {
		w, err := do(engine)
		return WalkedMsg{Verb: verb, Walked: w, Err: err}
	})
}

// Change does anything else that writes.
func Change(st *State, text string, do func(Engine) error) tea.Cmd {
	return st.Write(func(engine Engine) tea.Msg { return ChangedMsg{text, do(engine)} })
}

// Summary says in a few words what a message did.
func (st *State) Summary(r chain.Receipt) string {
	name := actionName(r.Message)
	if r.Refusal != nil {
		return fmt.Sprintf("%s was refused: %s", name, r.Refusal.Text)
	}
	attrs := map[string]string{}
	for _, a := range r.Response.Attributes {
		attrs[a.Key] = a.Value
	}
	who := func(key string) string { return st.DisplayName(cw721.Address(attrs[key])) }
	token := Brief(attrs["token_id"])
	switch name {
	case "transfer_nft", "send_nft":
		return fmt.Sprintf("%s went to %s", token, who("recipient"))
	case "approve":
		return fmt.Sprintf("approved %s for %s", who("spender"), token)
	case "revoke":
		return fmt.Sprintf("revoked the approval for %s on %s", who("spender"), token)
	case "approve_all":
		return fmt.Sprintf("%s is an operator of %s now", who("operator"), st.DisplayName(r.Sender))
	case "revoke_all":
		return fmt.Sprintf("%s is no longer an operator of %s", who("operator"), st.DisplayName(r.Sender))
	case "mint":
		return fmt.Sprintf("minted %s for %s", token, who("owner"))
	case "burn":
		return fmt.Sprintf("burned %s", token)
	}
	return "done: " + st.Words().Message(r.Message)
}

// GotoNode goes to a moment, on whatever branch.
func GotoNode(st *State, id history.ID) tea.Cmd {
	return st.Write(func(e Engine) tea.Msg {
		w, err := e.Goto(fmt.Sprint(id))
		return WalkedMsg{Walked: w, Node: id, Err: err}
	})
}

// CloseEngine closes a chain behind what still writes to it.
func CloseEngine(st *State, e Engine) tea.Cmd {
	return st.Queue.Add(func() tea.Msg {
		if err := e.Close(); err != nil {
			return DoneMsg{nil, NoticeMsg{LevelBad, err.Error()}}
		}
		return DoneMsg{}
	})
}

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
