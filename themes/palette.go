package themes

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

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

// builtIn returns the palettes of the program in the order of the theme picker.
var builtIn = sync.OnceValue(func() (palettes []Palette) {
	err := json.Unmarshal(palettesFile, &palettes)
	if err != nil {
		panic("palettes.json: " + err.Error()) // the file is part of the program
	}
	return palettes
})

// Auto is the name for the palette dark or light, by the terminal's background.
const Auto = "auto"

// Names returns the names of the built-in palettes in the order of the theme picker,
// without [Auto].
func Names() (names []string) {
	for _, p := range builtIn() {
		names = append(names, p.Name)
	}
	return names
}

// Lookup returns a built-in palette by its name. [Auto] and "" are light on a terminal that
// is known to be light, and dark on any other. For an unknown name the error lists the
// known ones.
func Lookup(name string, terminal Background) (Palette, error) {
	if name == "" || name == Auto {
		name = "dark"
		if terminal == LightBackground {
			name = "light"
		}
	}
	i := slices.Index(Names(), name)
	if i < 0 {
		return Palette{}, fmt.Errorf("there is no theme %q: choose %s or %s", name, Auto, strings.Join(Names(), ", "))
	}
	return builtIn()[i], nil
}
