package ui

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// report says what became of a write.
func (m *Model) report(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case executedMsg:
		if _, many := msg.from.(*batch); many {
			return nil // it says itself, at the end, what became of all
		}
		switch {
		case msg.err != nil:
			return say(levelBad, msg.err.Error())
		case msg.receipt.Refusal != nil:
			return say(levelBad, m.desk.summary(msg.receipt))
		}
		m.clock.changed()
		return say(levelGood, m.desk.summary(msg.receipt))
	case movedMsg:
		return m.reportMove(msg)
	case walkedMsg:
		switch {
		case errors.Is(msg.err, history.ErrNothingToUndo):
			return say(levelInfo, "there is nothing to undo; what came before is the set-up")
		case errors.Is(msg.err, history.ErrNothingToRedo):
			return say(levelInfo, msg.err.Error())
		case msg.err != nil:
			return say(levelBad, msg.err.Error())
		}
		m.clock.pause()
		m.clock.changed()
		if msg.node != 0 {
			return say(levelGood, m.desk.arrived(msg))
		}
		return say(levelGood, msg.verb+" "+m.desk.nodes(msg.walked.Nodes))
	case changedMsg:
		if msg.err != nil {
			return say(levelBad, msg.err.Error())
		}
		return say(levelGood, msg.text)
	}
	return nil
}

func (m *Model) reportMove(msg movedMsg) tea.Cmd {
	next := m.clock.moved(m.desk, msg)
	if s := m.subject(); s.Account != "" && s.Account != m.clock.lost.Account {
		m.clock.lost = Subject{} // the person looks at somebody else
	}
	if n, ok := m.notes.Current(); ok && msg.err == nil && msg.play == 0 {
		m.hush(n) // it was about the block before
	}
	switch {
	case errors.Is(msg.err, chain.ErrNothingEnds), errors.Is(msg.err, chain.ErrJustBefore):
		return tea.Batch(next, say(levelInfo, msg.err.Error()))
	case msg.err != nil:
		return tea.Batch(next, say(levelBad, msg.err.Error()))
	case len(msg.move.Ended) > 0:
		return tea.Batch(next, say(levelWarn, m.desk.endings(msg.move)))
	}
	return next
}

// endings names what ended and who lost what.
func (d *Desk) endings(m chain.Move) string {
	const named = 2
	var parts []string
	for _, e := range m.Ended[:min(named, len(m.Ended))] {
		parts = append(parts, d.losing(e))
	}
	if more := len(m.Ended) - named; more > 0 {
		plus := ""
		if m.EndedMore {
			plus = "+"
		}
		parts = append(parts, fmt.Sprintf("and %d%s more", more, plus))
	}
	return strings.Join(parts, "; ")
}

// losing says what the end of one grant took from whom.
func (d *Desk) losing(e expiry.Entry) string {
	spender := d.Call(e.Spender)
	switch e.Kind {
	case cw721.GrantApproval:
		return fmt.Sprintf("%s's approval on %s is over", spender, brief(e.Token))
	case cw721.GrantOperator:
		return fmt.Sprintf("%s is no longer an operator of %s", spender, d.Call(e.Owner))
	}
	return fmt.Sprintf("the %s to %s has lapsed", e.Kind, spender)
}

// gain says what a grant is, in a few words: "ape-0042 → bob".
func (d *Desk) gain(e expiry.Entry) string {
	switch e.Kind {
	case cw721.GrantApproval:
		return brief(e.Token) + " → " + d.Call(e.Spender)
	case cw721.GrantOperator:
		return d.Call(e.Owner) + " → " + d.Call(e.Spender) + " (operator)"
	}
	return string(e.Kind) + " → " + d.Call(e.Spender)
}

// nodes says what a walk over the history went over.
func (d *Desk) nodes(nodes []history.Node) string {
	switch len(nodes) {
	case 0:
		return "nothing that changed anything"
	case 1:
		return d.node(nodes[0])
	}
	return fmt.Sprintf("%s, the last one %s", stepsOf(len(nodes)), d.node(nodes[len(nodes)-1]))
}

// arrived says where a jump over the history led.
func (d *Desk) arrived(msg walkedMsg) string {
	where := fmt.Sprintf("went to #%d, at height %s", msg.node, chain.Thousands(uint64(msg.walked.Clock.Height)))
	if n := len(msg.walked.Nodes); n > 0 {
		where += ", over " + stepsOf(n)
	}
	return where
}

func (d *Desk) node(n history.Node) string {
	switch n.Kind {
	case history.KindClock:
		if _, to, ok := chain.ClocksOf(n); ok && to.Height != n.Height {
			return fmt.Sprintf("the move of the clock from height %s to %s", chain.Thousands(uint64(n.Height)), chain.Thousands(uint64(to.Height)))
		}
		return "the move of the clock at height " + chain.Thousands(uint64(n.Height))
	case history.KindImport:
		return "the import"
	case history.KindInstantiate:
		return "the creation of the collection"
	}
	return fmt.Sprintf("“%s” by %s", d.words().node(n), d.Call(n.Sender))
}
