package expiry

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"time"

	"ephemera/core/cw721"
)

// CellCount is the number of cells in which a lane counts grants. The first cell is
// the second from now on. The cells up to a year grow with their distance from now,
// and the last cell has everything later than a year.
const CellCount = 256

// MaxCount is the largest number that a count of [Lanes] has. It means that many or
// more.
const MaxCount = 10

// Lanes counts the grants that have not expired by how far ahead they expire. A count
// below [MaxCount] is exact.
type Lanes struct {
	// Height and Time have the grants that expire at a height and at a time.
	Height, Time [CellCount]uint8
	// Never is the number of grants that never expire.
	Never uint8
}

// Scales are the distances from now at which a cell begins in any case, so that a
// drawing of the lanes can end there.
var Scales = []time.Duration{time.Hour, 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour}

// cellStarts has the distance from now at which each cell begins.
var cellStarts = makeCellStarts()

func makeCellStarts() (starts [CellCount]time.Duration) {
	cellsUpToScale := []int{120, 167, 217, 254}
	begin := time.Second
	cell := 1
	for i, end := range Scales {
		cells := cellsUpToScale[i] + 1 - cell
		growth := math.Pow(end.Seconds()/begin.Seconds(), 1/float64(cells))
		for n := range cells {
			starts[cell+n] = time.Duration(float64(begin) * math.Pow(growth, float64(n)))
		}
		cell += cells
		begin = end
	}
	starts[cell] = begin
	return starts
}

// CellStart returns the distance from now at which a cell begins.
func CellStart(cell int) time.Duration { return cellStarts[cell] }

// CellAt returns the cell for a distance from now.
func CellAt(ahead time.Duration) int {
	cell, isStart := slices.BinarySearch(cellStarts[:], ahead)
	if isStart {
		return cell
	}
	return cell - 1
}

// CellOf returns the cell of a grant that has not expired in block now. The time until
// a height is estimated by the seconds per block. ok is false for a grant that has
// expired or never expires.
func CellOf(e cw721.Expiration, now cw721.Block, secondsPerBlock uint64) (cell int, ok bool) {
	current, end, expires := e.NowAndEnd(now)
	if !expires || end <= current {
		return 0, false
	}
	return CellAt(distance(e.Axis, end-current, secondsPerBlock)), true
}

// distance returns a number of blocks or nanoseconds as a duration. It returns the
// longest duration for a number that is too large.
func distance(axis cw721.Axis, units, secondsPerBlock uint64) time.Duration {
	high, nanoseconds := bits.Mul64(units, nanosecondsPerUnit(axis, secondsPerBlock))
	if high > 0 || nanoseconds > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(nanoseconds)
}

// nanosecondsPerUnit returns how long a block or a nanosecond takes.
func nanosecondsPerUnit(axis cw721.Axis, secondsPerBlock uint64) uint64 {
	if axis == cw721.AtHeight {
		return secondsPerBlock * uint64(time.Second)
	}
	return 1
}

// CountLanes counts the grants that have not expired. It reads at most [MaxCount] keys
// for each cell, however many grants there are.
func (x Reader) CountLanes(secondsPerBlock uint64) (lanes Lanes, err error) {
	lanes.Height, err = x.countLane(cw721.AtHeight, uint64(x.now.Height), secondsPerBlock)
	if err != nil {
		return lanes, err
	}
	lanes.Time, err = x.countLane(cw721.AtTime, uint64(x.now.Time), secondsPerBlock)
	if err != nil {
		return lanes, err
	}
	endless := axisRange([]byte{byEnd}, cw721.Never, 0, maxEnd)
	endless.KeysOnly = true
	for _, err := range x.r.Scan(endless) {
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

// countLane counts the grants that expire on one axis after now.
func (x Reader) countLane(axis cw721.Axis, now, secondsPerBlock uint64) (counts [CellCount]uint8, err error) {
	unit := nanosecondsPerUnit(axis, secondsPerBlock)
	for first := uint64(1); first <= maxEnd-now; {
		fullCell := -1
		ahead := axisRange([]byte{byEnd}, axis, now+first, maxEnd)
		ahead.KeysOnly = true
		for pair, err := range x.r.Scan(ahead) {
			if err != nil {
				return counts, err
			}
			end, err := endIn(pair.Key)
			if err != nil {
				return counts, err
			}
			cell := CellAt(distance(axis, end-now, secondsPerBlock))
			counts[cell]++
			if counts[cell] == MaxCount {
				fullCell = cell
				break
			}
		}
		if fullCell < 0 || fullCell == CellCount-1 {
			return counts, nil
		}
		first = ceilDivide(uint64(CellStart(fullCell+1)), unit)
	}
	return counts, nil
}

// EndsInCells returns the first and the last height or time in block now at which the
// grants of some neighbouring cells expire. It is for [Reader.ExpiringBetween]. The height
// or time now itself is in no cell, because what ends there has expired.
func EndsInCells(axis cw721.Axis, firstCell, lastCell int, now cw721.Block, secondsPerBlock uint64) (first, last uint64) {
	current, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(now)
	unit := nanosecondsPerUnit(axis, secondsPerBlock)
	first = current + max(1, ceilDivide(uint64(CellStart(firstCell)), unit))
	if lastCell == CellCount-1 {
		return first, maxEnd
	}
	return first, current + ceilDivide(uint64(CellStart(lastCell+1)), unit) - 1
}

// endIn returns the height or time at which the grant under a key of the index by
// expiry expires.
func endIn(key []byte) (uint64, error) {
	if len(key) < 1+endSize {
		return 0, corruptEntry(key)
	}
	return binary.BigEndian.Uint64(key[2:]), nil
}

// ceilDivide divides and rounds up.
func ceilDivide(a, b uint64) uint64 { return (a + b - 1) / b }
