package history

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

// pastFacts is what was read of a node.
type pastFacts struct {
	node     history.Node
	standing standing
	redo     bool // redo comes here
	up, down int
	more     bool
	names    []string
	bytes    []widget.Line // its changes as the store has them
	words    []string
	there    []string // what going to the node would change
	token    string   // the token in question, in the message or looked at before
	onToken  bool

	// How things stood after the node, and why that is not known; empty where it is.
	unknown    string
	block      cw721.Block
	collection chain.Collection
	then       *chain.Token // the token; nil where there was none
}

// subject is the token in question and who sent the message.
func (f *pastFacts) subject() (s app.Subject) {
	if f == nil {
		return s
	}
	s.Account = f.node.Sender
	if f.onToken {
		s.Token = &f.token
	}
	if f.node.Kind == history.KindExecute {
		s.Action = app.ActionOf([]byte(f.node.Message))
	}
	return s
}

// readPast reads a node and how things stood after it; nil when it is forgotten.
func readPast(v *chain.View, id history.ID, line headLine, facts app.Facts, selected app.Subject) (f *pastFacts, err error) {
	f = &pastFacts{}
	if f.node, err = v.Node(id); forgotten(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := f.place(v, line, facts); err != nil && !forgotten(err) {
		return nil, err
	}
	about := selected
	if f.node.Kind == history.KindExecute {
		if s := facts.Words().About([]byte(f.node.Message)); s.Token != nil {
			about = s
		}
	}
	if f.onToken = about.Token != nil; f.onToken {
		f.token = *about.Token
	}
	f.readThen(v)
	return f, nil
}

// forgotten tells of an error that a node was pruned.
func forgotten(err error) bool {
	var gone *history.UnknownNodeError
	return errors.As(err, &gone)
}

// place finds out where the node stands, and what it changed.
func (f *pastFacts) place(v *chain.View, line headLine, facts app.Facts) (err error) {
	id := f.node.ID
	if line, err = line.more(v, id); err != nil {
		return err
	}
	if f.standing, err = line.where(v, f.node, map[history.ID]bool{}); err != nil {
		return err
	}
	if f.up, f.down, f.more, err = way(v, v.Head, id); err != nil {
		return err
	}
	if f.standing == ahead {
		if f.redo, err = v.RedoLeadsTo(id); err != nil {
			return err
		}
	}
	if !f.more {
		between, err := v.Between(v.Head, id)
		if err != nil {
			return err
		}
		f.there = explain.Describe(between, facts.DisplayName)
	}
	changes, err := v.ChangesOf(id)
	if err != nil {
		return err
	}
	f.words = explain.Describe(changes, facts.DisplayName)
	for _, c := range changes {
		f.bytes = append(f.bytes,
			widget.In(themes.Accent, "  "+facts.RecordKey(c.Key)),
			widget.In(themes.Faint, fmt.Sprintf("    %X", c.Key)),
			widget.In(themes.Muted, "    - ").And(themes.Expired, value(c.Old)),
			widget.In(themes.Muted, "    + ").And(themes.Text, value(c.New)))
	}
	names, err := namesIn(v)
	f.names = names[id]
	return err
}

// readThen looks at the state after the node, where that is not too far.
func (f *pastFacts) readThen(v *chain.View) {
	if f.more {
		f.unknown = fmt.Sprintf("more than %s steps lie between; enter goes there", chain.Thousands(stepsCounted))
		return
	}
	err := v.At(f.node.ID, func(v *chain.View) (err error) {
		f.block = v.Clock.Block()
		if f.collection, err = v.Collection(); err != nil || !f.onToken {
			return err
		}
		token, ok, err := v.Token(f.token)
		if ok {
			f.then = &token
		}
		return err
	})
	if err != nil {
		f.unknown = err.Error()
	}
}
