// Package themes makes every style of the explorer from a palette. No other package chooses
// a colour, and this one knows nothing of what the explorer shows.
//
// A new palette belongs in palettes.json, and a new purpose of text in the roles and in looks.
// A theme has its own lipgloss renderer, so it never asks the terminal.
package themes

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Background is what is known of the terminal's background.
type Background int

// The backgrounds of terminals.
const (
	UnknownBackground Background = iota // the terminal did not answer when it was asked
	DarkBackground
	LightBackground
)

// Options are the facts about the terminal that a theme depends on.
type Options struct {
	Profile  termenv.Profile // how many colours the terminal has
	NoColor  bool            // NO_COLOR or --no-color: bold, underline and reverse stay
	ASCII    bool            // write ASCII characters in place of the glyphs
	Terminal Background      // the background of the terminal, as far as it is known
}

// Theme is every style of the explorer. It does not change after [New].
type Theme struct {
	Name       string
	isASCII    bool            // Paint writes ASCII characters in place of the glyphs
	background *Ink            // the background that Paint adds; nil keeps the terminal's
	inks       [roleCount]*Ink // by role
}

// New makes a theme from a palette, for a terminal that options describe.
//
// The theme paints the palette's background unless the terminal is known to have a similar
// one, so that text is readable with any palette. With sixteen colours or none, it keeps the
// terminal's own background.
func New(palette Palette, options Options) *Theme {
	profile := options.Profile
	if options.NoColor || profile == termenv.Ascii {
		// With the profile for no colours, the renderer would omit reverse and bold too, and
		// the row under the cursor could not be seen. So take sixteen colours, and remove them
		// from the palette.
		profile = termenv.ANSI
		palette.Sixteen = nil
	}
	renderer := lipgloss.NewRenderer(io.Discard)
	renderer.SetColorProfile(profile)

	hasFewColours := profile == termenv.ANSI
	theme := &Theme{Name: palette.Name, isASCII: options.ASCII}
	for role, roleLook := range looks {
		style := roleLook.style(renderer.NewStyle(), palette, hasFewColours)
		theme.inks[role] = newInk(style)
	}

	// Paint the background, unless the terminal's own is as good.
	isDarkOnDark := palette.Dark && options.Terminal == DarkBackground
	isLightOnLight := !palette.Dark && options.Terminal == LightBackground
	keepsBackground := !palette.PaintsBackground && (isDarkOnDark || isLightOnLight)
	if !hasFewColours && !keepsBackground {
		textLook := look{colour: "text", background: "background"}
		style := textLook.style(renderer.NewStyle(), palette, hasFewColours)
		theme.background = newInk(style)
	}
	return theme
}

// Ink returns the ink of a role.
func (t *Theme) Ink(role Role) *Ink { return t.inks[role] }

// Render is [Ink.Render] with the ink of a role.
func (t *Theme) Render(role Role, text string) string { return t.inks[role].Render(text) }

// Paint adds to the text of a whole screen the theme's background and, in an ASCII theme, ASCII
// characters in place of the glyphs. It does not change the width of any line.
func (t *Theme) Paint(frame string) string {
	if t.isASCII {
		frame = toPlain.Replace(frame)
	}
	if t.background == nil {
		return frame
	}

	// The escape sequence at the end of styled text also ends the background, so begin the
	// background again after each.
	const reset = "\x1b[0m"
	frame = strings.ReplaceAll(frame, reset, reset+t.background.opening)
	return t.background.Render(frame)
}

// look says how text in a role is drawn. Terminals with few colours (sixteen, or none) cannot
// show every difference in colour. On these, the fields that end in IfFew take effect.
type look struct {
	colour     string // name of the text's colour in [Palette.Colours]
	background string // name of the background's colour; "" is the background of the theme

	isBold            bool // bold on every terminal
	isBoldIfFew       bool // bold with few colours
	isStruck          bool // struck out
	isUnderlinedIfFew bool // underlined with few colours, in place of the background
	isReversedIfFew   bool // with few colours, text and background have each other's colour
}

