package widget

import (
	"slices"

	"ephemera/themes"
)

// Level is the importance of a notice.
type Level int

// The levels of notices.
const (
	Info Level = iota
	Done       // something was done
	Warn       // something to know before going on
	Fail       // something was refused or failed
)

// maxNotices is how many notices the log keeps; the oldest go first.
const maxNotices = 500

// Notice is a notice of one line.
type Notice struct {
	ID    int // counts the notices, from 1
	Level Level
	Text  string
	When  string // as the owner writes times, for the log
}

// Line returns the notice with the sign of its level in front, such as "✓" for something
// done.
func (n Notice) Line() Line {
	switch n.Level {
	case Done:
		return Styled(themes.Good, themes.GlyphYes+" ").Text(n.Text)
	case Warn:
		return Warning(n.Text)
	case Fail:
		return Styled(themes.Bad, themes.GlyphNo+" "+n.Text)
	}
	return Muted(themes.GlyphInfo + " ").Text(n.Text)
}

// Notices shows the latest notice, and keeps the notices in a log.
type Notices struct {
	log     []Notice
	lastID  int  // the ID of the latest notice
	isShown bool // the latest notice is on the screen
}

// Push shows a notice in place of the one before.
func (n *Notices) Push(level Level, text, when string) {
	n.lastID++
	n.log = append(n.log, Notice{ID: n.lastID, Level: level, Text: text, When: when})
	n.log = slices.Delete(n.log, 0, max(0, len(n.log)-maxNotices))
	n.isShown = true
}

// Dismiss removes the notice from the screen. It stays in the log.
func (n *Notices) Dismiss() { n.isShown = false }

// Current returns the notice to show now, if there is one that was not dismissed.
func (n *Notices) Current() (notice Notice, isShown bool) {
	if !n.isShown {
		return Notice{}, false
	}
	return n.log[len(n.log)-1], true
}

// Log returns the notices in the log, newest first.
func (n *Notices) Log() []Line {
	lines := make([]Line, 0, len(n.log))
	for _, notice := range slices.Backward(n.log) {
		line := notice.Line()
		if notice.When != "" {
			line = append(Faint(notice.When+"  "), line...)
		}
		lines = append(lines, line)
	}
	return lines
}
