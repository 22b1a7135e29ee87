package form

import (
	"fmt"

	"ephemera/themes"
	"ephemera/ui/app"
	"ephemera/ui/widget"
)

const batchWidth = 96

func (b *Batch) Resize(box widget.Box) { b.box = box }

func (b *Batch) View(st *app.State) string {
	frame := widget.Box{W: min(b.box.W, batchWidth), H: min(b.box.H, max(len(b.jobs)+b.count(jobRefused)+b.count(jobFailed), 1)+5)}
	inner := widget.FrameInner(frame)
	if now := fmt.Sprint(b.phase, b.seq, b.seen, b.at, inner, len(st.Names)); now != b.drawn {
		b.drawn = now
		b.scroll.Resize(widget.Box{W: inner.W, H: max(inner.H-3, 0)})
		b.scroll.Keep(b.lines(inner.W))
	}
	th := st.Theme
	body := widget.JoinV(
		b.headline().Fit(th, inner.W),
		app.RuleAcross(st, inner.W, false),
		b.scroll.View(th),
		b.keysLine().Fit(th, inner.W))
	by := widget.Safe(st.DisplayName(b.actor))
	if b.owners {
		by = "their owners"
	}
	return widget.Frame(th, b.title+" as "+by, body, frame, widget.Hidden{})
}

// headline says how things stand.
func (b *Batch) headline() widget.Line {
	fine, bad := b.count(jobFine), b.count(jobRefused)
	switch {
	case b.fault != "":
		return widget.In(themes.Bad, " "+themes.GlyphNo+" "+b.fault)
	case b.phase == batchLooking:
		return widget.In(themes.Muted, fmt.Sprintf(" looking at what will happen: %d of %d%s", b.seen, len(b.jobs), themes.GlyphEllipsis))
	case b.phase == batchSending:
		return widget.In(themes.Warn, fmt.Sprintf(" sending: %d done%s esc stops", b.count(jobDone), themes.GlyphEllipsis))
	case b.phase == batchOver:
		_, text := b.summary()
		return widget.In(themes.Strong, " "+text)
	case len(b.jobs) == 0:
		return widget.In(themes.Muted, " nothing to do")
	case bad == 0 && fine == 1:
		return widget.In(themes.Good, " "+themes.GlyphYes+" it will work")
	case bad == 0:
		return widget.In(themes.Good, fmt.Sprintf(" %s all %d will work", themes.GlyphYes, fine))
	case fine == 0 && bad == 1:
		return widget.In(themes.Bad, fmt.Sprintf(" %s it will be refused", themes.GlyphNo))
	case fine == 0:
		return widget.In(themes.Bad, fmt.Sprintf(" %s all %d will be refused", themes.GlyphNo, bad))
	}
	return widget.In(themes.Good, fmt.Sprintf(" %s %d will work  ", themes.GlyphYes, fine)).And(themes.Bad, fmt.Sprintf("%s %d will be refused", themes.GlyphNo, bad))
}

func (b *Batch) keysLine() widget.Line {
	switch {
	case b.phase == batchOver:
		return widget.In(themes.Key, " enter").And(themes.Muted, " closes")
	case b.phase != batchReady:
		return widget.Plain("")
	}
	l := widget.Plain(" ")
	if n := b.count(jobFine); n > 0 {
		l = l.And(themes.Key, "enter").And(themes.Muted, fmt.Sprintf(" sends %d  ", n))
	}
	as := " each as its owner  "
	if b.owners {
		as = " all as the actor  "
	}
	return l.And(themes.Key, "o").And(themes.Muted, as).And(themes.Key, "esc").And(themes.Muted, " cancels")
}

// lines lists the jobs, each with its sign and, where it is refused, why.
func (b *Batch) lines(w int) []widget.Line {
	wide := 0
	for _, j := range b.jobs {
		wide = max(wide, widget.Width(widget.Safe(j.What)))
	}
	wide = min(wide, max(w-49, min(w/2, 26))) // so that the usual refusal fits beside it
	lines := make([]widget.Line, 0, len(b.jobs))
	for _, j := range b.jobs {
		sign, role, text := themes.GlyphDot, themes.Faint, ""
		switch j.state {
		case jobFine:
			sign, role, text = themes.GlyphYes, themes.Good, "will work"
		case jobRefused:
			sign, role, text = themes.GlyphNo, themes.Bad, j.text
		case jobDone:
			sign, role, text = themes.GlyphYes, themes.Good, "done"
		case jobFailed:
			sign, role, text = themes.GlyphNo, themes.Bad, "refused: "+j.text
		case jobLeftOver:
			text = "not sent"
		}
		l := widget.In(role, " "+sign+" ").And(themes.Text, widget.Fit(widget.Safe(j.What), wide)+"  ")
		lines = append(lines, l.And(themes.Muted, text))
	}
	return lines
}
