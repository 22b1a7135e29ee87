package chain

import (
	"errors"
	"fmt"
	"iter"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// Moment is a block at which a person views the collection: the present block, one in the
// past, whose state is in the history, or one in the future, with the state as it would be if
// nothing happened until then.
type Moment struct {
	Block cw721.Block
	// Node is the last node of the history that happened until the moment. It is 0 for the
	// present and the future.
	Node history.ID
	// TargetNode is the node to which undo and redo must go to get to the moment, or as close
	// before it as possible. It is 0 for the present and the future, which the clock reaches.
	TargetNode history.ID
}

// maxStepsBack is how many nodes of the history a search for a past moment may read.
const maxStepsBack = 50_000

// ViewAtMoment calls fn with the chain as it was or would be at a moment. It changes
// nothing. It fails with an [*history.UnknownNodeError] if the moment's node was removed
// from the history since.
func (c *Chain) ViewAtMoment(m Moment, fn func(*View) error) error {
	return c.View(func(v *View) error {
		viewInBlock := func(v *View) error { return fn(v.InBlock(m.Block)) }
		if m.Node == 0 {
			return viewInBlock(v)
		}
		return v.At(m.Node, viewInBlock)
	})
}

// Now returns the moment of the view: the present block.
func (v *View) Now() Moment { return Moment{Block: v.Clock.Block()} }

// MomentAt returns the moment of a height or a time. A future moment is computed at the
// clock's pace; a past one is searched on the path of the history that leads to the present.
// MomentAt fails with a [*RangeError] if the future height or time overflows, with
// [ErrNothingExpires] for an expiration that is never, with [ErrBeforeBeginning], and with
// another [*human.MomentError] for a moment more than [maxStepsBack] nodes ago.
func (v *View) MomentAt(e cw721.Expiration) (Moment, error) {
	now, end, _ := e.NowAndEnd(v.Clock.Block())
	if end < now {
		return v.pastMoment(e)
	}
	clock, err := v.Clock.ToExpiry(e, 0)
	return Moment{Block: clock.Block()}, err
}

// MomentOfNode returns the moment right after a node of the history, on any branch. It fails
// with an [*history.UnknownNodeError].
func (v *View) MomentOfNode(id history.ID) (Moment, error) {
	n, err := v.Node(id)
	if err != nil {
		return Moment{}, err
	}
	block := cw721.Block{Height: n.Height, Time: n.Time}
	if _, to, ok := ClocksOf(n); ok {
		block = to.Block() // the node of a clock move has the block before the move
	}
	return Moment{Block: block, Node: id, TargetNode: id}, nil
}

// NextMoment returns the moment at which a grant expires next. If before is set, it returns
// the last moment before that: one block or one nanosecond earlier. It fails with
// [ErrNothingExpires].
func (v *View) NextMoment(before bool) (Moment, error) {
	clock, err := v.Clock.toNextExpiry(v.Reader, before)
	return Moment{Block: clock.Block()}, err
}

// ClocksOf returns the clock before and after a node that moved it. ok is false for another
// node.
func ClocksOf(n history.Node) (from, to Clock, ok bool) {
	if n.Kind != history.KindClock {
		return from, to, false
	}
	hasFrom := wire.Decode([]byte(n.Message), &from) == nil
	hasTo := wire.Decode(n.Answer, &to) == nil
	return from, to, hasFrom && hasTo && checkPace(from.SecondsPerBlock) == nil
}

// ClockMove is a move of the clock that the history recorded.
type ClockMove struct{ From, To Clock }

// BlockAt returns the block of a height or a time that the move passed or reached. It
// estimates the time of a height, or the height of a time, at the pace of the clock before
// the move. The estimate stays within the move, because a person can move the height or the
// time alone.
func (m ClockMove) BlockAt(e cw721.Expiration) cw721.Block {
	if e.Axis == cw721.AtHeight {
		height := min(cw721.Height(e.Value), m.To.Height)
		estimate := min(m.From.At(height), m.To.Time)
		return cw721.Block{Height: height, Time: max(m.From.Time, estimate)}
	}
	blockTime := min(cw721.Time(e.Value), m.To.Time)
	blocks := uint64(blockTime-m.From.Time) / m.From.pace()
	height := min(m.From.Height+cw721.Height(blocks), m.To.Height)
	return cw721.Block{Height: height, Time: blockTime}
}

// wayBack yields the nodes of the history that led to the present state, the latest first. It
// ends at the first node, or at the oldest one that was not pruned.
func (v *View) wayBack() iter.Seq2[history.Node, error] {
	return func(yield func(history.Node, error) bool) {
		for id := v.Head; ; {
			n, err := v.Node(id)

			// Behind the head, a missing node means that the history was pruned there.
			wasRemoved := id != v.Head && errors.As(err, new(*history.UnknownNodeError))
			if wasRemoved {
				return
			}
			if !yield(n, err) || err != nil || n.Parent == 0 {
				return
			}
			id = n.Parent
		}
	}
}

// MovesSince returns the recorded moves of the clock that lead to the present, the latest
// first, back to the one that passed a height or began there. It reads at most
// [maxStepsBack] nodes, and no more than the history still has.
func (v *View) MovesSince(height cw721.Height) (moves []ClockMove, err error) {
	nodeCount := 0
	for n, err := range v.wayBack() {
		if err != nil {
			return nil, err
		}
		if from, to, isMove := ClocksOf(n); isMove {
			moves = append(moves, ClockMove{From: from, To: to})
		}

		// Stop at the height that was asked for, or at the limit.
		nodeCount++
		if n.Height <= height || nodeCount == maxStepsBack {
			break
		}
	}
	return moves, nil
}

// ErrBeforeBeginning reports a moment before the first node of the history. A function that
// fails with it also returns the moment of the first node.
var ErrBeforeBeginning = &human.MomentError{Text: "that lies before the beginning of the history"}

// pastMoment returns the moment of a past height or time: that of the last node that
// happened at the height or time, or before it. It fails with [ErrBeforeBeginning], and with
// another [*human.MomentError] after [maxStepsBack] nodes.
func (v *View) pastMoment(e cw721.Expiration) (Moment, error) {
	nodeCount := 0
	oldest := uint64(0) // height or time of the oldest node so far
	for n, err := range v.wayBack() {
		if err != nil {
			return Moment{}, err
		}
		if nodeCount == maxStepsBack {
			text := fmt.Sprintf("that lies more than %s steps back; go part of the way first", human.Thousands(maxStepsBack))
			return Moment{}, &human.MomentError{Text: text}
		}
		nodeCount++
		oldest, _, _ = e.NowAndEnd(cw721.Block{Height: n.Height, Time: n.Time})
		if oldest <= e.Value {
			return momentInNode(n, e), nil
		}
	}

	// No node is as old as the moment, so the moment of the oldest one is returned.
	e.Value = oldest
	moment, err := v.pastMoment(e)
	if err != nil {
		return moment, err
	}
	return moment, ErrBeforeBeginning
}

// momentInNode returns the moment of a height or time that is not before node n. If n is a
// move of the clock that passed the height or time, the moment is in a block within the move:
// a move from height 100 to 200 also passed height 150. The target node of such a moment, to
// which undo and redo go, is the one before the move, since n itself is past the moment.
func momentInNode(n history.Node, e cw721.Expiration) Moment {
	block := cw721.Block{Height: n.Height, Time: n.Time}
	moment := Moment{Node: n.ID, TargetNode: n.ID, Block: block}

	// A message is in one block. Only a move of the clock covers several.
	from, to, isMove := ClocksOf(n)
	if !isMove {
		return moment
	}
	moment.Block = ClockMove{From: from, To: to}.BlockAt(e)

	// The end of the move is the node itself. For an earlier moment, undo goes to before
	// it.
	end, _, _ := e.NowAndEnd(to.Block())
	isFirstNode := n.Parent == 0
	if e.Value < end && !isFirstNode {
		moment.TargetNode = n.Parent
	}
	return moment
}
