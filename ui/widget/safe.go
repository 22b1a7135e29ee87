package widget

import (
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
)

// maxSafeBytes is how many bytes of a text [Safe] looks at. No line of a terminal shows
// more, and long texts must not slow down every frame.
const maxSafeBytes = 4096

// maxMarks is how many combining marks a character may have. More would cover the lines
// above and below.
const maxMarks = 3

// asciiOnly is what [ASCIIOnly] was last called with. It is atomic because commands
// call Safe in other goroutines than the one that draws.
var asciiOnly atomic.Bool

// ASCIIOnly makes [Safe] escape every rune beyond ASCII for which the glyphs have no
// ASCII form. It is for locales in which the bytes of a letter can be control codes.
func ASCIIOnly(on bool) { asciiOnly.Store(on) }

// Safe returns a text as one line that is harmless to a terminal. It writes an escape,
// such as \n, \x1b, \u202e or \U0001f1e9, for everything that a terminal acts on, that
// is invisible, or that terminals measure differently: control characters and escape
// sequences, bidi controls, zero-width and private characters, invalid UTF-8, spaces
// other than the common one, and the joining characters of composed emoji.
//
// It cuts a text of more than 4096 bytes and ends it with an ellipsis.
func Safe(text string) string {
	if len(text) > maxSafeBytes {
		end := runeStart(text, maxSafeBytes)
		return Safe(text[:end]) + themes.GlyphEllipsis
	}
	isUncommon := func(r rune) bool { return !isCommon(r) }
	if isPlain(text) || !strings.ContainsFunc(text, isUncommon) {
		return text
	}

	// Go from cluster to cluster. The end of a cluster must be searched for, except that a common
	// rune before another common rune is always a cluster of its own.
	var out strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		nextRune, nextSize := utf8.DecodeRuneInString(text[size:])
		hasNoMark := nextSize == 0 || isCommon(nextRune)
		switch {
		case isCommon(r) && hasNoMark:
			out.WriteString(text[:size])
		case !isLetter(r):
			writeEscaped(&out, text[:size])
		default:
			size = writeCluster(&out, text, size)
		}
		text = text[size:]
	}
	return out.String()
}

// SafeLines returns the first maxLines lines of a text, each made [Safe], and a last one such
// as "… 3 more lines" if there are more.
func SafeLines(text string, maxLines int) []string {
	var lines []string
	unixText := strings.ReplaceAll(text, "\r\n", "\n")
	for line := range strings.SplitSeq(unixText, "\n") {
		if len(lines) == maxLines {
			hiddenCount := strings.Count(text, "\n") + 1 - maxLines
			lastLine := themes.GlyphEllipsis + " " + comma(hiddenCount) + " more line"
			if hiddenCount != 1 {
				lastLine += "s"
			}
			return append(lines, lastLine)
		}
		lines = append(lines, Safe(line))
	}
	return lines
}

// runeStart returns the index at which the rune around a byte index starts, such as 1 for "aé"
// and index 2. In invalid UTF-8 that has no start nearby, it returns the index itself.
func runeStart(text string, index int) int {
	for i := index; i > index-utf8.UTFMax && i > 0; i-- {
		if utf8.RuneStart(text[i]) {
			return i
		}
	}
	return index
}

// maxCluster is how many bytes are searched for the end of a cluster, which is what a reader
// sees as one character, such as a letter with its accents. No cluster that
// [isLetterWithMarks] accepts is longer. The limit keeps texts cheap in which very many
// characters are joined.
const maxCluster = 64

// writeCluster writes the letter at the start of a text with its marks, such as accents,
// and returns how many bytes of the text it wrote. letterSize is the length of the letter
// in bytes.
//
// Some terminals count the cells of a letter and its marks as a whole, others rune by
// rune. If the results differ, it writes the letter without the marks, or an escape if
// the letter alone is doubtful too. The caller then escapes the marks, which no letter
// precedes any more.
func writeCluster(out *strings.Builder, text string, letterSize int) int {
	searchedText := text
	if len(searchedText) > maxCluster {
		searchedText = searchedText[:runeStart(searchedText, maxCluster)]
	}
	cluster, _ := ansi.FirstGraphemeCluster(searchedText, ansi.GraphemeWidth)
	letter := text[:letterSize]
	switch {
	case hasOneWidth(cluster):
		out.WriteString(cluster)
		return len(cluster)
	case hasOneWidth(letter):
		out.WriteString(letter)
	default:
		writeEscaped(out, letter)
	}
	return letterSize
}

