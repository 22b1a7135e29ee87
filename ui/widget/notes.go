package widget

import (
	"slices"

	"ephemera/themes"
)

// Level is how a notice is meant.
type Level int

// The levels of notices; Info only tells.
const (
	Info Level = iota
	Done       // something was done
	Warn       // something to know before going on
	Fail       // something was refused or failed
)

// maxNotes is how many notices are kept.
const maxNotes = 500

// Note is a notice of one line.
type Note struct {
	ID    int
	Level Level
	Text  string
	When  string // as the owner tells time, for the log
}

// Line is the notice with its sign.
func (n Note) Line() Line {
	switch n.Level {
	case Done:
		return In(themes.Good, themes.GlyphYes+" ").And(themes.Text, n.Text)
	case Warn:
		return In(themes.Warn, themes.GlyphWarn+" "+n.Text)
	case Fail:
		return In(themes.Bad, themes.GlyphNo+" "+n.Text)
	}
	return In(themes.Muted, themes.GlyphInfo+" ").And(themes.Text, n.Text)
}

// Notes shows the latest notice and keeps all of them in a log.
type Notes struct {
	log   []Note
	last  int
	shown bool
}

// Push shows a notice in place of the one before.
func (n *Notes) Push(level Level, text, when string) {
	n.last++
	n.log = append(n.log, Note{n.last, level, text, when})
	n.log = slices.Delete(n.log, 0, max(0, len(n.log)-maxNotes))
	n.shown = true
}

// Hush takes the notice off the screen. The log keeps it.
func (n *Notes) Hush() { n.shown = false }

// Current is the notice to show now.
func (n *Notes) Current() (Note, bool) {
	if !n.shown {
		return Note{}, false
	}
	return n.log[len(n.log)-1], true
}

// Log gives the notices that are kept, newest first, for a [Scroll].
func (n *Notes) Log() []Line {
	out := make([]Line, 0, len(n.log))
	for _, note := range slices.Backward(n.log) {
		l := note.Line()
		if note.When != "" {
			l = append(In(themes.Faint, note.When+"  "), l...)
		}
		out = append(out, l)
	}
	return out
}
