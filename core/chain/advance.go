package chain

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"ephemera/core/chain/expiry"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// Move is the result of moving the clock.
type Move struct {
	From, To       Clock          // before and after the move
	Expired        []expiry.Entry // during the move, in the order of [expiry.Reader.ExpiredSince]
	HasMoreExpired bool           // more grants expired than Expired lists
	Next           *expiry.Entry  // the grant that expires next; nil if no grant will expire
	Node           history.ID     // the node of the move in the history; 0 if the clock did not change
	Revision       uint64         // the number of commits to the chain, the move included
}

// maxListedExpired is the largest number of expired grants that a [Move] lists.
const maxListedExpired = 1000

// ClockStep describes how far to move the clock. The zero ClockStep leaves it where it is.
// If several fields are set, Height and Time take precedence over ToNext and StopsBefore, and
// those take precedence over Blocks and Duration.
type ClockStep struct {
	Blocks      uint64        // forward
	Duration    time.Duration // forward
	Height      *cw721.Height // leaves the time as it is; nil for no exact height
	Time        *cw721.Time   // leaves the height as it is; nil for no exact time
	ToNext      bool          // to the next expiry
	StopsBefore bool          // one block or one nanosecond before the next expiry
	// JoinedNode is the node of an earlier move that this one extends, so that many small
	// moves of a running clock are one node of the history. If the node is not the head any
	// more, or has a child or a name, the move gets a node of its own. 0 always gives it one.
	JoinedNode history.ID
}

// StepToMoment returns the step that moves the clock to a moment, which
// [human.MomentParser.Parse] has read from text in currentBlock. A text with a plus, such as "+10"
// or "+90m", moves both the height and the time forward. Any other text, such as "h1200" or a
// date, sets one of them.
func StepToMoment(text string, moment cw721.Expiration, currentBlock cw721.Block) ClockStep {
	isRelative := strings.HasPrefix(strings.TrimSpace(text), "+")
	switch {
	// The moment minus the current block gives back the distance that was typed.
	case isRelative && moment.Axis == cw721.AtHeight:
		return ClockStep{Blocks: moment.Value - uint64(currentBlock.Height)}
	case isRelative && moment.Axis == cw721.AtTime:
		return ClockStep{Duration: time.Duration(moment.Value - uint64(currentBlock.Time))}

	case moment.Axis == cw721.AtHeight:
		return ClockStep{Height: new(cw721.Height(moment.Value))}
	case moment.Axis == cw721.AtTime:
		return ClockStep{Time: new(cw721.Time(moment.Value))}
	}
	return ClockStep{}
}

// KeepPace makes every later move of the clock change both height and time, even a move that
// sets only one of them. A challenge needs that, because if only the height moved, a grant
// that expires at a time would never expire.
func (c *Chain) KeepPace() { c.modules.keepsPace = true }

// Advance moves the clock and records the move in the history. It fails with a
// [*RangeError] if the clock would move back or overflow, with [ErrNothingExpires] if no
// grant will expire, and with [ErrJustBefore] if the clock is already just before the next
// expiry. Then it also returns a move that goes nowhere.
func (c *Chain) Advance(step ClockStep) (Move, error) {
	return updateWithResult(c, func(s *session) (Move, error) {
		from, err := loadBlockState(s.meta)
		if err != nil {
			return Move{}, err
		}
		to, err := s.clockAfter(step, from.Clock)
		if err != nil {
			return Move{From: from.Clock, To: from.Clock}, err
		}
		return s.moveClock(from, to, step.JoinedNode)
	})
}

// clockAfter returns the clock after a step. It changes nothing, and fails as [Chain.Advance]
// does.
func (s *session) clockAfter(step ClockStep, from Clock) (Clock, error) {
	// Most steps depend only on the clock, such as a step of ten blocks or to a height.
	isExact := step.Height != nil || step.Time != nil
	if isExact || !step.ToNext && !step.StopsBefore {
		target, err := from.AfterStep(step)
		if err == nil && s.modules.keepsPace {
			target = target.keepPace(from)
		}
		return target, err
	}

	// A step to the next expiry also depends on the grants, which the expiry index lists.
	reader, err := s.expiryReader(from)
	if err != nil {
		return from, err
	}
	target, err := from.toNextExpiry(reader, step.StopsBefore)
	switch {
	case errors.Is(err, ErrNothingExpires): // unless the contract's records cannot be read
		_, isKnown, layoutErr := s.layout()
		return target, cmp.Or(layoutErr, s.checkReadable(isKnown), err)
	case err == nil && target == from:
		return target, ErrJustBefore
	}
	return target, err
}

