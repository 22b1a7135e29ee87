package chain

import (
	"errors"
	"fmt"
	"math"
	"time"

	"ephemera/core/chain/agenda"
	"ephemera/core/chain/history"
	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/wire"
)

// DefaultSecondsPerBlock is how long a block takes where nothing is said.
const DefaultSecondsPerBlock = 5

// Clock is the block that messages run in, and how long a block takes. It is
// state: it moves only when told to, never by an execute and never by itself.
type Clock struct {
	Height          cw721.Height `wire:"height"`
	Time            cw721.Time   `wire:"time"`
	SecondsPerBlock uint64       `wire:"seconds_per_block"`
}

var clockItem = kv.NewItem("clock", jsonCodec[Clock]())

// Block is the clock without its pace.
func (c Clock) Block() cw721.Block { return cw721.Block{Height: c.Height, Time: c.Time} }

func (c Clock) pace() uint64 { return c.SecondsPerBlock * uint64(time.Second) }

// At estimates the block time of a height, in nanoseconds; the past is
// estimated like the future, and an end beyond all times is at the last one.
func (c Clock) At(h cw721.Height) cw721.Time {
	if h >= c.Height {
		ahead, ok := mul(uint64(h-c.Height), c.pace())
		if !ok || ahead > math.MaxUint64-uint64(c.Time) {
			return math.MaxUint64
		}
		return c.Time + cw721.Time(ahead)
	}
	behind, ok := mul(uint64(c.Height-h), c.pace())
	if !ok || behind > uint64(c.Time) {
		return 0
	}
	return c.Time - cw721.Time(behind)
}

func mul(a, b uint64) (uint64, bool) {
	if b != 0 && a > math.MaxUint64/b {
		return 0, false
	}
	return a * b, true
}

// The ways in which the clock cannot move.
var (
	ErrNothingEnds = errors.New("nothing will end, so there is nowhere to go")
	ErrJustBefore  = errors.New("the clock is just before the next end already")
)

// RangeError says that a move would leave the range of a block.
type RangeError struct{ Text string }

func (e *RangeError) Error() string { return e.Text }

// Forward moves by blocks and by a duration. N blocks take N times the seconds
// per block; a duration brings as many whole blocks as fit into it.
func (c Clock) Forward(blocks uint64, d time.Duration) (Clock, error) {
	if d < 0 {
		return c, &RangeError{"time: the clock only moves forward; going back is undo"}
	}
	took, ok := mul(blocks, c.pace())
	height := uint64(c.Height) + blocks + uint64(d)/c.pace()
	at := uint64(c.Time) + took + uint64(d)
	if !ok || height < uint64(c.Height) || height-uint64(c.Height) < blocks || at < uint64(c.Time) || at-uint64(c.Time) < took {
		return c, &RangeError{"the clock would pass the last height or the last time there can be"}
	}
	c.Height, c.Time = cw721.Height(height), cw721.Time(at)
	return c, nil
}

// Set moves the axes that are given, and never back.
func (c Clock) Set(height *cw721.Height, at *cw721.Time) (Clock, error) {
	if height != nil {
		if *height < c.Height {
			return c, &RangeError{fmt.Sprintf("height: %d is before block %d; the clock only moves forward, going back is undo", *height, c.Height)}
		}
		c.Height = *height
	}
	if at != nil {
		if *at < c.Time {
			return c, &RangeError{fmt.Sprintf("time: %d ns is before the block's time of %d ns; the clock only moves forward, going back is undo", *at, c.Time)}
		}
		c.Time = *at
	}
	return c, nil
}

// ToEnd moves to an end: the axis that it is on goes to its value less before,
// the other axis along at the clock's pace.
func (c Clock) ToEnd(e cw721.Expiration, before uint64) (Clock, error) {
	to := e.Value - before
	switch e.Axis {
	case cw721.AtHeight:
		return c.Forward(to-uint64(c.Height), 0)
	case cw721.AtTime:
		ahead := to - uint64(c.Time)
		if ahead > math.MaxInt64 {
			return c, &RangeError{"the next end lies further away than the clock can go in one move"}
		}
		return c.Forward(0, time.Duration(ahead))
	}
	return c, ErrNothingEnds
}

