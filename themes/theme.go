// Package themes makes every style of the explorer from a palette. No other package chooses
// a colour.
//
// A theme is passed as a value. It has its own lipgloss renderer, so it never asks the
// terminal and does not depend on global state. The package knows lipgloss. It must know
// nothing of what the explorer shows.
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

// The background of a terminal that does not answer is unknown.
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

// Theme is every style of the explorer. It does not change after [New].
type Theme struct {
	Name   string
	ascii  bool
	ground *Ink // the background that Paint adds; nil keeps the terminal's
	inks   [roles]*Ink
}

// New makes a theme from a palette.
//
// The palette's background is painted unless the terminal is known to have a similar one, so
// that text is readable with any palette. With sixteen colours or none, the terminal's own
// colours are kept.
func New(p Palette, o Options) *Theme {
	r := lipgloss.NewRenderer(io.Discard)
	profile := o.Profile
	if profile == termenv.Ascii {
		o.NoColor = true
	}
	if o.NoColor {
		// Without a colour profile the renderer would omit reverse and bold too, and the
		// row under the cursor could not be seen.
		profile = termenv.ANSI
	}
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(p.Dark)

	hasFewColours := o.NoColor || profile == termenv.ANSI
	t := &Theme{Name: p.Name, ascii: o.ASCII}
	for role := range roles {
		s := r.NewStyle()
		switch {
		case o.NoColor: // the style gets attributes only, such as bold
		case hasFewColours:
			if n, ok := p.Sixteen[role]; ok {
				s = s.Foreground(lipgloss.Color(strconv.Itoa(n)))
			}
		default:
			s = p.colour(s, role)
		}
		t.inks[role] = newInk(attributes(s, role, hasFewColours))
	}
	isDarkOnDark := p.Dark && o.Terminal == DarkBackground
	isLightOnLight := !p.Dark && o.Terminal == LightBackground
	keepsBackground := !p.PaintsBackground && (isDarkOnDark || isLightOnLight)
	if !hasFewColours && !keepsBackground {
		t.ground = newInk(r.NewStyle().Foreground(hex(p.Text)).Background(hex(p.Background)))
	}
	return t
}

// Ink returns the ink of a role.
func (t *Theme) Ink(role Role) *Ink { return t.inks[role] }

// Render returns text in the ink of a role.
func (t *Theme) Render(role Role, text string) string { return t.inks[role].Render(text) }

// Paint finishes a whole frame: it adds the theme's background to every cell, and replaces
// the glyphs by their stand-ins if the theme is ASCII. The root calls it once a frame. It
// does not change the width of any line.
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

// colour returns a style with the palette's colours for a role: that of the text, and for
// roles such as the row under the cursor that of the background too.
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

// hex returns a colour such as "#5f87ff" together with the nearest of the 256 colours
// that many terminals are limited to. The conversion is xterm's, which includes the
// greys, so that dark backgrounds stay grey.
func hex(rgb string) lipgloss.CompleteColor {
	n := ansi.Convert256(ansi.XParseColor(rgb))
	return lipgloss.CompleteColor{TrueColor: rgb, ANSI256: strconv.Itoa(int(n))}
}

// attributes adds bold, underline and reverse, because a colour alone must not carry
// meaning. With few colours the attributes distinguish more roles.
func attributes(s lipgloss.Style, role Role, hasFewColours bool) lipgloss.Style {
	switch role {
	case Title, Strong, Key, Match:
		s = s.Bold(true)
	case Selected:
		s = s.Bold(true).Reverse(hasFewColours)
	case Idle, Field:
		s = s.Underline(hasFewColours)
	case Caret, Flash:
		s = s.Reverse(hasFewColours)
	case Focus, Bad, Warn, Header:
		s = s.Bold(hasFewColours)
	}
	return s
}
