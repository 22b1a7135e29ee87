package chain

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/human"
	"ephemera/core/kv"
)

// DefaultSecondsPerBlock is how long a block takes if nothing else is set.
const DefaultSecondsPerBlock = 5

// Clock is the current block, and how long a block takes. Only [Chain.Advance], undo and
// redo move it: neither messages nor the time of day do.
type Clock struct {
	Height          cw721.Height `wire:"height"`
	Time            cw721.Time   `wire:"time"`
	SecondsPerBlock uint64       `wire:"seconds_per_block"` // from 1 to 86,400 on every chain
}

// Block returns the clock's height and time.
func (c Clock) Block() cw721.Block { return cw721.Block{Height: c.Height, Time: c.Time} }

// pace returns how long a block takes, in nanoseconds.
func (c Clock) pace() uint64 { return c.SecondsPerBlock * uint64(time.Second) }

// EstimateTimeAt estimates the time of the block with a height by the seconds per block, at least
// 0 and at most the largest time.
func (c Clock) EstimateTimeAt(height cw721.Height) cw721.Time {
	if height >= c.Height {
		nanosAhead, fits := multiply(uint64(height-c.Height), c.pace())
		if !fits || nanosAhead > math.MaxUint64-uint64(c.Time) {
			return math.MaxUint64
		}
		return c.Time + cw721.Time(nanosAhead)
	}
	nanosBehind, fits := multiply(uint64(c.Height-height), c.pace())
	if !fits || nanosBehind > uint64(c.Time) {
		return 0
	}
	return c.Time - cw721.Time(nanosBehind)
}

// multiply returns a product; fits is false if it does not fit into 64 bits.
func multiply(a, b uint64) (product uint64, fits bool) {
	high, product := bits.Mul64(a, b)
	return product, high == 0
}

// Errors of moves to the next expiry.
var (
	ErrNothingExpires = errors.New("nothing will expire, so there is nowhere to go")
	ErrJustBefore     = errors.New("the clock is just before the next expiry already")
)

// RangeError reports that a number, such as a height, is outside its range.
type RangeError struct{ Text string }

func (e *RangeError) Error() string { return e.Text }

func rangeErrorf(format string, args ...any) error {
	return &RangeError{fmt.Sprintf(format, args...)}
}

// AfterStep returns the clock after a step that does not go to the next expiry. It fails with a
// [*RangeError].
func (c Clock) AfterStep(step ClockStep) (Clock, error) {
	if step.Height != nil || step.Time != nil {
		return c.Set(step.Height, step.Time)
	}
	return c.Forward(step.Blocks, step.Duration)
}

// Forward returns the clock after a number of blocks and then a duration. Both move the
// height and the time. For example, with 5 seconds per block, 10 blocks and 12 seconds add
// 12 to the height, since 2 whole blocks fit into 12 seconds, and 62 seconds to the time.
// Forward fails with a [*RangeError] if the duration is negative, or if the height or the
// time overflows.
func (c Clock) Forward(blocks uint64, duration time.Duration) (Clock, error) {
	if duration < 0 {
		return c, &RangeError{"time: the clock only moves forward; going back is undo"}
	}
	return c.forward(blocks, uint64(duration))
}

// forward is [Clock.Forward] by a number of nanoseconds.
func (c Clock) forward(blocks, nanos uint64) (Clock, error) {
	blockNanos, fits := multiply(blocks, c.pace())

	heightAfterBlocks, carry1 := bits.Add64(uint64(c.Height), blocks, 0)
	height, carry2 := bits.Add64(heightAfterBlocks, nanos/c.pace(), 0)
	timeAfterBlocks, carry3 := bits.Add64(uint64(c.Time), blockNanos, 0)
	blockTime, carry4 := bits.Add64(timeAfterBlocks, nanos, 0)
	carries := carry1 + carry2 + carry3 + carry4
	if !fits || carries > 0 {
		return c, &RangeError{"the clock would pass the last height or the last time there can be"}
	}
	c.Height = cw721.Height(height)
	c.Time = cw721.Time(blockTime)
	return c, nil
}

