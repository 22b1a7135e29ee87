package expiry

import (
	"iter"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/kv"
	"ephemera/core/kv/kvtest"
)

func TestCellsBeginAtEveryScaleAndOneAfterTheOther(t *testing.T) {
	for cell := 1; cell < CellCount; cell++ {
		if CellStart(cell) <= CellStart(cell-1) {
			t.Errorf("cell %d begins %v from now, and the cell before %v", cell, CellStart(cell), CellStart(cell-1))
		}
	}
	for _, scale := range Scales {
		if cell := CellContaining(scale); CellStart(cell) != scale {
			t.Errorf("%v is in a cell that begins at %v", scale, CellStart(cell))
		}
	}
	if cell := CellContaining(1 << 62); cell != CellCount-1 {
		t.Errorf("a century from now is in cell %d", cell)
	}
	if cell := CellContaining(time.Nanosecond); cell != 0 {
		t.Errorf("a nanosecond from now is in cell %d", cell)
	}
}

func TestEveryGrantIsCountedInItsCell(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		now := cw721.Block{
			Height: cw721.Height(rapid.Uint64Range(0, 1<<40).Draw(r, "height")),
			Time:   cw721.Time(rapid.Uint64Range(0, 1<<62).Draw(r, "time")),
		}
		secondsPerBlock := rapid.Uint64Range(1, 86_400).Draw(r, "seconds per block")
		var want Lanes
		db := kv.NewMemory()
		err := db.Update(func(txn kv.Txn) error {
			for i := range rapid.IntRange(0, 60).Draw(r, "grants") {
				grant := cw721.Grant{
					Kind:    cw721.GrantApproval,
					Token:   string(rune('a' + i)),
					Owner:   "alice",
					Spender: "bob",
					Expires: drawExpiry(r, now),
				}
				countIn(&want, grant.Expires, now, secondsPerBlock)
				if err := PutEntry(txn.Set, Entry{Grant: grant}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			r.Fatal(err)
		}

		var got Lanes
		err = db.View(func(reader kv.Reader) (err error) {
			got, err = NewReader(reader, cw721.CurrentLayout, now, nil).CountLanes(secondsPerBlock)
			return err
		})
		if err != nil || got != want {
			r.Fatalf("counted %v, %v, expected %v", got, err, want)
		}
	})
}

func TestTheEndsInCellsAreThoseOfTheGrantsThatTheCellsCount(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		now := cw721.Block{Height: 1_100, Time: 1_795_262_400_000_000_000}
		secondsPerBlock := rapid.Uint64Range(1, 86_400).Draw(r, "seconds per block")
		firstCell := rapid.IntRange(0, CellCount-1).Draw(r, "first cell")
		lastCell := rapid.IntRange(firstCell, CellCount-1).Draw(r, "last cell")
		e := drawExpiry(r, now)
		cell, isLive := CellOfExpiration(e, now, secondsPerBlock)
		if !isLive {
			return
		}

		first, last := EndsInCells(e.Axis, firstCell, lastCell, now, secondsPerBlock)

		isBetween := e.Value >= first && e.Value <= last
		if want := cell >= firstCell && cell <= lastCell; isBetween != want {
			r.Fatalf("%v, in cell %d, is between %d and %d: %t", e, cell, first, last, isBetween)
		}
	})
}

// drawExpiry draws an expiry near now, many of them in the same cell, or anywhere.
func drawExpiry(r *rapid.T, now cw721.Block) cw721.Expiration {
	axis := cw721.Axis(rapid.IntRange(0, 2).Draw(r, "axis"))
	if axis == cw721.Never {
		return cw721.Expiration{}
	}
	current, _, _ := cw721.Expiration{Axis: axis}.NowAndEnd(now)
	ahead := rapid.OneOf(rapid.Uint64Range(0, 3), rapid.Uint64Range(0, 1<<34), rapid.Just(maxEnd-current)).Draw(r, "ahead")
	return cw721.Expiration{Axis: axis, Value: current + ahead}
}

