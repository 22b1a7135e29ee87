package ui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"ephemera/themes"
	"ephemera/ui/widget"
)

// level sorts notices; each has its sign, so that colour is not needed.
type level int

const (
	levelInfo level = iota
	levelGood
	levelWarn
	levelBad
)

func (l level) look() (sign string, role themes.Role) {
	switch l {
	case levelGood:
		return themes.GlyphYes, themes.Good
	case levelWarn:
		return themes.GlyphWarn, themes.Warn
	case levelBad:
		return themes.GlyphNo, themes.Bad
	}
	return themes.GlyphInfo, themes.Muted
}

// notice is one thing that was said.
type notice struct {
	at    time.Time
	level level
	text  string
}

// toasts shows the latest notice and keeps them all.
type toasts struct{ kept []notice }

// noticesKept bounds the log.
const noticesKept = 500

type sayMsg struct {
	level level
	text  string
}

// say gives the command that shows a notice.
func say(l level, text string) tea.Cmd {
	return func() tea.Msg { return sayMsg{l, text} }
}

func (t *toasts) add(at time.Time, l level, text string) {
	t.kept = append(t.kept, notice{at, l, text})
	if len(t.kept) > noticesKept {
		t.kept = t.kept[len(t.kept)-noticesKept:]
	}
}

func (n notice) line() widget.Line {
	sign, role := n.level.look()
	return widget.In(role, sign+" ").And(themes.Text, n.text)
}

// view draws the latest notice. It stays until another takes its place, so
// that nothing is missed by looking away.
func (t *toasts) view(th *themes.Theme, _ time.Time, w int) string {
	if len(t.kept) == 0 {
		return ""
	}
	l := t.kept[len(t.kept)-1].line()
	if widget.Width(l.String()) >= w {
		return l.Fit(th, w-1) + " "
	}
	return l.Render(th) + " "
}