// Set returns the clock with another height, another time or both; nil leaves one
// unchanged. It fails with a [*RangeError] if the clock would move back.
func (c Clock) Set(height *cw721.Height, blockTime *cw721.Time) (Clock, error) {
	if height != nil && *height < c.Height {
		return c, rangeErrorf(
			"height: %s is before block %s; the clock only moves forward, going back is undo",
			human.Thousands(uint64(*height)),
			human.Thousands(uint64(c.Height)),
		)
	}
	if blockTime != nil && *blockTime < c.Time {
		return c, rangeErrorf(
			"time: %s is before the block's time, %s; the clock only moves forward, going back is undo",
			human.TimeUTC(*blockTime),
			human.TimeUTC(c.Time),
		)
	}

	if height != nil {
		c.Height = *height
	}
	if blockTime != nil {
		c.Time = *blockTime
	}
	return c, nil
}

// keepPace returns the clock c after a move from the clock before, with the height and the
// time moved together: with 5 seconds per block, a move by 10 blocks alone also moves the time
// by 50 seconds, and the reverse. It moves nothing back.
func (c Clock) keepPace(clockBefore Clock) Clock {
	c.Time = max(c.Time, clockBefore.EstimateTimeAt(c.Height))
	blocks := uint64(c.Time-clockBefore.Time) / c.pace()
	c.Height = max(c.Height, clockBefore.Height+cw721.Height(blocks))
	return c
}

// ToExpiry returns the clock at an expiry in the future, or unitsBefore blocks before a
// height, or unitsBefore nanoseconds before a time. Height and time move together, by the
// seconds per block. ToExpiry fails with a [*RangeError] if the clock overflows, and with
// [ErrNothingExpires] if expiration is never.
func (c Clock) ToExpiry(expiration cw721.Expiration, unitsBefore uint64) (Clock, error) {
	if expiration.Axis == cw721.Never {
		return c, ErrNothingExpires
	}
	target := expiration.Value - unitsBefore
	if expiration.Axis == cw721.AtHeight {
		return c.forward(target-uint64(c.Height), 0)
	}
	return c.forward(0, target-uint64(c.Time))
}

// maxSecondsPerBlock is the longest that a block may take: a day.
const maxSecondsPerBlock = 86_400

// checkPace returns a [*RangeError] if a number of seconds per block is out of range.
func checkPace(seconds uint64) error {
	if seconds < 1 || seconds > maxSecondsPerBlock {
		return rangeErrorf("seconds per block: expected 1 to %d, got %d", maxSecondsPerBlock, seconds)
	}
	return nil
}

// blockState is what every message and every view needs first, in one short record.
type blockState struct {
	Clock
	hasCollection bool
}

// blockStateItem holds 25 bytes: height, time in nanoseconds and seconds per block, each in
// 8 bytes big-endian, and 1 if there is a collection, else 0.
var blockStateItem = kv.NewItem("now", kv.Codec[blockState]{
	Encode: blockState.encode,
	Decode: decodeBlockState,
})

const blockStateSize = 3*8 + 1

func (s blockState) encode() []byte {
	record := binary.BigEndian.AppendUint64(make([]byte, 0, blockStateSize), uint64(s.Height))
	record = binary.BigEndian.AppendUint64(record, uint64(s.Time))
	record = binary.BigEndian.AppendUint64(record, s.SecondsPerBlock)
	if s.hasCollection {
		return append(record, 1)
	}
	return append(record, 0)
}

var errBlockStateSize = errors.New("it does not have the size of a block state")

// decodeBlockState also fails if the seconds per block are out of range.
func decodeBlockState(record []byte) (blockState, error) {
	if len(record) != blockStateSize {
		return blockState{}, errBlockStateSize
	}
	var state blockState
	state.Height = cw721.Height(binary.BigEndian.Uint64(record))
	state.Time = cw721.Time(binary.BigEndian.Uint64(record[8:]))
	state.SecondsPerBlock = binary.BigEndian.Uint64(record[16:])
	state.hasCollection = record[24] == 1
	return state, checkPace(state.SecondsPerBlock)
}

// loadBlockState reads the clock and whether there is a collection. It fails with
// [ErrNoCollection] in a store without a chain.
func loadBlockState(meta kv.Reader) (blockState, error) {
	state, exists, err := blockStateItem.Load(meta)
	if err != nil {
		return blockState{}, err
	}
	if !exists {
		return blockState{}, ErrNoCollection
	}
	return state, nil
}