// toNextExpiry returns the clock at the next expiry in an index, or one block or one nanosecond
// earlier if stopsBefore is true. It fails as [Clock.ToExpiry] does.
func (c Clock) toNextExpiry(index expiry.Reader, stopsBefore bool) (Clock, error) {
	nextGrant, err := index.NextExpiry()
	if err != nil {
		return c, err
	}
	if nextGrant == nil {
		return c, ErrNothingExpires
	}
	unitsBefore := uint64(0)
	if stopsBefore {
		unitsBefore = 1
	}
	return c.ToExpiry(nextGrant.Expires, unitsBefore)
}

// moveClock sets the clock and records the move in the history. If the clock does not change, it
// writes nothing. joinedNode is that of the [ClockStep], or 0.
func (s *session) moveClock(from blockState, to Clock, joinedNode history.ID) (Move, error) {
	move := Move{From: from.Clock, To: to}
	state, err := history.Load(s.history)
	if err != nil {
		return move, err
	}
	move.Revision = state.Revision
	if err := s.listExpired(&move); err != nil || to == from.Clock {
		return move, err
	}

	state.Revision++
	move.Revision = state.Revision
	if err := blockStateItem.Save(s.meta, blockState{to, from.hasCollection}); err != nil {
		return move, err
	}
	move.Node, err = s.recordMove(&state, from, to, joinedNode)
	if err != nil {
		return move, err
	}
	return move, state.Save(s.history)
}

// recordMove adds a node for a move of the clock to the history, or extends joinedNode if that is
// a move that can still be changed. It returns the id of the node.
func (s *session) recordMove(
	state *history.State,
	from blockState,
	to Clock,
	joinedNode history.ID,
) (history.ID, error) {
	// A move of the clock has both clocks in place of a message and its answer.
	node := history.Node{
		Kind:    history.KindClock,
		Height:  from.Height,
		Time:    from.Time,
		Message: string(wire.Encode(from.Clock)),
		Answer:  wire.Encode(to),
	}
	canExtend, err := state.CanAmend(s.history, joinedNode)
	if err != nil {
		return 0, err
	}
	if canExtend {
		joined, err := history.Get(s.history, joinedNode)
		if err != nil {
			return 0, err
		}

		// The extended node goes from the start of the earlier move to the end of this one.
		startClock, _, isMove := ClocksOf(joined)
		canExtend = isMove
		if isMove {
			from.Clock = startClock
			joined.Answer = node.Answer
			node = joined
		}
	}

	// The record of the clock also says whether there is a collection.
	changes := []kv.Change{{
		Key:      slices.Concat(metaPart, blockStateItem.Key()),
		OldValue: from.encode(),
		NewValue: blockState{to, from.hasCollection}.encode(),
	}}
	if canExtend {
		return node.ID, history.Amend(s.history, node, changes)
	}
	node, err = state.Append(s.history, node, changes)
	return node.ID, err
}

// listExpired fills in what a move says about grants.
func (s *session) listExpired(move *Move) error {
	reader, err := s.expiryReader(move.To)
	if err != nil {
		return err
	}
	for entry, err := range reader.ExpiredSince(move.From.Block()) {
		if err != nil {
			return err
		}
		if len(move.Expired) == maxListedExpired {
			move.HasMoreExpired = true
			break
		}
		move.Expired = append(move.Expired, entry)
	}
	move.Next, err = reader.NextExpiry()
	return err
}

func (s *session) expiryReader(clock Clock) (expiry.Reader, error) {
	layout, _, err := s.layout()
	return expiry.NewReader(s.expiry, layout, clock.Block(), clock.EstimateTimeAt), err
}

// SetPace sets how many seconds a block takes from now on, and records this in the history as
// a move of the clock. It fails with a [*RangeError] if a block cannot take so long.
func (c *Chain) SetPace(seconds uint64) (Move, error) {
	if err := checkPace(seconds); err != nil {
		return Move{}, err
	}
	return updateWithResult(c, func(s *session) (Move, error) {
		from, err := loadBlockState(s.meta)
		if err != nil {
			return Move{}, err
		}
		to := from.Clock
		to.SecondsPerBlock = seconds
		return s.moveClock(from, to, 0)
	})
}