var looks = [roleCount]look{
	Text:     {colour: "text"},
	Muted:    {colour: "muted"},
	Faint:    {colour: "faint"},
	Strong:   {colour: "text", isBold: true},
	Title:    {colour: "accent", isBold: true},
	Accent:   {colour: "accent"},
	Accent2:  {colour: "accent2"},
	Good:     {colour: "good"},
	Warn:     {colour: "warn", isBoldIfFew: true},
	Bad:      {colour: "bad", isBoldIfFew: true},
	Live:     {colour: "live"},
	Expired:  {colour: "expired"},
	Header:   {colour: "muted", isBoldIfFew: true},
	Selected: {colour: "selectText", background: "selectBack", isBold: true, isReversedIfFew: true},
	Idle:     {colour: "text", background: "idleBack", isUnderlinedIfFew: true},
	Border:   {colour: "border"},
	Focus:    {colour: "accent", isBoldIfFew: true},
	Key:      {colour: "accent", isBold: true},
	Match:    {colour: "accent2", isBold: true},
	Field:    {colour: "text", background: "idleBack", isUnderlinedIfFew: true},
	Caret:    {colour: "background", background: "accent", isReversedIfFew: true},
	Flash:    {colour: "background", background: "warn", isReversedIfFew: true},
	Bar:      {colour: "bar"},
	BarEmpty: {colour: "barEmpty"},
	Struck:   {colour: "expired", isStruck: true},
}

// style adds the colours and attributes of a look to an empty style.
func (l look) style(style lipgloss.Style, palette Palette, hasFewColours bool) lipgloss.Style {
	style = style.Foreground(palette.colour(l.colour))
	style = style.Bold(l.isBold || l.isBoldIfFew && hasFewColours)
	style = style.Strikethrough(l.isStruck)
	if hasFewColours {
		return style.Underline(l.isUnderlinedIfFew).Reverse(l.isReversedIfFew)
	}
	return style.Background(palette.colour(l.background))
}

// colour returns a colour of the palette by its name, for terminals with all colours, with 256,
// and with sixteen. The name "" is no colour.
func (p Palette) colour(name string) lipgloss.CompleteColor {
	rgb := p.Colours[name]
	if rgb == "" {
		return lipgloss.CompleteColor{}
	}

	// Convert256 finds the nearest of the 256 colours. It also considers the greys among them,
	// so a dark background stays grey.
	nearest := ansi.Convert256(ansi.XParseColor(rgb))
	return lipgloss.CompleteColor{
		TrueColor: rgb,
		ANSI256:   strconv.Itoa(int(nearest)),
		ANSI:      p.Sixteen[name],
	}
}

// Palette is a set of colours for a theme. [New] makes the styles of the theme from it.
type Palette struct {
	Name             string // as --theme takes it
	Description      string // one line for the theme picker
	Dark             bool   // the text is light and its background dark
	PaintsBackground bool   // the palette's background is painted whatever the terminal's is

	// Colours has the colours as "#rrggbb", by their names:
	//
	//	background, text          of everything
	//	muted                     what is read second: labels, units
	//	faint                     what is looked up: hints, placeholders
	//	accent                    titles, keys, the border of the focused pane
	//	accent2                   numbers, what a search has matched
	//	good, warn, bad
	//	live, expired             approvals in force, and approvals that have expired
	//	selectText, selectBack    the row under the cursor
	//	idleBack                  the background of that row in a pane without the focus
	//	border
	//	bar, barEmpty             the remaining and the elapsed part of a countdown
	//
	// The contrast of text with its background must be 4.5:1 (WCAG). A test checks it for
	// every built-in palette.
	Colours map[string]string

	// Sixteen has the numbers, from "0" to "15", of the colours for terminals with sixteen
	// colours. A colour that is missing here is the terminal's own colour of text: on a
	// light background nobody can read the yellow of a warning.
	Sixteen map[string]string
}

//go:embed palettes.json
var palettesFile []byte

// builtInPalettes returns the palettes of the program in the order of the theme picker.
var builtInPalettes = sync.OnceValue(func() (palettes []Palette) {
	err := json.Unmarshal(palettesFile, &palettes)
	if err != nil {
		panic("palettes.json: " + err.Error()) // the file is part of the program
	}
	return palettes
})

// Auto is the name for the palette "dark" or "light", by the terminal's background; see [Lookup].
const Auto = "auto"

// Names returns the names of the built-in palettes in the order of the theme picker,
// without [Auto].
func Names() (names []string) {
	for _, palette := range builtInPalettes() {
		names = append(names, palette.Name)
	}
	return names
}

// Lookup returns a built-in palette by its name. The names [Auto] and "" mean the palette
// "light" if the terminal's background is known to be light, and "dark" otherwise. For an
// unknown name the error lists the known ones.
func Lookup(name string, terminal Background) (Palette, error) {
	isAuto := name == "" || name == Auto
	switch {
	case isAuto && terminal == LightBackground:
		name = "light"
	case isAuto:
		name = "dark"
	}
	index := slices.Index(Names(), name)
	if index < 0 {
		knownNames := strings.Join(Names(), ", ")
		return Palette{}, fmt.Errorf("there is no theme %q: choose %s or %s", name, Auto, knownNames)
	}
	return builtInPalettes()[index], nil
}
