package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

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
	if _, ok := d.(app.FullScreen); ok {
		box := m.boxOf(d)
		p.view, p.w, p.h = widget.Fill(p.view, box), box.W, box.H
		return p
	}
	for line := range strings.SplitSeq(p.view, "\n") {
		p.w, p.h = max(p.w, widget.Width(line)), p.h+1
	}
	room := m.noticeRow() - tabsRow
	if p.h > room {
		room = m.dialogBox().H
	}
	p.x, p.y = max(0, (m.size.W-p.w)/2), max(0, tabsRow+(room-p.h)/2)
	if m.kept.dialog == d { // it stays where it was, whatever its preview grows by
		p.y = min(m.kept.y, max(0, m.dialogBox().H+1-p.h))
	}
	if n := len(m.dialogs); n > 0 && m.dialogs[n-1] == d {
		m.kept = keptPlace{d, p.y}
	}
	return p
}

// keptPlace is the line at which the top dialog was drawn last.
type keptPlace struct {
	dialog app.Dialog
	y      int
}

// boxOf is the largest box of one dialog.
func (m *Model) boxOf(d app.Dialog) widget.Box {
	b := m.dialogBox()
	if _, ok := d.(app.FullScreen); ok {
		return widget.Box{W: m.size.W, H: b.H + 1}
	}
	return b
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
	m.kept = keptPlace{}
	for _, d := range m.dialogs {
		d.Resize(m.boxOf(d))
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

// topDialog returns the dialog that takes the keys; nil if none is open.
func (m *Model) topDialog() app.Dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

func (m *Model) push(d app.Dialog) tea.Cmd {
	m.dialogs = append(m.dialogs, d)
	if note, said := m.notes.Current(); said {
		m.noted = note.ID
	}
	m.fitDialogs()
	return nil
}

func (m *Model) remove(d app.Dialog) {
	if i := slices.Index(m.dialogs, d); i >= 0 {
		closeDialog(d)
		m.dialogs = slices.Delete(m.dialogs, i, i+1)
		m.fitDialogs()
	}
}

// closeDialogs lets all of them go.
func (m *Model) closeDialogs() {
	for _, d := range m.dialogs {
		closeDialog(d)
	}
	m.dialogs = nil
}

// closeDialog ends what a dialog has under way.
func closeDialog(d app.Dialog) {
	if c, ok := d.(app.Closer); ok {
		c.Close()
	}
}
