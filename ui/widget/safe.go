package widget

import (
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// maxSafe is the number of bytes of a text that [Safe] looks at. No line of a
// terminal shows more, and a long text must not cost anything at every frame.
const maxSafe = 4096

// maxMarks is the number of combining marks that may sit on one character. More
// would paint over the lines above and below.
const maxMarks = 3

var asciiOnly atomic.Bool

// ASCIIOnly makes [Safe] escape all that is not ASCII and has no stand-in among the
// glyphs, for a locale in which the bytes of a letter can be what a terminal acts on.
func ASCIIOnly(on bool) { asciiOnly.Store(on) }

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
			more := int64(strings.Count(s, "\n") + 1 - limit)
			text := themes.GlyphEllipsis + " " + humanize.Comma(more) + " more line"
			if more != 1 {
				text += "s"
			}
			return append(lines, text)
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

// maxCluster is more bytes than any character that [clean] lets pass. Looking
// no further keeps long runs of joined characters cheap.
const maxCluster = 64

func writeSafe(b *strings.Builder, s string) {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if next, size := utf8.DecodeRuneInString(s[n:]); common(r) && (size == 0 || common(next)) {
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		if !letter(r) {
			escape(b, s[:n])
			s = s[n:]
			continue
		}
		near := s
		if len(near) > maxCluster {
			near = near[:runeStart(near, maxCluster)]
		}
		cluster, _ := ansi.FirstGraphemeCluster(near, ansi.GraphemeWidth)
		switch {
		case steady(cluster):
			n = len(cluster)
			b.WriteString(cluster)
		case steady(s[:n]):
			// What follows is joined to the letter in a way that terminals measure
			// differently: the join is shown, and so is what stands behind it.
			b.WriteString(s[:n])
		default:
			escape(b, s[:n])
		}
		s = s[n:]
	}
}

// common says that a rune is safe beside any other common one: ASCII, and what the
// explorer itself draws. They are told apart from the rest so that a frame is not
// measured rune by rune.
func common(r rune) bool { return r >= ' ' && r <= '~' || isDrawingSign(r) && !asciiOnly.Load() }

// steady says that a cluster can be seen and that both ways of measuring it,
// as a whole and by its runes, agree: terminals use the one or the other.
func steady(cluster string) bool {
	if asciiOnly.Load() && !isPlain(cluster) && utf8.RuneCountInString(cluster) > 1 {
		return false
	}
	w := ansi.StringWidth(cluster)
	return w > 0 && w == ansi.StringWidthWc(cluster) && clean(cluster)
}

// clean says that a cluster is a letter with at most a few marks on it.
func clean(cluster string) bool {
	marks := -1
	for i, r := range cluster {
		if i == 0 && !letter(r) || i > 0 && !unicode.Is(unicode.M, r) || hidden(r) {
			return false
		}
		marks++
	}
	return marks <= maxMarks
}

// letter says that a rune can be seen and stands for itself.
func letter(r rune) bool {
	if r >= utf8.RuneSelf && asciiOnly.Load() && themes.Plain(string(r)) == string(r) {
		return false
	}
	return r != utf8.RuneError && unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && !hidden(r)
}

// hidden finds the printable runes that cannot be seen, that come in pairs, or
// that join what stands before or behind them.
func hidden(r rune) bool {
	return r >= 0x300 && unicode.In(r, joining, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Other_Grapheme_Extend)
}

// joining is, besides what package unicode has a table for: Hangul parts, the
// empty Braille cell, halves of flags, tones of skin, keycaps, vowels that reach
// back, letters that reach forward (Unicode's Grapheme_Cluster_Break=Prepend)
// and signs that join two letters (Indic_Conjunct_Break=Linker).
var joining = func(pairs ...rune) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for p := range slices.Chunk(pairs, 2) { // the first and the last of a range, in order
		t.R32 = append(t.R32, unicode.Range32{Lo: uint32(p[0]), Hi: uint32(p[1]), Stride: 1})
	}
	return t
}(
	0x094d, 0x094d, 0x09cd, 0x09cd, 0x0acd, 0x0acd, 0x0b4d, 0x0b4d, 0x0c4d, 0x0c4d, 0x0d4d, 0x0d4e,
	0x0e33, 0x0e33, 0x0eb3, 0x0eb3, 0x1039, 0x1039, 0x1100, 0x11ff, 0x17d2, 0x17d2,
	0x1a60, 0x1a60, 0x1b44, 0x1b44, 0x1bab, 0x1bab, 0x20e3, 0x20e3, 0x2800, 0x2800, 0xa960, 0xa97f,
	0xa9c0, 0xa9c0, 0xaaf6, 0xaaf6, 0xd7b0, 0xd7ff, 0x10a3f, 0x10a3f, 0x11133, 0x11133,
	0x111c2, 0x111c3, 0x113d0, 0x113d1, 0x1193e, 0x1193f, 0x11941, 0x11941, 0x11a3a, 0x11a3a,
	0x11a47, 0x11a47, 0x11a84, 0x11a89, 0x11a99, 0x11a99, 0x11d46, 0x11d46, 0x11f02, 0x11f02,
	0x11f42, 0x11f42, 0x1f1e6, 0x1f1ff, 0x1f3fb, 0x1f3ff,
)

// escape writes a rune, or a byte that is none, as Go source would.
func escape(b *strings.Builder, s string) {
	quoted := strconv.QuoteToASCII(s)
	b.WriteString(quoted[1 : len(quoted)-1])
}
