package ptytest

import (
	"fmt"
	"strings"
	"testing"
)

func TestAScreenShowsWhatATerminalWould(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"lines", "one\r\ntwo", "one|two||"},
		{"overwriting", "hello\rj", "jello|||"},
		{"styles", "\x1b[1;31mred\x1b[0m", "red|||"},
		{"lines drawn", "┌──┐", "┌──┐|||"},
		{"wide characters", "日本\x1b[1;3Hx", "日x|||"},
		{"moving", "\x1b[2;3Hx\x1b[Ay\x1b[2Bz", "   y|  x|    z|"},
		{"erasing to the end", "abcdef\x1b[1;3H\x1b[K", "ab|||"},
		{"erasing all", "abc\r\ndef\x1b[2J\x1b[Hx", "x|||"},
		{"wrapping", "123456789012", "1234567890|12||"},
		{"a full line and a new one", "1234567890\r\nx", "1234567890|x||"},
		{"scrolling", "1\r\n2\r\n3\r\n4\r\n5", "2|3|4|5"},
		{"the other screen", "a\x1b[?1049h\x1b[Hb\x1b[?1049l", "a|||"},
		{"titles", "\x1b]0;title\x07a", "a|||"},
	} {
		whole, pieces := NewScreen(10, 4), NewScreen(10, 4)
		whole.Write([]byte(c.in))
		for i := range len(c.in) {
			pieces.Write([]byte{c.in[i]})
		}
		screens := map[string]*Screen{"at once": whole, "byte by byte": pieces}
		for i := range len(c.in) {
			cut := NewScreen(10, 4)
			cut.Write([]byte(c.in[:i]))
			cut.Write([]byte(c.in[i:]))
			screens[fmt.Sprintf("cut at %d", i)] = cut
		}
		for how, s := range screens {
			if got := strings.ReplaceAll(s.String(), "\n", "|"); got != c.want {
				t.Errorf("%s, %s: %q, want %q", c.name, how, got, c.want)
			}
		}
	}
}

func TestAScreenNoticesQuestions(t *testing.T) {
	got := NewScreen(10, 4).Write([]byte("a\x1b]11;?\x1b\\b\x1b[c"))
	if len(got) != 2 || got[0] != AskBackground || got[1] != AskAttributes {
		t.Errorf("questions %v", got)
	}
}

func TestAScreenKnowsTheStyleOfEachCell(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a\x1b[1;31mb\x1b[0mc", "a[1 31]b[]c "},
		{"\x1b[38;2;1;2;3;48;5;7mab\x1b[39mc\x1b[m", "[38;2;1;2;3 48;5;7]ab[48;5;7]c[] "},
		{"\x1b[1;2;7ma\x1b[22mb\x1b[27mc", "[1 2 7]a[7]b[]c "},
		{"\x1b[7mabcd\x1b[1;2H\x1b[K", "[7]a[]   "},
		{"\x1b[38;2;1m\x1b[48ma", "[38;2;1 48]a[]   "},
	} {
		screen := NewScreen(4, 1)
		screen.Write([]byte(c.in))
		if got := screen.Styled(); got != c.want+"\n" {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}
