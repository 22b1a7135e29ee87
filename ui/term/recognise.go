package term

import (
	"strconv"
	"strings"
)

// sequenceKind is the kind of a sequence of bytes that begins with ESC.
type sequenceKind int

const (
	keySequence        sequenceKind = iota // a key, a mouse event, or unknown: it is passed on
	unfinishedSequence                     // more bytes are needed to recognise it; its size is 0
	replySequence                          // a complete reply
	replyStartSequence                     // the start of an OSC or DCS reply; BEL or ESC \ ends it
)

// recognise returns the size in bytes and the kind of the sequence at the start of input,
// which begins with ESC. If the sequence is unknown, it returns the size 1, so that ESC
// alone is passed on as a key.
func recognise(input []byte) (size int, kind sequenceKind) {
	if len(input) == 1 {
		return 0, unfinishedSequence
	}
	switch input[1] {
	case '[':
		return recogniseCSI(input)
	case ']':
		return recogniseOSC(input)
	case 'P':
		return recogniseDCS(input)
	case 'O': // function keys: ESC O and a letter
		if len(input) == 2 {
			return 0, unfinishedSequence
		}
		return 2, keySequence
	}
	return 1, keySequence
}

// recogniseOSC recognises ESC ] number ; as the start of a reply, such as ESC ] 11 ; for the
// background colour. Without the number and the semicolon it is alt with a closing bracket.
func recogniseOSC(input []byte) (size int, kind sequenceKind) {
	end := 2
	for end < len(input) && input[end] >= '0' && input[end] <= '9' {
		end++
	}
	switch {
	case end > 6: // no reply has a number of five digits
		return 2, keySequence
	case end == len(input):
		return 0, unfinishedSequence
	case end > 2 && input[end] == ';':
		return end, replyStartSequence
	}
	return 2, keySequence
}

// recogniseDCS recognises the start of a reply that begins with ESC P:
//
//	ESC P 1 $ r    settings
//	ESC P 1 + r    termcap
//	ESC P > |      name and version
//	ESC P ! |      unit
//
// If anything else follows ESC P, a person has typed alt with P, which is sent as ESC P too.
func recogniseDCS(input []byte) (size int, kind sequenceKind) {
	end := 2 // behind the numbers after ESC P
	for end < len(input) && (input[end] >= '0' && input[end] <= '9' || input[end] == ';') {
		end++
	}

	// One of four signs follows, and then r or a bar.
	switch {
	case end >= maxPendingBytes: // no reply has such long numbers
		return 2, keySequence
	case end == len(input):
		return 0, unfinishedSequence
	case strings.IndexByte("$+>!", input[end]) < 0:
		return 2, keySequence
	case end+1 == len(input):
		return 0, unfinishedSequence
	case input[end+1] == 'r', input[end+1] == '|':
		return end + 2, replyStartSequence
	}
	return 2, keySequence
}

// recogniseCSI recognises a control sequence, which consists of ESC [, parameters and a letter:
// a reply, a key, a mouse event or a focus event.
func recogniseCSI(input []byte) (size int, kind sequenceKind) {
	end := 2 // behind the parameters
	for end < len(input) && input[end] >= 0x20 && input[end] <= 0x3f {
		end++
	}
	switch {
	case end > maxPendingBytes:
		return end, keySequence
	case end == len(input):
		return 0, unfinishedSequence
	case input[end] < 0x40 || input[end] > 0x7e:
		return end, keySequence
	case end == 2 && input[end] == 'M': // a mouse event in the oldest form: three bytes follow
		if len(input) < 6 {
			return 0, unfinishedSequence
		}
		return 6, keySequence
	}
	if isReply(string(input[2:end]), input[end]) {
		return end + 1, replySequence
	}
	return end + 1, keySequence
}

// isReply reports whether a control sequence is a reply of the terminal and not a key. It
// decides by the parameters and the final letter. For example, "?62;22" with 'c' is a reply,
// and "1;5" with 'D' is ctrl and an arrow. Parameters that begin with ?, > or = are private;
// no key has private parameters with one of the letters below.
func isReply(params string, finalLetter byte) bool {
	isPrivate := params != "" && strings.IndexByte("?>=", params[0]) >= 0
	switch finalLetter {
	case 'c', 'u', 'm', 'S': // attributes, keyboard, modifiers, graphics
		return isPrivate
	case 'n', 't', 'x': // status, window, parameters
		return params != ""
	case 'y': // state of a mode
		return strings.HasSuffix(params, "$")
	case 'R': // position of the cursor; F3 with modifiers looks like one in row 1
		row, column, _ := strings.Cut(params, ";")
		modifiers, err := strconv.Atoi(column)
		isModifiedF3 := row == "1" && modifiers >= 2 && modifiers <= 16
		return isPrivate || err == nil && !isModifiedF3
	}
	return false
}
