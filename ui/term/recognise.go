package term

import (
	"bytes"
	"strconv"
	"strings"
)

// kind is what a sequence at the start of some bytes is.
type kind int

const (
	key        kind = iota // typed, or nothing that is known: it passes
	unfinished             // more bytes are needed to tell
	reply                  // a whole reply
	replyStart             // the start of an OSC or DCS reply, which ends with BEL or ESC \
)

// recognise looks at bytes that start with ESC and gives the length of the
// sequence there.
func recognise(b []byte) (int, kind) {
	if len(b) == 1 {
		return 0, unfinished
	}
	switch b[1] {
	case '[':
		return recogniseCSI(b)
	case ']':
		return recogniseOSC(b)
	case 'P':
		return recogniseDCS(b)
	case 'O': // function keys: ESC O and a letter
		if len(b) == 2 {
			return 0, unfinished
		}
		return 2, key
	}
	return 1, key
}

// recogniseOSC knows ESC ] number ; as the start of a reply. Alt with a bracket
// starts the same, so the number must be there.
func recogniseOSC(b []byte) (int, kind) {
	n := 2
	for n < len(b) && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	switch {
	case n > 6:
		return 2, key
	case n == len(b):
		return 0, unfinished
	case n > 2 && b[n] == ';':
		return n, replyStart
	}
	return 2, key
}

// recogniseDCS knows the replies to questions about settings (ESC P 1 $ r),
// termcap (ESC P 1 + r), version (ESC P > |) and unit (ESC P ! |).
func recogniseDCS(b []byte) (int, kind) {
	n := 2
	for n < len(b) && (b[n] >= '0' && b[n] <= '9' || b[n] == ';') {
		n++
	}
	if n >= maxHeld { // with what may follow it would be too long
		return 2, key
	}
	if n+1 >= len(b) && (n == len(b) || bytes.IndexByte([]byte("$+>!"), b[n]) >= 0) {
		return 0, unfinished
	}
	if n+1 < len(b) && bytes.IndexByte([]byte("$+>!"), b[n]) >= 0 && (b[n+1] == 'r' || b[n+1] == '|') {
		return n + 2, replyStart
	}
	return 2, key
}

// recogniseCSI finds the end of a control sequence and tells keys, mouse and
// focus from replies.
func recogniseCSI(b []byte) (int, kind) {
	n := 2
	for n < len(b) && b[n] >= 0x20 && b[n] <= 0x3f {
		n++
	}
	switch {
	case n > maxHeld:
		return n, key
	case n == len(b):
		return 0, unfinished
	case b[n] < 0x40 || b[n] > 0x7e:
		return n, key
	case n == 2 && b[n] == 'M': // a mouse event in the oldest form: three bytes follow
		if len(b) < 6 {
			return 0, unfinished
		}
		return 6, key
	}
	if isReply(string(b[2:n]), b[n]) {
		return n + 1, reply
	}
	return n + 1, key
}

// isReply tells the replies among control sequences by their parameters and
// their last letter.
func isReply(params string, final byte) bool {
	private := params != "" && strings.IndexByte("?>=", params[0]) >= 0
	switch final {
	case 'c', 'n', 'u', 'm', 'S': // attributes, status, keyboard, modifiers, graphics
		return private || final == 'n' && params != ""
	case 'y': // state of a mode
		return strings.HasSuffix(params, "$")
	case 't', 'x': // window, parameters
		return params != ""
	case 'R': // where the cursor is; F3 with shift, alt and control looks like row 1
		row, column, ok := strings.Cut(params, ";")
		if private || !ok {
			return private
		}
		n, err := strconv.Atoi(column)
		return err == nil && (row != "1" || n < 2 || n > 16)
	}
	return false
}
