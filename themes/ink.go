package themes

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Role is the purpose of a piece of text. Widgets store roles and look up the ink when they
// draw, so the theme can change at any time.
type Role int

// The roles that a text can have. See [Palette] for what the colours mean.
const (
	Text     Role = iota // ordinary text
	Muted                // what is read second: labels, units
	Faint                // what is looked up: hints, placeholders
	Strong               // Text, bold
	Title                // Accent, bold
	Accent               // what stands out: titles, keys
	Accent2              // numbers
	Good                 // what is allowed or done
	Warn                 // what needs attention
	Bad                  // what is refused or failed
	Live                 // a grant in force
	Expired              // a grant that has expired
	Header               // column titles
	Selected             // the row under the cursor
	Idle                 // the row under the cursor in a pane without the focus
	Border               // the border of a pane
	Focus                // the border of the focused pane or dialog
	Key                  // the name of a key
	Match                // the letters a search has matched
	Field                // text being typed
	Caret                // the cell of the text cursor
	Flash                // a row that stands out for a moment
	Bar                  // the remaining part of a countdown
	BarEmpty             // the elapsed part of a countdown
	Struck               // a permission that has expired

	roleCount // how many roles there are
)

// Ink writes text in one style, such as bold green. It renders a [lipgloss.Style] only once, so
// that a table can draw thousands of cells quickly.
type Ink struct {
	opening string // the escape sequence before the text; empty if the style changes nothing
	closing string // the escape sequence after the text
}

// newInk makes an ink from a style, which must have no size, padding or border. Such a style
// writes the same escape sequences around every text.
func newInk(style lipgloss.Style) *Ink {
	opening, closing, _ := strings.Cut(style.Render("x"), "x")
	return &Ink{opening: opening, closing: closing}
}

// Render returns text in the ink's style. The result can be split into lines. The text must not
// be styled already.
func (i *Ink) Render(text string) string {
	if i.opening == "" || text == "" {
		return text
	}
	betweenLines := i.closing + "\n" + i.opening
	return i.opening + strings.ReplaceAll(text, "\n", betweenLines) + i.closing
}

// WriteTo appends text, which must be one line and not styled already, in the ink's style.
func (i *Ink) WriteTo(builder *strings.Builder, text string) {
	if text == "" {
		return
	}
	builder.WriteString(i.opening)
	builder.WriteString(text)
	builder.WriteString(i.closing)
}

// The glyphs of the explorer, each as wide as one letter. In an ASCII theme, [Theme.Paint]
// writes an ASCII character in place of each, such as "*" for "●". No meaning depends on a
// colour alone: there is always a glyph or a word too.
const (
	GlyphLive     = "●" // a grant in force
	GlyphExpired  = "○" // a grant that has expired
	GlyphExpiry   = "◗" // the moment when something expires
	GlyphYes      = "✓" // allowed, done
	GlyphNo       = "✗" // refused, failed
	GlyphPointer  = "▸" // the row under the cursor
	GlyphMarked   = "■" // a row that is selected
	GlyphOperator = "◆" // an operator of the owner, who may move every token
	GlyphDot      = "·" // nothing here, or a small divider
	GlyphEllipsis = "…" // text was cut
	GlyphNow      = "▏" // the present, on a timeline
	GlyphFull     = "█" // the part of a bar that is left
	GlyphEmpty    = "░" // the part of a bar that is used up
	GlyphUp       = "▴" // sorted upwards, more above
	GlyphDown     = "▾" // sorted downwards, more below
	GlyphLeft     = "◂" // an earlier choice
	GlyphArrow    = "→" // from one to another
	GlyphWarn     = "▲" // something that needs attention
	GlyphInfo     = "•" // a plain notice
	GlyphLine     = "─" // a horizontal line
	GlyphSide     = "│" // a vertical line
	GlyphHeavy    = "━" // the live part of an interval
	GlyphCornerTL = "┌"
	GlyphCornerTR = "┐"
	GlyphCornerBL = "└"
	GlyphCornerBR = "┘"
	GlyphTeeRight = "├"
)

// plainGlyphs has pairs: a glyph beyond ASCII that the explorer writes, and the ASCII character
// that takes its place.
var plainGlyphs = []string{
	GlyphLive, "*", GlyphExpired, "o", GlyphExpiry, ")", GlyphYes, "+", GlyphNo, "x",
	GlyphPointer, ">", GlyphMarked, "#", GlyphOperator, "@", GlyphDot, ".", GlyphEllipsis, "~",
	GlyphNow, "|", GlyphFull, "#", GlyphEmpty, ".", GlyphUp, "^", GlyphDown, "v",
	GlyphLeft, "<", GlyphArrow, ">", GlyphWarn, "!", GlyphInfo, "*",
	GlyphLine, "-", GlyphSide, "|", GlyphHeavy, "=",
	GlyphCornerTL, "+", GlyphCornerTR, "+", GlyphCornerBL, "+", GlyphCornerBR, "+",
	GlyphTeeRight, "+",
	// Arrows that help texts use for keys, signs of ranges and products, and the marks
	// around a quotation and around a byte.
	"↑", "^", "↓", "v", "←", "<", "↵", ">", "–", "-", "−", "-", "×", "x",
	"“", `"`, "”", `"`, "‹", "<", "›", ">",
}

var toPlain = strings.NewReplacer(plainGlyphs...)

// Plain returns a text with ASCII characters in place of the explorer's glyphs, for a
// terminal that lacks them: "* live" for "● live".
func Plain(text string) string { return toPlain.Replace(text) }
