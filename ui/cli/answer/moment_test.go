package answer_test

import (
	"math"
	"testing"

	"ephemera/core/cw721"
	"ephemera/ui/cli/answer"
)

func TestABlockHasADateUntil2262(t *testing.T) {
	for time, want := range map[cw721.Time]string{
		1_795_262_400_000_000_005: "2026-11-21T12:00:00.000000005Z",
		math.MaxInt64:             "2262-04-11T23:47:16.854775807Z",
		math.MaxInt64 + 1:         "",
	} {
		got := answer.BlockOf(cw721.Block{Time: time}).UTC
		if got != want {
			t.Errorf("%d ns: got %q, want %q", time, got, want)
		}
	}
}
