package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"ephemera/core/chain"
	"ephemera/core/chain/chaintest"
	"ephemera/core/kv"
	"ephemera/ui/uitest"
)

// hostile is text that would do something to a terminal, or to how it is read.
var hostile = []string{
	"\x1b[2J", "\x1b[31mred", "\x1b]0;title\x07", "\x1b]52;c;aGVsbG8=\x07", "\x1bP+q544e\x1b\\", "\x1b[6n", "\x1bc",
	"\u009b2J", "\u009d52;c;aGVsbG8=\u009c", "\x00", "\x07", "\b\b\b", "\r\n", "\t", "\x7f", "\x0e",
	"\u202egnp.exe", "\u2066x\u2069", "\u200f", "\u200b\u200d\ufeff", "a\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
	"\U000e0041\U000e0042", "\u2028\u2029", "👨‍👩‍👧‍👦", "日本語", "\ufffd", strings.Repeat("W", 3000), strings.Repeat("日", 900), "plain",
}

// quoted is a JSON string of some text.
func quoted(s string) string {
	b, _ := json.Marshal(s) // a string is always one
	return string(b)
}

// unsafe finds what no frame may hold: anything but printable characters, line
// ends between lines, and style codes.
func unsafe(view string) string {
	for i := 0; i < len(view); {
		if rest := view[i:]; strings.HasPrefix(rest, "\x1b[") {
			end := strings.IndexFunc(rest[2:], func(r rune) bool { return r != ';' && (r < '0' || r > '9') })
			if end < 0 || rest[2+end] != 'm' {
				return fmt.Sprintf("a sequence that is no style: %.20q", rest)
			}
			i += 2 + end + 1
			continue
		}
		r, n := utf8.DecodeRuneInString(view[i:])
		if r == utf8.RuneError && n == 1 || r != '\n' && !unicode.IsGraphic(r) || unicode.Is(unicode.Bidi_Control, r) ||
			unicode.Is(unicode.Cf, r) || r >= 0xe0000 && r <= 0xe007f {
			return fmt.Sprintf("%q", view[i:i+n])
		}
		i += n
	}
	return ""
}

func TestTheCheckForHostileTextFindsEveryKind(t *testing.T) {
	for _, s := range hostile[:16] {
		if s != "\r\n" && s != "\x1b[31mred" && unsafe(s) == "" {
			t.Errorf("%q passes", s)
		}
	}
	if why := unsafe("\x1b[1;38;2;1;2;3mabc 日本 ●\x1b[0m\n│"); why != "" {
		t.Errorf("what the explorer draws itself is found: %s", why)
	}
}

// Whatever is in ids, metadata, names and refusals, no frame of any screen,
// form or dialog holds anything that a terminal would obey.
func TestNoTextOfACollectionReachesTheTerminalUnescaped(t *testing.T) {
	skipInShort(t)
	rapid.Check(t, func(rt *rapid.T) {
		text := func(label string) string {
			var s string
			for _, p := range rapid.SliceOfN(rapid.SampledFrom(hostile), 1, 3).Draw(rt, label) {
				s += p
			}
			return s
		}
		c, err := chain.Open(kv.NewMemory())
		chaintest.OK(rt, err)
		g := chain.Genesis{Clock: chain.Clock{Height: 10, Time: 1_795_262_405_000_000_000}}
		for _, name := range []string{"alice", "bob", "creator"} {
			g.Accounts = append(g.Accounts, chain.Account{Name: name, Address: chaintest.Address(name)})
		}
		_, err = c.Create(g, chaintest.Address("creator"), fmt.Appendf(nil, `{"name":%s,"symbol":%s,"collection_info_extension":{"description":%s,"image":%s}}`,
			quoted(text("name")), quoted(text("symbol")), quoted(fmt.Sprintf("%.120s", text("about"))), quoted("ipfs://x/"+text("image"))))
		chaintest.OK(rt, err)
		for _, name := range rapid.SliceOfNDistinct(rapid.StringMatching(`[\p{L}][\p{L}\p{N}_.-]{0,31}`), 0, 8, rapid.ID).Draw(rt, "people") {
			_, _ = c.AddAccount(name, "", chain.ReceiverDefault) // the pattern has a few that cannot name an account
		}
		for i := range 3 {
			id := quoted(text("id") + fmt.Sprint(i))
			send := func(who, format string, args ...any) {
				chaintest.Must(c.Execute(chaintest.Address(who), fmt.Appendf(nil, format, args...)))(rt)
			}
			send("creator", `{"mint":{"token_id":%s,"owner":"$alice","token_uri":%s,"extension":{"name":%s,"description":%s,"attributes":[{"trait_type":%s,"value":%s}]}}}`,
				id, quoted("ipfs://"+text("uri")), quoted(text("title")), quoted(text("description")), quoted(text("trait")), quoted(text("value")))
			send("alice", `{"approve":{"token_id":%s,"spender":"$bob","expires":{"at_height":%d}}}`, id, 12+i)
			send("bob", `{"burn":{"token_id":%s}}`, quoted(text("unknown")))
			send("bob", `{%s:{}}`, quoted(text("action")))
		}
		w, h := rapid.IntRange(40, 140).Draw(rt, "w"), rapid.IntRange(12, 44).Draw(rt, "h")
		d := uitest.On(t, New, c, w, h)
		look := func(after string) {
			view := d.Model.View()
			if why := unsafe(view); why != "" {
				rt.Fatalf("after %q the frame holds %s", after, why)
			}
			if why := uitest.Misfit(view, d.Size); why != "" {
				rt.Fatalf("after %q: %s", after, why)
			}
		}
		look("the start")
		for i := range root(d).screens.all {
			d.Press(fmt.Sprint(i + 1))
			look(fmt.Sprintf("screen %d", i+1))
			for range rapid.IntRange(2, 8).Draw(rt, "keys") {
				k := rapid.SampledFrom(uitest.EveryKey).Draw(rt, "key")
				if k == "q" || k == "ctrl+c" {
					continue
				}
				d.Press(k)
				look(k)
			}
			d.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text("typed")), Paste: true})
			look("a paste")
			d.Press("esc", "esc", "esc")
		}
	})
}
