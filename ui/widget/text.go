package widget

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"ephemera/themes"
)

// Width is the number of cells that a text takes, style codes not counted. It
// is the one measure of this program: bubbletea's renderer measures the same
// way, and [Safe] keeps away what terminals measure differently.
func Width(s string) int {
	if n, ok := quickWidth(s); ok {
		return n
	}
	return ansi.StringWidth(s)
}

// Fit makes one line exactly w cells wide: padded on the right, or cut with an
// ellipsis. Style codes stay whole.
func Fit(s string, w int) string {
	if w <= 0 {
		return ""
	}
	n := Width(s)
	if n <= w {
		return s + spaces(w-n)
	}
	if isPlain(s) {
		return s[:w-1] + themes.GlyphEllipsis
	}
	return pad(ansi.Truncate(s, w, themes.GlyphEllipsis), w)
}

// FitRight is [Fit] with the padding on the left.
func FitRight(s string, w int) string {
	if n := Width(s); n < w {
		return spaces(w-n) + s
	}
	return Fit(s, w)
}

// Middle shortens a text to at most w cells by leaving out its middle, as
// addresses are read: their two ends tell them apart. It is not padded.
func Middle(s string, w int) string {
	n := Width(s)
	if n <= w {
		return s
	}
	if w < 8 {
		return strings.TrimRight(Fit(s, w), " ")
	}
	return without(s, w, min(5, (w-1)/3))
}

// without shortens a text that is wider than w to that, and leaves tail cells of
// its end.
func without(s string, w, tail int) string {
	n, head := Width(s), w-1-tail
	if isPlain(s) {
		return s[:head] + themes.GlyphEllipsis + s[n-tail:]
	}
	return ansi.Truncate(s, head, "") + themes.GlyphEllipsis + dropLeft(s, n-tail)
}

// Wrap breaks a text without styles into lines of at most w cells (w is 2 or
// more, the width of the widest character), at spaces where it can. A newline
// in the text breaks too. There is always at least one line.
func Wrap(s string, w int) []string {
	w = max(2, w)
	var lines []string
	for part := range strings.SplitSeq(s, "\n") {
		for Width(part) > w {
			at, next := breakAt(part, w)
			lines = append(lines, part[:at])
			part = part[next:]
		}
		lines = append(lines, part)
	}
	return lines
}

// breakAt finds where the first line of w cells ends and where the next one
// starts: around a space, else in the middle of the word.
func breakAt(s string, w int) (end, next int) {
	cells, word := 0, 0
	for i := 0; i < len(s); {
		cluster, n := ansi.FirstGraphemeCluster(s[i:], ansi.GraphemeWidth)
		if cluster == " " && cells <= w {
			word = i
		}
		if cells += n; cells > w {
			if word > 0 {
				return word, word + 1
			}
			return i, i
		}
		i += len(cluster)
	}
	return len(s), len(s)
}

// Ends puts one text at the left end of a line of w cells and one at the right.
// When both do not fit, the left one is cut; the right one goes first only when
// it has no room at all.
func Ends(left, right string, w int) string {
	r := Width(right)
	if r == 0 || r+2 > w {
		return Fit(left, w)
	}
	return Fit(left, w-r-1) + " " + right
}

// clip is Fit without the ellipsis: for blocks that are already laid out.
func clip(s string, w int) string {
	n := Width(s)
	switch {
	case n == w:
		return s
	case n < w:
		return s + spaces(w-n)
	}
	return pad(ansi.Truncate(s, w, ""), w)
}

// pad adds spaces up to w cells; it never cuts.
func pad(s string, w int) string { return s + spaces(w-Width(s)) }

const blank = "                                                                                                                                "

func spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blank):
		return blank[:n]
	}
	return strings.Repeat(" ", n)
}

// isPlain says that every byte is a printable ASCII character, so that bytes
// are cells.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' {
			return false
		}
	}
	return true
}
