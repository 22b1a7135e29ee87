package chain

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

// DefaultSecondsPerBlock is how long a block takes where nothing is said.
const DefaultSecondsPerBlock = 5

// Clock is the block that messages run in, and how long a block takes. It is
// state: it moves only when told to, never by an execute and never by itself.
type Clock struct {
	Height cw721.Height `wire:"height"`
	Time   cw721.Time   `wire:"time"`
	// SecondsPerBlock is from 1 to 86,400 on every chain.
	SecondsPerBlock uint64 `wire:"seconds_per_block"`
}

// Block is the clock without its pace.
func (c Clock) Block() cw721.Block { return cw721.Block{Height: c.Height, Time: c.Time} }

// pace is how long a block takes, in nanoseconds.
func (c Clock) pace() uint64 { return c.SecondsPerBlock * uint64(time.Second) }

// At estimates the block time of a height, in nanoseconds; the past is
// estimated like the future, and an expiry beyond all times is at the last one.
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

// mul multiplies; ok is false where 64 bits do not hold it.
func mul(a, b uint64) (product uint64, ok bool) {
	over, product := bits.Mul64(a, b)
	return product, over == 0
}

// The ways in which the clock cannot move.
var (
	ErrNothingExpires = errors.New("nothing will expire, so there is nowhere to go")
	ErrJustBefore     = errors.New("the clock is just before the next expiry already")
)

// RangeError says that a move would leave the range of a block.
type RangeError struct{ Text string }

func (e *RangeError) Error() string { return e.Text }

// After is where a step goes that is not about the next expiry. It fails with a
// [*RangeError].
func (c Clock) After(s ClockStep) (Clock, error) {
	if s.Height != nil || s.Time != nil {
		return c.Set(s.Height, s.Time)
	}
	return c.Forward(s.Blocks, s.Duration)
}

// Forward moves by blocks and by a duration. N blocks take N times the seconds
// per block; a duration brings as many whole blocks as fit into it. It fails
// with a [*RangeError].
func (c Clock) Forward(blocks uint64, d time.Duration) (Clock, error) {
	if d < 0 {
		return c, &RangeError{"time: the clock only moves forward; going back is undo"}
	}
	return c.forward(blocks, uint64(d))
}

func (c Clock) forward(blocks, nanos uint64) (Clock, error) {
	took, ok := mul(blocks, c.pace())
	height, carry := bits.Add64(uint64(c.Height), blocks, 0)
	height, carry2 := bits.Add64(height, nanos/c.pace(), 0)
	at, carry3 := bits.Add64(uint64(c.Time), took, 0)
	at, carry4 := bits.Add64(at, nanos, 0)
	if !ok || carry+carry2+carry3+carry4 > 0 {
		return c, &RangeError{"the clock would pass the last height or the last time there can be"}
	}
	c.Height, c.Time = cw721.Height(height), cw721.Time(at)
	return c, nil
}

// Set moves the axes that are given, and never back. It fails with a
// [*RangeError].
func (c Clock) Set(height *cw721.Height, at *cw721.Time) (Clock, error) {
	if height != nil {
		if *height < c.Height {
			return c, &RangeError{fmt.Sprintf("height: %s is before block %s; the clock only moves forward, going back is undo", human.Thousands(uint64(*height)), human.Thousands(uint64(c.Height)))}
		}
		c.Height = *height
	}
	if at != nil {
		if *at < c.Time {
			return c, &RangeError{fmt.Sprintf("time: %s is before the block's time, %s; the clock only moves forward, going back is undo", human.TimeUTC(*at), human.TimeUTC(c.Time))}
		}
		c.Time = *at
	}
	return c, nil
}

// ToExpiry moves to an expiry that lies ahead: the axis that it is on goes to its
// value less before, the other axis along at the clock's pace. It fails with a
// [*RangeError] where the other axis would pass its last value.
func (c Clock) ToExpiry(e cw721.Expiration, before uint64) (Clock, error) {
	switch e.Axis {
	case cw721.AtHeight:
		return c.forward(e.Value-before-uint64(c.Height), 0)
	case cw721.AtTime:
		return c.forward(0, e.Value-before-uint64(c.Time))
	}
	return c, ErrNothingExpires
}

// slowest is the most seconds that a block may take: a day.
const slowest = 86_400

func checkPace(seconds uint64) error {
	if seconds < 1 || seconds > slowest {
		return &RangeError{fmt.Sprintf("seconds per block: expected 1 to %d, got %d", slowest, seconds)}
	}
	return nil
}
