package ui

import (
	"strings"

	"ephemera/ui/app"
	"ephemera/ui/form"
	"ephemera/ui/widget"
)

// placedDialog is a dialog as it is drawn, and where.
type placedDialog struct {
	view       string
	x, y, w, h int
}

// placed are the dialogs that show. The top one does, in the middle of the body
// where it fits there, so that the clock and the notices stay in sight. What it
// was opened from waits out of sight: frames that stick out behind a frame look
// broken. A question leaves in sight what it is about.
func (m *Model) placed() []placedDialog {
	n := len(m.dialogs)
	if n == 0 {
		return nil
	}
	top := m.place(m.dialogs[n-1])
	if _, asks := m.dialogs[n-1].(*form.ConfirmDialog); asks && n > 1 {
		below := m.place(m.dialogs[n-2])
		if top.y > below.y && top.y+top.h < below.y+below.h && top.x > below.x {
			return []placedDialog{below, top}
		}
	}
	return []placedDialog{top}
}

func (m *Model) place(d app.Dialog) placedDialog {
	p := placedDialog{view: d.View(m.state)}
	for line := range strings.SplitSeq(p.view, "\n") {
		p.w, p.h = max(p.w, widget.Width(line)), p.h+1
	}
	room := m.noticeRow() - tabsRow
	if p.h > room {
		room = m.dialogBox().H
	}
	p.x, p.y = max(0, (m.size.W-p.w)/2), max(0, tabsRow+(room-p.h)/2)
	return p
}

// dialogBox is the largest box that a dialog may take: all but the first line
// and the last, and the line of the news.
func (m *Model) dialogBox() widget.Box {
	b := widget.Box{W: max(m.size.W-4, 0), H: max(m.size.H-2, 0)}
	if _, new := m.news(); new {
		b.H = max(b.H-1, 0)
	}
	return b
}

// fitDialogs gives every dialog the room that there is now.
func (m *Model) fitDialogs() {
	for _, d := range m.dialogs {
		d.Resize(m.dialogBox())
	}
}

// news is what was said since the top dialog opened: what came of something that
// was done in it. What was said before is not about it.
func (m *Model) news() (widget.Note, bool) {
	note, said := m.notes.Current()
	return note, said && len(m.dialogs) > 0 && note.ID > m.noted
}

// newsRow is the line on which the news stand where a dialog covers the place of
// notices: the one above the keys.
func (m *Model) newsRow() int { return m.size.H - 2 }
