package chain

import (
	"cmp"
	"errors"
	"fmt"
	"iter"

	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/wire"
)

// Moment is a block at which a person views the collection: the present one, a past one, whose
// state is in the history, or a future one, as if nothing happened until then.
type Moment struct {
	Block cw721.Block
	// Node is the node of the history whose state the collection has at the moment. It is 0
	// for the present and the future.
	Node history.ID
	// TargetNode is the node to which undo and redo must go to get to the moment, or as close
	// before it as possible. It is 0 for the present and the future.
	TargetNode history.ID
}

// maxStepsBack is how many nodes of the history a search for a past moment may read.
const maxStepsBack = 50_000

// ViewAtMoment calls fn with a view of the chain as it was or would be at a moment. It fails
// with an [*history.UnknownNodeError] if the moment's node has been pruned.
func (c *Chain) ViewAtMoment(moment Moment, fn func(*View) error) error {
	return c.View(func(view *View) error {
		callInBlock := func(v *View) error { return fn(v.InBlock(moment.Block)) }
		if moment.Node == 0 {
			return callInBlock(view)
		}
		return view.At(moment.Node, callInBlock)
	})
}

// Now returns the moment of the view: the present block.
func (v *View) Now() Moment { return Moment{Block: v.Clock.Block()} }

// MomentAt returns the moment of a height or a time, which is the value of expiration. For
// the future, it estimates the block by the seconds per block. For the past, it looks the
// moment up in the history of the present state.
//
// For the future, MomentAt fails with a [*RangeError] if the height or the time
// overflows, and with [ErrNothingExpires] if expiration is never. For the past, it fails
// with [ErrBeforeBeginning], or with another [*human.MomentError] if the moment is more
// than [maxStepsBack] nodes ago.
func (v *View) MomentAt(expiration cw721.Expiration) (Moment, error) {
	currentBlock := v.Clock.Block()
	if expiration.Value < currentBlock.ValueOn(expiration.Axis) {
		return v.pastMoment(expiration)
	}

	const unitsBefore = 0
	clock, err := v.Clock.ToExpiry(expiration, unitsBefore)
	return Moment{Block: clock.Block()}, err
}

// MomentOfNode returns the moment right after a node of the history, on any branch. It fails with
// an [*history.UnknownNodeError].
func (v *View) MomentOfNode(id history.ID) (Moment, error) {
	node, err := v.Node(id)
	if err != nil {
		return Moment{}, err
	}

	// The node of a clock move has the block before the move, so take the one after it.
	if _, clockAfter, isMove := ClocksOf(node); isMove {
		return Moment{Block: clockAfter.Block(), Node: id, TargetNode: id}, nil
	}
	return Moment{Block: node.Block(), Node: id, TargetNode: id}, nil
}

// NextMoment returns the moment at which the next grant expires. If stopsBefore is true,
// it returns the last moment before, which is one block or one nanosecond earlier. It
// fails with [ErrNothingExpires] if no grant will expire.
func (v *View) NextMoment(stopsBefore bool) (Moment, error) {
	clock, err := v.Clock.toNextExpiry(v.Reader, stopsBefore)
	return Moment{Block: clock.Block()}, err
}

// ClocksOf returns the clocks before and after the move that a node of the history records. ok
// is false if it records a message, or cannot be decoded.
func ClocksOf(node history.Node) (from, to Clock, ok bool) {
	if node.Kind != history.KindClock {
		return from, to, false
	}
	err := cmp.Or(
		wire.Decode([]byte(node.Message), &from),
		wire.Decode(node.Answer, &to),
		checkPace(from.SecondsPerBlock))
	return from, to, err == nil
}

// ClockMove is a move of the clock that the history recorded.
type ClockMove struct {
	From Clock // before the move
	To   Clock // after the move
}

