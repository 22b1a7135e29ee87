package term

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	esc = 0x1b
	bel = 0x07

	// The longest start of a sequence that is worth waiting for. No key is longer.
	maxHeld = 64
	// What is kept of a reply. A colour takes about thirty bytes.
	maxReply = 128
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// filter takes the replies of a terminal out of what a person types. It looks
// at bytes only, so it can be tested without a terminal.
//
// A reply may come in pieces. The start of a sequence is held back until it is
// known for what it is; nothing of a reply that is recognised is held.
type filter struct {
	held    []byte // the start of a sequence, or of a UTF-8 character
	paste   bool   // inside a bracketed paste, where nothing is a reply
	swallow bool   // inside an OSC or DCS reply
	escaped bool   // … and its last byte was ESC
	reply   []byte // what has come of that reply, up to maxReply
	onReply func(reply string)
}

// feed appends to out what of the input is not a reply, with plain keys in the
// place of extended ones.
func (f *filter) feed(out, in []byte) []byte {
	b := in
	if len(f.held) > 0 {
		b = append(f.held, in...)
		f.held = nil
	}
	for len(b) > 0 {
		switch {
		case f.swallow:
			b = f.skip(b)
		case f.paste:
			out, b = f.pasted(out, b)
		case b[0] == esc:
			n, what := recognise(b)
			switch what {
			case unfinished:
				f.held = bytes.Clone(b)
				return out
			case replyStart:
				f.swallow, f.escaped, f.reply = true, false, append(f.reply[:0], b[1:n]...)
			case reply:
				f.report(string(b[1:n]))
			case key:
				f.paste = string(b[:n]) == pasteStart
				out = append(out, plainKey(string(b[:n]))...)
			}
			b = b[n:]
		case !utf8.FullRune(b):
			f.held = bytes.Clone(b)
			return out
		default:
			_, n := utf8.DecodeRune(b)
			out = append(out, b[:n]...)
			b = b[n:]
		}
	}
	return out
}

// flush appends what is held: it was not the start of a reply after all.
func (f *filter) flush(out []byte) []byte {
	out = append(out, f.held...)
	f.held = nil
	return out
}

// waiting says that what is held may as well be a key by itself: escape, or alt
// with a bracket or letter.
func (f *filter) waiting() bool { return len(f.held) > 0 && len(f.held) <= 2 && f.held[0] == esc }

func (f *filter) report(s string) {
	if f.onReply != nil {
		f.onReply(s)
	}
}

// skip takes the rest of an OSC or DCS reply, up to BEL or ESC \. Any other
// control character means that the reply broke off: a person who typed what
// looked like one gets out with any such key.
func (f *filter) skip(b []byte) []byte {
	for i, c := range b {
		switch {
		case f.escaped && c == '\\', c == bel:
			f.swallow, f.escaped = false, false
			f.report(string(f.reply))
			return b[i+1:]
		case f.escaped:
			f.swallow, f.escaped = false, false
			return append([]byte{esc}, b[i:]...)
		case c == esc:
			f.escaped = true
		case c < ' ':
			f.swallow = false
			return b[i:]
		case len(f.reply) < maxReply:
			f.reply = append(f.reply, c)
		}
	}
	return nil
}

// pasted lets a paste through. The end of it may come in pieces too.
func (f *filter) pasted(out, b []byte) (passed, rest []byte) {
	if i := bytes.Index(b, []byte(pasteEnd)); i >= 0 {
		f.paste = false
		n := i + len(pasteEnd)
		return append(out, b[:n]...), b[n:]
	}
	keep := min(len(b), len(pasteEnd)-1)
	for ; keep > 0; keep-- {
		if strings.HasPrefix(pasteEnd, string(b[len(b)-keep:])) {
			break
		}
	}
	f.held = bytes.Clone(b[len(b)-keep:])
	return append(out, b[:len(b)-keep]...), nil
}
