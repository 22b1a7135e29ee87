package cli

import (
	"strings"
	"testing"

	"ephemera/core/wire"
	"ephemera/themes"
)

func TestTheNearestNameIsOneThatWasLikelyMeant(t *testing.T) {
	names := []string{"undo", "redo", "goto", "history", "import", "export", "matrix"}
	for word, want := range map[string]string{
		"udno": "undo", "reod": "redo", "histroy": "history", "hist": "history", "exprot": "export", "matirx": "matrix",
		"mport": "import", "xport": "export",
		"foo": "", "x": "", "": "", "transfer": "",
	} {
		if got := wire.Nearest(word, names); got != want {
			t.Errorf("%q was taken for %q, expected %q", word, got, want)
		}
	}
}

// ascii writes a text as a locale that is not UTF-8 has it.
func ascii(text string) string { return escaped(themes.Plain(text), true) }

func TestTextIsWrittenInASCIIWhereverItIsCut(t *testing.T) {
	const text = "✓ 日本 → 🐒 \xff alice"
	const want = `\u65e5\u672c`
	for at := range len(text) {
		var b strings.Builder
		w := &textWriter{to: &b, change: ascii}
		for _, part := range []string{text[:at], text[at:]} {
			if n, err := w.Write([]byte(part)); err != nil || n != len(part) {
				t.Fatal(n, err)
			}
		}
		if got := b.String(); got != ascii(text) || !strings.Contains(got, want) || !strings.Contains(got, `\ud83d\udc12`) || !strings.Contains(got, `\ufffd`) {
			t.Errorf("cut at %d: %q", at, got)
		}
	}
}
