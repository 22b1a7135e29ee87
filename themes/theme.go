// Package themes turns a palette into every style of the explorer: a palette
// goes in, all styles come out, and nothing else chooses a colour.
//
// A theme is a value that is handed down. It owns its lipgloss renderer, so it
// never asks the terminal anything and never depends on global state. This
// package must know nothing of what the explorer shows: it knows lipgloss.
package themes

import (
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Background is what is known of the terminal's background.
type Background int

// A terminal that does not answer stays unknown.
const (
	UnknownBackground Background = iota
	DarkBackground
	LightBackground
)

// Options are the facts about the terminal that a theme depends on.
type Options struct {
	Profile  termenv.Profile // how many colours the terminal has
	NoColor  bool            // NO_COLOR or --no-color: bold, underline and reverse stay
	ASCII    bool            // write the plain stand-ins of the glyphs
	Terminal Background
}

// Theme is every style of the explorer. It is not changed after [New]; switch
// themes by handing another one down.
type Theme struct {
	Name   string
	ascii  bool
	ground *Ink // what Paint puts under everything; nil leaves the terminal's
	inks   [roles]*Ink
}

// New makes a theme from a palette.
//
// The palette's own background is painted where the terminal's is not known to
// agree with it, so that text stays readable under any choice. With sixteen
// colours or none, the terminal's own colours are kept.
func New(p Palette, o Options) *Theme {
	r := lipgloss.NewRenderer(io.Discard)
	profile := o.Profile
	if profile == termenv.Ascii {
		o.NoColor = true
	}
	if o.NoColor {
		// Without a colour profile the renderer would drop reverse and bold too,
		// and the row under the cursor could not be seen.
		profile = termenv.ANSI
	}
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(p.Dark)

	few := o.NoColor || profile == termenv.ANSI
	t := &Theme{Name: p.Name, ascii: o.ASCII}
	for role := range roles {
		s := r.NewStyle()
		switch {
		case o.NoColor:
		case few:
			if n, ok := p.Sixteen[role]; ok {
				s = s.Foreground(lipgloss.Color(strconv.Itoa(n)))
			}
		default:
			s = p.colour(s, role)
		}
		t.inks[role] = newInk(attributes(s, role, few))
	}
	agrees := o.Terminal == DarkBackground && p.Dark || o.Terminal == LightBackground && !p.Dark
	if !few && (p.Own || !agrees) {
		t.ground = newInk(r.NewStyle().Foreground(hex(p.Text)).Background(hex(p.Background)))
	}
	return t
}

// Ink gives the ink of a role.
func (t *Theme) Ink(role Role) *Ink { return t.inks[role] }

// Render writes text in the ink of a role.
func (t *Theme) Render(role Role, text string) string { return t.inks[role].Render(text) }

// Paint finishes a whole frame, once, at the root: it puts the theme's ground
// under every cell, and swaps the glyphs for their plain stand-ins where the
// theme is ASCII. It does not change the width of any line.
func (t *Theme) Paint(frame string) string {
	if t.ascii {
		frame = toPlain.Replace(frame)
	}
	if t.ground == nil {
		return frame
	}
	const reset = "\x1b[0m"
	frame = strings.ReplaceAll(frame, reset, reset+t.ground.open)
	return t.ground.Render(frame)
}

// colour gives a style the colours of a role.
func (p Palette) colour(s lipgloss.Style, role Role) lipgloss.Style {
	fg := map[Role]string{
		Text: p.Text, Strong: p.Text, Field: p.Text, Idle: p.Text,
		Muted: p.Muted, Header: p.Muted, Faint: p.Faint,
		Accent: p.Accent, Title: p.Accent, Key: p.Accent, Focus: p.Accent,
		Accent2: p.Accent2, Match: p.Accent2,
		Good: p.Good, Warn: p.Warn, Bad: p.Bad, Live: p.Live, Expired: p.Expired,
		Selected: p.SelectText, Caret: p.Background, Flash: p.Background,
		Border: p.Border, Bar: p.Bar, BarEmpty: p.BarEmpty,
	}[role]
	s = s.Foreground(hex(fg))
	switch role {
	case Selected:
		s = s.Background(hex(p.SelectBack))
	case Idle, Field:
		s = s.Background(hex(p.IdleBack))
	case Caret:
		s = s.Background(hex(p.Accent))
	case Flash:
		s = s.Background(hex(p.Warn))
	}
	return s
}

// hex is a colour together with its stand-in of 256. The conversion is xterm's:
// it knows the greys, which keeps dark grounds grey.
func hex(rgb string) lipgloss.CompleteColor {
	n := ansi.Convert256(ansi.XParseColor(rgb))
	return lipgloss.CompleteColor{TrueColor: rgb, ANSI256: strconv.Itoa(int(n))}
}

// attributes adds what colours alone must not carry. With few colours they
// carry everything.
func attributes(s lipgloss.Style, role Role, few bool) lipgloss.Style {
	switch role {
	case Title, Strong, Key, Match:
		s = s.Bold(true)
	case Selected:
		s = s.Bold(true).Reverse(few)
	case Idle, Field:
		s = s.Underline(few)
	case Caret, Flash:
		s = s.Reverse(few)
	case Focus, Bad, Warn, Header:
		s = s.Bold(few)
	}
	return s
}
