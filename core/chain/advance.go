package chain

import (
	"cmp"
	"errors"
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
	From, To Clock
	// Expired are the grants that the move let expire: first those that expire at a height,
	// then those that expire at a time, each in the order of their expiry.
	Expired []expiry.Entry
	// HasMoreExpired is set if more grants expired than are listed.
	HasMoreExpired bool
	// Next is the grant that expires next; nil if none will.
	Next *expiry.Entry
	// Node is the move's place in the history; 0 if the clock stayed where it was.
	Node     history.ID
	Revision uint64
}

// maxListedExpired is the largest number of expired grants that a [Move] lists.
const maxListedExpired = 1000

// ClockStep describes how far to move the clock. The zero ClockStep goes nowhere. If
// several fields are set, Height and Time take precedence over ToNext and Before, and
// those over Blocks and Duration.
type ClockStep struct {
	// Blocks and Duration move the height and the time forward.
	Blocks   uint64
	Duration time.Duration
	// Height and Time set the height or the time exactly.
	Height *cw721.Height
	Time   *cw721.Time
	// ToNext moves to the next expiry. Before moves to one block or one nanosecond before
	// it.
	ToNext, Before bool
	// Joins is the node in the history of an earlier move that this one continues, so that
	// the ticks of one play are one node. The move gets a node of its own if that node is
	// no longer the last one, has nodes after it, or has a name.
	Joins history.ID
}

// StepToMoment returns the step of the clock to a moment. text is the moment as a person
// wrote it, and moment the same as [human.MomentParser.Parse] reads it in block now. The
// clock has two axes, height and time. A text with a plus, such as "+10" blocks or "+90m",
// moves both axes from now on. Any other moment, such as "h1200" or a date, sets its own
// axis and leaves the other as it is.
func StepToMoment(text string, moment cw721.Expiration, now cw721.Block) ClockStep {
	isRelative := strings.HasPrefix(strings.TrimSpace(text), "+")
	switch {
	// "+10" and "+90m": the moment minus now gives back what was typed.
	case isRelative && moment.Axis == cw721.AtHeight:
		return ClockStep{Blocks: moment.Value - uint64(now.Height)}
	case isRelative && moment.Axis == cw721.AtTime:
		return ClockStep{Duration: time.Duration(moment.Value - uint64(now.Time))}

	// "h1200" and dates: the value is the moment itself.
	case moment.Axis == cw721.AtHeight:
		height := cw721.Height(moment.Value)
		return ClockStep{Height: &height}
	case moment.Axis == cw721.AtTime:
		blockTime := cw721.Time(moment.Value)
		return ClockStep{Time: &blockTime}
	}
	return ClockStep{}
}

// KeepPace makes every later move of the clock change both height and time, even a move
// that sets one of them exactly. A challenge needs that: if only the height moved, a grant
// that expires at a time would never expire.
func (c *Chain) KeepPace() { c.modules.keepsPace = true }

// Advance moves the clock. It fails with a [*RangeError], [ErrNothingExpires] or
// [ErrJustBefore].
func (c *Chain) Advance(step ClockStep) (Move, error) {
	return change(c, func(s *session) (Move, error) { return s.advance(step) })
}

// advance moves the clock inside a transaction. A step that joins becomes one history node
// with the clock move before it, such as the ticks of one play. It fails as [Chain.Advance]
// does.
func (s *session) advance(step ClockStep) (Move, error) {
	from, err := loadBlockState(s.meta)
	if err != nil {
		return Move{}, err
	}
	to, err := s.targetOf(step, from.Clock)
	if err != nil {
		return Move{From: from.Clock, To: from.Clock}, err
	}
	return s.moveClock(from, to, step.Joins)
}

// targetOf returns the clock after a step. from is the clock before it.
func (s *session) targetOf(step ClockStep, from Clock) (Clock, error) {
	// A step by blocks or by a duration, or to an exact height or time, depends on the
	// clock alone.
	isExact := step.Height != nil || step.Time != nil
	isToExpiry := step.ToNext || step.Before
	if isExact || !isToExpiry {
		to, err := from.After(step)
		if err == nil && s.modules.keepsPace {
			to = to.keepPace(from)
		}
		return to, err
	}

	// A step to the next expiry needs the expiry index.
	reader, err := s.expiryReader(from)
	if err != nil {
		return from, err
	}
	to, err := from.toNextExpiry(reader, step.Before)
	switch {
	// The clock is already at the block just before the next expiry.
	case err == nil && to == from:
		err = ErrJustBefore

	// If the records cannot be read, nobody knows whether anything expires.
	case errors.Is(err, ErrNothingExpires):
		err = cmp.Or(s.checkReadable(), err)
	}
	return to, err
}

// checkReadable is [View.CheckReadable] for the state of the transaction.
func (s *session) checkReadable() error {
	_, isKnown, err := s.modules.layoutIn(s.contract)
	if err != nil || isKnown {
		return err
	}
	module, _, err := moduleItem.Load(s.meta)
	if err != nil {
		return err
	}
	return &UnreadableError{module.File}
}

