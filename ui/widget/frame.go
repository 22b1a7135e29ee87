package widget

import (
	"strings"

	"ephemera/themes"
)

// FrameInner is the box inside a [Frame] of the given box.
func FrameInner(b Box) Box { return b.Inner(2, 1) }

// Frame draws a border with a title around a body, for dialogs. The body should
// fill [FrameInner] of the box. With focus the border takes the accent colour.
func Frame(th *themes.Theme, title, body string, focus bool, b Box) string {
	if b.W < 6 || b.H < 3 {
		return Fill(body, b)
	}
	role := themes.Border
	if focus {
		role = themes.Focus
	}
	ink := th.Ink(role)
	name := Safe(title)
	if name != "" {
		name = " " + strings.TrimRight(Fit(name, min(Width(name), b.W-6)), " ") + " "
	}
	var out strings.Builder
	ink.WriteTo(&out, themes.GlyphCornerTL+themes.GlyphLine)
	out.WriteString(th.Render(themes.Title, name))
	ink.WriteTo(&out, strings.Repeat(themes.GlyphLine, b.W-3-Width(name))+themes.GlyphCornerTR)
	for line := range strings.SplitSeq(Fill(body, FrameInner(b)), "\n") {
		out.WriteByte('\n')
		ink.WriteTo(&out, themes.GlyphSide)
		out.WriteString(" " + line + " ")
		ink.WriteTo(&out, themes.GlyphSide)
	}
	out.WriteByte('\n')
	ink.WriteTo(&out, themes.GlyphCornerBL+strings.Repeat(themes.GlyphLine, b.W-2)+themes.GlyphCornerBR)
	return out.String()
}
