package term

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

const (
	esc = 0x1b
	bel = 0x07

	// maxPendingBytes is the longest start of a sequence that is held back. No key is longer.
	maxPendingBytes = 64
	// maxReplyBytes is how many bytes of a reply are kept. A colour takes about thirty.
	maxReplyBytes = 128
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// filter removes the replies of a terminal from what a person types. It works on bytes
// alone, so it can be tested without a terminal.
//
// A reply may come in pieces. The start of a sequence is held back until it is recognised.
type filter struct {
	pending     []byte // the start of a sequence, or of a UTF-8 character
	inPaste     bool   // inside a bracketed paste, which contains no replies
	inReply     bool   // inside an OSC or DCS reply
	afterEscape bool   // the last byte of that reply was ESC
	replyText   []byte // the beginning of that reply, at most maxReply bytes
	handleReply func(reply string)
}

// feed appends the input without replies to out, with plain keys in the place of extended
// ones.
func (f *filter) feed(out, in []byte) []byte {
	rest := in
	if len(f.pending) > 0 {
		rest = append(f.pending, in...)
		f.pending = nil
	}
	for len(rest) > 0 {
		switch {
		case f.inReply:
			rest = f.skipReply(rest)
		case f.inPaste:
			out, rest = f.passPaste(out, rest)
		case rest[0] == esc:
			size, what := recognise(rest)
			if what == unfinishedSequence {
				f.pending = bytes.Clone(rest)
				return out
			}
			out = f.passSequence(out, rest[:size], what)
			rest = rest[size:]
		case !utf8.FullRune(rest):
			f.pending = bytes.Clone(rest)
			return out
		default:
			_, size := utf8.DecodeRune(rest)
			out = append(out, rest[:size]...)
			rest = rest[size:]
		}
	}
	return out
}

// passSequence appends a sequence to out if it is a key.
func (f *filter) passSequence(out, sequence []byte, what sequenceKind) []byte {
	switch what {
	case replyStartSequence:
		f.inReply = true
		f.afterEscape = false
		f.replyText = append(f.replyText[:0], sequence[1:]...)
	case replySequence:
		f.report(string(sequence[1:]))
	case keySequence:
		f.inPaste = string(sequence) == pasteStart
		out = append(out, plainKey(string(sequence))...)
	}
	return out
}

// flush appends what is held back to out, because it is no reply.
func (f *filter) flush(out []byte) []byte {
	out = append(out, f.pending...)
	f.pending = nil
	return out
}

// isMaybeKey reports whether what is held back may be a key by itself: escape, or alt with
// a bracket or a letter.
func (f *filter) isMaybeKey() bool {
	return len(f.pending) > 0 && len(f.pending) <= 2 && f.pending[0] == esc
}

func (f *filter) report(reply string) {
	if f.handleReply != nil {
		f.handleReply(reply)
	}
}

// skipReply removes the rest of an OSC or DCS reply from b, up to BEL or ESC \. Any other
// control character ends the reply too, so that a person who typed what looks like a reply
// can continue with such a key.
func (f *filter) skipReply(b []byte) []byte {
	for i, c := range b {
		switch {
		case f.afterEscape && c == '\\', c == bel:
			f.inReply = false
			f.afterEscape = false
			f.report(string(f.replyText))
			return b[i+1:]
		case f.afterEscape:
			f.inReply = false
			f.afterEscape = false
			return append([]byte{esc}, b[i:]...)
		case c == esc:
			f.afterEscape = true
		case c < ' ':
			f.inReply = false
			return b[i:]
		case len(f.replyText) < maxReplyBytes:
			f.replyText = append(f.replyText, c)
		}
	}
	return nil
}

// passPaste appends a paste to out, up to its end. The end may come in pieces too, so a
// beginning of it is held back.
func (f *filter) passPaste(out, b []byte) (passed, rest []byte) {
	if i := bytes.Index(b, []byte(pasteEnd)); i >= 0 {
		f.inPaste = false
		size := i + len(pasteEnd)
		return append(out, b[:size]...), b[size:]
	}
	heldSize := min(len(b), len(pasteEnd)-1)
	for ; heldSize > 0; heldSize-- {
		if strings.HasPrefix(pasteEnd, string(b[len(b)-heldSize:])) {
			break
		}
	}
	f.pending = bytes.Clone(b[len(b)-heldSize:])
	return append(out, b[:len(b)-heldSize]...), nil
}
