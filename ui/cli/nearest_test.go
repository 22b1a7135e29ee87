package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestEveryCommandHasAnExampleAndAShortSentence(t *testing.T) {
	a := &app{}
	root := a.root()
	var each func(*cobra.Command)
	each = func(c *cobra.Command) {
		if c.Example == "" || c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short %q, example %q", c.CommandPath(), c.Short, c.Example)
		}
		for line := range strings.SplitSeq(c.Long, "\n") {
			if n := len([]rune(line)); n > 84 {
				t.Errorf("%s: a line of the help has %d characters: %s", c.CommandPath(), n, line)
			}
		}
		for _, sub := range c.Commands() {
			each(sub)
		}
	}
	each(root)
}

func TestTheNearestNameIsOneThatWasLikelyMeant(t *testing.T) {
	names := []string{"undo", "redo", "goto", "history", "import", "export", "matrix"}
	for word, want := range map[string]string{
		"udno": "undo", "reod": "redo", "histroy": "history", "hist": "history", "exprot": "export", "matirx": "matrix",
		"foo": "", "x": "", "": "", "transfer": "",
	} {
		if got := nearest(word, names); got != want {
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
