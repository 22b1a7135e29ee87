package widget

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"

	"ephemera/themes"
)

// nasty is a text as a collection may hold: plain, wide, combining, joined,
// bidirectional, broken, long.
func nasty() *rapid.Generator[string] {
	pieces := []string{
		"ape-0042", "日本語", "한국", "e\u0301", "a\u0300\u0301\u0302\u0303\u0304", "👍🏽", "❤\ufe0f", "🇩🇪", "👨\u200d👩\u200d👧",
		"\u202eevil\u202c", "\u200b", "\u2066x\u2069", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x9b31m", "\u009b31m", "\xff\xfe",
		"line\nline", "tab\ttab", "\r\n", "\x00\x7f\u0085", "हिन्दी", "क्ष", "กำ", "שלום", "مرحبا", "\u0301", "\u1100\u1161", "\ue000",
		"\U000e0041", "\u2028", "\u00a0", "…●○", " ", "  ", "\U0001f9d1", "①", "\u0600a", "ｱﾞ", strings.Repeat("long ", 40),
	}
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 6).Draw(t, "pieces") {
			if rapid.Bool().Draw(t, "known") {
				b.WriteString(rapid.SampledFrom(pieces).Draw(t, "piece"))
			} else {
				b.WriteString(rapid.String().Draw(t, "text"))
			}
		}
		return b.String()
	})
}

func boxes() *rapid.Generator[Box] {
	return rapid.Custom(func(t *rapid.T) Box {
		return Box{rapid.IntRange(0, 140).Draw(t, "w"), rapid.IntRange(0, 45).Draw(t, "h")}
	})
}

// fillsBox fails the test unless the view is exactly as large as the box and
// holds nothing that a terminal could act on but colours.
func fillsBox(t tester, view string, b Box) {
	t.Helper()
	if b.W <= 0 || b.H <= 0 {
		if strings.Trim(view, "\n") != "" {
			t.Fatalf("an empty box %v was filled with %q", b, view)
		}
		return
	}
	lines := strings.Split(view, "\n")
	if len(lines) != b.H {
		t.Fatalf("%d lines in a box of %d", len(lines), b.H)
	}
	for i, line := range lines {
		if w := Width(line); w != b.W {
			t.Fatalf("line %d is %d cells wide in a box of %d: %q", i, w, b.W, line)
		}
		text := ansi.Strip(line)
		if w := ansi.StringWidthWc(text); w != b.W {
			t.Fatalf("line %d is %d cells wide by runes in a box of %d: %q", i, w, b.W, line)
		}
		if bad := harmful(text); bad != "" {
			t.Fatalf("line %d holds %s: %q", i, bad, line)
		}
		if rest := sgr.ReplaceAllString(line, ""); strings.ContainsRune(rest, 0x1b) {
			t.Fatalf("line %d holds a sequence that is no style: %q", i, line)
		}
	}
}

// harmful names the first thing in a text that a terminal could act on.
func harmful(text string) string {
	for _, r := range text {
		switch {
		case r == unicode.ReplacementChar:
			return "a broken character"
		case unicode.IsControl(r):
			return "a control character"
		case unicode.In(r, unicode.Bidi_Control, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
			return "an unseen character"
		}
	}
	return ""
}

// dark is the theme that tests draw in.
var dark = func() *themes.Theme {
	p, _ := themes.Lookup("dark", themes.DarkBackground)
	return themes.New(p, themes.Options{Profile: termenv.TrueColor, Terminal: themes.DarkBackground})
}()
