package widget

import "unicode/utf8"

// quickWidth measures what nearly every line of the explorer is made of: style
// codes (ESC [ … m) and common characters. These take one cell each, whatever
// stands beside them. It gives up at anything else, for which the whole rules of
// Unicode are needed.
func quickWidth(s string) (cells int, ok bool) {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c <= '~' {
			cells++
			i++
		} else if n := styleCode(s[i:]); n > 0 {
			i += n
		} else if r, n := utf8.DecodeRuneInString(s[i:]); drawn(r) {
			cells++
			i += n
		} else {
			return 0, false
		}
	}
	return cells, true
}

// styleCode gives the length of the style code that s starts with, 0 for
// anything else.
func styleCode(s string) int {
	if len(s) < 3 || s[0] != '\x1b' || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// drawn says that a rune is one of those beyond ASCII that the explorer itself
// draws with: dashes, arrows, lines, blocks, dots and signs. Each takes one cell,
// whatever stands beside it.
func drawn(r rune) bool {
	switch {
	case r >= '─' && r <= '●', r >= '–' && r <= '…', r >= '←' && r <= '↓':
		return true
	}
	switch r {
	case '·', '×', '≤', '≥', '◗', '✓', '✗':
		return true
	}
	return false
}
