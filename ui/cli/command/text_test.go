package command

import (
	"strings"
	"testing"

	"ephemera/themes"
)

// asASCII writes a text as a locale that is not UTF-8 has it.
func asASCII(text string) string { return Escape(themes.Plain(text), true) }

func TestTextIsWrittenInASCIIWhereverItIsCut(t *testing.T) {
	const text = "✓ 日本 → 🐒 \xff alice"
	const want = `\u65e5\u672c`
	for at := range len(text) {
		var b strings.Builder
		w := &textWriter{out: &b, change: asASCII}
		for _, part := range []string{text[:at], text[at:]} {
			if n, err := w.Write([]byte(part)); err != nil || n != len(part) {
				t.Fatal(n, err)
			}
		}
		if got := b.String(); got != asASCII(text) || !strings.Contains(got, want) || !strings.Contains(got, `\ud83d\udc12`) || !strings.Contains(got, `\ufffd`) {
			t.Errorf("cut at %d: %q", at, got)
		}
	}
}

func TestWhatATerminalShowsNothingForIsEscaped(t *testing.T) {
	for text, want := range map[string]string{
		"a\u200bb":      `a\u200bb`,
		"a\ufeffb":      `a\ufeffb`,
		"a\U000e0041b":  `a\udb40\udc41b`,
		"a\u202eb":      `a\u202eb`,
		"a\x1bb\u009bc": `a\u001bb\u009bc`,
		"é\n\t界":        "é\n\t界",
	} {
		if got := Escape(text, false); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}
