package human_test

import (
	"math"
	"testing"
	"time"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

func TestADateIsReadInEveryFormAndInUTCWhereItNamesNoZone(t *testing.T) {
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-11-21T12:00:00Z": noon, "2026-11-21t12:00:00z": noon, "2026-11-21T14:00:00+02:00": noon,
		"2026-11-21 12:00:00": noon, "2026-11-21T12:00:00": noon, "2026-11-21 12:00": noon, "2026-11-21T12:00": noon,
		" 2026-11-21 12:00 UTC ": noon, "2026-11-21 12:00 utc": noon, "2026-11-21": noon.Add(-12 * time.Hour),
		"2026-11-21 12:00:00.000000007": noon.Add(7), "2026-11-21T12:00:00.5Z": noon.Add(time.Second / 2),
	} {
		if got, ok := human.ParseDate(text); !ok || !got.Equal(want) {
			t.Errorf("%q: got %v, %t, want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "now", "12:00", "21.11.2026", "2026-13-01", "2026-11-21 25:00", "1795262400"} {
		if got, ok := human.ParseDate(text); ok {
			t.Errorf("%q was read as %v", text, got)
		}
	}
}

func TestABlockTimeIsFrom1970ToTheLastNanosecondThatCounts(t *testing.T) {
	last := time.Unix(math.MaxUint64/1_000_000_000, math.MaxUint64%1_000_000_000)
	for at, want := range map[time.Time]cw721.Time{time.Unix(0, 0): 0, time.Unix(0, 1): 1, last: math.MaxUint64} {
		if got, ok := human.BlockTime(at); !ok || got != want {
			t.Errorf("%v: got %d, %t, want %d", at.UTC(), got, ok, want)
		}
	}
	for _, at := range []time.Time{time.Unix(0, -1), last.Add(1), last.Add(time.Hour)} {
		if got, ok := human.BlockTime(at); ok {
			t.Errorf("%v was given as %d", at.UTC(), got)
		}
	}
}
