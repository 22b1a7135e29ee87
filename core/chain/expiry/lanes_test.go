package expiry

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/kv"
)

func TestCellsBeginAtEveryScaleAndOneAfterTheOther(t *testing.T) {
	for cell := 1; cell < CellCount; cell++ {
		if CellStart(cell) <= CellStart(cell-1) {
			t.Errorf("cell %d begins %v from now, and the cell before %v", cell, CellStart(cell), CellStart(cell-1))
		}
	}
	for _, scale := range Scales {
		if cell := CellAt(scale); CellStart(cell) != scale {
			t.Errorf("%v is in a cell that begins at %v", scale, CellStart(cell))
		}
	}
	if cell := CellAt(1 << 62); cell != CellCount-1 {
		t.Errorf("a century from now is in cell %d", cell)
	}
	if cell := CellAt(time.Nanosecond); cell != 0 {
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
		cell, isLive := CellOf(e, now, secondsPerBlock)
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
		cell, ok := CellOf(e, now, secondsPerBlock)
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
