package widget

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

// What is measured quickly is measured as bubbletea measures it, whatever is
// put together.
func TestQuickWidthAgreesWithTheWidthOfBubbletea(t *testing.T) {
	pieces := rapid.SampledFrom([]string{
		"a", " ", "~", "ape-0042", "\x1b[0m", "\x1b[1;38;2;10;20;30m", "\x1b[m", "\x1b[", "\x1b", "\x1b[2J", "\x1b]0;x\x07",
		"·", "×", "…", "→", "←", "↑", "↓", "≥", "≤", "│", "─", "█", "░", "▏", "●", "○", "◗", "▸", "▾", "▴", "✓", "✗",
		"\u0301", "\ufe0f", "\u200d", "日", "é", "😀", "\x00", "\xff", "\n", "\t",
	})
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		var s string
		for _, p := range rapid.SliceOfN(pieces, 0, 12).Draw(t, "pieces") {
			s += p
		}
		n, ok := quickWidth(s)
		if !ok {
			return
		}
		quick++
		if want := ansi.StringWidth(s); n != want {
			t.Fatalf("%q takes %d cells, want %d", s, n, want)
		}
	})
	if quick == 0 {
		t.Error("nothing was measured quickly")
	}
	if cells, _ := quickWidth("\x1b[m1m"); cells != 2 {
		t.Errorf("behind an empty style code, two characters take %d cells", cells)
	}
}
