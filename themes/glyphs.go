package themes

import "strings"

// The signs of the explorer. Each is one cell wide, and each has a plain
// stand-in of one byte, which [Theme.Paint] writes where the terminal's font is
// poor. Meaning is always in a sign or a word as well as in a colour.
const (
	GlyphLive     = "●" // a grant in force
	GlyphExpired  = "○" // a grant that has expired
	GlyphExpiry   = "◗" // the moment when something expires
	GlyphYes      = "✓" // allowed, done
	GlyphNo       = "✗" // refused, failed
	GlyphPointer  = "▸" // the row under the cursor
	GlyphMarked   = "◆" // a row that is selected
	GlyphDot      = "·" // nothing here, or a small divider
	GlyphEllipsis = "…" // text was cut
	GlyphNow      = "▏" // the present, on a timeline
	GlyphFull     = "█" // the part of a bar that is left
	GlyphEmpty    = "░" // the part of a bar that is used up
	GlyphUp       = "▴" // sorted upwards, more above
	GlyphDown     = "▾" // sorted downwards, more below
	GlyphLeft     = "◂" // an earlier choice
	GlyphArrow    = "→" // from one to another
	GlyphWarn     = "▲" // look here
	GlyphInfo     = "•" // a plain notice
	GlyphLine     = "─" // horizontal rule
	GlyphSide     = "│" // vertical rule
	GlyphHeavy    = "━" // the live part of an interval
	GlyphCornerTL = "┌"
	GlyphCornerTR = "┐"
	GlyphCornerBL = "└"
	GlyphCornerBR = "┘"
	GlyphTeeRight = "├"
)

// plain pairs every sign with its stand-in.
var plain = []string{
	GlyphLive, "*", GlyphExpired, "o", GlyphExpiry, ")", GlyphYes, "+", GlyphNo, "x",
	GlyphPointer, ">", GlyphMarked, "@", GlyphDot, ".", GlyphEllipsis, "~",
	GlyphNow, "|", GlyphFull, "#", GlyphEmpty, ".", GlyphUp, "^", GlyphDown, "v",
	GlyphLeft, "<", GlyphArrow, ">", GlyphWarn, "!", GlyphInfo, "*",
	GlyphLine, "-", GlyphSide, "|", GlyphHeavy, "=",
	GlyphCornerTL, "+", GlyphCornerTR, "+", GlyphCornerBL, "+", GlyphCornerBR, "+",
	GlyphTeeRight, "+",
	// Arrows that help texts use for keys, signs of ranges and products, and
	// the marks that stand around a quotation, and around a byte.
	"↑", "^", "↓", "v", "←", "<", "↵", ">", "–", "-", "−", "-", "×", "x", "“", `"`, "”", `"`, "‹", "<", "›", ">",
}

var toPlain = strings.NewReplacer(plain...)

// Plain writes a text with the plain stand-ins of the glyphs, as a theme that is
// ASCII does.
func Plain(text string) string { return toPlain.Replace(text) }
