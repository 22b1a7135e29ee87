package ui

import (
	"errors"
	"fmt"

	"ephemera/core/chain"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
)

// lookedBack bounds how far back a moment is searched, in steps.
const lookedBack = 50_000

// lookAt runs fn over the chain as it was or would be at a height: ahead as if
// nothing happened until then, back as it was then. node is where it was so, 0
// for what lies ahead.
func lookAt(e Engine, h cw721.Height, fn func(v *chain.View, node history.ID) error) error {
	var at pastMoment
	var ahead cw721.Block
	err := e.View(func(v *chain.View) (err error) {
		if h < v.Clock.Height {
			at, err = momentBefore(v, h)
			return err
		}
		to, err := v.Clock.Forward(uint64(h-v.Clock.Height), 0)
		ahead = to.Block()
		return err
	})
	switch {
	case err != nil:
		return err
	case at.look == 0:
		return e.ViewIn(ahead, func(v *chain.View) error { return fn(v, 0) })
	}
	return e.ViewAt(at.look, func(v *chain.View) error {
		v.Clock.Height, v.Clock.Time = at.block.Height, at.block.Time
		return fn(v, at.enter)
	})
}

// pastMoment is a height that is over: the node after which things stood so,
// the node to enter, which does not lie after it, and the block.
type pastMoment struct {
	look, enter history.ID
	block       cw721.Block
}

// momentBefore finds a height on the way to the head. Before the beginning it
// gives the height of the beginning.
func momentBefore(v *chain.View, h cw721.Height) (at pastMoment, err error) {
	at, first, err := searchBack(v, h)
	if err == nil && first > h {
		at, _, err = searchBack(v, first)
	}
	return at, err
}

// searchBack walks up to the last node that happened at a height or before it;
// first is the height of the oldest node that it came to.
func searchBack(v *chain.View, h cw721.Height) (at pastMoment, first cw721.Height, err error) {
	next := v.Head
	for range lookedBack {
		n, err := v.Node(next)
		if unknown := (*history.UnknownNodeError)(nil); errors.As(err, &unknown) && at.look != 0 {
			return at, first, nil // what came before was forgotten
		}
		if err != nil {
			return at, first, err
		}
		first = n.Height
		at = pastMoment{look: n.ID, enter: n.ID, block: cw721.Block{Height: n.Height, Time: n.Time}}
		if n.Height <= h || n.Parent == 0 {
			return at.within(n, h), first, nil
		}
		next = n.Parent
	}
	return at, first, fmt.Errorf("height %s lies more than %s steps back; go there on the History screen first", chain.Thousands(uint64(h)), chain.Thousands(lookedBack))
}

// within finds the block at a height that a move of the clock went over.
func (at pastMoment) within(n history.Node, h cw721.Height) pastMoment {
	from, to, ok := clocksOf(n)
	if n.Kind != history.KindClock || !ok || h < n.Height {
		return at
	}
	if h < to.Height && n.Parent != 0 {
		at.enter = n.Parent
	}
	at.block.Height = min(h, to.Height)
	at.block.Time = max(from.Time, min(from.At(at.block.Height), to.Time))
	return at
}
