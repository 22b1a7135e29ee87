package cli

import (
	"strings"
	"testing"

	"ephemera/core/wire"
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

func TestTextIsWrittenInASCIIWhereverItIsCut(t *testing.T) {
	const text = "✓ 日本 → 🐒 \xff alice"
	const want = `\u65e5\u672c`
	for at := range len(text) {
		var b strings.Builder
		w := &asciiWriter{to: &b}
		for _, part := range []string{text[:at], text[at:]} {
			if n, err := w.Write([]byte(part)); err != nil || n != len(part) {
				t.Fatal(n, err)
			}
		}
		if got := b.String(); got != ascii(text) || !strings.Contains(got, want) || !strings.Contains(got, `\U0001f412`) || !strings.Contains(got, `\xff`) {
			t.Errorf("cut at %d: %q", at, got)
		}
	}
}
