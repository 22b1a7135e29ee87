package widget

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
)

// maxSafe is the number of bytes of a text that [Safe] looks at. No line of a
// terminal shows more, and a long text must not cost anything at every frame.
const maxSafe = 4096

// maxMarks is the number of combining marks that may sit on one character. More
// would paint over the lines above and below.
const maxMarks = 3

// Safe makes one line of text that can do a terminal no harm. What a terminal
// could act on, what cannot be seen, and what terminals measure differently is
// written as an escape that can be read: \n, \x1b, \u202e, \U0001f1e9. These
// are control characters and escape sequences, bidi controls, zero-width and
// private characters, invalid UTF-8, spaces other than the common one, and the
// joining characters of composed emoji.
//
// A text of more than 4096 bytes is cut and ends with an ellipsis.
func Safe(s string) string {
	if len(s) <= maxSafe && isPlain(s) {
		return s
	}
	var b strings.Builder
	cut := len(s) > maxSafe
	if cut {
		s = s[:runeStart(s, maxSafe)]
	}
	b.Grow(len(s) + 16)
	writeSafe(&b, s)
	if cut {
		b.WriteString(themes.GlyphEllipsis)
	}
	return b.String()
}

// SafeLines makes several safe lines, one for each line of the text, at most
// limit; a last line tells how many more there are.
func SafeLines(s string, limit int) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		if len(lines) == limit {
			more := uint64(strings.Count(s, "\n") + 1 - limit)
			return append(lines, themes.GlyphEllipsis+" "+Group(more)+" more lines")
		}
		lines = append(lines, Safe(line))
	}
	return lines
}

// runeStart moves a cut back to the start of the rune that it would split.
func runeStart(s string, at int) int {
	for i := at; i > at-utf8.UTFMax && i > 0; i-- {
		if utf8.RuneStart(s[i]) {
			return i
		}
	}
	return at
}

func writeSafe(b *strings.Builder, s string) {
	for len(s) > 0 {
		if c := s[0]; c >= ' ' && c <= '~' && (len(s) == 1 || s[1] < utf8.RuneSelf) {
			b.WriteByte(c)
			s = s[1:]
			continue
		}
		cluster := s[:1]
		if s[0] >= ' ' {
			cluster, _ = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		}
		writeCluster(b, cluster)
		s = s[len(cluster):]
	}
}

// writeCluster writes what a terminal shows as one character.
func writeCluster(b *strings.Builder, cluster string) {
	if steady(cluster) {
		b.WriteString(cluster)
		return
	}
	for i := 0; i < len(cluster); {
		_, n := utf8.DecodeRuneInString(cluster[i:])
		if part := cluster[i : i+n]; i == 0 && steady(part) {
			b.WriteString(part)
		} else {
			escape(b, part)
		}
		i += n
	}
}

// steady says that a cluster can be seen and that both ways of measuring it,
// as a whole and by its runes, agree: terminals use the one or the other.
func steady(cluster string) bool {
	w := ansi.StringWidth(cluster)
	return w > 0 && w == ansi.StringWidthWc(cluster) && clean(cluster)
}

// clean says that a cluster is a character that can be seen, with at most a few
// marks on it.
func clean(cluster string) bool {
	marks := -1
	for i, r := range cluster {
		if r == utf8.RuneError || !unicode.IsPrint(r) || hidden(r) {
			return false
		}
		isMark := unicode.Is(unicode.M, r)
		if isMark == (i == 0) {
			return false // a mark without its letter, or letters that join
		}
		marks++
	}
	return marks <= maxMarks
}

// hidden finds the printable runes that cannot be seen, that change or join
// what stands before them, or that come in pairs.
func hidden(r rune) bool {
	if r < 0x300 {
		return false
	}
	switch {
	case r >= 0x1100 && r <= 0x11ff, r >= 0xa960 && r <= 0xa97f, r >= 0xd7b0 && r <= 0xd7ff:
		return true // Hangul parts, which join into one syllable
	case r >= 0x1f1e6 && r <= 0x1f1ff, r >= 0x1f3fb && r <= 0x1f3ff:
		return true // halves of flags, tones of skin
	case r == 0x0e33, r == 0x0eb3, r == 0x20e3, r == 0x2800:
		return true // vowels that reach back, keycaps, the empty Braille cell
	case r == 0x094d, r == 0x09cd, r == 0x0acd, r == 0x0b4d, r == 0x0c4d, r == 0x0d4d:
		return true // signs that join the next letter
	}
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Other_Grapheme_Extend)
}

// escape writes a rune, or a byte that is none, as Go source would.
func escape(b *strings.Builder, s string) {
	r, size := utf8.DecodeRuneInString(s)
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == utf8.RuneError && size == 1, r < utf8.RuneSelf:
		b.WriteString(`\x`)
		hexDigits(b, uint64(s[0]), 2)
	case r < 0x10000:
		b.WriteString(`\u`)
		hexDigits(b, uint64(r), 4)
	default:
		b.WriteString(`\U`)
		hexDigits(b, uint64(r), 8)
	}
}

func hexDigits(b *strings.Builder, n uint64, digits int) {
	s := strconv.FormatUint(n, 16)
	for range digits - len(s) {
		b.WriteByte('0')
	}
	b.WriteString(s)
}
