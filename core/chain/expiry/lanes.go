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

// CellCount is the number of cells into which [Lanes] divide the future. The first cell is
// the next second. The cells up to a year are longer the farther ahead they are, and the last
// cell has everything later than a year.
const CellCount = 256

// MaxCount is the largest count in [Lanes]. It means that many grants or more.
const MaxCount = 10

// Lanes counts the grants that have not expired by how far ahead they expire. A count
// below [MaxCount] is exact.
type Lanes struct {
	// Height and Time count the grants in each cell that expire at a height and at a time.
	Height, Time [CellCount]uint8
	// Never is the number of grants that never expire.
	Never uint8
}

// Scales are distances from now that are also the starts of cells, so that a drawing of the
// lanes can end there.
var Scales = []time.Duration{time.Hour, 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour}

// cellStarts has the distance from now at which each cell begins.
var cellStarts = makeCellStarts()

// makeCellStarts computes where each cell begins, as a distance from now. Cell 0 begins at 0
// and cell 1 after a second. From there to each of the Scales, the starts grow by a constant
// factor from cell to cell. The last cell begins at the last of the Scales.
func makeCellStarts() (starts [CellCount]time.Duration) {
	lastCells := []int{120, 167, 217, 254} // the last cell before each of the Scales
	begin := time.Second
	cell := 1
	for i, end := range Scales {
		// Divide the distance up to this end of a scale into cells that grow by the same
		// factor.
		count := lastCells[i] + 1 - cell
		growth := math.Pow(end.Seconds()/begin.Seconds(), 1/float64(count))
		for n := range count {
			starts[cell+n] = time.Duration(float64(begin) * math.Pow(growth, float64(n)))
		}
		cell += count
		begin = end
	}
	starts[cell] = begin
	return starts
}

// CellStart returns the distance from now at which a cell begins.
func CellStart(cell int) time.Duration { return cellStarts[cell] }

// CellAt returns the index of the cell in which a moment is counted that lies ahead by a
// time. A cell is a span of time ahead; the spans grow with the distance from now. The result
// is -1 for a moment that is not ahead.
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
	current, end, canExpire := e.NowAndEnd(now)
	if !canExpire || end <= current {
		return 0, false
	}
	return CellAt(distance(e.Axis, end-current, secondsPerBlock)), true
}

// distance converts units, which are blocks or nanoseconds by the axis, into a duration. It
// returns the longest duration if the result is too large.
func distance(axis cw721.Axis, units, secondsPerBlock uint64) time.Duration {
	high, nanoseconds := bits.Mul64(units, nanosecondsPerUnit(axis, secondsPerBlock))
	if high > 0 || nanoseconds > math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(nanoseconds)
}

// nanosecondsPerUnit returns how long a unit of an axis takes in nanoseconds: a block for
// heights, and a nanosecond for times.
func nanosecondsPerUnit(axis cw721.Axis, secondsPerBlock uint64) uint64 {
	if axis == cw721.AtHeight {
		return secondsPerBlock * uint64(time.Second)
	}
	return 1
}

// CountLanes counts the grants that have not expired. It reads the keys of at most
// [MaxCount] grants for each cell, however many there are.
func (x Reader) CountLanes(secondsPerBlock uint64) (lanes Lanes, err error) {
	lanes.Height, err = x.countLane(cw721.AtHeight, secondsPerBlock)
	if err != nil {
		return lanes, err
	}
	lanes.Time, err = x.countLane(cw721.AtTime, secondsPerBlock)
	if err != nil {
		return lanes, err
	}

	// Grants that never expire are in no lane. They are counted together.
	for _, err := range x.expiriesBetween(cw721.Never, 0, maxEnd) {
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

// countLane counts the grants that expire on one axis, heights or times, after now. A cell is
// a span of that axis; the spans grow with the distance from now. When the count of a cell
// has reached [MaxCount], countLane skips the rest of the cell, so it reads few keys however
// many grants there are. secondsPerBlock makes the cells of heights as long as those of times.
func (x Reader) countLane(axis cw721.Axis, secondsPerBlock uint64) (counts [CellCount]uint8, err error) {
	for nextCell := 0; nextCell < CellCount; {
		fullCell, err := x.countUntilFull(&counts, axis, nextCell, secondsPerBlock)
		if err != nil {
			return counts, err
		}
		nextCell = fullCell + 1
	}
	return counts, nil
}

// countUntilFull adds the grants in the cells from firstCell on to counts, until the count of
// a cell has reached [MaxCount]. It returns this cell, or [CellCount] if it has counted all.
func (x Reader) countUntilFull(counts *[CellCount]uint8, axis cw721.Axis, firstCell int, secondsPerBlock uint64) (fullCell int, err error) {
	// Read the expiries in order, and stop where a cell is full: the caller jumps to the
	// next.
	first, last := EndsInCells(axis, firstCell, CellCount-1, x.now, secondsPerBlock)
	for expires, err := range x.expiriesBetween(axis, first, last) {
		if err != nil {
			return 0, err
		}
		cell, isLive := CellOf(expires, x.now, secondsPerBlock)
		if !isLive || cell < firstCell {
			continue // firstCell begins after the last height or time
		}
		counts[cell]++
		if counts[cell] == MaxCount {
			return cell, nil
		}
	}
	return CellCount, nil
}

// expiriesBetween yields the expiry of each grant that expires on one axis between two
// values, both included, the soonest first. It reads keys only.
func (x Reader) expiriesBetween(axis cw721.Axis, from, to uint64) iter.Seq2[cw721.Expiration, error] {
	keys := axisRange([]byte{byEnd}, axis, from, to)
	keys.KeysOnly = true
	return kv.Convert(x.r.Scan(keys), func(p kv.Pair) (cw721.Expiration, error) {
		const indexSize = 1 // the letter of the index
		if len(p.Key) < indexSize+endSize {
			return cw721.Expiration{}, corruptEntry(p.Key)
		}
		return decodeEnd(p.Key[indexSize:]), nil
	})
}

// EndsInCells returns the first and the last height or time, by the axis, that belongs to
// the cells from firstCell to lastCell, seen from block now. [Reader.ExpiringBetween] then
// finds the grants in these cells.
//
// For example, a cell begins 10 seconds from now and the next one 20 seconds from now. At
// height 100 with 5 seconds per block, the cell has the heights 102 and 103: block 102 is
// expected after 10 seconds, and block 104, after 20 seconds, belongs to the next cell.
func EndsInCells(axis cw721.Axis, firstCell, lastCell int, now cw721.Block, secondsPerBlock uint64) (first, last uint64) {
	current, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(now)
	unit := nanosecondsPerUnit(axis, secondsPerBlock)

	// A grant that ends now has expired, so the nearest end is one unit ahead.
	nearest := max(1, unitsTo(firstCell, unit))
	first = addUpToMax(current, nearest)
	isLast := lastCell == CellCount-1
	if isLast {
		return first, maxEnd
	}
	farthest := unitsTo(lastCell+1, unit) - 1
	return first, addUpToMax(current, farthest)
}

// unitsTo returns how many units after now a cell begins, rounded up. A cell is a span of
// time ahead, one of those into which the clock's lanes are divided. unit is the length of a
// block or of a nanosecond, in nanoseconds.
func unitsTo(cell int, unit uint64) uint64 {
	return (uint64(CellStart(cell)) + unit - 1) / unit
}

// addUpToMax adds two numbers of units, and returns [maxEnd] if the sum would be greater.
func addUpToMax(a, b uint64) uint64 { return a + min(b, maxEnd-a) }
