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
	belowLine                 // an error, a note, a hint, or how many offers more there are
	offerLine                 // an offer
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
func (f *Form) Hidden() Hidden { return hiddenLines(f.top, f.box.H, len(f.drawn)) }

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
	if y < 0 || y >= f.box.H || at >= len(f.drawn) {
		return FormNone
	}
	l := f.drawn[at]
	fd, changed := f.fields[l.field], false
	if l.kind == offerLine {
		fd.offer = l.offer
		changed = fd.accept()
	} else {
		f.Focus(fd.Name)
		changed = l.kind == valueLine && x >= f.indent && fd.turn(x-f.indent)
	}
	if !changed {
		return FormNone
	}
	fd.err = ""
	return FormChange
}

// scroll finds the first line to show: as before, unless the focused field
// would be out of view. Of a field that is higher than the box the value shows
// with what stands right below it, or the offer that is highlighted.
func (f *Form) scroll(lines []formLine) int {
	first, last, taken := -1, 0, 0
	for i, l := range lines {
		if l.field != f.focus {
			continue
		}
		if last = i; first < 0 {
			first = i
		}
		if l.kind == offerLine && l.offer == f.current().offer {
			taken = i
		}
	}
	top := min(max(f.top, last-f.box.H+1), max(0, first))
	return clamp(max(top, taken-f.box.H+1), 0, max(0, len(lines)-f.box.H))
}

func (f *Form) lines(th *themes.Theme) (out []formLine) {
	label := 0
	for _, fd := range f.fields {
		if fd.inUse() {
			label = max(label, Width(Safe(fd.Label)))
		}
	}
	label = min(label, max(6, f.box.W/3))
	f.indent = 2 + label + 2
	w := max(0, f.box.W-f.indent)
	for i, fd := range f.fields {
		focus := i == f.focus
		switch {
		case fd.Hidden:
		case fd.Kind == Heading:
			if len(out) > 0 {
				out = append(out, formLine{field: i})
			}
			for _, l := range Wrap(Safe(fd.Label), f.box.W) {
				out = append(out, formLine{text: In(themes.Title, l).Fit(th, f.box.W), field: i})
			}
		default:
			out = append(out, formLine{text: fd.label(th, label, focus) + fd.view(th, w, focus), field: i})
			for _, l := range fd.below(w, focus) {
				out = append(out, formLine{text: spaces(f.indent) + l.Fit(th, w), field: i, kind: belowLine})
			}
			if focus {
				out = append(out, f.offers(th, i, w)...)
			}
		}
	}
	return out
}

func (f *field) label(th *themes.Theme, w int, focus bool) string {
	role, sign := themes.Muted, "  "
	switch {
	case focus:
		role, sign = themes.Accent, themes.GlyphPointer+" "
	case f.err != "":
		role, sign = themes.Bad, themes.GlyphNo+" "
	}
	return In(role, sign+f.Label).Fit(th, w+2) + spaces(2)
}

// below is what stands under a field: its error, its notes, what its choice
// means and, while it has the focus and offers nothing, its hint, unless the
// error says that already. What is too long for a line goes on in the next.
func (f *field) below(w int, focus bool) (out []Line) {
	if f.err != "" && w > 4 {
		sign := themes.GlyphNo + " "
		for _, line := range Wrap(Safe(f.err), w-2) {
			out = append(out, In(themes.Bad, sign+line))
			sign = "  "
		}
	}
	notes := f.notes
	if _, detail := f.choice(w, focus); len(detail) > 0 {
		notes = append(notes[:len(notes):len(notes)], detail)
	}
	if focus && f.Hint != "" && len(f.offers) == 0 && !strings.Contains(f.err, f.Hint) {
		notes = append(notes[:len(notes):len(notes)], In(themes.Faint, f.Hint))
	}
	for _, l := range notes {
		out = append(out, WrapLine(l, w)...)
	}
	return out
}

// offers draws a few of what a field offers around the highlighted one.
func (f *Form) offers(th *themes.Theme, field, w int) (out []formLine) {
	fd := f.fields[field]
	n := min(len(fd.offers), maxOffers)
	from := clamp(fd.offer-n/2, 0, len(fd.offers)-n)
	add := func(kind lineKind, offer int, l Line) {
		out = append(out, formLine{spaces(f.indent) + l.Fit(th, w), field, kind, offer})
	}
	width := 0
	for _, c := range fd.offers[from : from+n] {
		width = max(width, Width(Safe(visiblePart(c.label(), w))))
	}
	width = min(width, max(8, w/2))
	for i, c := range fd.offers[from : from+n] {
		sign, name, detail := "  ", themes.Text, themes.Faint
		if from+i == fd.offer {
			sign, name, detail = themes.GlyphPointer+" ", themes.Selected, themes.Selected
		}
		add(offerLine, from+i, In(name, sign+Fit(Safe(c.label()), width)).And(detail, "  "+c.Detail))
	}
	if more := len(fd.offers) - n; more > 0 {
		add(belowLine, 0, In(themes.Faint, "  "+themes.GlyphEllipsis+" "+humanize.Comma(int64(more))+" more"))
	}
	return out
}
