package ui

import (
	"fmt"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

func uitoa(n uint64) string { return strconv.FormatUint(n, 10) }

// The outcomes of writes. The root shows them, and every screen and dialog
// hears of them.
type (
	// executedMsg says what became of a message. from tells who asked, so
	// that a form knows its own.
	executedMsg struct {
		from    any
		receipt chain.Receipt
		err     error
	}
	// movedMsg says where the clock went.
	movedMsg struct {
		move chain.Move
		err  error
		play int // the play that the tick belongs to; 0 for a key
	}
	// walkedMsg says where undo, redo or a jump over the history went.
	walkedMsg struct {
		verb   string
		walked chain.Walked
		node   history.ID // where a jump went; 0 for undo and redo
		err    error
	}
	// changedMsg says that something else changed, in one sentence.
	changedMsg struct {
		text string
		err  error
	}
)

// execute sends a message as the actor.
func execute(d *Desk, from any, msg []byte) tea.Cmd { return executeAs(d, from, d.Actor, msg) }

// executeAs sends a message as somebody.
func executeAs(d *Desk, from any, actor cw721.Address, msg []byte) tea.Cmd {
	return d.write(func(engine Engine) tea.Msg {
		r, err := engine.Execute(actor, msg)
		return executedMsg{from, r, err}
	})
}

// advance moves the clock.
func advance(d *Desk, step chain.Step, play int) tea.Cmd {
	return d.write(func(engine Engine) tea.Msg {
		m, err := engine.Advance(step)
		return movedMsg{m, err, play}
	})
}

// walk moves over the history.
func walk(d *Desk, verb string, do func(Engine) (chain.Walked, error)) tea.Cmd {
	return d.write(func(engine Engine) tea.Msg {
		w, err := do(engine)
		return walkedMsg{verb: verb, walked: w, err: err}
	})
}

// change does anything else that writes.
func change(d *Desk, text string, do func(Engine) error) tea.Cmd {
	return d.write(func(engine Engine) tea.Msg { return changedMsg{text, do(engine)} })
}

// summary says in a few words what a message did.
func (d *Desk) summary(r chain.Receipt) string {
	name := actionName(r.Message)
	if r.Refusal != nil {
		return fmt.Sprintf("%s was refused: %s", name, r.Refusal.Text)
	}
	attrs := map[string]string{}
	for _, a := range r.Response.Attributes {
		attrs[a.Key] = a.Value
	}
	who := func(key string) string { return d.Call(cw721.Address(attrs[key])) }
	token := brief(attrs["token_id"])
	switch name {
	case "transfer_nft", "send_nft":
		return fmt.Sprintf("%s went to %s", token, who("recipient"))
	case "approve":
		return fmt.Sprintf("approved %s for %s", who("spender"), token)
	case "revoke":
		return fmt.Sprintf("revoked the approval for %s on %s", who("spender"), token)
	case "approve_all":
		return fmt.Sprintf("%s is an operator of %s now", who("operator"), d.Call(r.Sender))
	case "revoke_all":
		return fmt.Sprintf("%s is no longer an operator of %s", who("operator"), d.Call(r.Sender))
	case "mint":
		return fmt.Sprintf("minted %s for %s", token, who("owner"))
	case "burn":
		return fmt.Sprintf("burned %s", token)
	}
	return "done: " + d.words().execute(r.Message)
}

// actionName gives the name of a message, as far as its text shows one.
func actionName(msg []byte) string {
	for i := 0; i < len(msg); i++ {
		if msg[i] != '"' {
			continue
		}
		for j := i + 1; j < len(msg); j++ {
			if msg[j] == '"' {
				return string(msg[i+1 : j])
			}
		}
	}
	return "message"
}