// countIn adds a grant to the counts, one by one.
func countIn(lanes *Lanes, e cw721.Expiration, now cw721.Block, secondsPerBlock uint64) {
	count := &lanes.Never
	if e.Axis != cw721.Never {
		cell, ok := CellOfExpiration(e, now, secondsPerBlock)
		if !ok {
			return
		}
		count = &lanes.Height[cell]
		if e.Axis == cw721.AtTime {
			count = &lanes.Time[cell]
		}
	}
	*count = min(*count+1, MaxCount)
}

// countedReader counts the records that are read from a store.
type countedReader struct {
	kv.Reader
	read int
}

// Scan yields the records in a range, and counts them.
func (r *countedReader) Scan(keys kv.Range) iter.Seq2[kv.Pair, error] {
	return func(yield func(kv.Pair, error) bool) {
		for pair, err := range r.Reader.Scan(keys) {
			r.read++
			if !yield(pair, err) {
				return
			}
		}
	}
}

// writeGrants writes the entries of a number of grants, by their expiry only, to a store.
// Each expires e^x seconds after block now, where x is drawn evenly up to 18 (two years).
// One in three expires at a height, one at a time, and one never.
func writeGrants(tb testing.TB, count int, now cw721.Block) *kv.Memory {
	tb.Helper()
	db := kv.NewMemory()
	random := rand.New(rand.NewPCG(1, 2))
	err := db.Update(func(txn kv.Txn) error {
		for i := range count {
			axis := cw721.Axis(i % 3)
			current, _, expires := cw721.Expiration{Axis: axis}.NowAndEnd(now)
			expiry := cw721.Expiration{Axis: axis}
			if expires {
				seconds := math.Exp(18 * random.Float64())
				units := seconds * 1e9 / float64(nanosecondsPerUnit(axis, 5))
				expiry.Value = current + uint64(units)
			}
			grant := cw721.Grant{Kind: cw721.GrantApproval, Token: strconv.Itoa(i), Owner: "alice", Spender: "bob", Expires: expiry}
			if err := txn.Set(keysOf(grant)[0], encodeValue(Entry{Grant: grant})); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return db
}

// blockOfTests is a block like those of the demo.
var blockOfTests = cw721.Block{Height: 1_102, Time: 1_795_262_405_000_000_000}

func TestCountingReadsNoMoreThanTenKeysACell(t *testing.T) {
	const maxRead = 2*CellCount*MaxCount + MaxCount // of two lanes, and of what never expires
	counts := []int{20, 20_000}
	if kvtest.Times() > 1 {
		counts = append(counts, 1_000_000)
	}
	for _, count := range counts {
		err := writeGrants(t, count, blockOfTests).View(func(r kv.Reader) error {
			counted := &countedReader{Reader: r}
			lanes, err := NewReader(counted, cw721.CurrentLayout, blockOfTests, nil).CountLanes(5)
			t.Logf("%d grants: %d keys read", count, counted.read)
			if counted.read > min(maxRead, count) || lanes.Never == 0 {
				t.Errorf("%d grants: %d keys read, %d never expire", count, counted.read, lanes.Never)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkLanesOfAMillionAgainstTwenty counts a million grants, against twenty. The ratio
// is bounded: there are 512 cells, and at most ten grants of each are read.
func BenchmarkLanesOfAMillionAgainstTwenty(b *testing.B) {
	measure := func(count int) time.Duration {
		const rounds = 50
		var spent time.Duration
		err := writeGrants(b, count, blockOfTests).View(func(r kv.Reader) error {
			start := time.Now()
			for range rounds {
				if _, err := NewReader(r, cw721.CurrentLayout, blockOfTests, nil).CountLanes(5); err != nil {
					return err
				}
			}
			spent = time.Since(start) / rounds
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		return spent
	}
	few := measure(20)
	million := measure(1_000_000)
	for b.Loop() {
		b.ReportMetric(million.Seconds()*1e3, "ms/million")
		b.ReportMetric(few.Seconds()*1e3, "ms/twenty")
		b.ReportMetric(float64(million)/float64(few), "x-twenty")
	}
}
