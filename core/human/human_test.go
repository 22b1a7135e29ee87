package human_test

import (
	"math"
	"testing"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

func TestAnEndIsSaidAsPeopleSayIt(t *testing.T) {
	now := cw721.Block{Height: 1102, Time: 1_795_262_400e9}
	const last = math.MaxUint64
	for _, c := range []struct {
		end       cw721.Expiration
		when, ago string
	}{
		{cw721.Expiration{}, "never", "never expires"},
		{cw721.UntilHeight(1110), "height 1,110", "in 8 blocks"},
		{cw721.UntilHeight(1103), "height 1,103", "in 1 block"},
		{cw721.UntilHeight(1102), "height 1,102", "expired in this block"},
		{cw721.UntilHeight(99), "height 99", "expired 1,003 blocks ago"},
		{cw721.UntilTime(now.Time), "2026-11-21 12:00:00 UTC", "expired at this time"},
		{cw721.UntilTime(now.Time + 1), "2026-11-21 12:00:00.000000001 UTC", "in 1 ns"},
		{cw721.UntilTime(now.Time + 1e9 - 1), "2026-11-21 12:00:00.999999999 UTC", "in 999,999,999 ns"},
		{cw721.UntilTime(now.Time + 1e9), "2026-11-21 12:00:01 UTC", "in 1s"},
		{cw721.UntilTime(now.Time + 60e9), "2026-11-21 12:01:00 UTC", "in 1m 00s"},
		{cw721.UntilTime(now.Time - 1), "2026-11-21 11:59:59.999999999 UTC", "expired 1 ns ago"},
		{cw721.UntilTime(now.Time - 3_600e9), "2026-11-21 11:00:00 UTC", "expired 1h 00m ago"},
		{cw721.UntilTime(now.Time + 86_400e9), "2026-11-22 12:00:00 UTC", "in 1d 00h"},
		{cw721.UntilTime(now.Time + 730*86_400e9), "2028-11-20 12:00:00 UTC", "in 2 years"},
		{cw721.UntilTime(last), "18,446,744,073,709,551,615 ns", "in 528 years"},
	} {
		if got := human.Expiry(c.end); got != c.when {
			t.Errorf("%v ends %q, want %q", c.end, got, c.when)
		}
		if got := human.ExpiresIn(c.end, now); got != c.ago {
			t.Errorf("%v: %q, want %q", c.end, got, c.ago)
		}
	}
}
