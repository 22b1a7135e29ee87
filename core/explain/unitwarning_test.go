package explain_test

import (
	"math"
	"strings"
	"testing"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
)

func TestAnEndInTheWrongUnitIsCalledOut(t *testing.T) {
	now := chain.Clock{Height: 1102, Time: 1_795_262_405_000_000_000, SecondsPerBlock: 5}
	for _, c := range []struct {
		end  cw721.Expiration
		want string // a part of the sentence, "" for none
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
		if got := explain.UnitWarning(c.end, now); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q", c.end, got)
		}
	}
	early := chain.Clock{Height: 1, Time: 5, SecondsPerBlock: 1}
	if got := explain.UnitWarning(cw721.UntilTime(9), early); got != "" {
		t.Errorf("on a chain that counts from zero: %q", got)
	}
}
