package widget

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestSafeEscapesHarmfulText(t *testing.T) {
	for in, want := range map[string]string{
		"ape-0042":            "ape-0042",
		"日本 e\u0301":          "日本 e\u0301",
		"a\nb\tc\rd":          `a\nb\tc\rd`,
		"\r\n":                `\r\n`,
		"\x1b[31mred":         `\x1b[31mred`,
		"\x00\x7f":            `\x00\x7f`,
		"\u009b31m":           `\u009b31m`,
		"\xff":                `\xff`,
		"\ufffd":              `\ufffd`,
		"\u202eevil":          `\u202eevil`,
		"a\u200bb":            `a\u200bb`,
		"❤\ufe0f":             `❤\ufe0f`,
		"🇩🇪":                  `\U0001f1e9\U0001f1ea`,
		"👍🏽":                  `👍\U0001f3fd`,
		"👩\u200d🚀":            `👩\u200d🚀`,
		"\u0301x":             `\u0301x`,
		"x\u00a0y":            `x\u00a0y`,
		"\ue000":              `\ue000`,
		"\u0d4eA":             `\u0d4eA`,
		"क्ष":                 `क\u094dष`,
		"\u1100\u1161":        `\u1100\u1161`,
		"שלום":                "שלום",
		`already \n escaped`:  `already \n escaped`,
		"z\u0300\u0301\u0302": "z\u0300\u0301\u0302",
	} {
		if got := Safe(in); got != want {
			t.Errorf("Safe(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSafeTextIsHarmlessAndItsWidthIsStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkSafe(t, nasty().Draw(t, "text"), nasty().Draw(t, "after")) })
}

func FuzzSafe(f *testing.F) {
	for _, s := range []string{"ape", "日本", "\x1b]0;x\x07", "\u202e", "👨\u200d👩", "\xff\xfe", "क्ष"} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, a, b string) { checkSafe(t, a, b) })
}

func checkSafe(t tester, text, after string) {
	t.Helper()
	s, next := Safe(text), Safe(after)
	if bad := harmful(s); bad != "" {
		t.Fatalf("Safe(%q) = %q holds %s", text, s, bad)
	}
	if g, wc := ansi.StringWidth(s), ansi.StringWidthWc(s); g != wc || g != Width(s) {
		t.Fatalf("Safe(%q) = %q is %d cells wide by clusters and %d by runes", text, s, g, wc)
	}
	if s != "" && Width(s) == 0 {
		t.Fatalf("Safe(%q) = %q cannot be seen", text, s)
	}
	if w := Width(s + next); w != Width(s)+Width(next) {
		t.Fatalf("%q and %q are %d cells wide together, apart %d and %d", s, next, w, Width(s), Width(next))
	}
}

func TestSafeCutsALongTextWithAnEllipsis(t *testing.T) {
	for _, unit := range []string{"x", "日", "\x1b"} {
		got := Safe(strings.Repeat(unit, 10_000))
		if !strings.HasSuffix(got, "…") || len(got) > 5*maxSafeBytes {
			t.Errorf("10,000 times %q became %d bytes ending in %q", unit, len(got), got[len(got)-8:])
		}
	}
}

func TestSafeLinesKeepsLinesAndCountsTheRest(t *testing.T) {
	for most, want := range map[int]string{3: `a|b\x1b|c|… 2 more lines`, 4: `a|b\x1b|c|d|… 1 more line`} {
		if got := strings.Join(SafeLines("a\r\nb\x1b\nc\nd\ne", most), "|"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestCommonRunesHaveTheSameWidthAloneAndTogether(t *testing.T) {
	before := '-'
	for r := range '\u3000' {
		if !isCommon(r) {
			continue
		}
		if pair := string([]rune{before, r}); !hasOneWidth(string(r)) || ansi.StringWidth(pair) != 2 || ansi.StringWidthWc(pair) != 2 {
			t.Errorf("%q after %q is not one cell of its own", r, before)
		}
		before = r
	}
}
