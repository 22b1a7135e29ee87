package ui

import (
	"strings"

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
	if _, asks := m.dialogs[n-1].(*question); asks && n > 1 {
		below := m.place(m.dialogs[n-2])
		if top.y > below.y && top.y+top.h < below.y+below.h && top.x > below.x {
			return []placedDialog{below, top}
		}
	}
	return []placedDialog{top}
}

func (m *Model) place(d Dialog) placedDialog {
	p := placedDialog{view: d.View(m.desk)}
	for line := range strings.SplitSeq(p.view, "\n") {
		p.w, p.h = max(p.w, widget.Width(line)), p.h+1
	}
	top, room := tabsRow, m.noticeRow()-tabsRow
	if p.h > room {
		top, room = 0, m.size.H
	}
	p.x, p.y = max(0, (m.size.W-p.w)/2), max(0, top+(room-p.h)/2)
	return p
}
