package term

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// newFilter returns a filter that drops replies.
func newFilter() filter { return filter{handleReply: func(string) {}} }

var replies = []string{
	"\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", "\x1b]11;rgb:ffff/ffff/ffff\x07", "\x1b]10;rgb:0000/0000/0000\x07", "\x1b]4;1;rgb:cd/00/00\x1b\\",
	"\x1b]52;c;aGVsbG8=\x07", "\x1bP1$r0m\x1b\\", "\x1bP>|XTerm(390)\x1b\\", "\x1bP1+r544e=787465726d\x1b\\", "\x1bP!|00000000\x1b\\",
	"\x1b[?62;22c", "\x1b[>1;4000;29c", "\x1b[?2026;2$y", "\x1b[12;40R", "\x1b[0n", "\x1b[?997;1n", "\x1b[8;36;120t", "\x1b[?1u", "\x1b[>4;2m",
}

var typed = []string{
	"a", "jjj", " ", "é", "日本", "\r", "\t", "\x03", "\x7f", "\x1b[A", "\x1b[1;5C", "\x1b[3~", "\x1b[Z", "\x1bOP", "\x1b[1;2R", "\x1b[I", "\x1b[O",
	"\x1b[<0;12;5M", "\x1b[<35;120;36m", "\x1b[M !!", "\x1b[15;2~", "\x1bx", "\x1b\r", "11;rgb:", "]", "\x1b[200~a\x1b]11;x\nb\x1b[31m日\x1b[201~",
}

func pieces(t *rapid.T, s string) []string {
	var out []string
	for s != "" {
		n := rapid.IntRange(1, min(len(s), 12)).Draw(t, "piece")
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}

func TestRepliesAreDroppedAndAllElsePassesHoweverItIsCutUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var in, want strings.Builder
		var answered []string
		for range rapid.IntRange(0, 12).Draw(t, "things") {
			if rapid.Bool().Draw(t, "reply") {
				r := rapid.SampledFrom(replies).Draw(t, "which")
				in.WriteString(r)
				answered = append(answered, r)
				continue
			}
			k := rapid.SampledFrom(typed).Draw(t, "key")
			in.WriteString(k)
			want.WriteString(k)
		}
		var got []string
		f := filter{handleReply: func(r string) { got = append(got, r) }}
		var out []byte
		for _, p := range pieces(t, in.String()) {
			out = f.feed(out, []byte(p))
		}
		if out = f.flush(out); string(out) != want.String() {
			t.Fatalf("of %q passed %q, want %q", in.String(), out, want.String())
		}
		if len(got) != len(answered) {
			t.Fatalf("of %q the replies %q were noticed", in.String(), got)
		}
		for i, r := range answered {
			if inner := strings.TrimSuffix(strings.TrimSuffix(r[1:], "\x1b\\"), "\x07"); got[i] != inner {
				t.Fatalf("the reply %q was noticed as %q", r, got[i])
			}
		}
	})
}

func TestNothingIsHeldButTheStartOfASequence(t *testing.T) {
	for in, held := range map[string]string{
		"a": "", "\x1b": "\x1b", "a\x1b": "\x1b", "\x1b[": "\x1b[", "\x1b]": "\x1b]", "\x1b]11": "\x1b]11", "\x1b]11;rgb:": "", "\x1bP": "\x1bP",
		"\x1b[1;5": "\x1b[1;5", "\x1bO": "\x1bO", "\xe6\x97": "\xe6\x97", "\x1b[200~abc": "", "\x1bx": "", "\x1b]x": "", "\x1bPj": "",
	} {
		f := newFilter()
		f.feed(nil, []byte(in))
		if string(f.pendingBytes) != held {
			t.Errorf("after %q %q is held, want %q", in, f.pendingBytes, held)
		}
	}
}

func TestTypingWhatLooksLikeAReplyGetsOutWithAnyControlKey(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b]1;hello\rj":     "\rj",
		"\x1b]11;rgb:12\x1bj": "\x1bj",
		"\x1bP>|abc\x03q":     "\x03q",
		"\x1b]jk":             "\x1b]jk",
		"\x1bPq":              "\x1bPq",
		"\x1b]1234567;x":      "\x1b]1234567;x",
		"\x1b\x1b[A":          "\x1b\x1b[A",
		"\x1b[\x1b]11;x\x07j": "\x1b[j",
	} {
		f := newFilter()
		if got := f.flush(f.feed(nil, []byte(in))); string(got) != want {
			t.Errorf("%q passes as %q, want %q", in, got, want)
		}
	}
}

func TestALongReplyIsDroppedWholeAndTakesNoMemory(t *testing.T) {
	f := newFilter()
	out := f.feed(nil, []byte("\x1b]52;c;"))
	for range 1000 {
		out = f.feed(out, []byte(strings.Repeat("A", 200)))
	}
	out = f.feed(out, []byte("\x07j"))
	if string(out) != "j" || cap(f.replyText) > 4*maxReplyBytes {
		t.Errorf("passed %d bytes, kept room for %d", len(out), cap(f.replyText))
	}
}

func FuzzFilter(f *testing.F) {
	for _, s := range append(replies, typed...) {
		f.Add([]byte(s), 3)
	}
	f.Add([]byte("\x1bP"+strings.Repeat("0", maxPendingBytes-2)+"!"), 90) // as long as may be held, and one more
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		cut = max(0, min(cut, len(in)))
		whole, parts := newFilter(), newFilter()
		a := whole.flush(whole.feed(nil, in))
		b := parts.feed(nil, in[:cut])
		if len(parts.pendingBytes) > maxPendingBytes {
			t.Fatalf("%d bytes are held", len(parts.pendingBytes))
		}
		b = parts.flush(parts.feed(b, in[cut:]))
		if string(a) != string(b) {
			t.Fatalf("%q passes as %q, and cut at %d as %q", in, a, cut, b)
		}
	})
}