// Move is what a move of the clock did.
type Move struct {
	From, To Clock
	// Ended is what was over after the move and not before, in the order of
	// the ends on each axis.
	Ended []agenda.Entry
	// EndedMore tells that more ended than are listed.
	EndedMore bool
	// Next is what ends next; nil when nothing will.
	Next     *agenda.Entry
	Node     history.ID
	Revision uint64
}

// endedShown is how many ends a [Move] lists.
const endedShown = 1000

// Step says how far to move. The zero Step goes nowhere.
type Step struct {
	Blocks   uint64
	Duration time.Duration
	// Height and Time set an axis exactly.
	Height *cw721.Height
	Time   *cw721.Time
	// ToNext goes to the next end, Before to just before it.
	ToNext, Before bool
	// Joins is the node of a move that this one goes on: the ticks of one play
	// are one node. It must be the head, or a new node is made.
	Joins history.ID
}

// Advance moves the clock. It fails with a [*RangeError], [ErrNothingEnds] or
// [ErrJustBefore].
func (c *Chain) Advance(step Step) (m Move, err error) {
	err = c.update(func(s *session) error {
		m, err = s.advance(step)
		return err
	})
	return m, err
}

func (s *session) advance(step Step) (m Move, err error) {
	if m.From, _, err = clockItem.Load(s.meta); err != nil {
		return m, err
	}
	if m.To, err = s.target(m.From, step); err != nil {
		return m, err
	}
	if m.To == m.From {
		return m, s.look(&m)
	}
	if err := clockItem.Save(s.meta, m.To); err != nil {
		return m, err
	}
	change := kv.Change{
		Key: append(append([]byte(nil), metaPart...), clockItem.Key()...),
		Old: wire.Encode(m.From), New: wire.Encode(m.To),
	}
	if err := s.rememberMove(&m, step, change); err != nil {
		return m, err
	}
	return m, s.look(&m)
}

func (s *session) target(from Clock, step Step) (Clock, error) {
	if step.Height != nil || step.Time != nil {
		return from.Set(step.Height, step.Time)
	}
	if !step.ToNext && !step.Before {
		return from.Forward(step.Blocks, step.Duration)
	}
	next, ok, err := agenda.Next(s.agenda, from.Block(), from.At)
	if err != nil {
		return from, err
	}
	if !ok {
		return from, ErrNothingEnds
	}
	if !step.Before {
		return from.ToEnd(next.Expires, 0)
	}
	if now, end, _ := next.Expires.Compare(from.Block()); now+1 == end {
		return from, ErrJustBefore
	}
	return from.ToEnd(next.Expires, 1)
}

// look fills in what ended and what ends next.
func (s *session) look(m *Move) error {
	for e, err := range agenda.Ended(s.agenda, m.From.Block(), m.To.Block()) {
		if err != nil {
			return err
		}
		if len(m.Ended) == endedShown {
			m.EndedMore = true
			break
		}
		m.Ended = append(m.Ended, e)
	}
	next, ok, err := agenda.Next(s.agenda, m.To.Block(), m.To.At)
	if ok {
		m.Next = &next
	}
	return err
}

// Pace sets how many seconds a block takes from now on.
func (c *Chain) Pace(seconds uint64) (m Move, err error) {
	if seconds == 0 || seconds > 86_400 {
		return m, &RangeError{"seconds per block: expected 1 to 86400"}
	}
	err = c.update(func(s *session) error {
		if m.From, _, err = clockItem.Load(s.meta); err != nil {
			return err
		}
		m.To = m.From
		m.To.SecondsPerBlock = seconds
		if err := clockItem.Save(s.meta, m.To); err != nil {
			return err
		}
		change := kv.Change{
			Key: append(append([]byte(nil), metaPart...), clockItem.Key()...),
			Old: wire.Encode(m.From), New: wire.Encode(m.To),
		}
		return firstOf(s.rememberMove(&m, Step{}, change), s.look(&m))
	})
	return m, err
}
