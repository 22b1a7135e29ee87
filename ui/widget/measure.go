package widget

import (
	"strings"
	"unicode/utf8"
)

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
	if s[0] != '\x1b' {
		return 0
	}
	end := strings.IndexByte(s, 'm')
	if end < 2 || s[1] != '[' || strings.Trim(s[2:end], "0123456789;") != "" {
		return 0
	}
	return end + 1
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
