package themes

import (
	"fmt"
	"strings"
)

// Palette is a colour for each role, as "#rrggbb". It says nothing about where
// the colours are used: [New] makes every style from it.
//
// A text role must stand out from Background by 4.5:1 (WCAG), SelectText from
// SelectBack likewise, and Text from IdleBack. A test holds every built-in
// palette to that.
type Palette struct {
	Name  string // as --theme takes it
	About string // one line for the theme picker
	Dark  bool   // light text on a dark ground
	Own   bool   // the palette brings its background, whatever the terminal's is

	Background string
	Text       string // what is read
	Muted      string // what is read second: labels, units
	Faint      string // what is looked up: hints, placeholders
	Accent     string // titles, keys, the focused thing
	Accent2    string // a second voice: numbers, matches
	Good       string
	Warn       string
	Bad        string
	Live       string // a grant in force
	Expired    string // a grant that has expired
	SelectText string // the row under the cursor …
	SelectBack string // … and its ground
	IdleBack   string // the same in a pane without the focus, under Text
	Border     string
	Bar        string // what is left of a countdown
	BarEmpty   string // what is used up

	// Sixteen gives colours of the terminal's own sixteen (0–15) for terminals
	// that have no more. A role that is missing has the terminal's text colour.
	Sixteen map[Role]int
}

// Auto is the name that picks dark or light by the terminal's background.
const Auto = "auto"

// Names lists the built-in palettes in the order of the theme picker, without
// [Auto].
func Names() []string {
	names := make([]string, len(builtin))
	for i, p := range builtin {
		names[i] = p.Name
	}
	return names
}

// Lookup finds a built-in palette. [Auto], or no name at all, is light on a
// terminal known to be light and dark on any other. An unknown name gives a
// sentence that lists the known ones.
func Lookup(name string, terminal Background) (Palette, error) {
	if name == "" || name == Auto {
		name = "dark"
		if terminal == LightBackground {
			name = "light"
		}
	}
	for _, p := range builtin {
		if p.Name == name {
			return p, nil
		}
	}
	return Palette{}, fmt.Errorf("there is no theme %q: choose %s or %s", name, Auto, strings.Join(Names(), ", "))
}
