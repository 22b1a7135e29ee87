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
		w := &textWriter{to: &b, change: asASCII}
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
