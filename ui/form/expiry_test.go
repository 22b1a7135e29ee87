package form

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/cw721"
	"ephemera/core/explain"
	"ephemera/ui/app"
)

// noon is 2026-11-21 12:00:05 UTC at height 1,102, five seconds a block.
var noon = chain.Clock{Height: 1102, Time: 1_795_262_405_000_000_000, SecondsPerBlock: 5}

func TestAnEndThatNoCalendarHoldsIsWrittenInNanosecondsOnce(t *testing.T) {
	st := &app.State{Session: app.Session{Facts: app.Facts{Clock: noon}}}
	for e, want := range map[cw721.Expiration]string{
		cw721.UntilTime(18446744073709551615):   "18,446,744,073,709,551,615 ns · in 528 years",
		cw721.UntilHeight(18446744073709551615): "height 18,446,744,073,709,551,615 · in 18,446,744,073,709,550,513 blocks · about 18,446,744,073,000,000,000 ns",
	} {
		if got := st.AllForms(e); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestALikelySlipOfTheUnitIsCalledOut(t *testing.T) {
	for text, want := range map[string]string{
		"1700000000 ns":       "at_time counts nanoseconds",
		"1700000000000ns":     "were seconds or milliseconds meant?",
		"h1795264800":         "more than 50 years away: was a time meant?",
		"2250-01-01":          "more than 200 years away",
		"+10":                 "",
		"never":               "",
		"+90m":                "",
		"h5":                  "",
		"2020-01-01":          "",
		"1700000000000000000": "", // no unit: refused, not warned
	} {
		expires, _ := parseExpiry(text, noon)
		if got := explain.UnitWarning(expires, noon); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: warning %q, expected %q", text, got, want)
		}
	}
}

func TestAnEndThatIsWrittenToBeTypedIsReadBackAsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := cw721.Expiration{Axis: cw721.Axis(rapid.IntRange(0, 2).Draw(t, "axis"))}
		if e.Axis != cw721.Never {
			e.Value = rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(1.7e18, 1.9e18), rapid.Just(uint64(0)), rapid.Uint64Range(9.2e18, 9.3e18)).Draw(t, "value")
		}
		got, err := parseExpiry(FormatExpiry(e), noon)
		if err != nil || got != e {
			t.Fatalf("%v is typed %q and read as %v, %v", e, FormatExpiry(e), got, err)
		}
	})
}

func TestALengthOfTimeExpiresOnAWholeSecondUnlessSomethingFinerWasTyped(t *testing.T) {
	clock := chain.Clock{Height: 1102, Time: 1_795_262_405_628_619_417, SecondsPerBlock: 5}
	for text, want := range map[string]cw721.Time{"+90m": 1_795_267_806_000_000_000, "+500ms": 1_795_262_406_128_619_417} {
		if got, err := parseExpiry(text, clock); err != nil || got.Value != uint64(want) {
			t.Errorf("%s is %d, %v", text, got.Value, err)
		}
	}
	if got := Examples(clock); got != "+10 blocks · +90m · h1110 · 2026-12-01 09:00" {
		t.Errorf("the examples are %s", got)
	}
	clock.Height = 5_000_000
	if got := Examples(clock); !strings.Contains(got, "h5000010") {
		t.Errorf("later the examples are %s", got)
	}
}

func TestTheExamplesInFormsLieAheadOfTheClockAndCanBeTyped(t *testing.T) {
	for _, now := range []string{"2026-11-21T12:00:05Z", "2031-01-31T23:59:59Z"} {
		at, _ := time.Parse(time.RFC3339, now)
		clock := chain.Clock{Height: 987_654, Time: cw721.Time(at.UnixNano()), SecondsPerBlock: 5}
		for _, text := range strings.Split(Examples(clock)+" · "+TimeExamples(clock), " · ") {
			e, err := parseExpiry(text, clock)
			warning := explain.UnitWarning(e, clock)
			if err != nil || warning != "" || e.HasExpired(clock.Block()) {
				t.Errorf("at %s, %q: %v %v %q", now, text, e, err, warning)
			}
		}
	}
}
