package expiry

import (
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

// CountLanes counts the grants that have not expired. It reads at most [MaxCount] grants
// for each cell, however many there are.
func (x Reader) CountLanes(secondsPerBlock uint64) (lanes Lanes, err error) {
	lanes.Height, err = x.countLane(cw721.AtHeight, secondsPerBlock)
	if err != nil {
		return lanes, err
	}
	lanes.Time, err = x.countLane(cw721.AtTime, secondsPerBlock)
	if err != nil {
		return lanes, err
	}
	for _, err := range x.ExpiringBetween(cw721.Never, 0, maxEnd) {
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

// countLane counts the grants that expire on one axis after now. When a cell is full, it
// goes on with the next one.
func (x Reader) countLane(axis cw721.Axis, secondsPerBlock uint64) (counts [CellCount]uint8, err error) {
	for nextCell := 0; nextCell < CellCount; {
		first, last := EndsInCells(axis, nextCell, CellCount-1, x.now, secondsPerBlock)
		fullCell := CellCount
		for e, err := range x.ExpiringBetween(axis, first, last) {
			if err != nil {
				return counts, err
			}
			cell, isLive := CellOf(e.Expires, x.now, secondsPerBlock)
			if !isLive || cell < nextCell {
				continue // the cells from nextCell on begin after the last height or time
			}
			counts[cell]++
			if counts[cell] == MaxCount {
				fullCell = cell
				break
			}
		}
		nextCell = fullCell + 1
	}
	return counts, nil
}

// EndsInCells returns the first and the last height or time in block now at which the
// grants of some neighbouring cells expire. It is for [Reader.ExpiringBetween]. The height
// or time now itself is in no cell, because what ends there has expired.
func EndsInCells(axis cw721.Axis, firstCell, lastCell int, now cw721.Block, secondsPerBlock uint64) (first, last uint64) {
	current, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(now)
	unit := nanosecondsPerUnit(axis, secondsPerBlock)
	endOf := func(distance uint64) uint64 { return current + min(distance, maxEnd-current) }
	first = endOf(max(1, ceilDivide(uint64(CellStart(firstCell)), unit)))
	if lastCell == CellCount-1 {
		return first, maxEnd
	}
	return first, endOf(ceilDivide(uint64(CellStart(lastCell+1)), unit) - 1)
}

// ceilDivide divides and rounds up.
func ceilDivide(a, b uint64) uint64 { return (a + b - 1) / b }
