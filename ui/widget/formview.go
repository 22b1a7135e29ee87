package widget

import (
	"strings"

	"ephemera/themes"
)

// maxOffers is how many offers show at once.
const maxOffers = 6

// formLine is a drawn line of a form and the field it belongs to.
type formLine struct {
	text  string
	field int
}

// View draws the fields. When they are higher than the box, it scrolls so that
// the focused field shows with all that belongs to it.
func (f *Form) View(th *themes.Theme) string {
	lines := f.lines(th)
	f.top = f.scroll(lines)
	shown := make([]string, 0, f.box.H)
	for i := f.top; i < len(lines) && len(shown) < f.box.H; i++ {
		shown = append(shown, lines[i].text)
	}
	return Fill(strings.Join(shown, "\n"), f.box)
}

// Height is how many lines the form needs at its width.
func (f *Form) Height(th *themes.Theme) int { return len(f.lines(th)) }

// Click puts the focus on the field at line y of the box, and says whether
// there is one.
func (f *Form) Click(th *themes.Theme, y int) bool {
	lines := f.lines(th)
	at := f.top + y
	if y < 0 || y >= f.box.H || at >= len(lines) || f.fields[lines[at].field].Kind == Heading {
		return false
	}
	f.Focus(f.fields[lines[at].field].Name)
	return true
}

// scroll finds the first line to show: as before, unless the focused field
// would be out of view.
func (f *Form) scroll(lines []formLine) int {
	first, last := -1, 0
	for i, l := range lines {
		if l.field == f.focus {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	top := max(f.top, last-f.box.H+1)
	top = min(top, max(0, first))
	return clamp(top, 0, max(0, len(lines)-f.box.H))
}

func (f *Form) lines(th *themes.Theme) []formLine {
	label := 0
	for _, fd := range f.fields {
		if !fd.Hidden && fd.Kind != Heading {
			label = max(label, Width(Safe(fd.Label)))
		}
	}
	label = min(label, max(6, f.box.W/3))
	indent := 2 + label + 2
	w := max(0, f.box.W-indent)
	var out []formLine
	for i, fd := range f.fields {
		if fd.Hidden {
			continue
		}
		add := func(text string) { out = append(out, formLine{text, i}) }
		if fd.Kind == Heading {
			if len(out) > 0 {
				add("")
			}
			add(In(themes.Title, fd.Label).Fit(th, f.box.W))
			continue
		}
		focus := i == f.focus
		add(f.label(th, fd, label, focus) + fd.view(th, w, focus))
		for _, l := range f.below(th, fd, w, focus) {
			add(spaces(indent) + l)
		}
	}
	return out
}

func (f *Form) label(th *themes.Theme, fd *field, w int, focus bool) string {
	role, sign := themes.Muted, "  "
	switch {
	case focus:
		role, sign = themes.Accent, themes.GlyphPointer+" "
	case fd.err != "":
		role, sign = themes.Bad, themes.GlyphNo+" "
	}
	return In(role, sign+fd.Label).Fit(th, w+4)
}

// below draws what stands under a field: its error, its notes, its offers and,
// while it has the focus, its hint.
func (f *Form) below(th *themes.Theme, fd *field, w int, focus bool) []string {
	var out []string
	if fd.err != "" && w > 4 {
		for i, line := range Wrap(Safe(fd.err), w-2) {
			sign := "  "
			if i == 0 {
				sign = themes.GlyphNo + " "
			}
			out = append(out, In(themes.Bad, sign+line).Fit(th, w))
		}
	}
	for _, n := range fd.notes {
		out = append(out, n.Fit(th, w))
	}
	if !focus {
		return out
	}
	if len(fd.offers) > 0 {
		return append(out, offers(th, fd.offers, fd.offer, w)...)
	}
	if fd.Hint != "" {
		out = append(out, In(themes.Faint, fd.Hint).Fit(th, w))
	}
	return out
}

// offers draws a few candidates around the highlighted one.
func offers(th *themes.Theme, list []Candidate, at, w int) []string {
	n := min(len(list), maxOffers)
	from := clamp(at-n/2, 0, len(list)-n)
	width := 0
	for _, c := range list[from : from+n] {
		width = max(width, Width(Safe(head(c.label(), w))))
	}
	width = min(width, max(8, w/2))
	out := make([]string, 0, n+1)
	for i := from; i < from+n; i++ {
		name := Fit(Safe(list[i].label()), width)
		if i == at {
			out = append(out, In(themes.Selected, themes.GlyphPointer+" "+name+"  "+list[i].Detail).Fit(th, w))
			continue
		}
		out = append(out, In(themes.Text, "  "+name).And(themes.Faint, "  "+list[i].Detail).Fit(th, w))
	}
	if more := len(list) - n; more > 0 {
		out = append(out, In(themes.Faint, "  "+themes.GlyphEllipsis+" "+Group(uint64(more))+" more").Fit(th, w))
	}
	return out
}
