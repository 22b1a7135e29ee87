package themes

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Role names what a piece of text is for. Widgets keep roles with their text
// and look the ink up when they draw, so a theme can change at any moment.
type Role int

// The roles. See [Palette] for what the colours mean.
const (
	Text Role = iota
	Muted
	Faint
	Strong // Text, bold
	Title  // Accent, bold
	Accent
	Accent2
	Good
	Warn
	Bad
	Live
	Expired
	Header   // column titles
	Selected // the row under the cursor
	Idle     // the same in a pane without the focus
	Border
	Focus // the border of the focused pane or dialog
	Key   // the name of a key
	Match // the letters a search has matched
	Field // text being typed
	Caret // the cell of the text cursor
	Flash // a row that stands out for a moment
	Bar
	BarEmpty
	roles // their number
)

// Ink writes text in one style. It is made from a [lipgloss.Style] once, so a
// table can draw thousands of cells without building styles again.
type Ink struct{ open, shut string }

func newInk(s lipgloss.Style) *Ink {
	// What the style writes around a letter is what it writes around any text:
	// the styles here have no size, padding or border.
	open, shut, _ := strings.Cut(s.Render("x"), "x")
	return &Ink{open, shut}
}

// Render writes text in the ink's style, each line for itself, so that a line
// may be cut out of the result. Text inside it must have no style of its own.
func (i *Ink) Render(text string) string {
	if i.open == "" || text == "" {
		return text
	}
	if strings.IndexByte(text, '\n') < 0 {
		return i.open + text + i.shut
	}
	return i.open + strings.ReplaceAll(text, "\n", i.shut+"\n"+i.open) + i.shut
}

// WriteTo does what Render does for one line, into a builder.
func (i *Ink) WriteTo(b *strings.Builder, text string) {
	if text == "" {
		return
	}
	b.WriteString(i.open)
	b.WriteString(text)
	b.WriteString(i.shut)
}

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
