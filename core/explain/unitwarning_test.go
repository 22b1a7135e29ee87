package explain_test

import (
	"math"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

func TestAnExpiryInTheWrongUnitGivesAWarning(t *testing.T) {
	now := chain.Clock{Height: 1102, Time: 1_795_262_405_000_000_000, SecondsPerBlock: 5}
	for _, c := range []struct {
		expires cw721.Expiration
		want    string // a part of the warning; empty for no warning
	}{
		{cw721.Expiration{}, ""},
		{cw721.UntilHeight(1110), ""},
		{cw721.UntilHeight(3), ""},
		{cw721.UntilHeight(1_795_262_405), "was a time meant?"},
		{cw721.UntilHeight(math.MaxUint64), "was a time meant?"},
		{cw721.UntilTime(now.Time + 1), ""},
		{cw721.UntilTime(now.Time - 1), ""},
		{cw721.UntilTime(1_795_262_405), "seconds or milliseconds meant?"},
		{cw721.UntilTime(1_795_262_405_000), "seconds or milliseconds meant?"},
		{cw721.UntilTime(math.MaxUint64), "200 years"},
	} {
		got := explain.UnitWarning(c.expires, now)
		isWarned := got != ""
		isExpected := c.want != ""
		if isWarned != isExpected || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.expires, got, c.want)
		}
	}
	early := chain.Clock{Height: 1, Time: 5, SecondsPerBlock: 1}
	if got := explain.UnitWarning(cw721.UntilTime(9), early); got != "" {
		t.Errorf("on a chain whose clock starts at zero: %q", got)
	}
}
