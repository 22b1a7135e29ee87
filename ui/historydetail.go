package ui

import (
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/widget"
)

// pastDetail shows one node of the history whole. While one is read another
// one waits, so that holding a key down does not pile readings up.
type pastDetail struct {
	scroll *widget.Scroll
	facts  *pastFacts
	busy   bool
	want   history.ID // what to read; 0 for nothing
	line   headLine   // what is known of the way to the head
	shown  history.ID
}

// pastFacts is what was read of a node.
type pastFacts struct {
	node     history.Node
	standing standing
	up, down int
	more     bool
	names    []string
	changes  []byteChange
	words    []string
	token    string // the token in question, in the message or looked at before
	onToken  bool
	then     pastState
}

// pastState is how things stood after a node.
type pastState struct {
	known      bool
	block      cw721.Block
	collection chain.Collection
	token      *chain.Token // nil where there was none
	why        string       // why it is not known
}

type pastDetailMsg struct {
	id    history.ID
	facts *pastFacts
	err   error
}

func (p *pastDetail) clear() {
	p.facts, p.want, p.shown = nil, 0, 0
	p.scroll.Set(nil)
}

// load reads a node, after the one that is being read.
func (p *pastDetail) load(d *Desk, id history.ID, line headLine) tea.Cmd {
	p.want, p.line = id, line
	if p.busy {
		return nil
	}
	p.busy = true
	engine, w, looked := d.Engine, d.words(), d.Looked
	return func() tea.Msg {
		facts, err := readPast(engine, id, line, w, looked)
		return pastDetailMsg{id, facts, err}
	}
}

func (p *pastDetail) take(d *Desk, msg pastDetailMsg) tea.Cmd {
	p.busy = false
	if p.want != msg.id {
		if p.want == 0 {
			return nil
		}
		return p.load(d, p.want, p.line)
	}
	p.facts = msg.facts
	lines := []widget.Line{}
	if msg.err != nil {
		p.facts = nil
		lines = append(lines, widget.In(themes.Bad, themes.GlyphNo+" "+msg.err.Error()))
	} else {
		lines = p.lines(d)
	}
	if p.shown == msg.id {
		p.scroll.Keep(lines)
	} else {
		p.scroll.Set(lines)
	}
	p.shown = msg.id
	return nil
}

func (p *pastDetail) subject() Subject {
	if p.facts == nil {
		return Subject{}
	}
	s := Subject{Account: p.facts.node.Sender}
	if p.facts.onToken {
		s.Token = &p.facts.token
	}
	if p.facts.node.Kind == history.KindExecute {
		s.Action = actionOf([]byte(p.facts.node.Message))
	}
	return s
}

// namesOf are the names of a node, as far as they were read.
func (p *pastDetail) namesOf(id history.ID) []string {
	if p.facts == nil || p.facts.node.ID != id {
		return nil
	}
	return p.facts.names
}

// actionOf finds the question that a message asks.
func actionOf(msg []byte) string {
	name := actionName(msg)
	for _, a := range cw721.Actions() {
		if cw721.NameOf(a.Message("", "")) == name {
			return a.Name
		}
	}
	return ""
}

// byteChange is a change as the store has it.
type byteChange struct{ key, old, new []byte }

// readPast reads a node and how things stood after it.
func readPast(engine Engine, id history.ID, line headLine, w words, looked Subject) (*pastFacts, error) {
	f := &pastFacts{}
	err := engine.View(func(v *chain.View) (err error) {
		if f.node, err = v.Node(id); err != nil {
			return err
		}
		if line.head != v.Head {
			line = newHeadLine(v.Head)
		}
		if line, err = line.more(v, id); err != nil {
			return err
		}
		if f.standing, err = line.where(v, f.node, map[history.ID]bool{}); err != nil {
			return err
		}
		if f.up, f.down, f.more, err = way(v, v.Head, id); err != nil {
			return err
		}
		changes, err := v.ChangesOf(id)
		if err != nil {
			return err
		}
		f.words = explain.Describe(changes, w.call)
		for _, c := range changes {
			f.changes = append(f.changes, byteChange{c.Key, c.Old, c.New})
		}
		all, err := v.Snapshots()
		for _, n := range all {
			if n.ID == id {
				f.names = append(f.names, n.Name)
			}
		}
		return err
	})
	var gone *history.UnknownNodeError
	if err != nil && !(errors.As(err, &gone) && f.node.ID != 0) {
		return nil, err
	}
	if f.node.Kind == history.KindExecute {
		f.token, f.onToken = w.tokenIn([]byte(f.node.Message))
	}
	if !f.onToken && looked.Token != nil {
		f.token, f.onToken = *looked.Token, true
	}
	f.then = readThen(engine, f)
	return f, nil
}

// readThen looks at the state after a node, where that is not too far.
func readThen(engine Engine, f *pastFacts) (s pastState) {
	if f.more {
		s.why = fmt.Sprintf("more than %s steps lie between; enter goes there", widget.Group(stepsCounted))
		return s
	}
	err := engine.ViewAt(f.node.ID, func(v *chain.View) (err error) {
		s.block = v.Clock.Block()
		if s.collection, err = v.Collection(); err != nil {
			return err
		}
		if f.onToken {
			token, ok, err := v.Token(f.token)
			if ok {
				s.token = &token
			}
			return err
		}
		return nil
	})
	if err != nil {
		s.why = err.Error()
		return s
	}
	s.known = true
	return s
}