// BlockAt returns the block of a height or a time that the move passed or reached. It
// estimates the time of a height, or the height of a time, by the seconds per block before
// the move. A person can move the height or the time alone, and then the estimate may lie
// outside the move. BlockAt keeps it between the first and the last block of the move.
func (m ClockMove) BlockAt(expiration cw721.Expiration) cw721.Block {
	// For a height, estimate the time.
	if expiration.Axis == cw721.AtHeight {
		height := min(cw721.Height(expiration.Value), m.To.Height)
		estimate := min(m.From.EstimateTimeAt(height), m.To.Time)
		return cw721.Block{Height: height, Time: max(m.From.Time, estimate)}
	}

	// For a time, estimate the height.
	blockTime := min(cw721.Time(expiration.Value), m.To.Time)
	blocks := uint64(blockTime-m.From.Time) / m.From.pace()
	height := min(m.From.Height+cw721.Height(blocks), m.To.Height)
	return cw721.Block{Height: height, Time: blockTime}
}

// headAndAncestors yields the nodes that led to the state of the view, the head first, as far
// as they are still stored.
func (v *View) headAndAncestors() iter.Seq2[history.Node, error] {
	return func(yield func(history.Node, error) bool) {
		id := v.Head
		for {
			node, err := v.Node(id)

			// If the parent of a node is missing, older nodes were pruned.
			if id != v.Head && errors.As(err, new(*history.UnknownNodeError)) {
				return
			}
			if !yield(node, err) || err != nil || node.Parent == 0 {
				return
			}
			id = node.Parent
		}
	}
}

// MovesSince returns the moves of the clock from a height to the present, the latest first.
// The oldest of them began at the height or before it. The result lacks the oldest moves if
// they were pruned, or if more than [maxStepsBack] nodes have happened since the height.
func (v *View) MovesSince(height cw721.Height) (moves []ClockMove, err error) {
	nodeCount := 0
	for node, err := range v.headAndAncestors() {
		if err != nil {
			return nil, err
		}
		if from, to, isMove := ClocksOf(node); isMove {
			moves = append(moves, ClockMove{From: from, To: to})
		}

		nodeCount++
		if node.Height <= height || nodeCount == maxStepsBack {
			break
		}
	}
	return moves, nil
}

// ErrBeforeBeginning reports that a moment lies before the first node of the history. A
// function that fails with it also returns the moment of the first node.
var ErrBeforeBeginning = &human.MomentError{Text: "that lies before the beginning of the history"}

// pastMoment returns the moment of a past height or time, with the last node that happened then or
// before. If all nodes happened later, it returns the moment of the oldest node, and
// [ErrBeforeBeginning]. It fails with another [*human.MomentError] after [maxStepsBack] nodes.
func (v *View) pastMoment(expiration cw721.Expiration) (Moment, error) {
	nodeCount := 0
	oldestValue := uint64(0) // the height or the time of the oldest node so far
	for node, err := range v.headAndAncestors() {
		if err != nil {
			return Moment{}, err
		}
		if nodeCount == maxStepsBack {
			text := fmt.Sprintf(
				"that lies more than %s steps back; go part of the way first",
				human.Thousands(maxStepsBack),
			)
			return Moment{}, &human.MomentError{Text: text}
		}
		nodeCount++
		oldestValue = node.Block().ValueOn(expiration.Axis)
		if oldestValue <= expiration.Value {
			return momentInNode(node, expiration), nil
		}
	}

	expiration.Value = oldestValue
	moment, err := v.pastMoment(expiration)
	if err != nil {
		return moment, err
	}
	return moment, ErrBeforeBeginning
}

// momentInNode returns the moment of a height or time within a node: in the block of a
// message, or on the way of a move of the clock.
func momentInNode(node history.Node, expiration cw721.Expiration) Moment {
	from, to, isMove := ClocksOf(node)
	if !isMove {
		return Moment{Node: node.ID, TargetNode: node.ID, Block: node.Block()}
	}
	block := ClockMove{From: from, To: to}.BlockAt(expiration)

	// After the node, the clock is at the end of the move. So undo and redo can only get to
	// an earlier moment by going to the node before the move.
	endValue := to.Block().ValueOn(expiration.Axis)
	if expiration.Value < endValue && node.Parent > 0 {
		return Moment{Node: node.ID, TargetNode: node.Parent, Block: block}
	}
	return Moment{Node: node.ID, TargetNode: node.ID, Block: block}
}
