package widget

import (
	"strings"

	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// Column is a column of a table.
type Column struct {
	Title string
	Width int  // cells; with Flex, the least it takes
	Flex  int  // its share of the cells that are left; 0 keeps Width
	Right bool // numbers stand on the right
	Ends  bool // what is too long loses its middle: of ids the two ends tell them apart
	Sort  int  // +1 sorted upwards, -1 downwards, 0 not the order shown
	Drop  int  // 0 always stays; of the others, the highest goes first when the box is narrow
	Whole bool // at least as wide as its widest cell: a cut number is another one
	Hide  bool // left out, as where another column says the same in fewer cells
}

// cell is a column as it is laid out.
type cell struct {
	col int
	w   int
}

const (
	gutter = 2 // the pointer, or the mark, and a space
	gap    = 2 // between columns
)

// layout shares the width of a box out to the columns. wide is how wide their cells
// are, as far as rows have come: columns that share what is left give up what they
// do not fill, get what they lack, and only then the rest.
func layout(cols []Column, width int, wide []int) []cell {
	shown := make([]cell, 0, len(cols))
	for i, c := range cols {
		if c.Whole && i < len(wide) {
			c.Width = max(c.Width, wide[i])
		}
		if !c.Hide {
			shown = append(shown, cell{i, c.Width})
		}
	}
	for need(shown) > width {
		worst := -1
		for i, s := range shown {
			if d := cols[s.col].Drop; d > 0 && (worst < 0 || d >= cols[shown[worst].col].Drop) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		shown = append(shown[:worst], shown[worst+1:]...)
	}
	for i, s := range shown {
		if c := cols[s.col]; c.Flex > 0 && s.col < len(wide) {
			shown[i].w = min(c.Width, max(wide[s.col], Width(c.Title)+2)) // 2 for the sign of the order
		}
	}
	share(cols, shown, width-need(shown), func(s cell) int {
		if s.col < len(wide) {
			return wide[s.col] - s.w
		}
		return 0
	})
	share(cols, shown, width-need(shown), func(cell) int { return width })
	return shown
}

// share gives the columns that have a share what is left, each at most what it wants.
func share(cols []Column, shown []cell, left int, wants func(cell) int) {
	for left > 0 {
		shares, before := 0, left
		for _, s := range shown {
			if wants(s) > 0 {
				shares += cols[s.col].Flex
			}
		}
		for i, s := range shown {
			if f := cols[s.col].Flex; f > 0 && wants(s) > 0 && shares > 0 {
				part := min((left*f+shares-1)/shares, wants(s), left)
				shown[i].w += part
				left, shares = left-part, shares-f
			}
		}
		if left == before {
			return
		}
	}
}

func need(cells []cell) int {
	n := gutter + gap*max(0, len(cells)-1)
	for _, c := range cells {
		n += c.w
	}
	return n
}

// View draws the column titles and the rows in view.
func (t *Table) View(th *themes.Theme) string {
	b := t.box
	if b.W <= 0 || b.H <= 0 {
		return Fill("", b)
	}
	var out strings.Builder
	out.Grow(b.H * (b.W + 48))
	out.WriteString(th.Render(themes.Header, clip(t.titles(), b.W)))
	failure := t.failure()
	said := min(max(len(t.rows)-t.top, 0), b.H-1-len(failure)) // where it begins
	for y := range b.H - 1 {
		out.WriteByte('\n')
		if i := t.top + y; y >= said && y-said < len(failure) {
			out.WriteString(In(themes.Bad, failure[y-said]).Fit(th, b.W))
		} else if i < len(t.rows) {
			t.row(&out, th, i)
		} else {
			out.WriteString(t.filler(th, i))
		}
	}
	return out.String()
}

func (t *Table) titles() string {
	var b strings.Builder
	b.WriteString(spaces(gutter))
	for i, s := range t.layout {
		if i > 0 {
			b.WriteString(spaces(gap))
		}
		c := t.cols[s.col]
		title := c.Title
		switch {
		case c.Sort > 0:
			title += " " + themes.GlyphUp
		case c.Sort < 0:
			title += " " + themes.GlyphDown
		}
		if c.Right {
			b.WriteString(FitRight(title, s.w))
		} else {
			b.WriteString(Fit(title, s.w))
		}
	}
	return b.String()
}

func (t *Table) row(out *strings.Builder, th *themes.Theme, i int) {
	r := t.rows[i]
	marked := t.IsMarked(r.Key)
	if i != t.cursor && r.Role == themes.Text && !t.Flash[r.Key] && need(t.layout) <= t.box.W {
		t.cells(out, th, r, sign(false, marked))
		return
	}
	// One style from end to end: the text is drawn bare and styled as a whole.
	role := r.Role
	switch {
	case t.Flash[r.Key]:
		role = themes.Flash
	case i == t.cursor && t.Blur:
		role = themes.Idle
	case i == t.cursor:
		role = themes.Selected
	}
	var bare strings.Builder
	t.cells(&bare, nil, r, sign(i == t.cursor, marked))
	ink := th.Ink(role)
	ink.WriteTo(out, clip(bare.String(), t.box.W))
}

// sign is what stands in the gutter.
func sign(cursor, marked bool) string {
	switch {
	case cursor && marked:
		return themes.GlyphPointer + themes.GlyphMarked
	case cursor:
		return themes.GlyphPointer + " "
	case marked:
		return " " + themes.GlyphMarked
	}
	return "  "
}

// cells draws the columns of a row, without styles when there is no theme.
func (t *Table) cells(b *strings.Builder, th *themes.Theme, r Row, sign string) {
	b.WriteString(sign)
	used := gutter
	for i, s := range t.layout {
		if i > 0 {
			b.WriteString(spaces(gap))
			used += gap
		}
		if s.col < len(r.Cells) {
			l := r.Cells[s.col]
			if t.cols[s.col].Ends {
				l = l.ends(s.w)
			}
			l.fit(b, th, s.w, t.cols[s.col].Right)
		} else {
			b.WriteString(spaces(s.w))
		}
		used += s.w
	}
	b.WriteString(spaces(t.box.W - used))
}

// failure is why no more rows could be read, in full where there is room. It
// comes behind the rows, and before the last ones where they fill the box.
func (t *Table) failure() []string {
	if t.failed == "" {
		return nil
	}
	const indent = 4
	lines := Wrap(Safe(t.failed), t.box.W-indent)
	for i, l := range lines {
		sign := spaces(indent)
		if i == 0 {
			sign = "  " + themes.GlyphNo + " "
		}
		lines[i] = sign + l
	}
	return lines[:min(len(lines), t.box.H-1)]
}

// filler is what a line without a row shows.
func (t *Table) filler(th *themes.Theme, i int) string {
	switch {
	case i != len(t.rows):
	case len(t.rows) > 0:
	case t.Loading():
		return In(themes.Faint, "  reading"+themes.GlyphEllipsis).Fit(th, t.box.W)
	default:
		return In(themes.Faint, "  "+t.Empty).Fit(th, t.box.W)
	}
	return spaces(t.box.W)
}

// Position returns which rows are in view, such as "1–24 of 1,204". It leaves out what
// is not known. A tilde marks a number that may have changed since it was counted, a
// plus a total that may be larger, and an ellipsis a search that goes on.
func (t *Table) Position() string {
	searching := t.Searching()
	switch {
	case searching && (t.index < 0 || len(t.rows) == 0):
		return "searched " + humanize.Comma(int64(t.searched)) + themes.GlyphEllipsis
	case len(t.rows) > 0:
		return t.inView() + t.ofTotal(searching)
	case t.Loading():
		return ""
	}
	return "none"
}

// inView returns the numbers of the rows in view, or nothing if they are not known.
func (t *Table) inView() string {
	if t.index < 0 {
		return ""
	}
	first := t.index + t.top + 1
	last := t.index + min(len(t.rows), t.top+t.height())
	text := humanize.Comma(int64(first)) + "–" + humanize.Comma(int64(last))
	if t.about {
		return "~" + text
	}
	return text
}

// ofTotal returns how many rows there are, or nothing if that is not known.
func (t *Table) ofTotal(searching bool) string {
	text := ""
	switch {
	case searching:
		text = humanize.Comma(int64(t.index+len(t.rows))) + "+" + themes.GlyphEllipsis
	case t.total < 0:
		return ""
	case t.least:
		text = humanize.Comma(int64(t.total)) + "+"
	default:
		text = humanize.Comma(int64(t.total))
	}
	if t.index < 0 {
		return text
	}
	return " of " + text
}
