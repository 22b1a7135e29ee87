package term

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ephemera/ui/term/ptytest"
)

// extendedKeys are extended keys and what bubbletea makes of them, "" where they
// are no key to it.
var extendedKeys = []struct{ sequence, key string }{
	// CSI-u: characters with modifiers.
	{"\x1b[97u", "a"}, {"\x1b[97;1u", "a"}, {"\x1b[69;2u", "E"}, {"\x1b[101;2u", "E"}, {"\x1b[233;2u", "É"}, {"\x1b[33;2u", "!"},
	{"\x1b[97:65;2u", "A"}, {"\x1b[49:33;2u", "!"}, {"\x1b[97:65u", "a"}, {"\x1b[26085u", "日"},
	{"\x1b[99;5u", "ctrl+c"}, {"\x1b[99;6u", "ctrl+c"}, {"\x1b[67;6u", "ctrl+c"}, {"\x1b[32;5u", "ctrl+@"}, {"\x1b[93;5u", "ctrl+]"}, {"\x1b[49;5u", ""},
	{"\x1b[97;3u", "alt+a"}, {"\x1b[97;4u", "alt+A"}, {"\x1b[99;7u", "alt+ctrl+c"}, {"\x1b[32;3u", "alt+ "},
	{"\x1b[1089::99;5u", "ctrl+c"}, {"\x1b[1089:1057:99;4u", "alt+C"}, {"\x1b[1089;1u", "с"},
	{"\x1b[97;65u", "A"}, {"\x1b[97;129u", "a"}, {"\x1b[99;133u", "ctrl+c"},
	{"\x1b[97;9u", ""}, {"\x1b[113;13u", ""}, {"\x1b[97;17u", ""}, {"\x1b[97;33u", ""}, {"\x1b[97;2;65u", "A"},

	// CSI-u: keys that are no letters.
	{"\x1b[27u", "esc"}, {"\x1b[27;1u", "esc"}, {"\x1b[27;129u", "esc"}, {"\x1b[27;3u", "alt+esc"}, {"\x1b[91;5u", "esc"},
	{"\x1b[13u", "enter"}, {"\x1b[13;2u", "enter"}, {"\x1b[13;3u", "alt+enter"}, {"\x1b[127u", "backspace"}, {"\x1b[127;3u", "alt+backspace"},
	{"\x1b[9u", "tab"}, {"\x1b[9;2u", "shift+tab"}, {"\x1b[9;5u", "tab"}, {"\x1b[32u", " "}, {"\x1b[32;2u", " "},

	// Kitty's own codes: the keypad, and modifiers and locks by themselves.
	{"\x1b[57399u", "0"}, {"\x1b[57408;129u", "9"}, {"\x1b[57409u", "."}, {"\x1b[57413u", "+"}, {"\x1b[57414u", "enter"}, {"\x1b[57416u", ","},
	{"\x1b[57417u", "left"}, {"\x1b[57419u", "up"}, {"\x1b[57420;5u", "ctrl+down"}, {"\x1b[57422u", "pgdown"}, {"\x1b[57423u", "home"}, {"\x1b[57426u", "delete"},
	{"\x1b[57427u", ""}, {"\x1b[57441;2u", ""}, {"\x1b[57358u", ""}, {"\x1b[57428u", ""}, {"\x1b[0u", ""}, {"\x1b[u", ""},

	// Events: a press and its repeats are keys, a release is none.
	{"\x1b[97;1:1u", "a"}, {"\x1b[97;1:2u", "a"}, {"\x1b[97;1:3u", ""}, {"\x1b[97;:2u", "a"}, {"\x1b[27;1:3u", ""}, {"\x1b[99;5:3u", ""},
	{"\x1b[1;1:2A", "up"}, {"\x1b[1;1:3A", ""}, {"\x1b[1;5:2C", "ctrl+right"}, {"\x1b[3;1:2~", "delete"}, {"\x1b[3;1:3~", ""}, {"\x1b[13;1:3~", ""},
	{"\x1b[1;129B", "down"}, {"\x1b[6;129~", "pgdown"}, {"\x1b[1;9A", ""}, {"\x1b[P", "f1"}, {"\x1b[1;129P", "f1"}, {"\x1b[15;193~", "f5"},

	// modifyOtherKeys.
	{"\x1b[27;5;99~", "ctrl+c"}, {"\x1b[27;2;69~", "E"}, {"\x1b[27;2;33~", "!"}, {"\x1b[27;3;97~", "alt+a"}, {"\x1b[27;6;67~", "ctrl+c"},
	{"\x1b[27;2;9~", "shift+tab"}, {"\x1b[27;2;13~", "enter"}, {"\x1b[27;1;27~", "esc"}, {"\x1b[27;2;127~", "backspace"}, {"\x1b[27;5;32~", "ctrl+@"},
}

func TestAnExtendedKeyIsTheKeyOfATerminalWithoutThem(t *testing.T) {
	term := run(t, ptytest.Options{})
	term.WaitFor("background")
	var sent, want strings.Builder
	for i, c := range extendedKeys {
		sent.WriteString(c.sequence)
		if c.key != "" {
			want.WriteString(c.key + " ")
		}
		// A line of its own for every few keys: the terminal has 80 columns.
		if i%5 == 4 || i == len(extendedKeys)-1 {
			term.Type(sent.String(), "\r")
			term.WaitFor(want.String() + "enter.")
			term.Type(clearKeys)
			term.WaitFor("0 keys")
			sent.Reset()
			want.Reset()
		}
	}
}

func TestAnExtendedKeyMayBeCutAnywhereAndNeverGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in, want strings.Builder
		for range rapid.IntRange(0, 12).Draw(t, "keys") {
			sequence := rapid.SampledFrom(extendedKeys).Draw(t, "key").sequence
			in.WriteString(sequence)
			want.WriteString(plainKey(sequence))
			if plain := plainKey(sequence); len(plain) > len(sequence) || plain == sequence {
				t.Fatalf("%q becomes %q", sequence, plain)
			}
		}

		f := newFilter()
		var out []byte
		for _, p := range pieces(t, in.String()) {
			out = f.feed(out, []byte(p))
		}
		if out = f.flush(out); string(out) != want.String() {
			t.Fatalf("%q passes as %q, want %q", in.String(), out, want.String())
		}
	})
}

func TestAnExtendedKeyInAPasteIsText(t *testing.T) {
	const paste = "\x1b[200~a\x1b[99;5ub\x1b[27u\x1b[27;5;99~\x1b[201~"
	f := newFilter()
	if got := f.flush(f.feed(nil, []byte(paste))); string(got) != paste {
		t.Errorf("the paste %q passes as %q", paste, got)
	}
}

func TestAnExtendedEscapeIsAKeyByItselfAmongOthers(t *testing.T) {
	term := run(t, ptytest.Options{})
	term.WaitFor("background")
	term.Type("jk\x1b[27uj\x1b[27u\x1b[27u\x1b[106u\x1b[A\x1b[27u")
	term.WaitFor("j k esc j esc esc j up esc.")
}