// isCommon reports whether a rune is safe beside any other common rune: printable
// ASCII, and the signs that the explorer draws with, such as "…" and "─". No two of
// them join to one character.
func isCommon(r rune) bool {
	return r >= ' ' && r <= '~' || isDrawingSign(r) && !asciiOnly.Load()
}

// hasOneWidth reports whether all terminals give a cluster, a letter with its marks,
// the same width, which is not 0. Some measure the cluster as a whole, others add up
// its runes.
func hasOneWidth(cluster string) bool {
	if asciiOnly.Load() && utf8.RuneCountInString(cluster) > 1 && !isPlain(cluster) {
		return false
	}
	width := ansi.StringWidth(cluster)
	return width > 0 && width == ansi.StringWidthWc(cluster) && isLetterWithMarks(cluster)
}

// isLetterWithMarks reports whether a cluster is a letter with at most maxMarks marks.
func isLetterWithMarks(cluster string) bool {
	letter, size := utf8.DecodeRuneInString(cluster)
	if !isLetter(letter) {
		return false
	}
	marks := cluster[size:]
	for _, r := range marks {
		if isInvisible(r) || !unicode.Is(unicode.M, r) {
			return false
		}
	}
	return utf8.RuneCountInString(marks) <= maxMarks
}

// isLetter reports whether a rune is visible and is no mark on another rune.
func isLetter(r rune) bool {
	// In ASCII a rune is visible only if ASCII characters can take its place.
	if asciiOnly.Load() && r >= utf8.RuneSelf && themes.Plain(string(r)) == string(r) {
		return false
	}
	return r != utf8.RuneError && unicode.IsPrint(r) && !unicode.Is(unicode.M, r) && !isInvisible(r)
}

// isInvisible reports whether a printable rune is not shown as a character of its own. It
// may be invisible, like the Hangul filler, come in pairs, like the halves of a flag, or
// join the runes beside it.
func isInvisible(r rune) bool {
	if r < 0x300 {
		return false
	}
	return unicode.In(r,
		unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector,
		unicode.Other_Grapheme_Extend) || joiningRunes.MatchString(string(r))
}

// joiningRunes matches a rune for which package unicode has no table: Hangul parts, the
// empty Braille cell, halves of flags, skin tones, keycaps, vowels that join the letter
// before, letters that join the one after (Unicode's Grapheme_Cluster_Break=Prepend) and
// signs that join two letters (Indic_Conjunct_Break=Linker).
var joiningRunes = regexp.MustCompile(`[` +
	`\x{094d}\x{09cd}\x{0acd}\x{0b4d}\x{0c4d}\x{0d4d}-\x{0d4e}` +
	`\x{0e33}\x{0eb3}\x{1039}\x{1100}-\x{11ff}\x{17d2}` +
	`\x{1a60}\x{1b44}\x{1bab}\x{20e3}\x{2800}\x{a960}-\x{a97f}` +
	`\x{a9c0}\x{aaf6}\x{d7b0}-\x{d7ff}\x{10a3f}\x{11133}` +
	`\x{111c2}-\x{111c3}\x{113d0}-\x{113d1}\x{1193e}-\x{1193f}\x{11941}\x{11a3a}` +
	`\x{11a47}\x{11a84}-\x{11a89}\x{11a99}\x{11d46}\x{11f02}` +
	`\x{11f42}\x{1f1e6}-\x{1f1ff}\x{1f3fb}-\x{1f3ff}]`)

// writeEscaped writes a rune, or an invalid byte, as an escape of Go source.
func writeEscaped(out *strings.Builder, rawRune string) {
	quoted := strconv.QuoteToASCII(rawRune)
	out.WriteString(quoted[1 : len(quoted)-1])
}
