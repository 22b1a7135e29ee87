package human_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ephemera/core/cw721"
	"ephemera/core/human"
)

// noon is 2026-11-21 12:00:05 UTC at height 1,102, five seconds a block.
var noon = cw721.Block{Height: 1102, Time: 1_795_262_405_000_000_000}

var expires = human.MomentParser{Field: "expires", Noun: "expiry", Examples: "never · +10 blocks"}

func TestAMomentIsTypedAsPeopleThinkOfIt(t *testing.T) {
	day := func(s string) cw721.Expiration {
		at, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return cw721.UntilTime(cw721.Time(at.UnixNano()))
	}
	for _, c := range []struct {
		text string
		want cw721.Expiration
	}{
		{"+10", cw721.UntilHeight(1112)},
		{"+ 1,000 blocks", cw721.UntilHeight(2102)},
		{"+1b", cw721.UntilHeight(1103)},
		{"+0", cw721.UntilHeight(1102)},
		{"h1110", cw721.UntilHeight(1110)},
		{"height 1,110", cw721.UntilHeight(1110)},
		{"h18446744073709551615", cw721.UntilHeight(18446744073709551615)},
		{"+90m", day("2026-11-21T13:30:05Z")},
		{"+2h30m", day("2026-11-21T14:30:05Z")},
		{"+1d", day("2026-11-22T12:00:05Z")},
		{"+1d 6h", day("2026-11-22T18:00:05Z")},
		{"+250ms", day("2026-11-21T12:00:05.25Z")},
		{"2026-12-01", day("2026-12-01T00:00:00Z")},
		{"2026-12-01 09:00", day("2026-12-01T09:00:00Z")},
		{"2026-12-01t09:00:30", day("2026-12-01T09:00:30Z")},
		{"2026-12-01T09:00:00+02:00", day("2026-12-01T07:00:00Z")},
		{"12:40", day("2026-11-21T12:40:00Z")},
		{"09:00", day("2026-11-22T09:00:00Z")},
		{"12:00:05", day("2026-11-22T12:00:05Z")},
		{"1795264800000000000 ns", day("2026-11-21T12:40:00Z")},
		{"18446744073709551615ns", cw721.UntilTime(18446744073709551615)},
	} {
		got, err := expires.Parse(c.text, noon)
		if err != nil || got != c.want {
			t.Errorf("%q: got %v, %v; expected %v", c.text, got, err, c.want)
		}
	}
}

func TestWhatIsNoMomentIsRefusedInOneSentenceThatSaysWhatIsExpected(t *testing.T) {
	for text, want := range map[string]string{
		"soon":                         `"soon" is no expiry, expected one of: never`,
		"-5":                           `"-5" is no expiry`,
		"+":                            `"+" is no length of time`,
		"+-5m":                         `"+-5m" is no length of time`,
		"+5 fortnights":                `no length of time, expected like +10 blocks`,
		"+70000d":                      `no length of time`,
		"+0.1ns":                       `no length of time`,
		"+65535d9000000h":              `no length of time`,
		"h":                            `"h" is no expiry`,
		"+18446744073709551615":        "more blocks than there can be",
		"h99999999999999999999":        "beyond the last height",
		"99999999999999999999 ns":      "beyond the last time",
		"2026-13-01":                   `"2026-13-01" is no expiry`,
		"1969-12-31":                   `"1969-12-31" is no expiry`,
		"9999-01-01":                   `"9999-01-01" is no expiry`,
		"42":                           "42 of what? write h42 for a height, +42 for blocks from now, or 42 ns for a time",
		"1,700,000,000":                "as seconds it is 2023-11-14 22:13:20 UTC: write that",
		"1700000000":                   "1700000000 of what? as seconds it is 2023-11-14 22:13:20 UTC: write that, or h1700000000 for a height",
		"1700000000000":                "as milliseconds it is 2023-11-14 22:13:20 UTC",
		"1700000000000000":             "as microseconds it is 2023-11-14 22:13:20 UTC",
		"1700000000000000000":          "as nanoseconds it is 2023-11-14 22:13:20 UTC",
		strings.Repeat("1", 40):        "beyond the last time",
		"2026-12-01 09:00 in the city": "is no expiry",
	} {
		got, err := expires.Parse(text, noon)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "expires: ") {
			t.Errorf("%q: got %v, %v; expected a refusal with %q", text, got, err, want)
		}
	}
}

func TestAWrongTimeIsToldWhatATimeLooksLikeAndNothingOfHeights(t *testing.T) {
	w := human.MomentParser{Field: "trading starts", Noun: "time", Examples: "+90m · 12:40 · 2026-12-01 09:00", RefusesHeights: true}
	for text, want := range map[string]string{
		"soon":       `trading starts: "soon" is no time, expected one of: +90m · 12:40 · 2026-12-01 09:00`,
		"never":      `trading starts: "never" is no time, expected one of: +90m · 12:40 · 2026-12-01 09:00`,
		"+10":        `trading starts: "+10" is no time, expected one of: +90m · 12:40 · 2026-12-01 09:00`,
		"h1110":      `trading starts: "h1110" is no time, expected one of: +90m · 12:40 · 2026-12-01 09:00`,
		"+5 days":    `trading starts: "+5 days" is no length of time, expected like +90m, +2h30m or +3d`,
		"42":         "trading starts: 42 of what? write it like +90m, or 42 ns",
		"1700000000": "trading starts: 1700000000 of what? as seconds it is 2023-11-14 22:13:20 UTC: write that",
	} {
		got, err := w.Parse(text, noon)
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, %v; expected %q", text, got, err, want)
		}
	}
	if got, err := w.Parse("12:40", noon); err != nil || got.Axis != cw721.AtTime {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestNoTextAndNoClockMakesTheReaderOfAMomentPanic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := cw721.Block{
			Height: cw721.Height(rapid.Uint64().Draw(t, "height")),
			Time:   cw721.Time(rapid.Uint64().Draw(t, "time")),
		}
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[+h]? ?[0-9dhmsb:TZ. ,_-]{0,24}( ns)?`)).Draw(t, "text")
		e, err := expires.Parse(text, now)
		if err != nil {
			return
		}
		if e.Axis == cw721.Never {
			t.Fatalf("%q is never", text)
		}
		isFromNow := strings.HasPrefix(strings.TrimSpace(text), "+")
		if at, value, _ := e.NowAndEnd(now); isFromNow && value < at {
			t.Fatalf("%q is before now: %v at %v", text, e, now)
		}
	})
}

func TestATimeOfTheDayNeedsAClock(t *testing.T) {
	for now, want := range map[cw721.Time]bool{0: false, math.MaxInt64: true, math.MaxInt64 + 1: false} {
		got, err := human.ParseExpiration("12:40", cw721.Block{Time: now})
		if has := err == nil; has != want {
			t.Errorf("12:40 after %d ns is %v, %v", now, got, err)
		}
	}
}
