package widget

import (
	"strings"

	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// FrameInner is the box inside a [Frame] of the given box: less its sides, and a
// space beside each.
func FrameInner(b Box) Box { return Box{max(0, b.W-4), max(0, b.H-2)} }

// Hidden counts the lines that a box has no room for, on both sides of what it
// shows. Key, when there is one, is what a person presses to see those below.
type Hidden struct {
	Above, Below int
	Key          string
}

// above and below say on a border what is hidden there.
func (h Hidden) above() Line { return hiddenLine(themes.GlyphUp, h.Above) }
func (h Hidden) below() Line {
	l := hiddenLine(themes.GlyphDown, h.Below)
	if len(l) > 0 && h.Key != "" {
		l = l.And(themes.Key, h.Key+" ")
	}
	return l
}

func hiddenLine(sign string, n int) Line {
	if n <= 0 {
		return nil
	}
	return In(themes.Accent, " "+sign+" ").And(themes.Muted, humanize.Comma(int64(n))+" more ")
}

// hiding counts what of n lines does not show where those from top on have h lines.
func hiding(top, h, n int) Hidden { return Hidden{Above: top, Below: max(0, n-top-max(0, h))} }

// Hidden counts the lines that the scroll has no room for.
func (s *Scroll) Hidden() Hidden { return hiding(s.top, s.box.H, len(s.shown)) }

// Lines is how many lines the text has, wrapped to the box.
func (s *Scroll) Lines() int { return len(s.shown) }

// Hidden counts the items that the last View had no room for.
func (c *Chooser) Hidden() Hidden { return hiding(c.top, c.box.H-1, len(c.found)) }

// Frame draws a border with a title around a body, for dialogs. The body should
// fill [FrameInner] of the box. The border says how many lines are out of sight, so
// that no line of the body goes to that.
func Frame(th *themes.Theme, title, body string, b Box, h Hidden) string {
	if b.W < 6 || b.H < 3 {
		return Fill(body, b)
	}
	ink := th.Ink(themes.Focus)
	name := Safe(title)
	if name != "" {
		name = " " + strings.TrimRight(Fit(name, min(Width(name), b.W-6-h.above().width(b.W))), " ") + " "
	}
	var out strings.Builder
	ink.WriteTo(&out, themes.GlyphCornerTL+themes.GlyphLine)
	out.WriteString(th.Render(themes.Title, name))
	edge(&out, th, themes.Focus, b.W-3-Width(name), h.above())
	ink.WriteTo(&out, themes.GlyphCornerTR)
	for line := range strings.SplitSeq(Fill(body, FrameInner(b)), "\n") {
		out.WriteByte('\n')
		ink.WriteTo(&out, themes.GlyphSide)
		out.WriteString(" " + line + " ")
		ink.WriteTo(&out, themes.GlyphSide)
	}
	out.WriteByte('\n')
	ink.WriteTo(&out, themes.GlyphCornerBL)
	edge(&out, th, themes.Focus, b.W-2, h.below())
	ink.WriteTo(&out, themes.GlyphCornerBR)
	return out.String()
}

// edge draws n cells of a line with a text in it, near its right end.
func edge(out *strings.Builder, th *themes.Theme, role themes.Role, n int, said Line) {
	ink, w := th.Ink(role), said.width(n)
	if w == 0 || w+1 > n {
		ink.WriteTo(out, strings.Repeat(themes.GlyphLine, max(n, 0)))
		return
	}
	ink.WriteTo(out, strings.Repeat(themes.GlyphLine, n-w-1))
	out.WriteString(said.Render(th))
	ink.WriteTo(out, themes.GlyphLine)
}
