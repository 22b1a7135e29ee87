package term

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// The bytes that begin and end control sequences, and the bounds of what is held back.
const (
	esc = 0x1b
	bel = 0x07

	// maxPendingBytes limits the unfinished sequence that is held back until more bytes
	// arrive. No key has a longer sequence.
	maxPendingBytes = 64
	// maxReplyBytes limits the bytes of a reply that are kept. A colour takes about
	// thirty; the end of a longer reply is dropped.
	maxReplyBytes = 128
)

// A terminal in bracketed-paste mode sends these around a text that is pasted.
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// filter removes the terminal's replies from what a person types. Both arrive on the
// same input: "a", then perhaps ESC ] 11 ; rgb:0000/0000/0000 BEL, which says the
// background colour, then "b". The filter passes "ab" on. What is a reply, [recognise] decides.
//
// One read may end in the middle of a sequence or of a UTF-8 character. Its start is
// then kept in pendingBytes until the next read completes it.
type filter struct {
	pendingBytes  []byte             // the start of a sequence or of a UTF-8 character
	isInPaste     bool               // inside a bracketed paste, which contains no replies
	isInReply     bool               // inside a reply of the kind OSC or DCS
	isAfterEscape bool               // the last byte of that reply was ESC
	replyText     []byte             // the start of that reply without ESC, at most maxReplyBytes
	handleReply   func(reply string) // called with each reply without its ESC
}

// feed appends to out what a person typed, from the bytes of in, and returns out. It replaces
// extended keys by the plain ones that bubbletea knows; see [plainKey].
func (f *filter) feed(out, in []byte) []byte {
	rest := in
	if len(f.pendingBytes) > 0 {
		rest = append(f.pendingBytes, in...)
		f.pendingBytes = nil
	}
	for len(rest) > 0 {
		switch {
		case f.isInReply:
			rest = f.skipReply(rest)
		case f.isInPaste:
			out, rest = f.passPaste(out, rest)
		case rest[0] == esc:
			size, kind := recognise(rest)
			if kind == unfinishedSequence {
				f.pendingBytes = bytes.Clone(rest)
				return out
			}
			out = f.passSequence(out, rest[:size], kind)
			rest = rest[size:]
		case !utf8.FullRune(rest):
			f.pendingBytes = bytes.Clone(rest)
			return out
		default:
			_, size := utf8.DecodeRune(rest)
			out = append(out, rest[:size]...)
			rest = rest[size:]
		}
	}
	return out
}

// passSequence appends a sequence to out if it is a key, and returns out. It passes a complete
// reply to handleReply instead. At the start of a longer one it begins to skip that.
func (f *filter) passSequence(out, sequence []byte, kind sequenceKind) []byte {
	switch kind {
	case replyStartSequence:
		f.isInReply = true
		f.isAfterEscape = false
		f.replyText = append(f.replyText[:0], sequence[1:]...)
	case replySequence:
		f.handleReply(string(sequence[1:]))
	case keySequence:
		f.isInPaste = string(sequence) == pasteStart
		out = append(out, plainKey(string(sequence))...)
	}
	return out
}

// flush appends the pending bytes to out, as keys, because no more bytes follow.
func (f *filter) flush(out []byte) []byte {
	out = append(out, f.pendingBytes...)
	f.pendingBytes = nil
	return out
}

// isMaybeKey reports whether the pending bytes may be a complete key: the escape key,
// or alt with a bracket or a letter, which is sent as ESC and that character.
func (f *filter) isMaybeKey() bool {
	return len(f.pendingBytes) > 0 && len(f.pendingBytes) <= 2 && f.pendingBytes[0] == esc
}

// skipReply removes the rest of an OSC or DCS reply from input, and returns the bytes
// after it. It returns nil if the reply does not end in input. A reply ends with BEL or
// ESC \. Any other control character ends it too: if a person has typed what looks like
// the start of a reply, such a key makes the keys after it count again.
func (f *filter) skipReply(input []byte) []byte {
	for i, char := range input {
		switch {
		case char == bel, f.isAfterEscape && char == '\\':
			f.isInReply = false
			f.handleReply(string(f.replyText))
			return input[i+1:]
		case f.isAfterEscape:
			// The ESC before char begins another sequence. It was removed already, so put
			// it back.
			f.isInReply = false
			return append([]byte{esc}, input[i:]...)
		case char == esc:
			f.isAfterEscape = true
		case char < ' ':
			f.isInReply = false
			return input[i:]
		case len(f.replyText) < maxReplyBytes:
			f.replyText = append(f.replyText, char)
		}
	}
	return nil
}

// passPaste appends a paste, including the sequence pasteEnd, to out. It returns out and
// the bytes after the paste. If input ends with the first bytes of pasteEnd, these bytes
// stay pending, since the next read may complete the sequence.
func (f *filter) passPaste(out, input []byte) (passed, rest []byte) {
	if endIndex := bytes.Index(input, []byte(pasteEnd)); endIndex >= 0 {
		f.isInPaste = false
		size := endIndex + len(pasteEnd)
		return append(out, input[:size]...), input[size:]
	}

	// Find the longest end of input that may be the beginning of pasteEnd.
	pendingSize := min(len(input), len(pasteEnd)-1)
	for ; pendingSize > 0; pendingSize-- {
		if strings.HasPrefix(pasteEnd, string(input[len(input)-pendingSize:])) {
			break
		}
	}
	pendingStart := len(input) - pendingSize
	f.pendingBytes = bytes.Clone(input[pendingStart:])
	return append(out, input[:pendingStart]...), nil
}
