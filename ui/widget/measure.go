package widget

import "unicode/utf8"

// quickWidth measures what nearly every line of the explorer is made of: plain
// letters, style codes (ESC [ … m), and characters that draw lines, blocks and
// signs. These take one cell each, whatever stands beside them. It gives up at
// anything else, for which the whole rules of Unicode are needed.
func quickWidth(s string) (cells int, ok bool) {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= ' ' && c <= '~':
			cells++
			i++
		case c == '\x1b':
			n := styleCode(s[i:])
			if n == 0 {
				return 0, false
			}
			i += n
		case c < utf8.RuneSelf:
			return 0, false
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !oneCell(r) {
				return 0, false
			}
			cells++
			i += n
		}
	}
	return cells, true
}

// styleCode gives the length of the style code that s starts with, 0 for
// anything else.
func styleCode(s string) int {
	if len(s) < 3 || s[1] != '[' {
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

// oneCell knows the characters that the explorer draws with.
func oneCell(r rune) bool {
	switch {
	case r == '·', r == '×', r == '…', r == '→', r == '←', r == '↑', r == '↓', r == '≥', r == '≤':
		return true
	case r >= 0x2500 && r <= 0x259f: // lines and blocks
		return true
	case r == '●', r == '○', r == '◗', r == '▸', r == '▾', r == '▴', r == '✓', r == '✗':
		return true
	}
	return false
}
