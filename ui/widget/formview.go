package widget

import (
	"strings"

	"github.com/dustin/go-humanize"

	"ephemera/themes"
)

// maxOffers is how many offers show at once.
const maxOffers = 6

// formLine is a drawn line of a form and the field it belongs to.
type formLine struct {
	text  string
	field int
	kind  lineKind
	offer int // the offer that the line shows
}

// lineKind is what a line of a field shows.
type lineKind int

const (
	valueLine lineKind = iota // the label and the value
	belowLine                 // an error, a note or a hint
	offerLine                 // an offer
	takenLine                 // the offer that is highlighted
)

// View draws the fields. When they are higher than the box, it scrolls so that
// the focused field shows with all that belongs to it.
func (f *Form) View(th *themes.Theme) string {
	f.drawn = f.lines(th)
	f.top = f.scroll(f.drawn)
	shown := make([]string, 0, f.box.H)
	for i := f.top; i < len(f.drawn) && len(shown) < f.box.H; i++ {
		shown = append(shown, f.drawn[i].text)
	}
	return Fill(strings.Join(shown, "\n"), f.box)
}

// Hidden counts the lines that the last View had no room for.
func (f *Form) Hidden() Hidden {
	return Hidden{Above: f.top, Below: max(0, len(f.drawn)-f.top-max(0, f.box.H))}
}

// Height is how many lines the form needs at its width.
func (f *Form) Height(th *themes.Theme) int { return len(f.lines(th)) }

// heights are how many lines the form needs at its width, and how many of them
// the field with the focus.
func (f *Form) heights(th *themes.Theme) (all, focused int) {
	lines := f.lines(th)
	for _, l := range lines {
		if l.field == f.focus {
			focused++
		}
	}
	return len(lines), focused
}

// Click is a click at column x and line y of the box, as it was drawn. It puts
// the focus on the field there, takes the offer, turns a toggle, and goes on to
// the next choice, or on its left sign to the one before.
func (f *Form) Click(x, y int) FormEvent {
	at := f.top + y
	if y < 0 || y >= f.box.H || at >= len(f.drawn) || f.fields[f.drawn[at].field].Kind == Heading {
		return FormNone
	}
	l := f.drawn[at]
	fd := f.fields[l.field]
	if l.kind == offerLine || l.kind == takenLine {
		if l.offer >= len(fd.offers) {
			return FormNone // it says how many more there are
		}
		fd.offer = l.offer
		fd.accept()
		fd.err = ""
		return FormChange
	}
	f.Focus(fd.Name)
	if l.kind != valueLine || x < f.indent {
		return FormNone
	}
	if fd.turn(x - f.indent) {
		fd.err = ""
		return FormChange
	}
	return FormNone
}

// Step puts the focus on a field further on, or further back.
func (f *Form) Step(d int) {
	if cur := f.current(); cur != nil {
		cur.close()
	}
	f.step(d)
}

// scroll finds the first line to show: as before, unless the focused field
// would be out of view. Of a field that is higher than the box the value shows
// with what stands right below it, or the offer that is highlighted.
func (f *Form) scroll(lines []formLine) int {
	first, last, taken := -1, 0, -1
	for i, l := range lines {
		if l.field == f.focus {
			last = i
			if first < 0 {
				first = i
			}
			if l.kind == takenLine {
				taken = i
			}
		}
	}
	top := max(f.top, last-f.box.H+1)
	top = min(top, max(0, first))
	if taken >= 0 {
		top = max(top, taken-f.box.H+1)
	}
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
	f.indent = indent
	w := max(0, f.box.W-indent)
	var out []formLine
	for i, fd := range f.fields {
		if fd.Hidden {
			continue
		}
		add := func(text string) { out = append(out, formLine{text: text, field: i}) }
		if fd.Kind == Heading {
			if len(out) > 0 {
				add("")
			}
			for _, l := range Wrap(Safe(fd.Label), f.box.W) {
				add(In(themes.Title, l).Fit(th, f.box.W))
			}
			continue
		}
		focus := i == f.focus
		add(f.label(th, fd, label, focus) + fd.view(th, w, focus))
		for _, l := range f.below(th, fd, w, focus) {
			out = append(out, formLine{text: spaces(indent) + l, field: i, kind: belowLine})
		}
		if !focus {
			continue
		}
		for n, l := range offers(th, fd.offers, fd.offer, w) {
			o := formLine{text: spaces(indent) + l, field: i, kind: offerLine, offer: firstOffer(fd) + n}
			if n == maxOffers {
				o.offer = len(fd.offers)
			} else if o.offer == fd.offer {
				o.kind = takenLine
			}
			out = append(out, o)
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
	return In(role, sign+fd.Label).Fit(th, w+2) + spaces(2)
}

// below draws what stands under a field: its error, its notes, what its choice
// means and, while it has the focus and offers nothing, its hint, unless the
// error says that already. What is too long for a line goes on in the next.
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
	add := func(l Line) {
		for _, part := range WrapLine(l, w) {
			out = append(out, part.Fit(th, w))
		}
	}
	for _, n := range fd.notes {
		add(n)
	}
	if _, detail := fd.choice(w, focus); len(detail) > 0 {
		add(detail)
	}
	if focus && fd.Hint != "" && len(fd.offers) == 0 && !strings.Contains(fd.err, fd.Hint) {
		add(In(themes.Faint, fd.Hint))
	}
	return out
}

// firstOffer is the first offer that shows.
func firstOffer(fd *field) int {
	n := min(len(fd.offers), maxOffers)
	return clamp(fd.offer-n/2, 0, len(fd.offers)-n)
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
		out = append(out, In(themes.Faint, "  "+themes.GlyphEllipsis+" "+humanize.Comma(int64(more))+" more").Fit(th, w))
	}
	return out
}
