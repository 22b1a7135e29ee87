package expiry

import (
	"iter"
	"math"
	"math/bits"
	"slices"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

// CellCount is the number of cells into which [Lanes] divide the future. A cell is a span of
// time. The first is the next second, the following ones are the longer the farther ahead they
// are, and the last has everything later than a year.
const CellCount = 256

// MaxCount is the largest count in [Lanes]. It means that many grants or more.
const MaxCount = 10

// Lanes counts the grants that have not expired, by the cell in which they expire. A count
// below [MaxCount] is exact.
type Lanes struct {
	Height [CellCount]uint8 // by cell, how many grants expire at a height in it
	Time   [CellCount]uint8 // by cell, how many grants expire at a time in it
	Never  uint8            // how many grants never expire
}

// Scales are the distances from now at which a drawing of the lanes can end: an hour, a day,
// a month and a year. A cell begins at each of them.
var Scales = []time.Duration{time.Hour, 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour}

var cellStarts = makeCellStarts()

// makeCellStarts computes the distance from now at which each cell begins: cell 0 at 0, cell 1
// after a second, and each later one at the start before times a factor, which is constant
// between two of the [Scales]. The last cell begins a year from now.
func makeCellStarts() (starts [CellCount]time.Duration) {
	lastCells := []int{120, 167, 217, 254} // the last cell before each of the Scales
	scaleStart := time.Second
	cell := 1
	for i, scaleEnd := range Scales {
		// Multiplied cellCount times by growth, scaleStart becomes scaleEnd.
		cellCount := lastCells[i] + 1 - cell
		growth := math.Pow(scaleEnd.Seconds()/scaleStart.Seconds(), 1/float64(cellCount))
		for step := range cellCount {
			factor := math.Pow(growth, float64(step))
			starts[cell+step] = time.Duration(float64(scaleStart) * factor)
		}

		cell += cellCount
		scaleStart = scaleEnd
	}
	starts[cell] = scaleStart
	return starts
}

// CellStart returns the distance from now at which a cell begins.
func CellStart(cell int) time.Duration { return cellStarts[cell] }

// CellContaining returns the cell that contains a distance from now; -1 if that is negative.
func CellContaining(distance time.Duration) int {
	cell, isStart := slices.BinarySearch(cellStarts[:], distance)
	if isStart {
		return cell
	}
	return cell - 1 // the search has found the first cell that begins later
}

// CellOfExpiration returns the cell in which a grant expires, by the seconds per block. ok is
// false for a grant that never expires or has expired in the current block.
func CellOfExpiration(
	expiration cw721.Expiration,
	currentBlock cw721.Block,
	secondsPerBlock uint64,
) (cell int, ok bool) {
	currentValue, endValue, canExpire := expiration.NowAndEnd(currentBlock)
	if !canExpire || endValue <= currentValue {
		return 0, false
	}
	unitNanoseconds := nanosecondsPerUnit(expiration.Axis, secondsPerBlock)
	high, distance := bits.Mul64(endValue-currentValue, unitNanoseconds)
	if high > 0 {
		return CellCount - 1, true
	}
	return CellContaining(time.Duration(min(distance, math.MaxInt64))), true
}

func nanosecondsPerUnit(axis cw721.Axis, secondsPerBlock uint64) uint64 {
	if axis == cw721.AtHeight {
		return secondsPerBlock * uint64(time.Second)
	}
	return 1
}

// CountLanes reads at most [MaxCount] keys for each cell and each axis, however many there are.
func (r Reader) CountLanes(secondsPerBlock uint64) (lanes Lanes, err error) {
	lanes.Height, err = r.countLane(cw721.AtHeight, secondsPerBlock)
	if err != nil {
		return lanes, err
	}
	lanes.Time, err = r.countLane(cw721.AtTime, secondsPerBlock)
	if err != nil {
		return lanes, err
	}

	for _, err := range r.expiriesBetween(cw721.Never, 0, maxEnd) {
		if err != nil {
			return lanes, err
		}
		lanes.Never++
		if lanes.Never == MaxCount {
			break
		}
	}
	return lanes, nil
}

// countLane counts the grants that will expire on one axis, in each cell. At a count of
// [MaxCount], it skips the rest of the cell.
func (r Reader) countLane(axis cw721.Axis, secondsPerBlock uint64) (counts [CellCount]uint8, err error) {
	for firstCell := 0; firstCell < CellCount; {
		nextCell := CellCount
		first, last := EndsInCells(axis, firstCell, CellCount-1, r.currentBlock, secondsPerBlock)
		for expires, err := range r.expiriesBetween(axis, first, last) {
			if err != nil {
				return counts, err
			}

			// If firstCell begins after the last possible height or time, first is that height or
			// time, which is in an earlier cell.
			cell, isLive := CellOfExpiration(expires, r.currentBlock, secondsPerBlock)
			if !isLive || cell < firstCell {
				continue
			}
			counts[cell]++
			if counts[cell] == MaxCount {
				nextCell = cell + 1
				break
			}
		}
		firstCell = nextCell
	}
	return counts, nil
}

// expiriesBetween is [Reader.ExpiringBetween] for the expirations alone, which are in the keys.
func (r Reader) expiriesBetween(axis cw721.Axis, first, last uint64) iter.Seq2[cw721.Expiration, error] {
	keys := axisRange([]byte{expiryIndex}, axis, first, last)
	keys.KeysOnly = true
	return kv.Convert(r.index.Scan(keys), func(pair kv.Pair) (cw721.Expiration, error) {
		const indexSize = 1 // the letter of the index
		if len(pair.Key) < indexSize+endSize {
			return cw721.Expiration{}, corruptEntry(pair.Key)
		}
		return decodeEnd(pair.Key[indexSize:]), nil
	})
}

// EndsInCells returns the first and the last height or time in the cells from firstCell to
// lastCell. For example, at height 100 with 5 seconds per block, a cell from 10 to 20 seconds has
// the heights 102 and 103.
func EndsInCells(
	axis cw721.Axis,
	firstCell, lastCell int,
	currentBlock cw721.Block,
	secondsPerBlock uint64,
) (first, last uint64) {
	currentValue := currentBlock.ValueOn(axis)
	unitNanoseconds := nanosecondsPerUnit(axis, secondsPerBlock)

	// A grant that ends now has expired, so the nearest end is one unit ahead.
	nearestUnit := max(1, unitsToCell(firstCell, unitNanoseconds))
	first = addUpToMax(currentValue, nearestUnit)
	if lastCell == CellCount-1 {
		return first, maxEnd
	}
	farthestUnit := unitsToCell(lastCell+1, unitNanoseconds) - 1
	return first, addUpToMax(currentValue, farthestUnit)
}

// unitsToCell returns how many units after now a cell begins, rounded up: a cell after 12
// seconds is 3 blocks of 5 seconds away.
func unitsToCell(cell int, unitNanoseconds uint64) uint64 {
	return (uint64(CellStart(cell)) + unitNanoseconds - 1) / unitNanoseconds
}

func addUpToMax(value, increase uint64) uint64 { return value + min(increase, maxEnd-value) }