// toNextExpiry returns the clock at the next expiry in an index, or one block or one
// nanosecond earlier if before is set. It fails with [ErrNothingExpires] and as
// [Clock.ToExpiry] does.
func (c Clock) toNextExpiry(index expiry.Reader, before bool) (Clock, error) {
	next, err := index.NextExpiry()
	if err != nil {
		return c, err
	}
	if next == nil {
		return c, ErrNothingExpires
	}
	unitsBefore := uint64(0)
	if before {
		unitsBefore = 1
	}
	return c.ToExpiry(next.Expires, unitsBefore)
}

// moveClock sets the clock, adds the move to the history, and returns what expired. A move
// that goes nowhere writes nothing. joins is as in [ClockStep].
func (s *session) moveClock(from blockState, to Clock, joins history.ID) (Move, error) {
	m := Move{From: from.Clock, To: to}
	state, err := history.Load(s.history)
	if err != nil {
		return m, err
	}
	m.Revision = state.Revision

	// A move that goes nowhere is no node of the history.
	if m.To != m.From {
		after := blockState{Clock: to, hasCollection: from.hasCollection}
		if err := blockStateItem.Save(s.meta, after); err != nil {
			return m, err
		}
		if err := s.recordMove(&m, from.hasCollection, joins); err != nil {
			return m, err
		}
	}
	err = s.listExpired(&m)
	return m, err
}

// recordMove adds a move of the clock to the history as a node. If the node joins is a move
// that this one can continue, it extends that node instead. It sets the node and the revision
// of the move.
func (s *session) recordMove(m *Move, hasCollection bool, joins history.ID) error {
	return s.updateHistory(func(state *history.State) error {
		node, start, canContinue, err := s.continuedMove(*state, joins)
		if err != nil {
			return err
		}

		// The ticks of one play are one node, whose answer is the clock after the last
		// tick.
		if canContinue {
			node.Answer = wire.Encode(m.To)
			err = history.Amend(s.history, node, clockChange(start, m.To, hasCollection))
		} else {
			node, err = state.Append(s.history, m.newNode(), clockChange(m.From, m.To, hasCollection))
		}
		m.Node = node.ID
		m.Revision = state.Revision
		return err
	})
}

// newNode returns the node of the move, to be added to the history. It has the block before
// the move.
func (m *Move) newNode() history.Node {
	return history.Node{
		Kind:    history.KindClock,
		Height:  m.From.Height,
		Time:    m.From.Time,
		Message: string(wire.Encode(m.From)),
		Answer:  wire.Encode(m.To),
	}
}

// clockChange returns what a move of the clock changes in the store: the record of the block.
func clockChange(from, to Clock, hasCollection bool) []kv.Change {
	return []kv.Change{{
		Key: storeKey(metaPart, blockStateItem.Key()),
		Old: blockState{from, hasCollection}.encode(),
		New: blockState{to, hasCollection}.encode(),
	}}
}

// continuedMove returns the node with an id, and the clock before its move. canContinue is
// false if the node is no move of the clock, or cannot be changed any more.
func (s *session) continuedMove(state history.State, id history.ID) (node history.Node, start Clock, canContinue bool, err error) {
	canAmend, err := state.CanAmend(s.history, id)
	if err != nil || !canAmend {
		return node, start, false, err
	}
	node, err = history.Get(s.history, id)
	if err != nil {
		return node, start, false, err
	}
	start, _, isMove := ClocksOf(node)
	return node, start, isMove, nil
}

// listExpired sets the grants that a move let expire, and the one that expires next.
func (s *session) listExpired(m *Move) error {
	reader, err := s.expiryReader(m.To)
	if err != nil {
		return err
	}

	// List what expired between the two blocks, up to a limit.
	for entry, err := range reader.ExpiredSince(m.From.Block()) {
		if err != nil {
			return err
		}
		if len(m.Expired) == maxListedExpired {
			m.HasMoreExpired = true
			break
		}
		m.Expired = append(m.Expired, entry)
	}

	// Then look up what expires next, seen from the new block.
	next, err := reader.NextExpiry()
	m.Next = next
	return err
}

// expiryReader returns a reader of the expiry index, seen from the block of a clock.
func (s *session) expiryReader(clock Clock) (expiry.Reader, error) {
	layout, _, err := s.modules.layoutIn(s.contract)
	return expiry.NewReader(s.expiry, layout, clock.Block(), clock.At), err
}

// SetPace sets how many seconds a block takes from now on. It fails with a
// [*RangeError].
func (c *Chain) SetPace(seconds uint64) (Move, error) {
	if err := checkPace(seconds); err != nil {
		return Move{}, err
	}
	return change(c, func(s *session) (Move, error) {
		from, err := loadBlockState(s.meta)
		if err != nil {
			return Move{}, err
		}
		to := from.Clock
		to.SecondsPerBlock = seconds
		return s.moveClock(from, to, 0)
	})
}
